import { isRouteErrorResponse } from "@remix-run/react";
import { UNAUTHORIZED, UNCAUGHT } from "#app/contract/words/auth.ts";
import { PROVIDER_AWAY, PROVIDER_AWAY_WORDS } from "#app/contract/words/hosted.ts";
import { NETWORK_ERROR, OFFLINE, TIMED_OUT, WENT_WRONG } from "#app/contract/words/platform.ts";

/** The title of a refusal in somebody's own words; `statusText` of a thrown Response replaces the usual one. */
export const REFUSED = "This did not work";

/** What an error page says. `mark` chooses its picture; `id` finds the report of a failure that is ours. */
export interface ErrorView {
  mark: "locked" | "missing" | "away" | "broken";
  title: string;
  words: string;
  /** Worth asking again: a link that reloads the same address. */
  retry: boolean;
  /** Likely to be over soon, and by whom: the page looks by itself. */
  passing?: "backend" | "provider";
  id?: string | undefined;
}

/** Specification 1 §8 and DESIGN C10: facts are told in their own words, failures of ours by their id only. */
export function describeError(error: unknown, id?: string): ErrorView {
  if (isRouteErrorResponse(error)) {
    const words = typeof error.data === "string" ? error.data : "";
    if (error.status === 403)
      return {
        mark: "locked",
        title: error.statusText || "Unauthorized",
        words: words || UNAUTHORIZED,
        retry: false,
      };
    if (error.status === 404)
      return {
        mark: "missing",
        title: "Not found",
        words: isOurWords(words) ? words : "There is nothing at this address.",
        retry: false,
      };
    if (error.status === 503)
      return {
        mark: "away",
        title: words || "Upstream is away",
        words:
          error.statusText === PROVIDER_AWAY
            ? PROVIDER_AWAY_WORDS
            : "The backend does not answer. It may be restarting; nothing is lost.",
        retry: true,
        passing: error.statusText === PROVIDER_AWAY ? "provider" : "backend",
      };
    if (error.status === 504)
      return {
        mark: "away",
        title: "No answer in time",
        words: words || TIMED_OUT,
        retry: true,
      };
    if (error.status < 500)
      return {
        mark: "broken",
        title: error.statusText || REFUSED,
        words: words || "An error occurred",
        retry: false,
      };
    if (error.statusText === WENT_WRONG)
      return {
        mark: "broken",
        title: WENT_WRONG,
        words: "The backend could not answer this. It has been reported and is not your fault.",
        retry: true,
        id,
      };
  }
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message))
    return {
      mark: "away",
      title: "Network error",
      words: isOffline() ? OFFLINE : NETWORK_ERROR,
      retry: true,
    };
  return {
    mark: "broken",
    title: UNCAUGHT,
    words: "It has been reported and is not your fault.",
    retry: true,
    id,
  };
}

const isOffline = () => typeof navigator !== "undefined" && navigator.onLine === false;

/** Remix's own 404 says `Error: No route matches URL "…"`, which is nothing for people. */
const isOurWords = (words: string) => words !== "" && !words.startsWith("Error:") && words !== "Not found";
