import { safeReturnTo } from "#app/lib/return-to.ts";
import { loginPath, profilePath, recoveryPath, registrationPath, verificationPath } from "./paths.ts";

/** Where the identity service sends a browser: a page of ours, or somebody else's (a provider of sign-in). */
export type Place = { path: string } | { elsewhere: string };

/** A self-service endpoint that begins a flow, wherever the identity service is. */
const BEGIN = /\/self-service\/(login|registration|settings|recovery|verification)\/browser$/;
const PAGES: ReadonlySet<string> = new Set([
  "/login",
  "/registration",
  "/recovery",
  "/verification",
  "/profile-settings",
  "/error",
]);

/**
 * Reads an address the identity service redirects to. Its own beginnings of flows become our pages, which begin them
 * themselves with the cookies of our origin; our own pages become paths, also under another name of this host. Null for
 * what is no address of http.
 */
export function placeOf(address: string, origin: string): Place | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const kind = BEGIN.exec(url.pathname)?.[1];
  if (kind) return { path: pageThatBegins(kind, url.searchParams, origin) };
  const isOurs = url.origin === origin || (PAGES.has(url.pathname) && hasFlow(url.searchParams));
  const path = isOurs ? safeReturnTo(url.pathname + url.search + url.hash) : null;
  if (path) return { path };
  return isOurs ? null : { elsewhere: url.href };
}

const hasFlow = (query: URLSearchParams) => query.has("flow") || query.has("id");

function pageThatBegins(kind: string, query: URLSearchParams, origin: string): string {
  const return_to = pathHere(query.get("return_to"), origin) ?? "";
  const aal = query.get("aal");
  switch (kind) {
    case "login":
      return loginPath({
        return_to,
        refresh: query.get("refresh") === "true",
        aal: aal === "aal2" || aal === "aal1" ? aal : "",
      });
    case "registration":
      return registrationPath({ return_to });
    case "recovery":
      return recoveryPath({ return_to });
    case "verification":
      return verificationPath({ return_to });
    default:
      return profilePath({ return_to });
  }
}

/** A return address as a path of this site; null when it is none, so that nobody is led away. */
function pathHere(address: string | null, origin: string): string | null {
  if (!address || !URL.canParse(address, origin)) return null;
  const place = placeOf(address, origin);
  return place && "path" in place ? place.path : null;
}
