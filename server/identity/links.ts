/**
 * Addresses the identity service hands out. They are the browser's: under PUBLIC_URL when it is known, else paths that
 * the browser completes itself (the web relays `/api/.ory/*` here and rewrites nothing).
 */
import { problems } from "./problem.ts";

/** The pages of the UI a flow is filled in on (specification 1 §2). */
const PAGES = {
  login: "/login",
  registration: "/registration",
  settings: "/profile-settings",
  recovery: "/recovery",
  verification: "/verification",
  error: "/error",
} as const;

const SERVICE = "/api/.ory/self-service";
type Query = Record<string, string | null | undefined>;

/** `publicUrl` has no trailing slash and no path, or is null. */
export function createLinks(publicUrl: string | null) {
  const base = publicUrl === null ? "" : new URL(publicUrl).origin;

  const at = (path: string, query: Query = {}): string => {
    const entries = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
    return `${base}${path}${entries.length > 0 ? `?${new URLSearchParams(entries).toString()}` : ""}`;
  };

  return {
    /** A page of the UI. */
    page: (name: keyof typeof PAGES, query?: Query) => at(PAGES[name], query),
    /** An endpoint of this service as the browser reaches it, e.g. `login/browser`. */
    service: (path: string, query?: Query) => at(`${SERVICE}/${path}`, query),
    /** Completes a checked return_to, or answers the fallback path. */
    home: (returnTo: string | null, fallback = "/") => {
      const target = returnTo ?? fallback;
      return target.startsWith("/") ? at(target) : target;
    },
    /** A checked return_to as a path, for a page of the UI; null when there is none. */
    path: (returnTo: string | null): string | null =>
      base !== "" && returnTo?.startsWith(base) ? returnTo.slice(base.length) || "/" : returnTo,
    /**
     * The address if it is a path or of this site, null when absent.
     * @throws Problem self_service_flow_return_to_forbidden
     */
    returnTo: (value: string | null | undefined): string | null => {
      if (!value) return null;
      const checked = sameSite(value, base);
      if (checked === null) throw problems.returnToForbidden();
      return checked;
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

/** Parsed as a browser would, because `/\evil`, tabs and `/..//evil` are read differently by eye. */
function sameSite(value: string, base: string): string | null {
  const nowhere = "http://path.invalid";
  const isPath = value.startsWith("/");
  if (!isPath && base === "") return null;
  if (!URL.canParse(value, base || nowhere)) return null;
  const url = new URL(value, base || nowhere);
  if (url.origin !== (base || nowhere) || url.username || url.password) return null;
  if (url.pathname.startsWith("//")) return null;
  if (isPath) return `${url.pathname}${url.search}${url.hash}`;
  return /^https?:\/\//i.test(value) ? url.toString() : null;
}
