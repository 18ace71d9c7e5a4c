import type { IncomingMessage } from "node:http";
import { exchange, type HttpRequest as OneRequest } from "./http-exchange.ts";
import { exchangeWithNtlm, type NtlmLogin } from "./http-ntlm.ts";

export interface HttpRequest extends OneRequest {
  ntlm?: NtlmLogin;
  /** Codes at which a redirect is an answer, not a way to go. */
  stopAt: readonly number[];
}

export interface HttpAnswer {
  url: URL;
  code: number;
  contentType: string | null;
  /** By their names as Go writes them (Content-Type); several of one name are one, with commas. */
  headers: Record<string, string>;
  /** As much of the body as was read. */
  body: string;
  /** The body went on past the limit. */
  truncated: boolean;
  /** When the server's certificate expires; null without TLS. */
  expires: Date | null;
}

/** How much of a body is read, in bytes; the connection is closed there. Ours to choose. */
export const BODY_LIMIT = 5 * 1024 * 1024;
const MAX_REDIRECTS = 10;

/** Sends the request and follows redirects as browsers and Go do. Throws on anything but an answer. */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  let next = request;
  for (let hops = 0; ; hops++) {
    const { response, expires } = next.ntlm ? await exchangeWithNtlm(next, next.ntlm) : await exchange(next);
    const code = response.statusCode ?? 0;
    const target = redirectTarget(next, response);
    if (!target || request.stopAt.includes(code)) {
      const { text, truncated } = await read(response);
      return {
        url: next.url,
        code,
        contentType: response.headers["content-type"] ?? null,
        headers: headersOf(response),
        body: text,
        truncated,
        expires,
      };
    }
    response.destroy();
    if (hops === MAX_REDIRECTS) throw new Error(`stopped after ${MAX_REDIRECTS} redirects`);
    next = redirected(next, code, target);
  }
}

function redirectTarget({ url }: HttpRequest, response: IncomingMessage): URL | null {
  const { location } = response.headers;
  if (!location || ![301, 302, 303, 307, 308].includes(response.statusCode ?? 0)) return null;
  const target = URL.canParse(location, url) ? new URL(location, url) : null;
  if (!target || !/^https?:$/.test(target.protocol))
    throw new Error(`redirected to "${location}", which is no web address`);
  return target;
}

/** The request after a redirect: other hosts get no credentials, and 301 to 303 turn a POST into a GET. */
function redirected(request: HttpRequest, code: number, url: URL): HttpRequest {
  const keep = code === 307 || code === 308 || ["GET", "HEAD"].includes(request.method);
  const stays = url.host === request.url.host;
  const left = [
    ...(stays ? [] : ["authorization", "cookie", "host"]),
    ...(keep ? [] : ["content-length", "content-type"]),
  ];
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !left.includes(name.toLowerCase())),
  );
  const { ntlm, ...rest } = request;
  const next = { ...rest, url, headers, ...(ntlm && stays ? { ntlm } : {}) };
  return keep ? next : { ...next, method: "GET", body: undefined };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
      [value ?? ""].flat().join(", "),
    ]),
  );
}

/** Reads until the limit and then hangs up: a check must not be a download. */
async function read(response: IncomingMessage): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const room = BODY_LIMIT - size;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += chunk.length;
    if (size > BODY_LIMIT) break;
  }
  return { text: Buffer.concat(chunks).toString("utf8"), truncated: size > BODY_LIMIT };
}
