import type { WebEnv } from "./env.server.ts";
import { nameOfLine } from "./cookies.ts";
import { scope, serverTiming, type RequestScope } from "./scope.server.ts";

/** Two years, as browsers' preload lists ask for. */
const HSTS = "max-age=63072000; includeSubDomains";

/** Browsers ignore these by http, one of them with a complaint in the console. */
const HTTPS_ONLY: [name: string, value: string][] = [
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Strict-Transport-Security", HSTS],
];

/** On every answer of the web, static files included; set by the preload before Remix sees the request. */
export const securityHeaders = ({ isSecure }: Pick<WebEnv, "isSecure">): [name: string, value: string][] => [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  // Under `no-referrer` browsers send `Origin: null` with plain form posts, which the Origin rule refuses.
  ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ...(isSecure ? HTTPS_ONLY : []),
];

/** What a page may load and run. `style=""` is what charts and graphs are positioned with; scripts need the nonce. */
export const pagePolicy = (nonce: string, { isDevelopment = false } = {}): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    // In development Vite adds style elements without a nonce when a file changes.
    `style-src-elem 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** For whatever upstream sends through us: should a browser open it as a document, it may do nothing. */
export const RELAYED_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Finishes the headers of a page or of its data: never kept by a cache, timed, with the cookies of the request. */
export function finishPage(headers: Headers): void {
  headers.set("Cache-Control", "private, no-store");
  headers.set("Server-Timing", serverTiming());
  for (const line of takeCookies(scope(), headers.getSetCookie())) headers.append("Set-Cookie", line);
}

/**
 * The Set-Cookie lines that parts of a request left for its answer, once: those of a page take them, and the preload
 * gives them to any other answer. What the answer sets itself counts more, in whatever pieces.
 */
export function takeCookies(
  { cookies }: Pick<RequestScope, "cookies">,
  already: readonly string[],
): string[] {
  const whole = (line: string) => nameOfLine(line).replace(/\.\d+$/, "");
  const set = new Set(already.map(whole));
  const lines = [...cookies.values()].filter((line) => !set.has(whole(line)));
  cookies.clear();
  return lines;
}

/** Headers with several Set-Cookie lines, each its own. */
export const cookieHeaders = (lines: readonly string[]): Headers =>
  new Headers(lines.map((line): [string, string] => ["Set-Cookie", line]));
