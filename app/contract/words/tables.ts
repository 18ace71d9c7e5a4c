/** Numbers of tables that the specification fixes. Plain values: safe to ship to the browser. */

/** Specification 1 §9. */
export const PAGE_SIZES = [5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000] as const;
/** Where the specification names no size for a list: the one it gives to most of those it does. */
export const DEFAULT_PAGE_SIZE = 50;
