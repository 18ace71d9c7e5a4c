/** Permission records through the API's own table and the database's own roles (specification 3 §3.4; decision 0096). */
import type { Hono } from "hono";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#app/contract/access.ts";
import { WhyAnswer } from "#app/contract/rows/permissions.ts";
import { createAsCaller } from "#server/api/caller.ts";
import { canaryRoutes } from "#server/api/canary.ts";
import { createDb, dbRoutes } from "#server/api/db.ts";
import { permissionRoutes } from "#server/api/permissions.ts";
import type { Rest } from "#server/api/rest/index.ts";
import { createRights } from "#server/api/rights.ts";
import { createRouter, type ApiEnv } from "#server/api/router.ts";
import { dbRole, lentRole } from "#server/db/grants.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createMetrics } from "#server/observe/metrics.ts";
import {
  aCanary,
  aCheck,
  aCheckStatus,
  aComponent,
  aConfigItem,
  aConnection,
  aTeam,
  asRole,
  insert,
} from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let api: pg.Pool;
let rest: Rest;
let router: Hono<ApiEnv>;
const people = {} as Record<Role, string>;
let canary: string;
let other: string;
let check: string;
let connection: string;
const ran: string[] = [];

beforeAll(async () => {
  db = await createDatabase();
  await createPeople(db.pool);
  for (const role of Object.keys(PEOPLE) as Role[]) {
    const { rows } = await db.pool.query<{ id: string }>("select id from people where email = $1", [
      PEOPLE[role].email,
    ]);
    people[role] = rows[0]!.id;
  }
  canary = await aCanary(db.pool, { name: "ledger", labels: { shelf: "secret" } });
  other = await aCanary(db.pool, { name: "quay" });
  check = await aCheck(db.pool, {
    canary_id: canary,
    name: "ledger-web",
    status: "healthy",
    labels: { shelf: "secret" },
  });
  await aCheck(db.pool, { canary_id: other, name: "quay-web", status: "healthy" });
  await aCheckStatus(db.pool, check);
  connection = await aConnection(db.pool, { name: "vault" });
  api = new pg.Pool({ connectionString: db.apiUrl, max: 4 });
  api.on("error", () => undefined); // the database is dropped by force
  const observe = () => undefined;
  const asCaller = createAsCaller(api);
  const rights = createRights(db.pool);
  rest = createDb(db.name, { pool: api, observe });
  await rest.reload();
  const engine = {
    run: async (id: string) => {
      ran.push(id);
      return {
        check: { name: "c", labels: {}, description: null, namespace: "n" },
        time: new Date(),
        ms: 1,
        outcome: { status: "healthy" },
      } as never;
    },
    test: () => Promise.reject(new Error("not here")),
  };
  router = createRouter({
    routes: [
      ...canaryRoutes({ asCaller, pool: db.pool, engine, version: "1" }),
      ...permissionRoutes({ asCaller, pool: db.pool, rights }),
      ...dbRoutes(rest, { rights, database: db.name }),
    ],
    open: {},
    identity: createIdentity({ pool: db.pool, publicUrl: null, secureCookies: false, observe }),
    rights,
    database: db.name,
    observe,
    metrics: createMetrics(),
  });
});
afterEach(async () => {
  await db.pool.query("delete from permissions");
  await db.pool.query("delete from team_members");
  ran.length = 0;
});
afterAll(async () => {
  await rest.close();
  await api.end();
  await db.drop();
});

async function ask(role: Role, method: string, path: string, body?: unknown, prefer?: string) {
  const { email, password } = PEOPLE[role];
  const response = await router.request(
    path,
    {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${email}:${password}`).toString("base64")}`,
        "content-type": "application/json",
        ...(prefer ? { prefer } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    { incoming: { url: path } },
  );
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, text, json: isJson ? JSON.parse(text) : null };
}
const get = (role: Role, path: string) => ask(role, "GET", path);
const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();

/** A record as the product itself would have it: about the viewer unless said. */
const record = (row: Record<string, unknown>) =>
  insert(db.pool, "permissions", {
    ...("person_id" in row || "team_id" in row ? {} : { person_id: people.viewer }),
    created_by: people.admin,
    action: "read",
    deny: true,
    ...row,
  });

describe("a deny of reading", () => {
  /** Everything that could tell of the canary `ledger` and its check. */
  async function traces(role: Role): Promise<string[]> {
    const found: string[] = [];
    const paths = [
      "/db/canaries?select=id,name",
      `/db/canaries?id=eq.${canary}`,
      "/db/canary_names",
      "/db/canaries_with_status",
      "/db/checks",
      "/db/checks?select=name,canary:canaries!checks_canary_id_fkey(name)",
      `/db/checks?id=eq.${check}`,
      "/db/check_names",
      "/db/check_labels",
      "/db/rpc/check_label_values?most=10",
      `/db/rpc/check_figures?ids={${check}}&since=2020-01-01&percentile=false`,
      "/db/check_summary",
      `/db/check_statuses?check_id=eq.${check}`,
      `/db/check_statuses_1h?check_id=eq.${check}`,
      `/db/check_statuses_5m?check_id=eq.${check}`,
      "/canary/api/summary",
      `/canary/api/summary?page=${encodeURIComponent(JSON.stringify({}))}`,
      `/canary/api/graph?check=${check}`,
      `/ph/checks/${check}/transitions`,
      `/auth/rights?check_id=${check}`,
      `/auth/rights?canary_id=${canary}`,
    ];
    for (const path of paths) {
      const { status, text } = await get(role, path);
      const about = path.includes(check) || path.includes(canary);
      const tells = status === 200 && (about ? text !== "[]" : /ledger|secret/.test(text));
      if (tells) found.push(path);
    }
    return found;
  }

  test("of a canary takes it and its checks out of everything that tells of them", async () => {
    const before = await traces("viewer");
    expect(before).toHaveLength(21);
    await record({ canary_id: canary });
    expect(await traces("viewer")).toEqual([]);
    expect(await traces("responder"), "others see them as before").toEqual(before);
    const { json } = await get("viewer", "/db/canaries?select=name");
    expect(namesOf(json)).toEqual(["quay"]);
  });

  test("counts what is left", async () => {
    await record({ canary_id: canary });
    const counted = await asRole(db, "viewer", people.viewer, (client) =>
      client.query("select count(*)::int as n from public.checks"),
    );
    expect(counted.rows).toEqual([{ n: 1 }]);
  });

  test("of a check alone leaves its canary and answers 404 to whoever asks for it by its address", async () => {
    await record({ check_id: check });
    expect((await get("viewer", `/db/canaries?id=eq.${canary}`)).json).toHaveLength(1);
    expect((await get("viewer", `/db/checks?id=eq.${check}`)).json).toEqual([]);
    for (const path of [`/canary/api/graph?check=${check}`, `/auth/rights?check_id=${check}`])
      expect((await get("viewer", path)).status, path).toBe(404);
    expect((await ask("responder", "POST", `/canary/run/check/${check}`)).status).toBe(200);
    await record({ check_id: check, person_id: people.responder });
    expect((await ask("responder", "POST", `/canary/run/check/${check}`)).status).toBe(404);
    expect(ran).toEqual([check]);
  });

  test.each([
    ["config", "config_items", aConfigItem, "config_id"],
    ["component", "components", aComponent, "component_id"],
    ["connection", "connections_list", aConnection, "connection_id"],
    [
      "playbook",
      "playbooks",
      (pool: pg.Pool) => insert(pool, "playbooks", { name: "restart", spec: {}, source: "UI" }),
      "playbook_id",
    ],
  ] as const)("hides a %s", async (_kind, relation, make, column) => {
    const id = await make(db.pool);
    const seen = async () => (await get("viewer", `/db/${relation}?id=eq.${id}`)).json.length as number;
    expect(await seen()).toBe(1);
    const made = await record({ [column]: id });
    expect(await seen()).toBe(0);
    await db.pool.query("update permissions set until = now() - interval '1 second' where id = $1", [made]);
    expect(await seen(), "until it ends").toBe(1);
  });

  test("of a config leaves its children", async () => {
    const parent = await aConfigItem(db.pool);
    const child = await aConfigItem(db.pool, { parent_id: parent });
    await record({ config_id: parent });
    expect((await get("viewer", `/db/config_items?id=in.(${parent},${child})&select=id`)).json).toEqual([
      { id: child },
    ]);
  });

  test("does nothing to an admin, whoever asked for it, and nothing to the product itself", async () => {
    const team = await aTeam(db.pool);
    await db.pool.query("insert into team_members (team_id, person_id) values ($1, $2)", [
      team,
      people.admin,
    ]);
    await record({ canary_id: canary, team_id: team, action: "*" });
    expect((await get("admin", `/db/canaries?id=eq.${canary}`)).json).toHaveLength(1);
    expect((await db.pool.query("select from canaries where id = $1", [canary])).rowCount).toBe(1);
  });

  test("reaches the members of a team, and only while they are in it", async () => {
    const team = await aTeam(db.pool);
    await record({ canary_id: canary, team_id: team });
    const seen = async () => (await get("viewer", `/db/canaries?id=eq.${canary}`)).json.length as number;
    expect(await seen()).toBe(1);
    await db.pool.query("insert into team_members (team_id, person_id) values ($1, $2)", [
      team,
      people.viewer,
    ]);
    expect(await seen()).toBe(0);
    await db.pool.query("update teams set deleted_at = now() where id = $1", [team]);
    expect(await seen(), "a team that is gone says nothing").toBe(1);
  });
});

describe("a deny of another action", () => {
  const rename = (role: Role, id: string) =>
    ask(role, "PATCH", `/db/canaries?id=eq.${id}`, { labels: { a: "b" } }, "return=representation");

  test("refuses it with 403, and nothing else", async () => {
    await record({ canary_id: canary, action: "update", person_id: people.editor });
    expect((await rename("editor", canary)).status).toBe(403);
    expect((await rename("editor", other)).status).toBe(200);
    expect((await get("editor", `/db/canaries?id=eq.${canary}`)).json).toHaveLength(1);
    expect((await rename("admin", canary)).status).toBe(200);
    await db.pool.query('update canaries set labels = \'{"shelf": "secret"}\' where id = $1', [canary]);
  });

  test("of deleting is about soft deletions too; of updating not", async () => {
    const gone = () => ask("editor", "PATCH", `/db/canaries?id=eq.${canary}`, { deleted_at: "now()" });
    await record({ canary_id: canary, action: "delete", person_id: people.editor });
    expect((await gone()).status).toBe(403);
    expect((await ask("editor", "DELETE", `/db/canaries?id=eq.${canary}`)).status).toBe(403);
    expect((await rename("editor", canary)).status).toBe(200);
    await db.pool.query('update canaries set labels = \'{"shelf": "secret"}\' where id = $1', [canary]);
  });

  test("of a canary covers its checks, whichever way they are written", async () => {
    await record({ canary_id: canary, action: "create,read,update,delete", person_id: people.responder });
    await record({ canary_id: canary, action: "update", person_id: people.editor });
    const patch = await ask("editor", "PATCH", `/db/checks?id=eq.${check}`, { icon: "x" });
    expect([patch.status, patch.json?.message]).toEqual([403, "You may not update this check."]);
    await record({ canary_id: canary, action: "create", person_id: people.editor });
    const added = await ask("editor", "POST", "/db/checks", { canary_id: canary, type: "http", name: "new" });
    expect(added.status).toBe(403);
    const moved = await asRole(db, "editor", people.editor, (client) =>
      client
        .query("update public.checks set canary_id = $1 where canary_id = $2", [canary, other])
        .catch((error: pg.DatabaseError) => error.code),
    );
    expect(moved).toBe("42501");
  });

  test("of running keeps a responder from that check, and wins over an allow", async () => {
    await record({ check_id: check, action: "run", person_id: people.responder });
    await record({ check_id: check, action: "run", person_id: people.responder, deny: false });
    expect((await ask("responder", "POST", `/canary/run/check/${check}`)).status).toBe(403);
    expect(ran).toEqual([]);
  });
});

describe("an allow", () => {
  const patch = (role: Role, path: string) =>
    ask(role, "PATCH", path, { annotations: { by: role } }, "return=representation");

  test("lets a viewer change that canary and no other row", async () => {
    expect((await patch("viewer", `/db/canaries?id=eq.${canary}`)).status).toBe(403);
    await record({ canary_id: canary, action: "update", deny: false });
    const changed = await patch("viewer", `/db/canaries?id=eq.${canary}`);
    expect([changed.status, changed.json[0].annotations]).toEqual([200, { by: "viewer" }]);
    expect((await patch("viewer", `/db/canaries?id=eq.${other}`)).status).toBe(403);
    expect((await patch("viewer", "/db/canaries?name=neq.x")).status, "all of them").toBe(403);
    const { rows } = await db.pool.query("select annotations from canaries where id = $1", [other]);
    expect(rows).toEqual([{ annotations: null }]);
    for (const [method, path] of [
      ["DELETE", `/db/canaries?id=eq.${canary}`],
      ["PATCH", `/db/connections?id=eq.${connection}`],
      ["POST", "/db/canaries"],
      ["PATCH", `/db/teams?id=eq.${canary}`],
      ["GET", "/db/connections"],
      ["GET", "/db/identities"],
    ] as const)
      expect(
        (await ask("viewer", method, path, method === "GET" ? undefined : { name: "x" })).status,
        path,
      ).toBe(403);
    expect(
      (await ask("viewer", "PATCH", `/db/canaries?id=eq.${canary}`, { deleted_at: "now()" })).status,
    ).toBe(403);
    expect(
      (await ask("viewer", "PATCH", `/db/canaries?id=eq.${canary}`, { id: other })).status,
      "nor turn it into another",
    ).not.toBe(200);
  });

  test("of changing a canary shows its spec as it is, the others without secrets, and not by asking either", async () => {
    const spec = { schedule: "@every 1h", tcp: [{ name: "c", password: "hunter22" }] };
    await db.pool.query("update canaries set spec = $1", [spec]);
    const seen = async (role: Role) => {
      const { json } = await get(role, "/db/canaries?select=id,spec,checks(spec)&order=id");
      return Object.fromEntries(json.map((row: { id: string; spec: typeof spec }) => [row.id, row.spec]));
    };
    const hidden = { ...spec, tcp: [{ name: "c", password: "***" }] };
    expect(await seen("viewer")).toMatchObject({ [canary]: hidden, [other]: hidden });
    expect(await seen("editor")).toMatchObject({ [canary]: spec, [other]: spec });
    await record({ canary_id: canary, action: "update", deny: false });
    expect(await seen("viewer")).toMatchObject({ [canary]: spec, [other]: hidden });

    for (const chosen of [
      "spec->tcp->0->>password=like.hunter*",
      "or=(id.is.null,spec->tcp->0->>password.like.hunter*)",
      "id=not.is.null&limit=1&order=spec->tcp->0->>password",
      "checks.spec->>password=eq.x&select=id,checks(spec)",
    ]) {
      const { status, text } = await patch("viewer", `/db/canaries?${chosen}`);
      expect([status, text], chosen).toEqual([403, expect.stringContaining("not chosen by their spec")]);
    }
    const answer = await patch(
      "viewer",
      `/db/canaries?id=eq.${canary}&select=id,spec,agents(canaries(id,spec))`,
    );
    expect(answer.status).toBe(200);
    expect(answer.json[0].spec).toEqual(spec);
    for (const row of answer.json[0].agents?.canaries ?? [])
      expect(row.spec).toEqual(row.id === canary ? spec : hidden);
  });

  test("lets a viewer run the check, or all of a canary", async () => {
    expect((await ask("viewer", "POST", `/canary/run/check/${check}`)).status).toBe(403);
    await record({ canary_id: canary, action: "run", deny: false });
    expect((await ask("viewer", "POST", `/canary/run/check/${check}`)).status).toBe(200);
    const rights = await get("viewer", `/auth/rights?check_id=${check}`);
    expect(rights.json).toEqual({
      rights: { read: true, update: false, create: false, delete: false, run: true },
    });
    const { rows } = await db.pool.query("select id from checks where canary_id = $1", [other]);
    expect((await ask("viewer", "POST", `/canary/run/check/${rows[0].id}`)).status).toBe(403);
  });

  test("of reading opens one connection to a viewer, with its secrets masked as for everybody", async () => {
    expect((await get("viewer", "/db/connections")).status).toBe(403);
    await record({ connection_id: connection, deny: false });
    const { status, json } = await get("viewer", "/db/connections");
    expect([status, namesOf(json)]).toEqual([200, ["vault"]]);
    expect((await get("responder", "/db/connections")).status).toBe(403);
  });

  test("of changing a connection reaches an editor, who may only read them", async () => {
    const path = `/db/connections?id=eq.${connection}`;
    const spare = await aConnection(db.pool, { name: "spare" });
    expect((await ask("editor", "PATCH", path, { username: "u" })).status).toBe(403);
    await record({ connection_id: connection, action: "update", deny: false, person_id: people.editor });
    expect((await ask("editor", "PATCH", path, { username: "u" })).status).toBe(204);
    expect((await ask("editor", "PATCH", `/db/connections?id=eq.${spare}`, { username: "u" })).status).toBe(
      403,
    );
    expect(namesOf((await get("editor", "/db/connections?deleted_at=is.null")).json)).toContain("spare");
  });

  test("the role that is lent has nothing by itself", async () => {
    const client = new pg.Client({ connectionString: db.apiUrl });
    await client.connect();
    try {
      await client.query("begin");
      const claims = { role: lentRole(db.name), own_role: dbRole(db.name, "viewer"), id: people.viewer };
      await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
        lentRole(db.name),
        JSON.stringify(claims),
      ]);
      expect((await client.query("select from public.connections")).rowCount).toBe(0);
      await expect(client.query("update public.canaries set labels = '{}'")).rejects.toMatchObject({
        code: "42501",
      });
    } finally {
      await client.end();
    }
  });
});

describe("writing records", () => {
  const add = (role: Role, row: Record<string, unknown>) =>
    ask(
      role,
      "POST",
      "/db/permissions",
      { person_id: people.viewer, deny: false, ...row },
      "return=representation",
    );

  test("takes the words of the contract and those of other user interfaces, and signs them", async () => {
    const { status, json } = await add("editor", {
      canary_id: canary,
      action: "ActionUpdate",
      description: null,
      created_by: people.admin,
    });
    expect([status, json[0]]).toEqual([
      201,
      expect.objectContaining({ action: "update", source: "UI", description: "", created_by: people.editor }),
    ]);
    const path = `/db/permissions?id=eq.${json[0].id}`;
    const changed = await ask("admin", "PATCH", path, { deny: true }, "return=representation");
    expect(changed.json[0]).toMatchObject({
      deny: true,
      updated_by: people.admin,
      created_by: people.editor,
    });
  });

  test.each([
    [{ action: "update" }, "config_id, component_id, canary_id, check_id, connection_id, playbook_id"],
    [{ action: "update", canary_id: "canary", config_id: "canary" }, "exactly one of them"],
    [{ action: "update", canary_id: "canary", person_id: null }, "person_id, team_id"],
    [{ action: "fly", canary_id: "canary" }, "action: must be"],
    [{ action: "run", connection_id: "connection" }, "action: must be"],
    [{ action: "playbook:approve", canary_id: "canary" }, "action: must be"],
  ])("says what is wrong with %j", async (row, words) => {
    const filled = Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        value === "canary" ? canary : value === "connection" ? connection : value,
      ]),
    );
    const { status, json } = await add("admin", filled);
    expect([status, json.message]).toEqual([400, expect.stringContaining(words)]);
  });

  test("viewers and responders write none", async () => {
    for (const role of ["viewer", "responder", "commander"] as const)
      expect((await add(role, { canary_id: canary, action: "read" })).status, role).toBe(403);
  });

  test("an editor cannot allow what editors may not do", async () => {
    for (const action of ["update", "*", "create,read,update,delete"])
      expect((await add("editor", { connection_id: connection, action })).status, action).toBe(403);
    expect((await add("editor", { connection_id: connection, action: "read" })).status).toBe(201);
  });

  test("whoever is denied something cannot take that back, nor give it to others", async () => {
    const denial = await record({ canary_id: canary, action: "update", person_id: people.editor });
    const path = `/db/permissions?id=eq.${denial}`;
    for (const [method, body] of [
      ["DELETE", undefined],
      ["PATCH", { deleted_at: "now()" }],
      ["PATCH", { until: "2020-01-01T00:00:00Z" }],
      ["PATCH", { canary_id: other }],
      ["PATCH", { person_id: people.viewer }],
    ] as const)
      expect((await ask("editor", method, path, body)).status, JSON.stringify(body)).toBe(403);
    expect((await add("editor", { canary_id: canary, action: "*" })).status).toBe(403);
    expect((await ask("admin", "DELETE", path)).status).toBe(204);
  });

  test("nor leave a team that denies it, join one that allows more, or delete either", async () => {
    const denying = await aTeam(db.pool);
    const allowing = await aTeam(db.pool);
    await db.pool.query("insert into team_members (team_id, person_id) values ($1, $2)", [
      denying,
      people.editor,
    ]);
    await record({ canary_id: canary, action: "update", team_id: denying });
    await record({ connection_id: connection, action: "update", team_id: allowing, deny: false });
    const joined = { team_id: allowing, person_id: people.editor };
    expect((await ask("editor", "POST", "/db/team_members", joined)).status).toBe(403);
    expect((await ask("editor", "DELETE", `/db/team_members?team_id=eq.${denying}`)).status).toBe(403);
    expect((await ask("editor", "PATCH", `/db/teams?id=eq.${denying}`, { deleted_at: "now()" })).status).toBe(
      403,
    );
    expect((await ask("editor", "DELETE", `/db/teams?id=eq.${denying}`)).status).toBe(403);
    expect((await ask("admin", "POST", "/db/team_members", joined)).status).toBe(201);
    const plain = await aTeam(db.pool);
    expect((await ask("editor", "POST", "/db/team_members", { ...joined, team_id: plain })).status).toBe(201);
  });

  test("an admin cannot be denied anything", async () => {
    const { status, json } = await add("admin", {
      canary_id: canary,
      action: "read",
      deny: true,
      person_id: people.admin,
    });
    expect([status, json.message]).toEqual([400, "person_id: an admin cannot be denied anything."]);
  });
});

describe("GET /ph/permissions/why", () => {
  const why = async (role: Role, person: string, action: string, about: string) => {
    const answer = await get(role, `/ph/permissions/why?person_id=${person}&action=${action}&${about}`);
    return { ...answer, why: answer.status === 200 ? WhyAnswer.parse(answer.json) : null };
  };

  test("says what the role gives and which records speak, those that ended too", async () => {
    const team = await aTeam(db.pool, { name: "Night watch" });
    await db.pool.query("insert into team_members (team_id, person_id) values ($1, $2)", [
      team,
      people.viewer,
    ]);
    await record({ canary_id: canary, action: "update", deny: false });
    await record({ canary_id: canary, action: "*", team_id: team, until: "2020-01-01T00:00:00Z" });
    const asked = await why("viewer", people.viewer, "update", `check_id=${check}`);
    expect(asked.why).toMatchObject({
      resource: { kind: "check", name: "ledger-web" },
      verdict: "yes",
      role: "viewer",
      byRole: false,
      records: [
        { deny: true, team: "Night watch", about: "canary", expired: true },
        { deny: false, team: null, about: "canary", expired: false },
      ],
    });
  });

  test("does not tell of what the asker may not see, and names what is wrong with a question", async () => {
    expect((await why("viewer", people.editor, "run", `check_id=${check}`)).why?.verdict).toBe("yes");
    await record({ check_id: check });
    expect((await why("viewer", people.editor, "run", `check_id=${check}`)).status).toBe(404);
    expect((await why("viewer", people.editor, "fly", `check_id=${check}`)).status).toBe(400);
    expect((await why("viewer", people.editor, "read", `check_id=x`)).status).toBe(400);
    expect((await why("viewer", people.editor, "read", "")).status).toBe(400);
    expect((await why("viewer", canary, "read", `canary_id=${canary}`)).status).toBe(404);
  });
});
