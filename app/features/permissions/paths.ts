import { RESOURCE_KINDS, RIGHTS, type ResourceKind } from "#app/contract/words/permissions.ts";
import { int, oneOf, search, text, type SearchOf } from "#app/lib/search.ts";

/** The ids a list can be narrowed to, by the names of their columns (specification 3 §7.5). */
export const ID_COLUMNS = [
  "config_id",
  "component_id",
  "canary_id",
  "check_id",
  "connection_id",
  "playbook_id",
  "team_id",
  "person_id",
] as const;

/** The query of the list of permissions. */
export const permissionsSearch = search({
  kind: oneOf(["", ...RESOURCE_KINDS], ""),
  effect: oneOf(["", "allow", "deny"], ""),
  config_id: text(),
  component_id: text(),
  canary_id: text(),
  check_id: text(),
  connection_id: text(),
  playbook_id: text(),
  team_id: text(),
  person_id: text(),
  page: int(1, { min: 1 }),
});
export type PermissionsSearch = SearchOf<typeof permissionsSearch>;

/** What a new permission begins with: a resource or a subject that was come from. */
export const newPermissionSearch = search({
  config_id: text(),
  component_id: text(),
  canary_id: text(),
  check_id: text(),
  connection_id: text(),
  playbook_id: text(),
  team_id: text(),
  person_id: text(),
});

export const permissionSearch = search({ confirm: oneOf(["", "delete"], "") });

/** A question: may this person do that with this? */
export const whySearch = search({
  person: text(),
  kind: oneOf(RESOURCE_KINDS, "canary"),
  resource: text(),
  right: oneOf(RIGHTS, "read"),
  find: text(),
});
type WhySearch = SearchOf<typeof whySearch>;

const ROOT = "/settings/permissions";
export const permissionsPath = (values?: Partial<PermissionsSearch>) => permissionsSearch.href(ROOT, values);
export const permissionPath = (id: string, confirm: "" | "delete" = "") =>
  permissionSearch.href(`${ROOT}/${encodeURIComponent(id)}`, { confirm });
export const newPermissionPath = (values?: Partial<SearchOf<typeof newPermissionSearch>>) =>
  newPermissionSearch.href(`${ROOT}/new`, values);
export const whyPath = (values?: Partial<WhySearch>) => whySearch.href(`${ROOT}/why`, values);

export const PERMISSIONS_CRUMB = { label: "Permissions", to: ROOT };

/** The column that holds the id of a kind. */
export const columnOf = (kind: ResourceKind) => `${kind}_id` as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Anything may stand in an address; only an id may be asked for. */
export const isId = (value: string): boolean => UUID.test(value);
