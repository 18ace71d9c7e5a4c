import { highestRole, isRole } from "#app/contract/access.ts";
import type { IdentityRow, RolesRow, UserRow } from "#app/contract/rows/users.ts";
import type { SortColumn, UsersSearch } from "./paths.ts";

/** The contract's two answers about users as rows of the list (specification 3 §7.8). */
export function usersOf(identities: readonly IdentityRow[], roles: readonly RolesRow[]): UserRow[] {
  const byId = new Map(roles.map((row) => [row.id, row]));
  return identities.map(({ id, traits, state, created_at, updated_at }) => {
    const [first, last] = [traits?.name?.first ?? "", traits?.name?.last ?? ""];
    const email = traits?.email ?? "";
    const held = [...(byId.get(id)?.roles ?? [])].sort();
    return {
      id,
      name: `${first} ${last}`.trim() || email,
      first_name: first,
      last_name: last,
      email,
      roles: held,
      role: highestRole(held.filter(isRole)),
      state: state ?? "active",
      created_at: created_at ? utcDate(created_at) : null,
      updated_at: updated_at ?? null,
    };
  });
}

/** The identity service's times are UTC and do not say so. */
const utcDate = (text: string) => new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

/** One page of them: what our control plane does in SQL, done here for a backend that has only the contract's calls. */
export function usersPage(
  users: readonly UserRow[],
  { query, role, state, sort: { by, desc }, page, pageSize }: UsersSearch,
): { rows: UserRow[]; total: number } {
  const needle = query.trim().toLowerCase();
  const found = users.filter(
    (user) =>
      (needle === "" ||
        user.name.toLowerCase().includes(needle) ||
        user.email.toLowerCase().includes(needle)) &&
      (role === "all" || user.role === role) &&
      (state === "all" || user.state === state),
  );
  found.sort((a, b) => inOrder(a, b, by, desc) || (a.id < b.id ? -1 : 1));
  return { rows: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
}

/** What is missing is last, whichever way round the rest is. */
function inOrder(a: UserRow, b: UserRow, by: SortColumn, desc: boolean): number {
  const [x, y] = [valueOf(a, by), valueOf(b, by)];
  if (x === y) return 0;
  if (x === null) return 1;
  if (y === null) return -1;
  return (x < y ? -1 : 1) * (desc ? -1 : 1);
}

function valueOf(user: UserRow, by: SortColumn): string | number | null {
  const value = user[by];
  return value instanceof Date ? value.getTime() : (value ?? null);
}
