import {
  canaryNameRow,
  checkNameRow,
  componentNameRow,
  configNameRow,
  connectionNameRow,
  permissionRow,
  personNameRow,
  playbookNameRow,
  teamNameRow,
  WhyAnswer,
  type PermissionRow,
} from "#app/contract/rows/permissions.ts";
import type { View } from "#app/contract/view.ts";
import {
  PERMISSIONS_PAGE_SIZE,
  type ResourceKind,
  type Right,
  type SubjectKind,
} from "#app/contract/words/permissions.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, ilike, is, isNull, neq, notNull, orderBy, type Query } from "#app/lib/filter.ts";
import { columnOf, ID_COLUMNS, isId, type PermissionsSearch } from "./paths.ts";

/** Nothing has this id. */
const NOTHING = "00000000-0000-0000-0000-000000000000";

/** One page of the records that count or will, newest first, and how many there are. */
export function listPermissions(api: Api, search: PermissionsSearch) {
  const { kind, effect, page } = search;
  const ids = ID_COLUMNS.flatMap((column) =>
    search[column] === "" ? [] : [[column, eq(isId(search[column]) ? search[column] : NOTHING)] as const],
  );
  const query: Query = {
    ...(kind ? { [columnOf(kind)]: notNull } : {}),
    ...Object.fromEntries(ids),
    ...(effect ? { deny: is(effect === "deny" ? "true" : "false") } : {}),
    deleted_at: isNull,
    order: orderBy("created_at.desc", "id"),
    limit: PERMISSIONS_PAGE_SIZE,
    offset: (page - 1) * PERMISSIONS_PAGE_SIZE,
  };
  return api.page(permissionRow, query);
}

/** One record, or null. */
export const findPermission = (api: Api, id: string): Promise<PermissionRow | null> =>
  isId(id) ? api.find(permissionRow, { id: eq(id), deleted_at: isNull }) : Promise.resolve(null);

/** How many of a kind a picker offers; a search narrows them. */
const MOST_OFFERED = 100;
interface Choice {
  id: string;
  name: string;
}
interface Named extends Choice {
  type?: string | null | undefined;
  title?: string | null | undefined;
}

const VIEWS: Record<ResourceKind | SubjectKind, { view: View<Named>; query?: Query }> = {
  config: { view: configNameRow, query: { deleted_at: isNull } },
  component: { view: componentNameRow, query: { deleted_at: isNull } },
  canary: { view: canaryNameRow },
  check: { view: checkNameRow },
  connection: { view: connectionNameRow },
  playbook: { view: playbookNameRow, query: { deleted_at: isNull } },
  team: { view: teamNameRow, query: { deleted_at: isNull } },
  person: { view: personNameRow, query: { deleted_at: isNull, type: isNull } },
};

/** What a picker offers: the first by name of those that match, and always the one that is chosen. */
export async function listChoices(
  api: Api,
  kind: ResourceKind | SubjectKind,
  { find = "", chosen = "" }: { find?: string; chosen?: string },
): Promise<{ choices: Choice[]; more: boolean }> {
  const { view, query = {} } = VIEWS[kind];
  const [found, own] = await Promise.all([
    api.list(view, {
      ...query,
      name: ilike(find),
      ...(isId(chosen) ? { id: neq(chosen) } : {}),
      order: orderBy("name", "id"),
      limit: MOST_OFFERED + 1,
    }),
    isId(chosen) ? api.find(view, { id: eq(chosen) }) : null,
  ]);
  const choices = [...(own ? [own] : []), ...found.slice(0, MOST_OFFERED)];
  return {
    choices: choices.map(({ id, name, type, title }) => ({
      id,
      name: title || (type ? `${name} (${type})` : name),
    })),
    more: found.length > MOST_OFFERED,
  };
}

/** Why a person may or may not do that. Throws what upstream says of a question it cannot answer. */
export const explain = (
  api: Api,
  { person, kind, resource, right }: { person: string; kind: ResourceKind; resource: string; right: Right },
) =>
  api.call(
    `/ph/permissions/why?${new URLSearchParams({ person_id: person, action: right, [columnOf(kind)]: resource })}`,
    WhyAnswer,
  );
