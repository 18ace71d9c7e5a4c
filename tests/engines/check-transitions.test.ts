/** When a check turned: SQL on our control plane against the pure function that a web has for other backends. */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fc from "fast-check";
import type { CheckStatusRow, CheckTransition } from "#app/contract/rows/check-drawer.ts";
import { transitionsOf } from "#app/features/checks/transitions.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { canaryRoutes } from "#server/api/canary.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import { aCheck } from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const HOUR = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR) * HOUR + 20 * 60_000;
let db: TestDatabase;
let api: pg.Pool;
let router: Hono<ApiEnv>;

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined); // the database is dropped by force
  router = createRouter({
    routes: canaryRoutes({
      asCaller: createAsCaller(api),
      pool: db.pool,
      engine: { test: () => Promise.resolve([]), run: () => Promise.resolve(null) },
      version: "1",
      now: () => new Date(NOW),
    }),
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe: () => {} }),
    rights: createRights(db.pool),
    database: db.name,
    observe: () => {},
    metrics: createMetrics(),
  });
});
afterAll(async () => {
  await api.end();
  await db.drop();
});

async function get(path: string, signedIn = true) {
  const { email, password } = PEOPLE.viewer;
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`;
  const response = await router.request(path, signedIn ? { headers: { authorization } } : {});
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

/** Runs a given number of minutes before now, oldest first. */
async function aHistory(runs: readonly { before: number; status: boolean | null }[]): Promise<string> {
  const check = await aCheck(db.pool, { transformed: true });
  await db.pool.query(
    `insert into public.check_statuses (check_id, time, status, duration, message)
     select $1, time, status, 7, 'run' from unnest($2::timestamptz[], $3::boolean[]) as row (time, status)`,
    [check, runs.map(({ before }) => new Date(NOW - before * 60_000)), runs.map(({ status }) => status)],
  );
  return check;
}
const path = (check: string, query: string) => `/ph/checks/${check}/transitions?${query}`;

test("the same turns as the web finds by itself, whatever the history and the range", async () => {
  const histories = fc.uniqueArray(
    fc.record({ before: fc.integer({ min: 0, max: 600 }), status: fc.constantFrom(true, false, null) }),
    { selector: ({ before }) => before, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.integer({ min: 1, max: 650 }),
      fc.integer({ min: 0, max: 300 }),
      async (runs, length, end) => {
        const check = await aHistory(runs);
        const [from, to] = [NOW - (end + length) * 60_000, NOW - end * 60_000];
        const query = `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}&limit=200`;
        const { body, status } = await get(path(check, query));
        expect(status).toBe(200);
        const rows: CheckStatusRow[] = runs
          .filter(({ status: one }) => one !== null)
          .sort((a, b) => b.before - a.before)
          .map((run) => ({
            time: new Date(NOW - run.before * 60_000).toISOString(),
            status: run.status,
            duration: 7,
            message: "run",
            error: null,
          }));
        const at = ({ time }: CheckStatusRow) => Date.parse(time);
        const expected: CheckTransition[] = transitionsOf(
          rows.filter((row) => at(row) >= from && at(row) <= to),
          rows.findLast((row) => at(row) < from)?.status ?? null,
        );
        expect(body).toEqual({ total: expected.length, transitions: expected });
      },
    ),
    { numRuns: 60 },
  );
});

test("a turn says what it was, how long it lasted, and what the run said; pages count all of them", async () => {
  const check = await aHistory([
    { before: 100, status: true },
    { before: 50, status: false },
    { before: 40, status: null },
    { before: 30, status: false },
    { before: 10, status: true },
  ]);
  const time = (before: number) => new Date(NOW - before * 60_000).toISOString();
  const failed = {
    time: time(50),
    from: true,
    to: false,
    duration: 7,
    message: "run",
    error: null,
    approximate: false,
    until: time(10),
  };
  const { body } = await get(path(check, "start=1h&limit=1&offset=1"));
  expect(body).toEqual({ total: 2, transitions: [failed] });
  expect((await get(path(check, "start=1h&offset=9"))).body).toEqual({ total: 2, transitions: [] });
  expect((await get(path(check, "start=5m"))).body).toEqual({ total: 0, transitions: [] });
});

test("where single runs are gone the hours say about when", async () => {
  const check = await aHistory(
    [true, true, false, false, true].map((status, n) => ({ before: (6 - n) * 60, status })),
  );
  await db.pool.query("delete from public.check_statuses where check_id = $1 and time < $2", [
    check,
    new Date(NOW - 2 * HOUR),
  ]);
  const hour = (back: number) => new Date(NOW - 20 * 60_000 - back * HOUR).toISOString();
  const { body } = await get(path(check, "start=5h"));
  expect(body.transitions).toMatchObject([
    {
      time: new Date(NOW - 2 * HOUR).toISOString(),
      from: false,
      to: true,
      approximate: false,
      message: "run",
    },
    { time: hour(4), from: true, to: false, approximate: true, message: null },
  ]);
  expect(body.total).toBe(2);
});

describe("refuses", () => {
  test.each([
    ["limit=0", "limit must be"],
    ["limit=201", "limit must be"],
    ["limit=x", "limit must be"],
    ["offset=-1", "offset must be"],
    ["start=soon", "start must be"],
    ["start=1h&end=2h", "The end is before the start"],
  ])("%s, and says what would be right", async (query, words) => {
    const { status, body } = await get(path(await aCheck(db.pool, { transformed: true }), query));
    expect([status, body.error]).toEqual([400, expect.stringContaining(words)]);
  });

  test("an id that is none, a check that is not there, and strangers", async () => {
    expect((await get(path("nope", ""))).status).toBe(404);
    expect((await get(path("00000000-0000-4000-8000-000000000000", ""))).status).toBe(404);
    expect((await get(path(await aCheck(db.pool), ""), false)).status).toBe(401);
  });
});
