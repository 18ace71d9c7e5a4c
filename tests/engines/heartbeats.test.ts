/** Heartbeats: pings through the API's own table, rows in PostgreSQL, silence judged by the engine. */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Role } from "#app/contract/access.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { canaryRoutes } from "#server/api/canary.ts";
import { heartbeatRoutes } from "#server/api/heartbeat.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { findPinged } from "#server/engines/checks/heartbeat-store.ts";
import { syncCanaries } from "#server/engines/checks/index.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import { aCanary } from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, eventually, type Plane } from "./checks-support.ts";

let db: TestDatabase;
let api: pg.Pool;
let plane: Plane;
let router: Hono<ApiEnv>;
const extra: Plane[] = [];

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined);
  plane = await aPlane(db);
  await plane.start();
  const observe = () => undefined;
  const asCaller = createAsCaller(api);
  router = createRouter({
    routes: [
      ...canaryRoutes({ asCaller, pool: plane.pool, engine: plane.checks, version: "1" }),
      ...heartbeatRoutes({ asCaller, pool: plane.pool, pings: plane.pings }),
    ],
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe }),
    rights: createRights(db.pool),
    database: db.name,
    observe,
    metrics: createMetrics(),
  });
});
afterEach(async () => {
  await Promise.all(extra.splice(0).map((one) => one.end(0)));
  await db.pool.query("delete from public.canaries");
});
afterAll(async () => {
  await plane.end(0);
  await api.end();
  await db.drop();
});

const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const checkOf = async (canary: string, name = "nightly") =>
  (await rows("select * from public.checks where canary_id = $1 and name = $2", [canary, name]))[0];
const statusesOf = (check: string) =>
  rows("select * from public.check_statuses where check_id = $1 order by time", [check]);

async function call(role: Role | null, path: string, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  if (role) {
    const { email, password } = PEOPLE[role];
    headers.set("authorization", `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`);
  }
  const response = await router.request(path, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

/** A canary with one heartbeat and the address it is pinged at. */
async function aHeartbeat(entry: object = {}, canaryRow: object = {}) {
  const canary = await aCanary(db.pool, {
    spec: { heartbeat: [{ name: "nightly", period: "1h", grace: "5m", ...entry }] },
    ...canaryRow,
  });
  await eventually(
    () => checkOf(canary),
    (found) => found !== undefined,
  );
  const check = (await checkOf(canary)).id as string;
  const made = await call("editor", `/ph/heartbeat/${check}`, { method: "POST" });
  expect(made.status).toBe(201);
  return { canary, check, address: (JSON.parse(made.text) as { path: string }).path };
}

test("it is unknown until it is first heard of, then healthy, and the next deadline is period and grace away", async () => {
  const { canary, check, address } = await aHeartbeat();
  const before = await checkOf(canary);
  expect(before.status).toBeNull();
  const wait = before.next_runtime.getTime() - Date.now();
  expect(wait).toBeGreaterThan(64 * 60_000);
  expect(wait).toBeLessThanOrEqual(65 * 60_000);

  expect(await call(null, address)).toEqual({ status: 200, text: "OK" });
  const after = await checkOf(canary);
  expect(after.status).toBe("healthy");
  expect(after.next_runtime.getTime() - after.last_runtime.getTime()).toBe(65 * 60_000);
  expect(await statusesOf(check)).toMatchObject([{ status: true, error: null, duration: 0 }]);
  expect(await call("viewer", `/ph/heartbeat/${check}`)).toMatchObject({ status: 403 });
  const state = await call("editor", `/ph/heartbeat/${check}`);
  expect(JSON.parse(state.text)).toMatchObject({ last_ping: after.last_runtime.toISOString() });
});

test("GET, POST and HEAD count; so do fail and exit codes, with what the body says", async () => {
  const { canary, check, address } = await aHeartbeat();
  expect((await call(null, address, { method: "HEAD" })).status).toBe(200);
  expect((await call(null, `${address}/3`, { method: "POST", body: "disk full\nsecond line" })).status).toBe(
    200,
  );
  expect((await checkOf(canary)).status).toBe("unhealthy");
  expect((await call(null, `${address}/fail`, { method: "POST" })).status).toBe(200);
  expect((await call(null, `${address}/0`)).status).toBe(200);
  expect((await checkOf(canary)).status).toBe("healthy");
  expect(await statusesOf(check)).toMatchObject([
    { status: true, message: null },
    {
      status: false,
      error: "It ended with exit code 3",
      message: "disk full",
      details: { exitCode: 3, body: "disk full\nsecond line" },
    },
    { status: false, error: "It reported a failure" },
    { status: true },
  ]);
  for (const wrong of ["256", "-1", "nope", "start2"])
    expect((await call(null, `${address}/${wrong}`)).status, wrong).toBe(400);
});

test("from start to end is the duration, once", async () => {
  const { check, address } = await aHeartbeat();
  await call(null, `${address}/start`);
  expect(await statusesOf(check)).toEqual([]);
  await new Promise((done) => setTimeout(done, 120));
  await call(null, address);
  await call(null, address);
  const [first, second] = await statusesOf(check);
  expect(first.duration).toBeGreaterThanOrEqual(115);
  expect(first.duration).toBeLessThan(5000);
  expect(second.duration).toBe(0);
});

test("the first 10 kB of a body are kept, and nothing that PostgreSQL cannot hold", async () => {
  const { check, address } = await aHeartbeat();
  const body = `\0log ${"é".repeat(20_000)}`;
  expect((await call(null, address, { method: "POST", body })).status).toBe(200);
  const [{ details }] = await statusesOf(check);
  expect(Buffer.byteLength(details.body)).toBeLessThanOrEqual(10 * 1024);
  expect(details.body).toMatch(/^log é+$/);
});

test("a body is read the same whether its length is said or not, and half a character at its end is left out", async () => {
  const { check, address } = await aHeartbeat();
  const post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    call(null, address, { method: "POST", body, headers });
  const said = (body: Uint8Array) => ({ "content-length": String(body.length) });
  const short = Buffer.from("done in 3 s é").subarray(0, -1);
  const long = Buffer.from("é".repeat(20_000));
  for (const body of [short, long].map((bytes) => new Uint8Array(bytes))) {
    expect((await post(body, said(body))).status).toBe(200);
    expect((await post(body, {})).status).toBe(200);
  }
  const bodies = (await statusesOf(check)).map(({ details }) => details.body);
  expect(bodies).toEqual(["done in 3 s ", "done in 3 s ", "é".repeat(5120), "é".repeat(5120)]);
});

test("whose a token is, is found by key, however many checks its canary has", async () => {
  const canary = await aCanary(db.pool, {
    spec: { heartbeat: Array.from({ length: 300 }, (_, n) => ({ name: `job ${n}`, period: "1h" })) },
  });
  const made = await eventually(
    () => rows("select id from public.checks where canary_id = $1", [canary]),
    (found) => found.length === 300,
  );
  const tokens = made.map(({ id }) => Buffer.from(id.padEnd(64, "0")));
  await db.pool.query(
    "insert into internal.heartbeats (check_id, token) select * from unnest($1::uuid[], $2::bytea[])",
    [made.map(({ id }) => id), tokens],
  );
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    const read = async () =>
      (
        await client.query<{ n: number }>(
          `select sum(idx_tup_fetch + seq_tup_read)::integer as n from pg_stat_xact_user_tables
           where schemaname = 'internal' and relname in ('checks', 'heartbeats')`,
        )
      ).rows[0]!.n;
    const before = await read();
    const found = await findPinged(client, [...tokens.slice(0, 10), ...tokens.slice(0, 10)]);
    expect(found.size).toBe(10);
    expect((await read()) - before).toBeLessThanOrEqual(20); // the ten heartbeats and their checks
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("a token that was never given or was replaced is nobody's", async () => {
  const { check, address } = await aHeartbeat();
  const made = await call("editor", `/ph/heartbeat/${check}`, { method: "POST" });
  expect((JSON.parse(made.text) as { path: string }).path).toMatch(
    /^\/canary\/heartbeat\/[A-Za-z0-9_-]{22}$/,
  );
  expect((await call(null, address)).status).toBe(404);
  expect((await call(null, "/canary/heartbeat/AAAAAAAAAAAAAAAAAAAAAA")).status).toBe(404);
  expect((await call(null, (JSON.parse(made.text) as { path: string }).path)).status).toBe(200);
  const kept = await rows("select token from internal.heartbeats where check_id = $1", [check]);
  expect(kept[0].token).toHaveLength(32);
  expect(kept[0].token.toString("utf8")).not.toContain(address.split("/").at(-1));
});

test("only who may write canaries makes an address", async () => {
  const { check } = await aHeartbeat();
  for (const [role, status] of [
    ["viewer", 403],
    ["responder", 403],
    ["admin", 201],
  ] as const)
    expect((await call(role, `/ph/heartbeat/${check}`, { method: "POST" })).status).toBe(status);
  expect((await call(null, `/ph/heartbeat/${check}`, { method: "POST" })).status).toBe(401);
  expect((await call("admin", "/ph/heartbeat/no-id", { method: "POST" })).status).toBe(404);
});

test("silence is unhealthy at the deadline and once every period after it; a ping ends it", async () => {
  const { canary, check, address } = await aHeartbeat({ period: "1s", grace: "500ms" });
  await call(null, address);
  const { last_runtime: heard } = await checkOf(canary);
  await eventually(
    () => statusesOf(check),
    (found) => found.length >= 3,
  );
  const [, ...missed] = await statusesOf(check);
  expect(missed[0]).toMatchObject({ status: false, error: `No ping since ${heard.toISOString()}` });
  const late = missed[0].time.getTime() - heard.getTime();
  expect(late).toBeGreaterThanOrEqual(1500);
  expect(late).toBeLessThan(3000);
  const apart = missed[1].time.getTime() - missed[0].time.getTime();
  expect(apart).toBeGreaterThan(800);
  expect((await checkOf(canary)).status).toBe("unhealthy");
  await call(null, address);
  expect((await checkOf(canary)).status).toBe("healthy");
});

test("one that was never heard of says so when its time is over", async () => {
  const { check } = await aHeartbeat({ period: "1s", grace: "0s" });
  const found = await eventually(
    () => statusesOf(check),
    (statuses) => statuses.length > 0,
  );
  expect(found[0]).toMatchObject({ status: false, error: "No ping yet" });
});

test("a deadline that passed while nobody listened gets all its time again", async () => {
  const { canary, check, address } = await aHeartbeat({ period: "1h", grace: "1m" });
  await call(null, address);
  await db.pool.query(
    "update internal.check_state set next_runtime = now() - interval '10 minutes' where check_id = $1",
    [check],
  );
  const state = await eventually(
    () => checkOf(canary),
    (found) => found.next_runtime > new Date(),
  );
  const wait = state.next_runtime.getTime() - Date.now();
  expect(wait).toBeGreaterThan(60 * 60_000);
  expect(state.status).toBe("healthy");
});

test("a suspended canary is heard but not called overdue; a changed period counts from now", async () => {
  const { canary, address } = await aHeartbeat({}, { annotations: { suspend: "true" } });
  expect((await checkOf(canary)).next_runtime).toBeNull();
  await call(null, address);
  expect(await checkOf(canary)).toMatchObject({ status: "healthy", next_runtime: null });
  await db.pool.query("update public.canaries set annotations = null, spec = $2 where id = $1", [
    canary,
    JSON.stringify({ heartbeat: [{ name: "nightly", period: "2h", grace: "0s" }] }),
  ]);
  const resumed = await eventually(
    () => checkOf(canary),
    (found) => found.next_runtime !== null,
  );
  expect(Math.round((resumed.next_runtime.getTime() - Date.now()) / 60_000)).toBe(120);
});

test("a deleted check cannot be pinged; one that comes back keeps its address", async () => {
  const { canary, check, address } = await aHeartbeat();
  const spec = (await rows("select spec from public.canaries where id = $1", [canary]))[0].spec;
  const change = (given: object) =>
    db.pool
      .query("update public.canaries set spec = $2 where id = $1", [canary, JSON.stringify(given)])
      .then(() => syncCanaries(db.pool, () => new Date()));
  await change({ heartbeat: [] });
  await eventually(
    () => checkOf(canary),
    (found) => found.deleted_at !== null,
  );
  expect((await call(null, address)).status).toBe(404);
  await change(spec);
  await eventually(
    () => checkOf(canary),
    (found) => found.deleted_at === null,
  );
  expect((await call(null, address)).status).toBe(200);
  expect((await statusesOf(check)).length).toBe(1);
});

test("a spec that cannot be read says so on the check and to who pings", async () => {
  const { canary, address } = await aHeartbeat({ period: "soon" });
  const check = await eventually(
    () => checkOf(canary),
    (found) => found.status !== null,
  );
  const [status] = await statusesOf(check.id);
  expect(status).toMatchObject({ status: false, invalid: true });
  expect(status.error).toMatch(/^period: This field must be a duration from 1s to 366d/);
  expect((await call(null, address)).status).toBe(409);
});

test("test and display judge what a ping says", async () => {
  const { check, address } = await aHeartbeat({
    test: { expr: "!results.body.contains('WARN')" },
    display: { expr: "'said ' + results.body" },
  });
  await call(null, address, { method: "POST", body: "fine" });
  await call(null, address, { method: "POST", body: "WARN disk" });
  expect(await statusesOf(check)).toMatchObject([
    { status: true, message: "said fine" },
    { status: false, message: "said WARN disk" },
  ]);
});

test("it is not run by hand", async () => {
  const { check } = await aHeartbeat();
  const answer = await call("admin", `/canary/run/check/${check}`, { method: "POST" });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("driven by its pings");
});

test("500 pings of one check at once, to two control planes, are 500 rows", async () => {
  const { check, address } = await aHeartbeat();
  const other = await aPlane(db);
  extra.push(other);
  const token = address.split("/").at(-1)!;
  const heard = { kind: "end", exitCode: 0, body: "" } as const;
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? plane : other).pings.receive(token, heard)),
  );
  expect(new Set(answers)).toEqual(new Set(["stored"]));
  const [{ n, distinct }] = await rows(
    "select count(*)::int as n, count(distinct time)::int as distinct from public.check_statuses where check_id = $1",
    [check],
  );
  expect([n, distinct]).toEqual([500, 500]);
  const [sums] = await rows(
    "select sum(total)::int as total, sum(passed)::int as passed from public.check_statuses_1h where check_id = $1",
    [check],
  );
  expect(sums).toEqual({ total: 500, passed: 500 });
});

test("success and failure in one moment keep their order", async () => {
  const { canary, check, address } = await aHeartbeat();
  const token = address.split("/").at(-1)!;
  const codes = [0, 1, 1, 0, 7];
  await Promise.all(codes.map((exitCode) => plane.pings.receive(token, { kind: "end", exitCode, body: "" })));
  expect((await statusesOf(check)).map(({ details }) => details.exitCode)).toEqual(codes);
  expect((await checkOf(canary)).status).toBe("unhealthy");
});
