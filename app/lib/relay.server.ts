import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline, Readable, type Duplex } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { env } from "./env.server.ts";
import { RELAYED_POLICY } from "./headers.server.ts";
import { relayedCookies } from "./identity-cookies.ts";
import { requireThisSite } from "./origin.server.ts";
import { identityPlace, placeOf, type Place } from "./place.server.ts";
import { countedCall } from "./scope.server.ts";
import { identityHeaders, upstreamAway, upstreamHeaders } from "./upstream.server.ts";

/** The contract's proxy waits ten minutes (facts/backend-http §1); silence, not duration, ends a stream. */
const SILENCE_MS = 600_000;
/** Headers of the caller that are upstream's business; cookies are handled apart. */
const FORWARDED = [
  "accept",
  "accept-language",
  "authorization",
  "cache-control",
  "content-encoding",
  "content-length",
  "content-type",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "last-event-id",
  "prefer",
  "range",
  "range-unit",
  "user-agent",
] as const;
/** Headers of the answer that belong to the connection, to our own encoding, or to our own policy. */
const KEPT_BACK = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-security-policy",
  "cross-origin-opener-policy",
  "keep-alive",
  "permissions-policy",
  "proxy-authenticate",
  "proxy-connection",
  "referrer-policy",
  "strict-transport-security",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-content-type-options",
  "x-frame-options",
]);
const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);
/** Calls that carry a token of their own and lean on no cookie: machines make them, from wherever they are. */
const OWN_TOKEN = /^\/canary\/(heartbeat|webhook)\//;
/** Statuses that fetch's Response allows no body for. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Where a call to us goes upstream (facts/ui-contract §0.3, identity mode): `/api/.ory/*` is `/kratos/*`, any other
 * `/api/*` loses the prefix. The rest is kept byte for byte. Null when the target is not below `/api/`.
 */
export function upstreamTarget(target: string): string | null {
  if (!target.startsWith("/api/")) return null;
  return target.startsWith("/api/.ory/")
    ? `/kratos/${target.slice("/api/.ory/".length)}`
    : target.slice("/api".length);
}

/**
 * Answers a request to `/api/*` with upstream's answer, under the credentials of the session or the caller's own (issue
 * §2). Upstream decides who may; we only see to it that a write that leans on the cookie comes from this site.
 */
export async function relayed(request: Request): Promise<Response> {
  // Remix has rebuilt the query by now; the preload recorded the target as it came.
  const { pathname, search } = new URL(request.url);
  const target = upstreamTarget(request.headers.get("x-ph-target") ?? pathname + search);
  if (!request.headers.has("authorization") && !OWN_TOKEN.test(target ?? "")) requireThisSite(request);
  const isIdentity = env().isStandalone && target?.startsWith("/kratos/");
  if (target === null || isIdentity) return Response.json({ error: "Not found" }, { status: 404 });
  try {
    const { kratosUrl } = env();
    if (kratosUrl && target.startsWith("/kratos/")) return await relayIdentity(request, kratosUrl, target);
    const place = await placeFor(request);
    return await relay(request, place.url, target, { credentials: upstreamHeaders(request, place) });
  } catch (error) {
    if (request.signal.aborted) throw error;
    if (error instanceof Response) return inJson(error);
    const { statusText } = upstreamAway(request, error);
    return Response.json({ error: statusText }, { status: 503, headers: { "Retry-After": "5" } });
  }
}

/** A caller with credentials of its own needs no session of ours, where one backend serves everybody. */
const placeFor = (request: Request): Promise<Place> | Place =>
  request.headers.has("authorization") && env().upstreamUrl ? identityPlace(request) : placeOf(request);

/** What a page would be told (signed out, no backend yet, the provider is away), for programs. */
async function inJson(thrown: Response): Promise<Response> {
  const error = await thrown.text();
  return Response.json({ error }, { status: thrown.status, headers: { "Cache-Control": "no-store" } });
}

/** The same to an identity service elsewhere: its cookies become ours on the way back, and no credential of ours goes. */
async function relayIdentity(request: Request, kratosUrl: string, target: string): Promise<Response> {
  const credentials = identityHeaders(request);
  const answer = await relay(request, kratosUrl, target.slice("/kratos".length), {
    credentials,
    isIdentity: true,
  });
  const headers = new Headers([...answer.headers].filter(([name]) => name !== "set-cookie"));
  for (const line of relayedCookies(answer.headers.getSetCookie(), { secure: env().isSecure }))
    headers.append("Set-Cookie", line);
  const { status, statusText } = answer;
  return new Response(answer.body, { status, statusText, headers });
}

/**
 * Streams a request to upstream and its answer back. Node's own client is used because fetch would rewrite the target.
 * Rejects when upstream does not answer; ends the call upstream when the client leaves.
 */
export function relay(
  request: Request,
  upstreamUrl: string,
  target: string,
  {
    credentials = upstreamHeaders(request, { ...identityPlace(request), url: upstreamUrl }),
    isIdentity = false,
  } = {},
): Promise<Response> {
  const root = new URL(upstreamUrl);
  const open = root.protocol === "https:" ? requestHttps : requestHttp;
  return countedCall(
    () =>
      new Promise((resolve, reject) => {
        const call = open(
          {
            protocol: root.protocol,
            hostname: root.hostname.replace(/^\[|\]$/g, ""),
            port: root.port,
            path: root.pathname.replace(/\/$/, "") + target,
            method: request.method,
            headers: forwardedHeaders(request, credentials, isIdentity),
            timeout: SILENCE_MS,
            signal: request.signal,
          },
          (answer) => {
            try {
              resolve(answerOf(answer, request.signal));
            } catch (error) {
              answer.destroy();
              reject(error);
            }
          },
        );
        call.on("timeout", () => call.destroy(new Error("Upstream was silent for too long.")));
        call.on("error", reject);
        if (request.body && hasBody(request))
          Readable.fromWeb(request.body as NodeStream)
            .on("error", reject)
            .pipe(call);
        else call.end();
      }),
  );
}

function forwardedHeaders(request: Request, credentials: Record<string, string>, isIdentity: boolean) {
  const headers: Record<string, string> = { ...credentials };
  for (const name of FORWARDED) {
    // Basic is for our API; an identity service elsewhere would only see a password that is none of its business.
    if (name === "authorization" && (env().isStandalone || isIdentity)) continue;
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  if (request.headers.has("transfer-encoding")) headers["transfer-encoding"] = "chunked";
  return headers;
}

/** Remix gives every unsafe request a stream; only these headers say that something is in it. */
const hasBody = ({ headers }: Request) => headers.has("content-length") || headers.has("transfer-encoding");

function answerOf(answer: IncomingMessage, signal: AbortSignal): Response {
  const headers = new Headers({ "Content-Security-Policy": RELAYED_POLICY });
  const dropped = new Set((answer.headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = answer.rawHeaders.slice(index, index + 2);
    if (!isKeptBack(name.toLowerCase(), dropped)) headers.append(name, value);
  }
  const status = answer.statusCode ?? 502;
  const isBodiless = BODILESS.has(status);
  if (isBodiless) answer.resume();
  const body = isBodiless ? null : bodyOf(decoded(answer), signal);
  return new Response(body, { status, statusText: answer.statusMessage ?? "", headers });
}

/** Also what upstream allows other sites, by way of the origin we told it: that is between it and us. */
const isKeptBack = (name: string, dropped: ReadonlySet<string>) =>
  KEPT_BACK.has(name) || dropped.has(name) || name.startsWith("access-control-");

/** The answer as it comes. A reader that leaves ends it without a word; an upstream that breaks off breaks it off. */
function bodyOf(answer: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = (Readable.toWeb(answer) as ReadableStream<Uint8Array>).getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (signal.aborted) controller.close();
        else controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** We ask for no encoding and choose our own towards the browser; whatever upstream chose is undone. */
function decoded(answer: IncomingMessage): Readable {
  const decoder = DECODERS.get(answer.headers["content-encoding"] ?? "")?.();
  return decoder ? pipeline(answer, decoder, () => {}) : answer;
}
