import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "#app/contract/words/tables.ts";
import { int, oneOf, search, sort, text, type Codec, type SearchOf, type Sort } from "#app/lib/search.ts";

/** What a list may be sorted by: what the database has in one place. */
export const SORT_COLUMNS = [
  "name",
  "source",
  "schedule",
  "namespace",
  "job_status",
  "last_runtime",
  "job_last_failed",
  "created_at",
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export const NEWEST: Sort<SortColumn> = { by: "created_at", desc: true };

const pageSize: Codec<number> = {
  read: ([value]) => PAGE_SIZES.find((size) => String(size) === value) ?? DEFAULT_PAGE_SIZE,
  write: (value) => (value === DEFAULT_PAGE_SIZE ? [] : [String(value)]),
};

/** The query of a list in the settings (specification 3 §2.2). */
export const resourcesSearch = search({
  query: text(),
  sort: sort(SORT_COLUMNS, NEWEST),
  page: int(1, { min: 1 }),
  pageSize,
  /** The resource whose newest job is shown in a dialog. */
  job: text(),
  /** What was deleted just now, to be taken back. */
  deleted: text(),
});
export type ResourcesSearch = SearchOf<typeof resourcesSearch>;

/** The query of one resource's page. */
export const resourceSearch = search({
  tab: oneOf(["spec", "jobHistory"], "spec"),
  /** How the spec is written: in fields or as YAML. */
  as: oneOf(["form", "code"], "form"),
  page: int(1, { min: 1 }),
  /** The run whose details are shown in a dialog. */
  job: text(),
  confirm: oneOf(["", "delete"], ""),
});
export type ResourceSearch = SearchOf<typeof resourceSearch>;

export const resourcesPath = (table: string, values?: Partial<ResourcesSearch>) =>
  resourcesSearch.href(`/settings/${table}`, values);
export const resourcePath = (table: string, id: string, values?: Partial<ResourceSearch>) =>
  resourceSearch.href(`/settings/${table}/${encodeURIComponent(id)}`, values);
export const newResourcePath = (table: string, type?: string) =>
  `/settings/${table}/new${type ? `?type=${encodeURIComponent(type)}` : ""}`;

/** The list as the step before its pages, in the breadcrumb. */
export const listCrumb = (kind: { name: string; table: string } | undefined) =>
  kind && { label: kind.name, to: resourcesPath(kind.table) };

/** A heading's click: up, down, then the list's own order. */
export function nextSort(current: Sort<SortColumn>, by: SortColumn): Sort<SortColumn> {
  if (current.by !== by) return { by, desc: false };
  return current.desc ? NEWEST : { by, desc: true };
}
