/** Standalone mode (specification 1 §1): both processes in it, and a stranger who tries everything. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RELATIONS, RPCS, STANDALONE } from "#app/contract/relations.ts";
import { freePort } from "#server/db/ports.ts";
import { aCanary, aCheck, aCheckStatus, anAgent } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { ADMIN, KEY, SECRET, startProduct, type Product } from "#tests/support/product.ts";

const MODE = { PILOTHOUSE_MODE: "standalone" };
const HIDDEN = "hunter2-do-not-show";
let database: TestDatabase;
let plane: Product;
let web: Product;
let check: string;

beforeAll(async () => {
  database = await createDatabase();
  const { pool } = database;
  const spec = {
    schedule: "0 0 1 1 *",
    http: [{ name: "front page", url: `https://shop.example/?token=${HIDDEN}`, password: HIDDEN }],
  };
  const canary = await aCanary(pool, {
    name: "shop",
    spec,
    annotations: { note: HIDDEN },
    labels: { team: "web" },
  });
  const agent = await anAgent(pool);
  check = await aCheck(pool, {
    canary_id: canary,
    agent_id: agent,
    name: "front page",
    spec: spec.http[0],
    status: "unhealthy",
    labels: { team: "web" },
  });
  const time = new Date(Date.now() - 60_000);
  await aCheckStatus(pool, check, {
    time,
    status: false,
    error: `refused: ${HIDDEN}`,
    details: { body: HIDDEN },
  });
  const port = await freePort();
  plane = await startProduct({
    port,
    env: { ...MODE, DATABASE_URL: database.url, PILOTHOUSE_KEY: KEY, PILOTHOUSE_ROLE: "control-plane" },
  });
  const nobody = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
  web = await startProduct({ env: { ...MODE, ...nobody, UPSTREAM_URL: plane.url, SESSION_SECRET: SECRET } });
}, 120_000);
afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop()]);
  await database?.drop();
});

const visit = (path: string, init: RequestInit = {}) =>
  fetch(web.url + path, { redirect: "manual", ...init });
const ask = (path: string, init: RequestInit = {}) =>
  fetch(plane.url + path, { redirect: "manual", ...init });
const admin = `Basic ${Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString("base64")}`;

describe("the web", () => {
  test.each([
    ["/", "/health"],
    ["/login", "/health"],
    ["/settings/canaries", "/health"],
    ["/settings/canaries/import", "/health"],
    ["/help/files", "/health"],
    ["/topology/x?hidePassing=false&query=front", "/health?hidePassing=false&query=front"],
  ])("%s is the page of checks", async (path, to) => {
    const answer = await visit(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, to]);
    expect((await fetch(web.url + path)).status).toBe(200);
  });

  test.each(["", "history", "graph", "events", "spec", "relationships", "badge"])(
    "the page with its drawer (tab %j) shows the check, nothing to write with, and no secret",
    async (tab) => {
      const page = await visit(`/health?hidePassing=false${tab ? `&checkId=${check}&drawerTab=${tab}` : ""}`);
      const html = await page.text();
      expect(page.status).toBe(200);
      expect(html).toContain("front page");
      expect(html).not.toContain(HIDDEN);
      for (const words of [
        "Run now",
        "Sign in",
        "Sign out",
        ">Edit<",
        "/settings/",
        "What should be watched first",
        "Kubeconfig",
      ])
        expect(html, words).not.toContain(words);
      expect(page.headers.getSetCookie().filter((line) => /kratos|session/.test(line))).toEqual([]);
      const data = await visit(
        `/health.data?checkId=${check}${tab && tab !== "history" ? `&drawerTab=${tab}` : ""}`,
      );
      expect(data.status).toBe(200);
      expect(await data.text()).not.toContain(HIDDEN);
    },
  );

  test("credentials that a browser brings are not passed on", async () => {
    const headers = { cookie: "ory_kratos_session=stale", authorization: admin };
    expect((await visit("/health", { headers })).status).toBe(200);
    expect((await visit("/api/auth/whoami", { headers })).status).toBe(401);
    expect((await visit("/api/db/checks?select=name", { headers })).status).toBe(200);
  });

  test.each([
    ["run", () => ({ intent: "run", id: check })],
    ["add", () => ({ intent: "add", url: "https://shop.example/" })],
  ])("posting %s is refused", async (_name, fields) => {
    const body = new URLSearchParams(fields());
    expect((await visit("/health", { method: "POST", headers: { origin: web.url }, body })).status).toBe(403);
  });

  test("files of the page hold no secret either, and there is no sign-in behind /api", async () => {
    for (const path of [
      "/health.json?hidePassing=false",
      "/health.csv?hidePassing=false",
      `/health/checks/${check}/history.csv`,
    ]) {
      const answer = await visit(path);
      expect(answer.status, path).toBe(200);
      const text = await answer.text();
      expect(text, path).not.toContain(HIDDEN);
    }
    expect((await visit("/api/.ory/self-service/login/browser")).status).toBe(404);
    expect((await visit("/api/_health")).status).toBe(200);
  });
});

describe("a stranger at the control plane", () => {
  test("reads what the page needs, without specs, annotations, errors and details", async () => {
    const rows = async (path: string) => {
      const answer = await ask(path);
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as Record<string, unknown>[];
    };
    const mine = `id=eq.${check}`;
    expect(await rows(`/db/checks?${mine}`)).toMatchObject([
      { name: "front page", spec: null, labels: { team: "web" } },
    ]);
    expect(
      await rows(`/db/checks?${mine}&select=name,spec,canary:canaries(name,spec,annotations,source)`),
    ).toEqual([
      {
        name: "front page",
        spec: null,
        canary: { name: "shop", spec: null, annotations: null, source: "standalone" },
      },
    ]);
    expect(await rows(`/db/check_statuses?check_id=eq.${check}`)).toMatchObject([
      { status: false, error: null, details: null },
    ]);
    expect(await rows("/db/checks?spec->>url=like.*token*")).toEqual([]);
    expect(await rows("/db/check_statuses?error=like.*refused*")).toEqual([]);
    for (const name of STANDALONE.relations)
      expect((await rows(`/db/${name}?limit=3`)).length, name).toBeGreaterThan(0);
    const counted = await ask("/db/checks?deleted_at=is.null&limit=0", {
      headers: { prefer: "count=exact" },
    });
    expect(counted.headers.get("content-range")).toMatch(/^\*\/\d+$/);
  });

  test.each(["/canary/api/summary", `/canary/api/graph?check=CHECK&since=1h`, "/canary/about"])(
    "reads %s",
    async (path) => {
      const answer = await ask(path.replace("CHECK", check));
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toContain(HIDDEN);
    },
  );

  const refused: [string, string][] = [
    ...[...RELATIONS.keys()]
      .filter((name) => !STANDALONE.relations.some((open) => open === name))
      .map((name): [string, string] => ["GET", `/db/${name}`]),
    ...[...RPCS.keys()].map((name): [string, string] => ["GET", `/db/rpc/${name}`]),
    ...STANDALONE.relations.flatMap((name) =>
      ["POST", "PATCH", "PUT", "DELETE", "OPTIONS"].map((method): [string, string] => [
        method,
        `/db/${name}?id=eq.x`,
      ]),
    ),
    ["GET", "/db/"],
    ["GET", "/db/nothing"],
    ["GET", "/db/checks?select=name,agents(name)"],
    ["GET", "/db/checks?select=name,check_component_relationships(component_id)"],
    ["GET", "/auth/whoami"],
    ["GET", "/properties"],
    ["GET", "/metrics"],
    ["GET", "/schemas/canary.schema.json"],
    ["GET", "/canary/api/details?key=x&time=y"],
    ["POST", "/canary/run/check/00000000-0000-4000-8000-000000000000"],
    ["GET", "/ph/checks/00000000-0000-4000-8000-000000000000/transitions"],
    ["POST", "/ph/import?kind=canaries"],
    ["GET", "/kratos/self-service/login/browser"],
    ["GET", "/nothing"],
  ];
  test.each(refused)("%s %s is 401", async (method, path) => {
    expect((await ask(path, { method })).status).toBe(401);
  });

  test("with credentials everything is as ever", async () => {
    const headers = { authorization: admin };
    expect((await ask("/auth/whoami", { headers })).status).toBe(200);
    const [row] = (await (await ask(`/db/checks?id=eq.${check}&select=spec`, { headers })).json()) as {
      spec: object;
    }[];
    expect(JSON.stringify(row)).toContain(HIDDEN);
    expect((await ask("/db/checks", { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  });
});

describe("the database", () => {
  test("gives the role of strangers the relations of standalone mode and no other", async () => {
    const role = `${database.name}_anon`;
    const { rows } = await database.pool.query<{ name: string }>(
      `select format('%s.%s', relnamespace::regnamespace, relname) as name from pg_class
       where relkind in ('r', 'p', 'v', 'm', 'S') and relnamespace::regnamespace::text in ('public', 'internal', 'standalone')
         and has_any_column_privilege($1, oid, 'SELECT, INSERT, UPDATE, REFERENCES') order by 1`,
      [role],
    );
    const open = [...STANDALONE.relations, ...STANDALONE.inside].map((name) => `standalone.${name}`).sort();
    expect(rows.map(({ name }) => name)).toEqual(open);
    const client = await database.pool.connect();
    try {
      await client.query(`begin; set local role ${role}`);
      expect((await client.query("select spec from standalone.checks where spec is not null")).rowCount).toBe(
        0,
      );
      await expect(client.query("select id from public.checks")).rejects.toMatchObject({ code: "42501" });
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

  test("has the same columns in both, so that whatever a page asks for is there", async () => {
    const columns = async (schema: string, name: string) =>
      (
        await database.pool.query<{ column: string }>(
          `select attname || ' ' || format_type(atttypid, null) as column from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and not attisdropped order by 1`,
          [`${schema}.${name}`],
        )
      ).rows.map(({ column }) => column);
    for (const name of STANDALONE.relations)
      expect(await columns("standalone", name), name).toEqual(await columns("public", name));
  });
});
