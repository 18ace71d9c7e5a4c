import { request as exchange, type Dispatcher } from "undici";
import { TIMED_OUT } from "#app/contract/words/platform.ts";
import { cookiesThere } from "#app/contract/identity-cookies.ts";
import { parseCookies } from "./cookies.ts";
import { env } from "./env.server.ts";
import { identityPlace, placeOf, type Place } from "./place.server.ts";
import { countedCall, scope } from "./scope.server.ts";

/** Longest wait for an answer of upstream, ms. A run of a check or a playbook may ask for more. */
const TIMEOUT_MS = 30_000;

export interface UpstreamInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
}

/** The words of the page that says upstream is away; its status tells the boundary (503, or 504 after a time-out). */
const UPSTREAM_AWAY = "Upstream is away";

/**
 * What to throw when upstream cannot be reached: a Response, because Remix hides the words of a thrown Error from the
 * page. Reported here, once per call that failed.
 */
export function upstreamAway(request: Request, cause: unknown, status: 503 | 504 = 503): Response {
  scope().report({
    status,
    method: request.method,
    path: new URL(request.url).pathname,
    error: wordsOf(cause),
  });
  const words = status === 504 ? TIMED_OUT : UPSTREAM_AWAY;
  return new Response(words, { status, statusText: UPSTREAM_AWAY, headers: { "retry-after": "5" } });
}

/** The words of an error and of what caused it ("fetch failed: connect ECONNREFUSED …"). */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${wordsOf(error.cause)}` : error.message || error.name;
}

/**
 * Headers that go upstream with every call of a request: its credential, its client's address and its id. We have judged
 * where the request came from; an upstream with the same Origin rule (another web's `/api`) is told that it is its own.
 */
export function upstreamHeaders(
  request: Request,
  { url, credential }: Place = identityPlace(request),
): Record<string, string> {
  const client = request.headers.get("x-ph-client");
  const host = request.headers.get("x-ph-host");
  return {
    "x-request-id": scope().id,
    origin: new URL(url).origin,
    ...(client ? { "x-ph-client": client } : {}),
    ...(host ? { "x-ph-host": host } : {}),
    ...credential,
  };
}

/** The root of the identity service's public API: upstream's own, or an Ory Kratos elsewhere. */
export const identityUrl = (): string => env().kratosUrl ?? `${env().upstreamUrl}/kratos`;

/** Headers of a call of the identity service. One elsewhere gets its cookies under its names, and nobody else's. */
export function identityHeaders(request: Request): Record<string, string> {
  const { kratosUrl, isSecure } = env();
  const agent = request.headers.get("user-agent"); // what the list of one's sessions calls a browser by
  const browser: Record<string, string> = agent ? { "user-agent": agent } : {};
  if (!kratosUrl) return { ...upstreamHeaders(request), ...browser };
  const client = request.headers.get("x-ph-client");
  const cookie = cookiesThere(parseCookies(request.headers.get("cookie")));
  return {
    "x-request-id": scope().id,
    origin: new URL(kratosUrl).origin,
    "x-forwarded-proto": isSecure ? "https" : "http",
    ...browser,
    ...(client ? { "x-forwarded-for": client, "x-ph-client": client } : {}),
    ...(cookie ? { cookie } : {}),
  };
}

/** What upstream answered, read to its end. */
export interface Answer {
  status: number;
  ok: boolean;
  text: string;
  /** A header of the answer by its name in lower case; null when it was not sent. */
  header(name: string): string | null;
  /** Throws a SyntaxError when the text is none. */
  json(): unknown;
}

/** One call of the identity service for a page, as `upstreamFetch` is one upstream. */
export const identityFetch = (request: Request, path: string): Promise<Answer> =>
  call(request, identityUrl() + path, { headers: identityHeaders(request) });

/**
 * One call upstream for a page, with the credential of its request. `path` begins with `/` and is already encoded.
 * Throws a Response (503, 504) when upstream does not answer, and the request's own abort when its client left.
 */
export async function upstreamFetch(
  request: Request,
  path: string,
  init: UpstreamInit = {},
): Promise<Answer> {
  const place = await placeOf(request);
  const headers = { ...upstreamHeaders(request, place), ...init.headers };
  return call(request, place.url + path, { ...init, headers });
}

async function call(request: Request, address: string, init: UpstreamInit): Promise<Answer> {
  const patience = AbortSignal.timeout(init.timeoutMs ?? TIMEOUT_MS);
  try {
    const answer = await countedCall(() => ask(address, init, AbortSignal.any([request.signal, patience])));
    if (answer.status >= 502 && answer.status <= 504)
      throw upstreamAway(request, `upstream answered ${answer.status}`);
    return answer;
  } catch (error) {
    if (error instanceof Response || request.signal.aborted) throw error;
    throw upstreamAway(request, error, patience.aborted ? 504 : 503);
  }
}

/** Not by `fetch`, whose streams cost a page of five calls a twentieth of its time. Redirects are not followed. */
async function ask(address: string, init: UpstreamInit, signal: AbortSignal): Promise<Answer> {
  const { statusCode, headers, body } = await exchange(address, {
    method: (init.method ?? "GET") as Dispatcher.HttpMethod,
    headers: { accept: "application/json", ...init.headers },
    ...(init.body === undefined ? {} : { body: init.body }),
    signal,
  });
  const text = await body.text();
  return {
    status: statusCode,
    ok: statusCode >= 200 && statusCode < 300,
    text,
    header: (name) => [headers[name] ?? []].flat()[0] ?? null,
    json: () => JSON.parse(text) as unknown,
  };
}
