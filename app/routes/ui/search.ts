import { int, manyOf, markFields, oneOf, search, text, type SearchOf } from "#app/lib/search.ts";

export const KINDS = ["http", "tcp", "dns", "icmp", "exec", "folder", "sql", "redis", "kubernetes"] as const;

/** The state of the examples, in the address like everywhere. */
export const uiSearch = search({
  query: text(),
  status: oneOf(["all", "healthy", "unhealthy"], "all"),
  duration: text(),
  kinds: manyOf(KINDS),
  labels: markFields("labels"),
  page: int(1, { min: 1 }),
  open: oneOf(["nothing", "drawer", "dialog", "confirm"], "nothing"),
});
export type UiSearch = SearchOf<typeof uiSearch>;
export const uiPath = (values?: Partial<UiSearch>) => uiSearch.href("/ui", values);
