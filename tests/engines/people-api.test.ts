/** Users, roles, invitations, access tokens, kubeconfig and the Kubernetes proxy through the API's own table. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import pg from "pg";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROLES, type Role } from "#app/contract/access.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { createDb, dbRoutes } from "#server/api/db.ts";
import { inviteRoutes } from "#server/api/invite.ts";
import { kubeconfigRoutes } from "#server/api/kubeconfig.ts";
import { kubeproxyRoutes, type KubernetesSettings } from "#server/api/kubeproxy.ts";
import { peopleRoutes } from "#server/api/people.ts";
import { createLocalProperties } from "#server/api/properties-file.ts";
import { rbacRoutes } from "#server/api/rbac.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { sessionRoutes } from "#server/api/session.ts";
import { tokenRoutes } from "#server/api/tokens.ts";
import { createIdentity, type IdentityService } from "#server/identity/index.ts";
import { createAccessTokenStore } from "#server/identity/store/access-tokens.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import { createAccount, createPeople, PASSWORD, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let api: pg.Pool;
let identity: IdentityService;
let router: Hono<ApiEnv>;
let folder: string;
let kubernetes: { server: Server; seen: IncomingMessage[]; settings: KubernetesSettings };

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined); // the database is dropped by force
  folder = await mkdtemp(join(tmpdir(), "pilothouse-people-"));
  kubernetes = await startKubernetes();
  const observe = () => undefined;
  identity = createIdentity({
    pool: db.pool,
    publicUrl: "https://ops.example.com",
    secureCookies: false,
    observe,
  });
  router = routerWith(kubernetes.settings);
}, 60_000);
afterAll(async () => {
  kubernetes.server.close();
  await rm(folder, { recursive: true });
  await api.end();
  await db.drop();
});

function routerWith(
  settings: KubernetesSettings | null,
  publicUrl: string | null = "https://ops.example.com",
) {
  const observe = () => undefined;
  const asCaller = createAsCaller(api);
  const tokens = createAccessTokenStore(db.pool);
  const create = identity.createAccessToken;
  const rights = createRights(db.pool);
  return createRouter({
    routes: [
      ...sessionRoutes({
        asCaller,
        pool: db.pool,
        rights,
        version: "1",
        observe,
        local: createLocalProperties(folder, observe),
      }),
      ...peopleRoutes({ pool: db.pool }),
      ...rbacRoutes({ pool: db.pool }),
      ...inviteRoutes(identity),
      ...tokenRoutes({ tokens, create }),
      ...kubeconfigRoutes({ tokens, create, publicUrl }),
      ...kubeproxyRoutes(settings),
      ...dbRoutes(createDb(db.name, { pool: api, settings: {}, observe }), { rights, database: db.name }),
    ],
    open: {},
    identity,
    rights,
    database: db.name,
    observe,
    metrics: createMetrics(),
  });
}

/** A Kubernetes API in little: it says what it was asked. */
async function startKubernetes() {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ kind: "Pod", asked: `${request.method} ${request.url}` }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, "the-service-account\n");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind`;
  return { server, seen, settings: { api: url, tokenFile, caFile: null } };
}

type As = Role | "nobody" | string | null;
const basicOf = (email: string, password: string) =>
  `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`;

/** Somebody's call: a role's person, an e-mail, or whoever holds a token. */
async function call(as: As, method: string, path: string, body?: unknown, app = router) {
  const known = PEOPLE[as as Role];
  const authorization =
    as === null
      ? undefined
      : as.includes(".") && !as.includes("@")
        ? `Bearer ${as}`
        : basicOf(known?.email ?? as, PASSWORD);
  const response = await app.request(
    path,
    {
      method,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    { incoming: { url: path } } as never,
  );
  const text = await response.text();
  let answer: unknown = text;
  try {
    answer = JSON.parse(text);
  } catch {
    // plain words
  }
  return { status: response.status, answer: answer as any, headers: response.headers }; // eslint-disable-line
}

let made = 0;
async function aUser(...roles: Role[]) {
  const email = `user-${++made}@example.org`;
  return { id: await createAccount(db.pool, email, roles), email };
}
const idOf = async (role: Role) =>
  (await db.pool.query<{ id: string }>("select id from people where email = $1", [PEOPLE[role].email]))
    .rows[0]!.id;
const rolesOf = async (id: string) =>
  (
    await db.pool.query<{ role: string }>(
      "select role from internal.role_grants where person_id = $1 order by 1",
      [id],
    )
  ).rows.map(({ role }) => role);

describe("who may", () => {
  const WRITES: [method: string, path: string, body: unknown][] = [
    ["POST", "/people/update", { id: crypto.randomUUID() }],
    ["DELETE", `/people/${crypto.randomUUID()}`, undefined],
    ["POST", `/auth/${crypto.randomUUID()}/update_state`, { state: "active" }],
    ["POST", `/auth/${crypto.randomUUID()}/properties`, { role: "captain" }],
    ["POST", `/rbac/${crypto.randomUUID()}/update_role`, { roles: [] }],
    ["POST", `/ph/invitations/${crypto.randomUUID()}/resend`, {}],
    ["DELETE", `/ph/invitations/${crypto.randomUUID()}`, undefined],
  ];
  test.each(WRITES)("%s %s is an administrator's", async (method, path, body) => {
    for (const role of [...ROLES, "nobody"] as const) {
      const { status } = await call(role, method, path, body);
      expect(status, role).toBe(role === "admin" ? 404 : 403);
    }
    expect((await call(null, method, path, body)).status).toBe(401);
  });

  test("inviting is an administrator's, and the policies are read by whoever reads roles", async () => {
    const person = { firstName: "A", lastName: "B", email: "nobody@example.org" };
    for (const role of [...ROLES, "nobody"] as const) {
      if (role !== "admin")
        expect((await call(role, "POST", "/auth/invite_user", person)).status, role).toBe(403);
      expect((await call(role, "GET", "/rbac/dump")).status, role).toBe(
        role === "admin" || role === "editor" ? 200 : 403,
      );
    }
  });

  test("the dump is the table of rights", async () => {
    const { answer } = await call("admin", "GET", "/rbac/dump");
    expect(answer).toContainEqual({ subject: "viewer", object: "database", action: "read" });
    expect(answer).not.toContainEqual({ subject: "editor", object: "rbac", action: "write" });
    expect(answer).toContainEqual({ subject: "responder", object: "check", action: "run" });
  });
});

describe("POST /people/update", () => {
  test("changes names, address, role and state, each alone or together", async () => {
    const { id } = await aUser("editor");
    const first = await call("admin", "POST", "/people/update", { id, firstName: "Grace" });
    expect([first.status, first.answer.name.first]).toEqual([200, "Grace"]);
    const all = {
      id,
      firstName: "Ada",
      lastName: "Byron",
      email: " Ada.Byron@Example.org ",
      role: "commander",
      active: false,
    };
    expect((await call("admin", "POST", "/people/update", all)).answer).toEqual({
      email: "ada.byron@example.org",
      name: { first: "Ada", last: "Byron" },
    });
    expect(await rolesOf(id)).toEqual(["commander"]);
    const { rows } = await db.pool.query(
      "select name, state from people join identities using (id) where id = $1",
      [id],
    );
    expect(rows).toEqual([{ name: "Ada Byron", state: "inactive" }]);
  });

  test("also as a form", async () => {
    const { id } = await aUser();
    const response = await router.request("/people/update", {
      method: "POST",
      headers: {
        authorization: basicOf(PEOPLE.admin.email, PASSWORD),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ id, lastName: "Hopper", active: "true" }),
    });
    expect([response.status, ((await response.json()) as { name: { last: string } }).name.last]).toEqual([
      200,
      "Hopper",
    ]);
  });

  test.each([
    [{ firstName: " " }, 400, "firstName must not be empty."],
    [{ email: "not an address" }, 400, "email must be an address like ada@example.com."],
    [{ role: "captain" }, 400, "role must be one of admin, editor, viewer, commander, responder."],
    [{ active: "perhaps" }, 400, "active must be true or false."],
    [{ id: "x" }, 400, "id must be that of a user."],
    [{ email: "viewer@example.com" }, 409, "email: there is a user with this address already."],
  ])("refuses %j and names the field", async (change, status, error) => {
    const { id } = await aUser();
    const said = await call("admin", "POST", "/people/update", { id, ...change });
    expect([said.status, said.answer]).toEqual([status, { error }]);
  });

  test("two people who saw the same: the second is told, and changes nothing", async () => {
    const { id } = await aUser("viewer");
    const seen = (await call("admin", "GET", `/db/identities_summary?id=eq.${id}`)).answer[0].updated_at;
    expect((await call("admin", "POST", "/people/update", { id, firstName: "One", seen })).status).toBe(200);
    const second = await call("admin", "POST", "/people/update", { id, role: "admin", seen });
    expect([second.status, second.answer.error]).toEqual([
      409,
      "Somebody else has changed this in the meantime.",
    ]);
    expect(await rolesOf(id)).toEqual(["viewer"]);
  });

  test("a body that is too large or no JSON is refused", async () => {
    expect((await call("admin", "POST", "/people/update", { firstName: "x".repeat(70_000) })).status).toBe(
      413,
    );
    const response = await router.request("/people/update", {
      method: "POST",
      headers: { authorization: basicOf(PEOPLE.admin.email, PASSWORD) },
      body: "{",
    });
    expect([response.status, await response.json()]).toEqual([400, { error: "The body must be JSON." }]);
  });
});

describe("nobody takes himself away, and an administrator stays", () => {
  test("in words, whatever the way", async () => {
    const me = await idOf("admin");
    const words = async (method: string, path: string, body?: unknown) => {
      const { status, answer } = await call("admin", method, path, body);
      return [status, answer.error ?? answer.message];
    };
    const yourself = (what: string) => [403, `You cannot ${what} yourself: ask another administrator.`];
    expect(await words("DELETE", `/people/${me}`)).toEqual(yourself("delete"));
    expect(await words("POST", `/auth/${me}/update_state`, { state: "inactive" })).toEqual(
      yourself("deactivate"),
    );
    expect(await words("POST", "/people/update", { id: me, active: false })).toEqual(yourself("deactivate"));
    expect(await words("POST", `/rbac/${me}/update_role`, { roles: [] })).toEqual(
      yourself("take the role admin from"),
    );
    expect(await words("DELETE", `/db/identities?id=eq.${me}`)).toEqual(yourself("delete"));
    expect(await words("PATCH", `/db/identities?id=eq.${me}`, { state: "inactive" })).toEqual(
      yourself("deactivate"),
    );
    expect(await words("PATCH", `/db/people?id=eq.${me}`, { deleted_at: "now()" })).toEqual(
      yourself("delete"),
    );
    expect(await rolesOf(me)).toEqual(["admin"]);
  });

  test("two administrators who take each other away at once: one stays", async () => {
    const one = await aUser("admin");
    const two = await aUser("admin");
    await db.pool.query("delete from internal.role_grants where role = 'admin' and person_id <> all ($1)", [
      [one.id, two.id],
    ]);
    try {
      const demote = (by: string, id: string) =>
        call(by, "POST", `/rbac/${id}/update_role`, { roles: ["viewer"] });
      const answers = await Promise.all([demote(one.email, two.id), demote(two.email, one.id)]);
      expect(answers.map(({ status }) => status)).toContain(200);
      const left = [...(await rolesOf(one.id)), ...(await rolesOf(two.id))].filter(
        (role) => role === "admin",
      );
      expect(left).toEqual(["admin"]);
    } finally {
      await db.pool.query(
        "insert into internal.role_grants (person_id, role) values ($1, 'admin') on conflict do nothing",
        [await idOf("admin")],
      );
    }
  });
});

describe("an account that ends takes its sessions and tokens with it", () => {
  test.each([
    ["deactivated", (id: string) => call("admin", "POST", `/auth/${id}/update_state`, { state: "inactive" })],
    ["deleted", (id: string) => call("admin", "DELETE", `/people/${id}`)],
  ])("at once when it is %s", async (_, end) => {
    const { id, email } = await aUser("editor");
    const token = await identity.createAccessToken(id, "laptop", null);
    await db.pool.query(
      `insert into internal.sessions (id, identity_id, token_hash, issued_at, authenticated_at, expires_at)
       values (gen_random_uuid(), $1, sha256(($1::uuid)::text::bytea), now(), now(), now() + interval '1h')`,
      [id],
    );
    expect((await call(token, "GET", "/auth/whoami")).status).toBe(200);
    expect([200, 204]).toContain((await end(id)).status);
    expect((await call(token, "GET", "/auth/whoami")).status).toBe(401);
    expect((await call(email, "GET", "/auth/whoami")).status).toBe(401);
    const { rows } = await db.pool.query(
      `select (select count(*)::int from internal.sessions where identity_id = $1) as sessions,
         (select count(*)::int from internal.access_tokens where person_id = $1) as tokens`,
      [id],
    );
    expect(rows).toEqual([{ sessions: 0, tokens: 0 }]);
  });

  test("and what is deleted answers 404 from then on", async () => {
    const { id } = await aUser();
    expect((await call("admin", "DELETE", `/people/${id}`)).status).toBe(204);
    expect((await call("admin", "DELETE", `/people/${id}`)).status).toBe(404);
    expect((await call("admin", "POST", `/rbac/${id}/update_role`, { roles: ["admin"] })).status).toBe(404);
    expect((await call("admin", "GET", `/db/people_roles?id=eq.${id}`)).answer).toEqual([]);
  });
});

describe("roles and properties", () => {
  test("update_role makes the roles these", async () => {
    const { id } = await aUser("editor");
    await call("admin", "POST", `/rbac/${id}/update_role`, {
      roles: ["commander", "responder", "commander"],
    });
    expect(await rolesOf(id)).toEqual(["commander", "responder"]);
    const said = await call("admin", "POST", `/rbac/${id}/update_role`, { roles: ["captain"] });
    expect([said.status, said.answer.error]).toEqual([
      400,
      expect.stringMatching(/^roles.* must be a list of admin/),
    ]);
  });

  test("properties are merged, and only the known one", async () => {
    const { id } = await aUser();
    expect((await call("admin", "POST", `/auth/${id}/properties`, { role: "captain" })).status).toBe(200);
    const { rows } = await db.pool.query("select properties from people where id = $1", [id]);
    expect(rows[0].properties).toEqual({ role: "captain" });
    expect((await call("admin", "POST", `/auth/${id}/properties`, { admin: true })).status).toBe(400);
  });

  test("update_state refuses another state, and another id in the body", async () => {
    const { id } = await aUser();
    const state = await call("admin", "POST", `/auth/${id}/update_state`, { state: "gone" });
    expect(state.answer).toEqual({ error: "state must be active or inactive." });
    const other = await call("admin", "POST", `/auth/${id}/update_state`, {
      id: crypto.randomUUID(),
      state: "inactive",
    });
    expect([other.status, other.answer.error]).toEqual([
      400,
      "id: the body names another user than the address does.",
    ]);
  });
});

describe("invitations", () => {
  test("somebody invited waits, is invited again, and is taken back", async () => {
    const person = { firstName: "Rosa", lastName: "Marin", email: "Rosa@Example.org", role: "responder" };
    const { status, answer, headers } = await call("admin", "POST", "/auth/invite_user", person);
    expect([status, answer.mailed, headers.get("cache-control")]).toEqual([200, false, "no-store"]);
    expect(answer.link).toMatch(/^https:\/\/ops\.example\.com\/registration\?/);
    const [row] = (await call("admin", "GET", `/db/identities_summary?id=eq.${answer.id}`)).answer;
    expect(row).toMatchObject({
      state: "invited",
      role: "responder",
      email: "rosa@example.org",
      name: "Rosa Marin",
    });
    expect(JSON.stringify(row)).not.toContain("token");

    expect((await call("admin", "POST", "/auth/invite_user", person)).answer).toEqual({
      error: "email: there is a user with this address already.",
    });
    const again = await call("admin", "POST", `/ph/invitations/${answer.id}/resend`, {});
    expect(again.answer.link).not.toBe(answer.link);
    expect((await call("admin", "DELETE", `/ph/invitations/${answer.id}`)).status).toBe(200);
    expect((await call("admin", "POST", `/ph/invitations/${answer.id}/resend`, {})).status).toBe(404);
  });

  test.each([
    [{ lastName: "B", email: "a@b.c" }, "firstName is required."],
    [{ firstName: "A", lastName: " ", email: "a@b.c" }, "lastName is required."],
    [{ firstName: "A", lastName: "B" }, "email is required."],
    [{ firstName: "A", lastName: "B", email: "a b" }, "email must be an address like ada@example.com."],
    [
      { firstName: "A", lastName: "B", email: "a@b.c", role: "owner" },
      "role must be one of admin, editor, viewer, commander, responder.",
    ],
  ])("%j is refused with the field's name", async (body, error) => {
    const said = await call("admin", "POST", "/auth/invite_user", body);
    expect([said.status, said.answer]).toEqual([400, { error }]);
  });
});

describe("access tokens", () => {
  test("are made, listed without their secret, noted when used, and revoked", async () => {
    const { email } = await aUser("responder");
    const made = await call(email, "POST", "/ph/tokens", { name: " ci ", expires_in_days: 7 });
    expect([made.status, made.answer.name, made.headers.get("cache-control")]).toEqual([
      201,
      "ci",
      "no-store",
    ]);
    const { token } = made.answer as { token: string };
    expect(token.split(".")).toHaveLength(5);
    const before = (await call(email, "GET", "/ph/tokens")).answer;
    expect(before).toMatchObject({ total: 1, tokens: [{ name: "ci", last_used_at: null }] });
    expect(JSON.stringify(before)).not.toContain(token.split(".")[0]);

    expect((await call(token, "GET", "/auth/whoami")).answer.payload.user.email).toBe(email);
    const [listed] = (await call(email, "GET", "/ph/tokens")).answer.tokens;
    expect(Date.parse(listed.last_used_at)).toBeGreaterThan(Date.now() - 60_000);
    expect((await call("viewer", "DELETE", `/ph/tokens/${listed.id}`)).status).toBe(404);
    expect((await call(email, "DELETE", `/ph/tokens/${listed.id}`)).answer).toEqual({
      message: "success",
      name: "ci",
    });
    expect((await call(token, "GET", "/auth/whoami")).status).toBe(401);
  });

  test("everybody's are an administrator's to see and to end", async () => {
    const { id, email } = await aUser();
    await identity.createAccessToken(id, "somebody's", null);
    expect((await call(email, "GET", "/ph/tokens?all=true")).status).toBe(403);
    const { tokens } = (await call("admin", "GET", "/ph/tokens?all=true")).answer;
    const found = tokens.find(({ name }: { name: string }) => name === "somebody's");
    expect(found.person.id).toBe(id);
    expect((await call("admin", "DELETE", `/ph/tokens/${found.id}`)).status).toBe(200);
  });

  test("a token makes no other token, and no kubeconfig", async () => {
    const { id } = await aUser();
    const token = await identity.createAccessToken(id, "one", null);
    const words = "An access token cannot make another one: sign in with your password.";
    expect((await call(token, "POST", "/ph/tokens", { name: "two", expires_in_days: null })).answer).toEqual({
      error: words,
    });
    expect((await call(token, "GET", "/kubeconfig")).answer).toEqual({ error: words });
  });

  test.each([
    [{ expires_in_days: 1 }, 400, /^name is required/],
    [{ name: "x".repeat(101), expires_in_days: 1 }, 400, /^name must not be longer/],
    [{ name: "x" }, 400, /^expires_in_days must be a number/],
    [{ name: "x", expires_in_days: 0 }, 400, /^expires_in_days must be at least 1/],
    [{ name: "x", expires_in_days: 9_999 }, 400, /^expires_in_days must be at most/],
  ])("%j is refused with the field's name", async (body, status, error) => {
    const said = await call("viewer", "POST", "/ph/tokens", body);
    expect([said.status, said.answer.error]).toEqual([status, expect.stringMatching(error)]);
  });

  test("two of one name are one too many", async () => {
    const { email } = await aUser();
    await call(email, "POST", "/ph/tokens", { name: "same", expires_in_days: null });
    const second = await call(email, "POST", "/ph/tokens", { name: "same", expires_in_days: null });
    expect([second.status, second.answer.error]).toEqual([
      409,
      'You have an access token named "same" already: choose another name.',
    ]);
  });
});

describe("GET /kubeconfig", () => {
  test("is a file that kubectl reads, with a token of the caller that ends by itself", async () => {
    const { id, email } = await aUser("editor");
    const { status, answer, headers } = await call(email, "GET", "/kubeconfig");
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      200,
      "text/yaml; charset=utf-8",
      "attachment; filename=ops.example.com-kubeconfig.yaml",
    ]);
    const file = parse(answer as string);
    expect(file).toEqual({
      apiVersion: "v1",
      kind: "Config",
      preferences: {},
      clusters: [
        {
          name: "mission-control-ops.example.com",
          cluster: { server: "https://ops.example.com/api/kubeproxy" },
        },
      ],
      contexts: [
        { name: "default", context: { cluster: "mission-control-ops.example.com", user: "default-user" } },
      ],
      "current-context": "default",
      users: [{ name: "default-user", user: { username: "token", password: expect.any(String) } }],
    });
    const { password } = file.users[0].user;
    const response = await router.request("/auth/whoami", {
      headers: { authorization: basicOf("token", password) },
    });
    expect(((await response.json()) as { payload: { user: { id: string } } }).payload.user.id).toBe(id);
    const { rows } = await db.pool.query(
      "select name, expires_at - created_at > interval '89 days' as lasts, expires_at - created_at < interval '91 days' as ends from internal.access_tokens where person_id = $1",
      [id],
    );
    expect(rows).toEqual([{ name: expect.stringContaining(email) as string, lasts: true, ends: true }]);
  });

  test("the newest few count, and other tokens are left alone", async () => {
    const { id, email } = await aUser();
    await identity.createAccessToken(id, "ci", null);
    for (let n = 0; n < 7; n += 1) expect((await call(email, "GET", "/kubeconfig")).status).toBe(200);
    const { rows } = await db.pool.query(
      "select count(*)::int as all, count(*) filter (where name = 'ci')::int as ci from internal.access_tokens where person_id = $1",
      [id],
    );
    expect(rows).toEqual([{ all: 6, ci: 1 }]);
  });

  test("without an address to put into it there is none", async () => {
    const { status } = await call("viewer", "GET", "/kubeconfig", undefined, routerWith(null, null));
    expect(status).toBe(404);
  });
});

describe("/kubeproxy", () => {
  test("leads to the Kubernetes API as the service account, for whoever may write", async () => {
    const { status, answer } = await call("editor", "GET", "/kubeproxy/api/v1/pods?limit=5&watch=0");
    expect([status, answer]).toEqual([
      200,
      { kind: "Pod", asked: "GET /behind/api/v1/pods?limit=5&watch=0" },
    ]);
    const { headers } = kubernetes.seen.at(-1)!;
    expect([headers.authorization, headers["impersonate-user"]]).toEqual([
      "Bearer the-service-account",
      "mission-control-writer",
    ]);
  });

  test("what the caller says of impersonation and credentials stays here", async () => {
    await router.request(
      "/kubeproxy/api",
      {
        headers: {
          authorization: basicOf(PEOPLE.admin.email, PASSWORD),
          "impersonate-user": "system:admin",
          "impersonate-group": "system:masters",
          cookie: "a=b",
        },
      },
      { incoming: { url: "/kubeproxy/api" } } as never,
    );
    const { headers } = kubernetes.seen.at(-1)!;
    expect(headers["impersonate-user"]).toBe("mission-control-writer");
    expect(headers["impersonate-group"]).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  });

  test("is refused to the others, and leads out of nothing", async () => {
    for (const role of ["viewer", "commander", "responder", "nobody"] as const)
      expect((await call(role, "GET", "/kubeproxy/api")).status, role).toBe(403);
    for (const target of [
      "/kubeproxy/../secrets",
      "/kubeproxy/a/%2e%2e/b",
      "/kubeproxy/..",
      "/kubeproxy/a%2f..%2fb",
    ]) {
      const headers = { authorization: basicOf(PEOPLE.admin.email, PASSWORD) };
      const raw = { incoming: { url: target } } as never; // as it came: the framework has tidied its own copy
      const { status } = await router.request("/kubeproxy/b", { headers }, raw);
      expect(status, target).toBe(400);
    }
  });

  test("without one it says so, as kubectl shows it", async () => {
    const { status, answer } = await call("admin", "GET", "/kubeproxy/api", undefined, routerWith(null));
    expect([status, answer]).toEqual([
      501,
      expect.objectContaining({
        kind: "Status",
        status: "Failure",
        message: expect.stringContaining("KUBERNETES_API") as string,
      }),
    ]);
  });

  test("one that is away is a bad gateway", async () => {
    const away = routerWith({ ...kubernetes.settings, api: "http://127.0.0.1:1" });
    expect((await call("admin", "GET", "/kubeproxy/api", undefined, away)).status).toBe(502);
  });
});

test("local properties come first, in /properties and in whoami, and hide a row of their name", async () => {
  await db.pool.query("insert into properties (name, value) values ('logs.disable', 'false'), ('a', 'b')");
  await writeFile(join(folder, "pilothouse.properties"), "logs.disable=true\n");
  const fresh = routerWith(null); // the file is looked at every few seconds
  const { answer } = await call("viewer", "GET", "/properties", undefined, fresh);
  expect(answer).toEqual([
    { name: "logs.disable", value: "true", source: "local", type: "", description: "" },
    { name: "a", value: "b", source: "db", type: "", description: "" },
  ]);
  const { payload } = (await call("viewer", "GET", "/auth/whoami", undefined, fresh)).answer;
  expect(payload.properties).toEqual([
    { name: "logs.disable", value: "true" },
    { name: "a", value: "b" },
  ]);
});
