/** `/canary/*` and `/schemas/*` through the API's own table, with real people and real rows. */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#app/contract/access.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { canaryRoutes, FEATURES } from "#server/api/canary.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { schemaRoutes } from "#server/api/schemas.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import type { Observation } from "#server/observe/observation.ts";
import { aCanary, aCheck, aCheckStatus } from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, aPort, eventually, type Plane, type Target } from "./checks-support.ts";

const NOW = new Date();
let db: TestDatabase;
let api: pg.Pool;
let plane: Plane;
let port: Target;
let router: Hono<ApiEnv>;
const reported: Observation[] = [];

beforeAll(async () => {
  [db, port] = await Promise.all([createDatabase(), aPort()]);
  await createPeople(db.pool);
  plane = await aPlane(db);
  await plane.start();
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined); // the database is dropped by force
  const observe = (seen: Observation) => void reported.push(seen);
  router = createRouter({
    routes: [
      ...canaryRoutes({
        asCaller: createAsCaller(api),
        pool: plane.pool,
        engine: plane.checks,
        version: "1.2.3",
        now: () => NOW,
      }),
      ...schemaRoutes(),
    ],
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe }),
    rights: createRights(db.pool),
    database: db.name,
    observe,
    metrics: createMetrics(),
  });
});
afterAll(async () => {
  await plane.end(0);
  await api.end();
  port.close();
  await db.drop();
});

async function call(role: Role | null, path: string, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  if (role) {
    const { email, password } = PEOPLE[role];
    headers.set("authorization", `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`);
  }
  const response = await router.request(path, { ...init, headers });
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json");
  return { status: response.status, body: json ? JSON.parse(text) : text };
}
const get = (path: string) => call("viewer", path);
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Runs of a check, newest first, `every` ms apart. */
async function history(
  check: string,
  durations: number[],
  every: number,
  failing: (n: number) => boolean = () => false,
) {
  await db.pool.query(
    `insert into public.check_statuses (check_id, time, status, duration)
     select $1, time, status, duration from unnest($2::timestamptz[], $3::boolean[], $4::integer[]) as row (time, status, duration)`,
    [check, durations.map((_, n) => ago((n + 0.5) * every)), durations.map((_, n) => !failing(n)), durations],
  );
}

describe("GET /canary/api/summary", () => {
  const find = async (id: string, path = "/canary/api/summary", init?: RequestInit) =>
    (await call("viewer", path, init)).body.checks_summary?.find((row: { id: string }) => row.id === id);

  test("has the shape of the contract, with what is known and without what is not", async () => {
    const canary = await aCanary(db.pool, {
      name: "shop",
      namespace: "prod",
      labels: { app: "shop" },
      spec: {},
    });
    const ran = await aCheck(db.pool, {
      canary_id: canary,
      name: "ran",
      labels: { tier: "1" },
      status: "healthy",
      severity: "high",
    });
    const fresh = await aCheck(db.pool, { canary_id: canary, name: "fresh", type: "tcp" });
    await history(
      ran,
      Array.from({ length: 50 }, (_, n) => n + 1),
      MINUTE,
      (n) => n < 5,
    );
    const { body, status } = await get("/canary/api/summary");
    expect([status, typeof body.duration, typeof body.runnerName]).toEqual([200, "number", "string"]);
    expect(await find(ran)).toEqual({
      id: ran,
      canary_id: canary,
      canary_name: "shop",
      canary_namespace: "prod",
      name: "ran",
      namespace: "prod",
      type: "http",
      status: "healthy",
      severity: "high",
      labels: { app: "shop", tier: "1" },
      latency: { p99: within5(50), p97: within5(49), p95: within5(48), rolling1h: 26 },
      uptime: { passed: 45, failed: 5, last_pass: expect.any(String), last_fail: expect.any(String) },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const never = await find(fresh);
    expect([never.status, "latency" in never, "uptime" in never, "last_runtime" in never]).toEqual([
      "",
      false,
      false,
      false,
    ]);
  });

  test("a check that did not run for an hour shows its last run", async () => {
    const check = await aCheck(db.pool);
    await aCheckStatus(db.pool, check, { time: ago(5 * HOUR), duration: 70, status: false });
    expect(await find(check)).toMatchObject({
      latency: { p99: 70, p95: 70 },
      uptime: { passed: 0, failed: 1 },
    });
  });

  test("a body filters, whatever the case of its keys; a bad one is refused", async () => {
    const canary = await aCanary(db.pool, { labels: { app: "filtered" }, spec: {} });
    const check = await aCheck(db.pool, { canary_id: canary, name: "zz" });
    const other = await aCheck(db.pool, { canary_id: canary, name: "aa" });
    const gone = await aCheck(db.pool, { canary_id: canary, name: "gone", deleted_at: ago(HOUR) });
    const ask = async (body: object | string) =>
      call("viewer", "/canary/api/summary", {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    const ids = async (body: object) =>
      (await ask(body)).body.checks_summary?.map((row: { id: string }) => row.id);
    expect(await ids({ labels: { app: "filtered" }, SortBy: "name" })).toEqual([other, check]);
    expect(await ids({ Labels: { app: "filtered" }, sortby: "-name", deletefrom: ago(2 * HOUR) })).toEqual([
      check,
      gone,
      other,
    ]);
    expect(await ids({ CheckID: check })).toEqual([check]);
    expect((await ask({ Labels: { app: "nobody's" } })).body).not.toHaveProperty("checks_summary");
    for (const bad of ["{", "[]", '{"Labels": 1}', '{"DeleteFrom": "soon"}', '{"CheckID": "x"}'])
      expect(await ask(bad)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });

  test("a page is asked for in the body or in the query, and a bad question is refused by its field", async () => {
    const labels = { "canary:app:paged": 1 };
    const canary = await aCanary(db.pool, { labels: { app: "paged" }, spec: {} });
    const check = await aCheck(db.pool, { canary_id: canary, name: "paged" });
    const inQuery = (page: string) => get(`/canary/api/summary?page=${encodeURIComponent(page)}`);
    const asked = await inQuery(JSON.stringify({ labels }));
    expect(asked.body.page.lines).toMatchObject([{ kind: "check", id: check }]);
    const posted = await call("viewer", "/canary/api/summary", {
      method: "POST",
      body: JSON.stringify({ page: { labels } }),
    });
    const { counts: _, ...page } = asked.body.page; // of every check there is: the engine is at work
    expect(posted.body.page).toMatchObject(page);
    for (const [bad, field] of [
      ["{", "page"],
      ['{"timeRange":"9y"}', "page.timeRange"],
      ['{"labels":{"a":2}}', "page.labels.a"],
    ] as const)
      expect(await inQuery(bad)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(field) },
      });
  });
});

/** Percentiles come from histograms. */
function within5(value: number): unknown {
  return {
    asymmetricMatch: (seen: unknown) => typeof seen === "number" && Math.abs(seen / value - 1) < 0.05,
    toString: () => `${value} within 5 %`,
  };
}

describe("GET /canary/api/graph", () => {
  test("an hour: a point a minute, with what passed, what failed and the slowest of all runs", async () => {
    const check = await aCheck(db.pool);
    await history(
      check,
      Array.from({ length: 100 }, (_, n) => n + 1),
      30_000,
      (n) => n % 10 === 0,
    );
    const { body } = await get(`/canary/api/graph?check=${check}&count=300&start=1h`);
    expect(body.status.length).toBeGreaterThanOrEqual(49);
    expect(body.status.length).toBeLessThanOrEqual(52);
    expect(body.uptime).toEqual({ passed: 90, failed: 10 });
    expect(body.latency).toEqual({ p99: within5(99), p97: within5(97), p95: within5(95), rolling1h: 51 });
    const times = body.status.map(({ time }: { time: string }) => new Date(time).getTime());
    expect(times.every((time: number) => time % MINUTE === 0)).toBe(true);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    for (const point of body.status) expect("status" in point).toBe(!point.failed);
  });

  test("a month: points of four hours from the sums, percentiles within 5 %", async () => {
    const check = await aCheck(db.pool);
    const durations = Array.from({ length: 3000 }, (_, n) => Math.round(5 * 1.002 ** n));
    await history(check, durations, 14 * MINUTE, (n) => n % 100 === 0);
    const { body } = await get(`/canary/api/graph?check=${check}&start=1mo`);
    const sorted = durations.toSorted((a, b) => a - b);
    for (const [name, fraction] of [
      ["p95", 0.95],
      ["p97", 0.97],
      ["p99", 0.99],
    ] as const) {
      const exact = sorted[Math.ceil(fraction * sorted.length) - 1]!;
      expect(Math.abs(body.latency[name] / exact - 1)).toBeLessThan(0.05);
    }
    expect(body.uptime).toEqual({ passed: 2970, failed: 30 });
    expect(body.status.length).toBeLessThanOrEqual(181);
    expect(
      body.status.every(({ time }: { time: string }) => new Date(time).getTime() % (4 * HOUR) === 0),
    ).toBe(true);
  });

  test.each([
    "start=15m",
    "start=3d",
    "start=1w",
    "since=2mo&start=1h",
    "start=1y",
    "start=2024-01-01T00:00:00Z",
    "start=5y&end=1h",
    "start=1h30m&until=10m",
    "",
  ])("%s is a range", async (query) => {
    const check = await aCheck(db.pool);
    expect(await get(`/canary/api/graph?check=${check}&${query}`)).toMatchObject({
      status: 200,
      body: { status: null, latency: { rolling1h: 0 }, uptime: { passed: 0, failed: 0 } },
    });
  });

  test.each(["start=yesterday", "start=1h&end=2h", "end=2020-13-45", "start=99999999999999y"])(
    "%s is refused",
    async (query) => {
      const check = await aCheck(db.pool);
      expect(await get(`/canary/api/graph?check=${check}&${query}`)).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      });
    },
  );

  test("of no check it says so", async () => {
    expect((await get("/canary/api/graph")).status).toBe(400);
    expect((await get("/canary/api/graph?check=x")).status).toBe(400);
    expect((await get("/canary/api/graph?check=00000000-0000-4000-8000-000000000000")).status).toBe(404);
  });
});

test("GET /canary/api/details answers what the run left", async () => {
  const check = await aCheck(db.pool);
  const time = ago(MINUTE);
  await aCheckStatus(db.pool, check, { time, details: { code: 200 } });
  expect(await get(`/canary/api/details?key=${check}&time=${time.toISOString()}`)).toEqual({
    status: 200,
    body: { code: 200 },
  });
  expect((await get(`/canary/api/details?key=${check}&time=${ago(HOUR).toISOString()}`)).status).toBe(404);
  expect((await get(`/canary/api/details?key=${check}`)).status).toBe(400);
  expect((await get(`/canary/api/details?time=${time.toISOString()}`)).status).toBe(400);
});

describe("POST /canary/run/check/:id", () => {
  test("runs it, stores it, answers with the result", async () => {
    const canary = await aCanary(db.pool, {
      labels: { app: "run" },
      spec: {
        tcp: [
          { name: "open", endpoint: `127.0.0.1:${port.port}` },
          { name: "closed", endpoint: "127.0.0.1:1" },
        ],
      },
    });
    const checks = await eventually(
      async () =>
        (
          await db.pool.query("select id, name from public.checks where canary_id = $1 order by name desc", [
            canary,
          ])
        ).rows,
      (found) => found.length === 2,
    );
    const [open, closed] = checks;
    const answer = await call("responder", `/canary/run/check/${open.id}`, { method: "POST" });
    expect(answer).toEqual({
      status: 200,
      body: {
        name: "open",
        start: expect.any(String),
        pass: true,
        duration: expect.any(Number),
        labels: { app: "run" },
        namespace: "default",
      },
    });
    expect(await call("editor", `/canary/run/check/${closed.id}`, { method: "POST" })).toMatchObject({
      status: 200,
      body: { pass: false, error: expect.stringContaining("ECONNREFUSED") },
    });
    const { rows } = await db.pool.query("select time from public.check_statuses where check_id = $1", [
      open.id,
    ]);
    expect(rows).toEqual([{ time: new Date(answer.body.start) }]);
  });

  test("is not for viewers, and says so when there is no such check", async () => {
    const path = "/canary/run/check/00000000-0000-4000-8000-000000000000";
    expect((await call("viewer", path, { method: "POST" })).status).toBe(403);
    expect((await call(null, path, { method: "POST" })).status).toBe(401);
    expect(await call("admin", path, { method: "POST" })).toEqual({
      status: 404,
      body: { error: "There is no such check" },
    });
    expect((await call("admin", "/canary/run/check/x", { method: "POST" })).status).toBe(404);
  });
});

test("GET /canary/about says which version it is and what it can do beyond the contract", async () => {
  expect(await get("/canary/about")).toEqual({
    status: 200,
    body: { Timestamp: NOW.toISOString(), Version: "1.2.3", features: FEATURES },
  });
});

describe("GET /schemas/*", () => {
  test.each(["canary", "canary.spec", "health_http", "health_tcp", "health_postgres"])(
    "%s is a JSON schema",
    async (name) => {
      expect(await get(`/schemas/${name}.schema.json`)).toMatchObject({
        status: 200,
        body: { $schema: "http://json-schema.org/draft-07/schema#", type: "object" },
      });
    },
  );
  test.each(["nothing.schema.json", "constructor.schema.json", "health_http", "health_http.json"])(
    "%s is not there",
    async (file) => {
      expect((await get(`/schemas/${file}`)).status).toBe(404);
    },
  );
});

test("none of this was an unexpected error", () => {
  expect(reported.filter(({ kind }) => kind === "http.failed")).toEqual([]);
});
