/** Access tokens: words and limits. Plain values: safe to ship to the browser. */

/** The feature of a control plane that lets people make and end access tokens (DESIGN, decision 14). */
export const ACCESS_TOKENS = "access.tokens";

/** Specification 1 §8, said of every token that is made. */
export const SHOWN_ONCE = "Access token will be shown only once. Please copy it and store it securely.";

/** How long a new token may live, in days; the last choice is one that does not end by itself. */
export const LIFETIMES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "never", label: "Never" },
] as const;
export const DEFAULT_LIFETIME = "90";

export const TOKEN_NAME_LIMIT = 100;
/** Days; ten years. */
export const LONGEST_LIFETIME = 3_650;
export const TOKENS_PAGE_SIZE = 50;
