/** Words of the shell that the specification fixes (specification 1 §2, §9). Plain values. */

/** Specification 1 §9: shown next to the backend's own version. */
export const FRONTEND_VERSION = "1.0.783";
/** Specification 1 §2: the backend's version when the about call does not tell it. */
export const NO_VERSION = "NA";
/** The help menu's Docs (facts/ui-screens §2.1). */
export const DOCS_URL = "https://docs.flanksource.com";
