/** What several windows that ask for the same page of checks are given, through the API's own table (decision 0109). */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Role } from "#app/contract/access.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { canaryRoutes } from "#server/api/canary.ts";
import { createDb, dbRoutes } from "#server/api/db.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { createSharedAnswers } from "#server/api/shared-answers.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import { aCanary, aCheck } from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, type Plane } from "./checks-support.ts";

let db: TestDatabase;
let api: pg.Pool;
let plane: Plane;
let router: Hono<ApiEnv>;
let check: string;
/** Moved by hand. */
let time = 0;

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  plane = await aPlane(db);
  const canary = await aCanary(db.pool, { name: "shop", namespace: "prod", spec: {} });
  check = await aCheck(db.pool, { canary_id: canary, name: "front", status: "healthy" });
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined); // the database is dropped by force
  const observe = () => undefined;
  const [asCaller, rights] = [createAsCaller(api), createRights(db.pool)];
  const shared = createSharedAnswers({ now: () => time });
  const rest = createDb(db.name, { pool: api, settings: {}, observe });
  router = createRouter({
    routes: [
      ...canaryRoutes({ asCaller, pool: plane.pool, engine: plane.checks, version: "1", shared }),
      ...dbRoutes(rest, { rights, database: db.name }),
    ],
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe }),
    rights,
    database: db.name,
    shared,
    observe,
    metrics: createMetrics(),
  });
});
afterAll(async () => {
  await plane.end(0);
  await api.end();
  await db.drop();
});

async function call(role: Role, method: string, path: string, body: unknown): Promise<Response> {
  const { email, password } = PEOPLE[role];
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`;
  const headers = { authorization, "content-type": "application/json" };
  return router.request(path, { method, headers, body: JSON.stringify(body) }, { incoming: { url: path } });
}

/** How many checks pass, as the page says. */
async function passing(role: Role): Promise<number> {
  const answer = await call(role, "POST", "/canary/api/summary", { page: {} });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { page: { counts: { passing: number } } }).page.counts.passing;
}
const turn = (status: string) =>
  db.pool.query("update internal.check_state set status = $1 where check_id = $2", [status, check]);

/** The viewer asks so often that what he is given is the page of a moment ago, when a check passed that fails now. */
async function givenOften(): Promise<void> {
  time += 5_000;
  await turn("healthy");
  for (let n = 0; n < 6; n++) expect(await passing("viewer")).toBe(1);
  await turn("unhealthy");
  expect(await passing("viewer")).toBe(1);
}

test("a page asked for often is at most a second old, and each person's own", async () => {
  await givenOften();
  expect(await passing("editor")).toBe(0); // nobody is given what was worked out for somebody else
  time += 600;
  expect(await passing("viewer")).toBe(1); // and begins a newer one
  await vi.waitFor(async () => expect(await passing("viewer")).toBe(0));
  await turn("healthy");
  time += 1_000;
  expect(await passing("viewer")).toBe(1);
});

test("who asks now and then always sees what is", async () => {
  for (const [status, count] of [
    ["healthy", 1],
    ["unhealthy", 0],
    ["healthy", 1],
  ] as const) {
    time += 600;
    await turn(status);
    expect(await passing("commander")).toBe(count);
  }
});

test("whoever wrote sees it, whoever's page it was", async () => {
  await givenOften();
  const written = await call("admin", "PATCH", `/db/checks?id=eq.${check}`, { description: "the front" });
  expect(written.status).toBe(204);
  expect(await passing("viewer")).toBe(0);
});
