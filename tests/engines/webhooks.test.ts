/** Webhooks and pushed results through the API's own table: what comes in, who may, which rows there are then. */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Role } from "#app/contract/access.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { webhookRoutes } from "#server/api/webhook.ts";
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

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined);
  plane = await aPlane(db);
  await plane.start();
  const observe = () => undefined;
  router = createRouter({
    routes: webhookRoutes(plane),
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe }),
    rights: createRights(db.pool),
    database: db.name,
    observe,
    metrics: createMetrics(),
  });
});
/** Nobody deletes rows for good beside a running engine; here its locks may cross ours, and PostgreSQL ends one of us. */
afterEach(async () => {
  for (let tries = 1; ; tries++)
    try {
      return void (await db.pool.query("delete from public.canaries"));
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === "40P01") || tries === 5) throw error;
    }
});
afterAll(async () => {
  await plane.end(0);
  await api.end();
  await db.drop();
});

const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const checksOf = (canary: string) =>
  rows("select * from public.checks where canary_id = $1 and deleted_at is null order by name", [canary]);
const statusesOf = (check: string) =>
  rows("select * from public.check_statuses where check_id = $1 order by time", [check]);

async function post(path: string, init: RequestInit = {}, role: Role | null = null) {
  const headers = new Headers(init.headers);
  if (role) {
    const { email, password } = PEOPLE[role];
    headers.set("authorization", `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`);
  }
  const response = await router.request(path, { method: "POST", ...init, headers });
  return { status: response.status, text: await response.text() };
}
const json = (value: unknown, headers: Record<string, string> = {}) => ({
  body: JSON.stringify(value),
  headers: { "content-type": "application/json", ...headers },
});

async function aWebhook(webhook: object, row: object = {}) {
  const canary = await aCanary(db.pool, { spec: { webhook: { name: "deploys", ...webhook } }, ...row });
  const [check] = await eventually(
    () => checksOf(canary),
    (found) => found[0]?.status === "healthy",
  );
  return { canary, check: check.id as string };
}

test("a webhook begins with one passing status and is never run by itself", async () => {
  const { canary, check } = await aWebhook({ token: "s3cret" });
  expect(await statusesOf(check)).toHaveLength(1);
  const [row] = await checksOf(canary);
  expect(row).toMatchObject({ type: "webhook", status: "healthy", next_runtime: null });
  expect(JSON.stringify(row.spec)).not.toContain("s3cret");
});

test("JSON is kept as json, other text as content, credentials of the call not at all", async () => {
  const { check } = await aWebhook({});
  const sent = json({ build: 7 }, { "x-build": "7", authorization: "Bearer abc", "x-hub-signature": "sig" });
  expect(await post("/canary/webhook/deploys", sent)).toEqual({ status: 200, text: '{"message":"ok"}' });
  await post("/canary/webhook/deploys", { body: `done ${"é".repeat(20_000)}` });
  const [, first, second] = await statusesOf(check);
  expect(first).toMatchObject({ status: true, details: { json: { build: 7 }, headers: { "x-build": "7" } } });
  expect(JSON.stringify(first.details)).not.toMatch(/abc|sig/);
  expect(second.details.content).toMatch(/^done é+$/);
  expect(Buffer.byteLength(second.details.content)).toBeLessThanOrEqual(10 * 1024);
});

test("the token comes as query or header; a wrong one, or one that cannot be read, lets nobody in", async () => {
  const { check } = await aWebhook({ token: { value: "s3cret" } });
  const to = "/canary/webhook/deploys";
  expect((await post(to)).status).toBe(401);
  expect((await post(`${to}?token=wrong`)).status).toBe(401);
  expect((await post(to, { headers: { "Webhook-Token": "s3cre" } })).status).toBe(401);
  expect((await post(`${to}?token=s3cret`)).status).toBe(200);
  expect((await post(to, { headers: { "Webhook-Token": "s3cret" } })).status).toBe(200);
  expect(await statusesOf(check)).toHaveLength(3);
  await aWebhook({ name: "odd", token: { from: "nowhere" } });
  expect((await post("/canary/webhook/odd?token=")).status).toBe(401);
});

test("no webhook of the name is 404, two are 400", async () => {
  expect((await post("/canary/webhook/nope")).status).toBe(404);
  await aWebhook({});
  await aWebhook({});
  expect(await post("/canary/webhook/deploys")).toMatchObject({ status: 400 });
});

test("the body must be JSON when it says so, and not too much of it", async () => {
  await aWebhook({});
  const headers = { "content-type": "application/json" };
  expect((await post("/canary/webhook/deploys", { headers, body: "{" })).status).toBe(400);
  expect((await post("/canary/webhook/deploys", json("x".repeat(300_000)))).status).toBe(413);
});

test("a transform makes checks of what was sent, a test judges it", async () => {
  const { canary } = await aWebhook({
    transform: {
      expr: "results.json.jobs.map(j, {'name': j.name, 'pass': j.ok, 'error': j.ok ? '' : 'broken'}).toJSON()",
    },
  });
  await post(
    "/canary/webhook/deploys",
    json({
      jobs: [
        { name: "a", ok: true },
        { name: "b", ok: false },
      ],
    }),
  );
  expect((await checksOf(canary)).map(({ name, status }) => [name, status])).toEqual([
    ["a", "healthy"],
    ["b", "unhealthy"],
    ["deploys", "healthy"],
  ]);
  const judged = await aWebhook({ name: "judged", test: { expr: "results.json.ok == true" } });
  await post("/canary/webhook/judged", json({ ok: false }));
  expect((await statusesOf(judged.check)).at(-1)).toMatchObject({ status: false });
});

test("a pushed result makes its canary and check once, and adds to their history", async () => {
  const sent = {
    name: "backup",
    type: "exec",
    namespace: "elsewhere",
    canary: "batch",
    labels: { site: "b" },
    status: true,
    duration: 1200,
    message: "12 GB",
    time: "2026-01-02T03:04:05Z",
    details: { files: 3 },
  };
  expect(await post("/canary/api/push", json(sent), "editor")).toEqual({ status: 201, text: "" });
  const again = { ...sent, status: "unhealthy", error: "full", time: "2026-01-02T04:04:05Z" };
  expect((await post("/canary/api/push", json(again), "editor")).status).toBe(201);
  const canaries = await rows("select id, name, source, created_by from public.canaries");
  expect(canaries).toMatchObject([{ name: "batch", source: "Push" }]);
  expect(canaries[0].created_by).not.toBeNull();
  const [check, ...others] = await checksOf(canaries[0].id);
  expect(others).toEqual([]);
  expect(check).toMatchObject({
    name: "backup",
    namespace: "elsewhere",
    labels: { site: "b" },
    status: "unhealthy",
  });
  expect(await statusesOf(check.id)).toMatchObject([
    { status: true, duration: 1200, message: "12 GB", details: { files: 3 }, time: new Date(sent.time) },
    { status: false, error: "full" },
  ]);
  const byId = { id: check.id, status: true };
  expect((await post("/canary/api/push", json(byId), "editor")).status).toBe(201);
  expect((await checksOf(canaries[0].id))[0].status).toBe("healthy");
});

test("a push that is not understood says which field, and viewers may not", async () => {
  const push = (value: unknown, role: Role | null = "editor") => post("/canary/api/push", json(value), role);
  expect((await push({ name: "x", type: "y", status: "fine" })).text).toContain(
    "status: This field must be true",
  );
  expect((await push({ status: true })).text).toContain("name: A check is named by");
  expect((await push({ id: "00000000-0000-4000-8000-000000000000", status: true })).status).toBe(404);
  expect((await push({ name: "x", type: "y", status: true }, "viewer")).status).toBe(403);
  expect((await push({ name: "x", type: "y", status: true }, null)).status).toBe(401);
  expect(await rows("select from public.canaries")).toEqual([]);
});
