import { env } from "./env.server.ts";

/** What the rule needs to know about a request. */
export interface OriginFacts {
  method: string;
  /** `Origin` as the browser sent it, null when it sent none. */
  origin: string | null;
  fetchSite: string | null;
  host: string | null;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * May this request change something on the strength of its cookies (DESIGN C9)? Its Origin must be that of PUBLIC_URL,
 * or the Host under either scheme when that is unset; without an Origin it must say that it comes from this site.
 */
export function isFromThisSite(
  { method, origin, fetchSite, host }: OriginFacts,
  publicUrl: URL | null,
): boolean {
  if (SAFE.has(method)) return true;
  if (origin === null) return fetchSite === "same-origin";
  if (publicUrl) return origin === publicUrl.origin;
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Where people reach us, for addresses that leave the page: PUBLIC_URL, else what this browser asked for. */
export const siteOrigin = (request: Request): string => (env().publicUrl ?? new URL(request.url)).origin;

/** Throws 403 for an unsafe request that comes from another site. First in every action, sign-in included. */
export function requireThisSite(request: Request): void {
  const { method, headers } = request;
  const facts = {
    method,
    // The preload moves Origin aside, because Remix refuses a PUBLIC_URL that differs from the Host with an empty 500.
    origin: headers.get("x-ph-origin") ?? headers.get("origin"),
    fetchSite: headers.get("sec-fetch-site"),
    host: headers.get("host"),
  };
  if (!isFromThisSite(facts, env().publicUrl))
    throw new Response("This request came from another site and was refused.", { status: 403 });
}
