/** Parts of the form that have an address of their own. */

/** Where the focus goes when something has to be mended. */
export const FINDINGS = "findings";
/** What a test before saving found. */
export const TESTED = "tested";
/** The spec as code. */
export const CODE_ID = "spec-code";
