/** Words of the shell that the specification fixes (specification 1 §2, §8). Plain values. */

/** Specification 1 §2: the backend's version when the about call does not tell it. */
export const NO_VERSION = "NA";

/** What `/kubeconfig` answers, and the dialog says, where there is none to download. */
export const NO_KUBECONFIG =
  "This installation was not told the address people reach it by (PUBLIC_URL), so there is no kubeconfig to download.";

/** When the properties could not be read. */
export const FLAGS_UNKNOWN =
  "Feature flags could not be read, so nothing is switched off for now. They are asked for again with every page.";

/** Specification 1 §8: what the browser's own calls say when they fail. */
export const TIMED_OUT = "Request timed out. Please try again.";
export const NETWORK_ERROR = "Network Error. Please try again.";
export const OFFLINE = "No internet connection. Please try again.";
export const WENT_WRONG = "Something went wrong";

/** Nobody is signed in any more. */
export const SESSION_ENDED = "Your session has ended.";

/** What the bar at the foot of a page says that could not be brought up to date. */
export const CONNECTION_WORDS = {
  offline: OFFLINE,
  network: NETWORK_ERROR,
  timeout: TIMED_OUT,
  away: "Upstream is away.",
  failed: "An error occurred.",
  ended: SESSION_ENDED,
} as const;
