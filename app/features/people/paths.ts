import { ROLES } from "#app/contract/access.ts";
import { USER_STATES } from "#app/contract/words/people.ts";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "#app/contract/words/tables.ts";
import {
  flag,
  int,
  oneOf,
  search,
  sort,
  text,
  type Codec,
  type SearchOf,
  type Sort,
} from "#app/lib/search.ts";

export const SORT_COLUMNS = ["name", "email", "role", "state", "created_at", "last_login"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
const BY_NAME: Sort<SortColumn> = { by: "name", desc: false };

const pageSize: Codec<number> = {
  read: ([value]) => PAGE_SIZES.find((size) => String(size) === value) ?? DEFAULT_PAGE_SIZE,
  write: (value) => (value === DEFAULT_PAGE_SIZE ? [] : [String(value)]),
};

/** The query of the page of users (specification 3 §2.6), with the dialogs over it. */
export const usersSearch = search({
  query: text(),
  role: oneOf(["all", ...ROLES], "all"),
  state: oneOf(["all", ...USER_STATES], "all"),
  sort: sort(SORT_COLUMNS, BY_NAME),
  page: int(1, { min: 1 }),
  pageSize,
  invite: flag(false),
  /** Ids of users: who is edited, asked about before a deletion, or waits for an invitation. */
  edit: text(),
  remove: text(),
  invitation: text(),
});
export type UsersSearch = SearchOf<typeof usersSearch>;

export const usersPath = (values?: Partial<UsersSearch>) => usersSearch.href("/settings/users", values);

/** The list without any dialog over it. */
export const listOf = (values: UsersSearch): UsersSearch => ({
  ...values,
  invite: false,
  edit: "",
  remove: "",
  invitation: "",
});

/** A heading's click: up, down, then by name. */
export function nextSort(current: Sort<SortColumn>, by: SortColumn): Sort<SortColumn> {
  if (current.by !== by) return { by, desc: false };
  return current.desc ? BY_NAME : { by, desc: true };
}
