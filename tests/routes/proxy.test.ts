import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#server/db/ports.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { KEY, SECRET, signIn, startProduct, type Product } from "#tests/support/product.ts";

let database: TestDatabase;
let plane: Product;
let web: Product;
let cookie: string;
let direct: string;

beforeAll(async () => {
  database = await createDatabase();
  await createPeople(database.pool);
  const port = await freePort();
  direct = `http://127.0.0.1:${port}`;
  plane = await startProduct({
    port,
    env: { DATABASE_URL: database.url, PILOTHOUSE_KEY: KEY, PILOTHOUSE_ROLE: "control-plane" },
  });
  const none = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
  web = await startProduct({ env: { ...none, UPSTREAM_URL: direct, SESSION_SECRET: SECRET } });
  cookie = await signIn(web.url, PEOPLE.editor);
}, 120_000);
afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop()]);
  await database?.drop();
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends exactly these bytes as the target, which `fetch` would rewrite. */
function send(
  origin: string,
  target: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { hostname, port } = new URL(origin);
  return new Promise<Answer>((done, fail) => {
    const call = request(
      { hostname, port, path: target, method: init.method ?? "GET", headers: init.headers ?? {} },
      (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
        response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
      },
    );
    call.on("error", fail);
    call.end(init.body);
  });
}

const ODD = [
  "/db/people?select=id,name,teams!teams_created_by_fkey(id,name))&order=name.asc&limit=2",
  "/db/canaries?select=*,created_by(id,name,avatar)&order=created_at.desc&limit=1",
  "/db/people?id=eq.00000000-0000-0000-0000-000000000001&select(*,x)",
  "/db/canaries?&select=id,name&&order=name.asc",
  "/db/canaries?select=id,name&&&name=eq.pilothouse-web",
  "/db/agents?select=id,%20name&order=created_at.desc&limit=5&order=name.asc",
  "/db/canaries?select=id,+name,agents!canaries_agent_id_fkey(id,+name)",
  "/db/canaries?select=id%2Cname%2Cagents(id%2C%20name)&limit=1",
  '/db/checks?type=in.("http","tcp")&select=id,type&order=id',
  "/db/checks?type=in.(http,Kubernetes::Node,AWS::EC2::Instance)&select=type&order=id",
  "/db/checks?and=(created_at.gte.2024-09-01T00:00:00.000Z,type.eq.tcp)&select=type",
  "/db/checks?or=(type.eq.tcp,and(type.eq.http,name.ilike.*web*))&select=name&order=name",
  "/db/checks?type.filter=http,!tcp&select=name&order=name",
  "/db/canaries?created_at.filter=>now-1d&select=name&order=name",
  "/db/canaries?name=like.pilothouse*&select=name&order=name",
  "/db/canaries?name=eq.%26%2B%25%22%5C&select=name",
  "/db/canaries?labels->>app=eq.pilothouse&select=name&order=name",
  "/db/canaries?nope=eq.1",
  "/db/secrets_of_nobody?select=*",
  "/db/canaries?select=id&id=",
  "/db/people_roles?id=in.()",
  "/db/a/b/c",
  "/db/check_statuses?select=check_id&limit=0",
];

test.each(ODD)("%s is answered the same through the web, byte for byte", async (target) => {
  const headers = { cookie, prefer: "count=exact", accept: "application/json" };
  const [there, here] = await Promise.all([
    send(direct, target, { headers }),
    send(web.url, `/api${target}`, { headers }),
  ]);
  expect(here.status).toBe(there.status);
  expect(here.body).toBe(there.body);
  for (const name of ["content-type", "content-range", "content-location", "preference-applied"])
    expect(here.headers[name], name).toBe(there.headers[name]);
});

test("without credentials only health and the identity service answer", async () => {
  const open = ["/health", "/kratos/self-service/login/browser"];
  for (const path of open)
    expect((await send(direct, path, { headers: { accept: "application/json" } })).status, path).toBe(200);
  for (const path of [
    "/db/people",
    "/auth/whoami",
    "/properties",
    "/metrics",
    "/canary/api/summary",
    "/canary/about",
    "/schemas/canary.schema.json",
    "/nothing",
  ])
    expect((await send(direct, path)).status, path).toBe(401);
  expect((await send(web.url, "/api/db/people")).status).toBe(401);
});

test("metrics are for an administrator's credentials", async () => {
  expect((await send(web.url, "/api/metrics", { headers: { cookie } })).status).toBe(403);
  const admin = await signIn(web.url, PEOPLE.admin);
  const answer = await send(web.url, "/api/metrics", { headers: { cookie: admin } });
  expect(answer.status).toBe(200);
  expect(answer.body).toContain("pilothouse_http_request_seconds");
});

test("a write that leans on the cookie must come from this site; one with its own credentials need not", async () => {
  const body = JSON.stringify({ name: `flag.${Date.now()}`, value: "true" });
  const write = (headers: Record<string, string>) =>
    send(web.url, "/api/db/properties", {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
  expect((await write({ cookie, origin: "https://evil.example" })).status).toBe(403);
  expect((await write({ cookie })).status).toBe(403);
  const basic = Buffer.from(`${PEOPLE.editor.email}:${PEOPLE.editor.password}`).toString("base64");
  expect((await write({ authorization: `Basic ${basic}`, origin: "https://evil.example" })).status).toBe(201);
});

test("the cookie of the web itself never goes upstream, and headers only we may say are dropped", async () => {
  const answer = await send(web.url, "/api/auth/whoami", { headers: { cookie, "x-ph-client": "1.2.3.4" } });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject({
    payload: { user: { email: PEOPLE.editor.email }, roles: ["editor"] },
  });
});

test("a client that leaves ends its statement in the database", async () => {
  const locker = await database.pool.connect();
  const waiting = async () => {
    const { rows } = await database.pool.query<{ n: number }>(
      "select count(*)::int as n from pg_locks where not granted and relation = 'severities'::regclass",
    );
    return rows[0]!.n;
  };
  try {
    await locker.query("begin");
    await locker.query("lock table severities in access exclusive mode");
    const { hostname, port } = new URL(web.url);
    const call = request({ hostname, port, path: "/api/db/severities?select=name", headers: { cookie } });
    call.on("error", () => undefined);
    call.end();
    await expect.poll(waiting, { timeout: 5000 }).toBe(1);
    call.destroy();
    await expect.poll(waiting, { timeout: 5000 }).toBe(0);
  } finally {
    await locker.query("rollback");
    locker.release();
  }
});
