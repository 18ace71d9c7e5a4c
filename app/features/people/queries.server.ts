import { identityRow, rolesRow, userRow, type UserRow } from "#app/contract/rows/users.ts";
import { USERS_PAGE } from "#app/contract/words/people.ts";
import { isId } from "#app/features/resources/list.server.ts";
import type { Backend } from "#app/lib/about.server.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, ilike, inList, or, orderBy, type Query } from "#app/lib/filter.ts";
import { usersOf, usersPage } from "./model.ts";
import type { UsersSearch } from "./paths.ts";

/** A backend that has only the contract's calls is read as a whole, up to this many. */
const MOST_USERS = 5_000;
/** As many as the API gives at once, and ids an address has room for. */
const ROWS_AT_ONCE = 1_000;
const IDS_AT_ONCE = 200;

/** One page of users, and whether all of them were looked at. */
export async function listUsers(
  api: Api,
  backend: Backend,
  search: UsersSearch,
): Promise<{ rows: UserRow[]; total: number; isCut: boolean }> {
  if (!backend.offers(USERS_PAGE)) {
    const users = await everybody(api);
    return { ...usersPage(users, search), isCut: users.length >= MOST_USERS };
  }
  return { ...(await api.page(userRow, usersQuery(search))), isCut: false };
}

/** One page of `identities_summary`: searched, narrowed, sorted and paged by the database. */
export const usersQuery = ({ query, role, state, sort, page, pageSize }: UsersSearch): Query => ({
  or: or([
    ["name", ilike(query)],
    ["email", ilike(query)],
  ]),
  role: eq(role),
  state: eq(state),
  order: orderBy(`${sort.by}.${sort.desc ? "desc" : "asc"}.nullslast`, "id"),
  limit: pageSize,
  offset: (page - 1) * pageSize,
});

/** The user of a dialog; null when the address names none. */
export async function findUser(api: Api, backend: Backend, id: string): Promise<UserRow | null> {
  if (!isId(id)) return null;
  if (backend.offers(USERS_PAGE)) return api.find(userRow, { id: eq(id) });
  const [identities, roles] = await Promise.all([
    api.list(identityRow, { id: eq(id), limit: 1 }),
    api.list(rolesRow, { id: inList([id]) }),
  ]);
  return usersOf(identities, roles)[0] ?? null;
}

async function everybody(api: Api): Promise<UserRow[]> {
  const users: UserRow[] = [];
  for (let offset = 0; offset < MOST_USERS; offset += ROWS_AT_ONCE) {
    const identities = await api.list(identityRow, { order: orderBy("id"), limit: ROWS_AT_ONCE, offset });
    const ids = identities.map(({ id }) => id);
    const parts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
      api.list(rolesRow, { id: inList(ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE)) }),
    );
    users.push(...usersOf(identities, (await Promise.all(parts)).flat()));
    if (identities.length < ROWS_AT_ONCE) break;
  }
  return users;
}
