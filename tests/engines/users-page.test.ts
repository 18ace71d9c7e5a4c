/** The list of users has one meaning: in SQL (feature `users.page`) and in the web, from the contract's own relations. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROLES } from "#app/contract/access.ts";
import { identityRow, rolesRow, userRow } from "#app/contract/rows/users.ts";
import type { View } from "#app/contract/view.ts";
import { usersOf, usersPage } from "#app/features/people/model.ts";
import { SORT_COLUMNS, usersSearch } from "#app/features/people/paths.ts";
import { usersQuery } from "#app/features/people/queries.server.ts";
import { encodePairs, pairs, type Query } from "#app/lib/filter.ts";
import { dbRole } from "#server/db/grants.ts";
import { createDb } from "#server/api/db.ts";
import type { Rest } from "#server/api/rest/index.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let api: pg.Pool;
let rest: Rest;
const USERS = 60;
const NAMES = ["Ada", "ada", "Émile", "Bo%", "C_d", "O'Hara", "", "日本"];

beforeAll(async () => {
  db = await createDatabase();
  for (let n = 0; n < USERS; n += 1) {
    const name = { first: NAMES[n % NAMES.length], last: NAMES[(n * 3) % 7] };
    const traits = { email: `user${n}@${n % 2 ? "example.com" : "Example.org"}`, ...(n % 9 ? { name } : {}) };
    const { rows } = await db.pool.query<{ id: string }>(
      `insert into identities (id, schema_id, traits, state, created_at, updated_at)
       values (gen_random_uuid(), 'default', $1, $2, timestamp '2026-01-01' + $3 * interval '1 second', now())
       returning id`,
      [JSON.stringify(traits), n % 4 ? "active" : "inactive", (n * 37) % 101],
    );
    for (const role of ROLES.filter((_, at) => (n >> at) % 3 === 1))
      await db.pool.query("insert into internal.role_grants (person_id, role) values ($1, $2)", [
        rows[0]!.id,
        role,
      ]);
  }
  api = new pg.Pool({ connectionString: db.apiUrl, max: 2 });
  api.on("error", () => undefined);
  rest = createDb(db.name, { pool: api, settings: {}, observe: () => undefined });
  await rest.reload();
}, 60_000);
afterAll(async () => {
  await rest.close();
  await api.end();
  await db.drop();
});

/** Rows of `/db` as an administrator, and how many match in all. */
async function ask<Row>(view: View<Row>, query: Query): Promise<{ rows: Row[]; total: number }> {
  const rawTarget = `/${view.table}?select=${encodeURIComponent(view.select)}&${encodePairs(pairs(query))}`;
  const role = dbRole(db.name, "admin");
  const request = new Request(`http://api/db${rawTarget}`, { headers: { prefer: "count=exact" } });
  const response = await rest.handle(request, { principal: { dbRole: role, claims: { role } }, rawTarget });
  const text = await response.text();
  expect([200, 206, 416], text).toContain(response.status);
  const total = Number(response.headers.get("content-range")?.split("/")[1]);
  const rows = response.status === 416 ? [] : (JSON.parse(text) as unknown[]);
  return { rows: rows.map((row) => view.row.parse(row)), total };
}

const QUERIES = ["", "ada", "É", "bo%", "_", "o'h", "EXAMPLE.org", "user1", "*", "nobody at all"];
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

test("both ways give the same page for every search", async () => {
  const identities = await ask(identityRow, { limit: 1000 });
  const roles = await ask(rolesRow, { limit: 1000 });
  const users = usersOf(identities.rows, roles.rows);
  expect(users).toHaveLength(USERS);
  const columns = SORT_COLUMNS.filter((column) => column !== "last_login"); // the contract does not tell it
  for (let n = 0; n < 240; n += 1) {
    const params = new URLSearchParams({
      query: pick(QUERIES, n),
      role: pick(["all", ...ROLES], Math.floor(n / 3)),
      state: pick(["all", "active", "inactive"], Math.floor(n / 7)),
      sortBy: pick(columns, Math.floor(n / 2)),
      sortDesc: String(n % 5 < 2),
      pageSize: pick(["5", "10", "50"], n),
      page: pick(["1", "2", "4"], Math.floor(n / 11)),
    });
    const search = usersSearch.read(params);
    const inSql = await ask(userRow, usersQuery(search));
    const here = usersPage(users, search);
    expect(
      {
        total: inSql.total,
        rows: inSql.rows.map(({ name, role, state, email }) => ({ name, role, state, email })),
      },
      String(params),
    ).toEqual({
      total: here.total,
      rows: here.rows.map(({ name, role, state, email }) => ({ name, role, state, email })),
    });
  }
});
