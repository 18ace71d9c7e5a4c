/** `/auth/whoami` and `/properties` through the API's own table, with real people and real rows. */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROLES, type Role } from "#app/contract/access.ts";
import { Whoami } from "#app/contract/rows/people.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { FEATURES } from "#server/api/canary.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { sessionRoutes } from "#server/api/session.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import type { Observation } from "#server/observe/observation.ts";
import { aCanary } from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let api: pg.Pool;
let router: Hono<ApiEnv>;
let reported: Observation[] = [];

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  api = new pg.Pool({ connectionString: db.apiUrl, max: 2 });
  api.on("error", () => undefined); // the database is dropped by force
  const observe = (seen: Observation) => void reported.push(seen);
  const asCaller = createAsCaller(api);
  const rights = createRights(db.pool);
  router = createRouter({
    routes: sessionRoutes({ asCaller, pool: db.pool, rights, version: "1.2.3", observe }),
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe }),
    rights,
    database: db.name,
    observe,
    metrics: createMetrics(),
  });
  await db.pool.query(
    "insert into properties (name, value, deleted_at) values ('topology.disable', 'true', null), ('health.disable', 'true', now())",
  );
});
beforeEach(() => void (reported = []));
afterAll(async () => {
  await api.end();
  await db.drop();
});

async function get(path: string, role: Role | "nobody" | null) {
  const { email = "", password = "" } = role ? PEOPLE[role] : {};
  const basic = `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`;
  return router.request(path, { headers: role ? { authorization: basic } : {} });
}

describe("GET /auth/whoami", () => {
  test.each([...ROLES, "nobody"] as const)(
    "tells %s who they are, the flags and the version",
    async (role) => {
      const response = await get("/auth/whoami", role);
      expect(response.status).toBe(200);
      const { payload } = Whoami.parse(await response.json());
      expect(payload).toMatchObject({
        user: { email: PEOPLE[role].email },
        roles: role === "nobody" ? [] : [role],
        properties: [{ name: "topology.disable", value: "true" }],
        about: { Version: "1.2.3", features: FEATURES },
        records: false,
      });
    },
  );

  test("tells where a picture of the caller is", async () => {
    const at = "/icons/group.svg";
    await db.pool.query("update people set avatar = $1 where email = $2", [at, PEOPLE.editor.email]);
    const { payload } = Whoami.parse(await (await get("/auth/whoami", "editor")).json());
    expect(payload.user.avatar).toBe(at);
  });

  test("is listed as a feature, so that whoever reads about knows what it means", () => {
    expect(FEATURES).toContain("whoami.properties");
  });

  test("answers without the flags when they cannot be read, and reports it", async () => {
    await db.pool.query("alter table properties rename to properties_gone");
    try {
      const { payload } = Whoami.parse(await (await get("/auth/whoami", "viewer")).json());
      expect([payload.user.email, payload.properties]).toEqual([PEOPLE.viewer.email, null]);
      expect(reported).toEqual([
        expect.objectContaining({
          kind: "http.failed",
          error: expect.stringContaining("properties") as string,
        }),
      ]);
    } finally {
      await db.pool.query("alter table properties_gone rename to properties");
    }
  });

  test("says when permission records speak of the caller, and never of an admin", async () => {
    const spoken = async (role: Role) =>
      Whoami.parse(await (await get("/auth/whoami", role)).json()).payload.records;
    const canary = await aCanary(db.pool);
    const record = `insert into permissions (action, canary_id, person_id, until, created_by)
      select 'read', $1, id, $3, id from people where email = $2`;
    for (const role of ["viewer", "admin"] as const)
      await db.pool.query(record, [canary, PEOPLE[role].email, null]);
    await db.pool.query(record, [canary, PEOPLE.editor.email, new Date(Date.now() - 1000)]);
    expect([await spoken("viewer"), await spoken("editor"), await spoken("admin")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("is refused to strangers", async () => {
    expect((await get("/auth/whoami", null)).status).toBe(401);
  });
});

test("GET /properties is the contract's own list", async () => {
  const response = await get("/properties", "viewer");
  expect(await response.json()).toEqual([
    { name: "topology.disable", value: "true", source: "db", type: "", description: "" },
  ]);
});
