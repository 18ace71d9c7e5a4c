/** The audit log as the database keeps it: who did what, what it was before, no secret, and nobody changes it. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROLES } from "#app/contract/access.ts";
import { RELATIONS } from "#app/contract/relations.ts";
import { dbRole } from "#server/db/grants.ts";
import { createAuditLog } from "#server/identity/audit-log.ts";
import type { IdentityEvent } from "#server/identity/index.ts";
import { aCanary, aCheck, aConnection, aPerson, asRole, insert } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let admin: string;
beforeAll(async () => {
  db = await createDatabase();
  admin = await aPerson(db.pool, { name: "Ada", roles: ["admin"] });
});
afterAll(() => db.drop());

type Row = Record<string, unknown>;
const rowsOf = async (id: string): Promise<Row[]> =>
  (await db.pool.query<Row>("select * from public.audit_log where record_id = $1 order by id", [id])).rows;

/** One transaction of the API as Ada, with everything its claims have. */
async function asAda(text: string, values: unknown[] = []): Promise<Row[]> {
  return asRole(db, "admin", admin, async (client) => {
    const claims = {
      role: dbRole(db.name, "admin"),
      id: admin,
      via: "session",
      client: "10.1.2.3",
      request: "r1",
    };
    await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
    return (await client.query<Row>(text, values)).rows;
  });
}

test("a write says who, from where, what and what it was before; only columns that changed", async () => {
  const [made] = await asAda(
    "insert into public.canaries (name, namespace, spec) values ('web', 'default', '{\"schedule\": \"@every 1m\"}') returning id",
  );
  const id = String(made!["id"]);
  await asAda("update public.canaries set namespace = 'shop' where id = $1", [id]);
  await asAda("update public.canaries set namespace = 'shop' where id = $1", [id]); // nothing changed
  await asAda("update public.canaries set deleted_at = now() where id = $1", [id]);
  await asAda("update public.canaries set deleted_at = null where id = $1", [id]);
  await asAda("delete from public.canaries where id = $1", [id]);
  const log = await rowsOf(id);
  expect(log.map(({ action }) => action)).toEqual(["insert", "update", "delete", "restore", "delete"]);
  expect(log[0]).toMatchObject({
    actor_id: admin,
    actor: "Ada",
    via: "session",
    client: "10.1.2.3",
    request_id: "r1",
    kind: "canaries",
    record: "web",
    before: null,
    after: { name: "web", namespace: "default", spec: { schedule: "@every 1m" }, created_by: admin },
  });
  expect(log[1]).toMatchObject({ before: { namespace: "default" }, after: { namespace: "shop" } });
  expect(Object.keys(log[1]!["after"] as Row)).toEqual(["namespace"]);
  expect(log[4]).toMatchObject({ before: { name: "web", namespace: "shop" }, after: null });
});

test("what the product does by itself is not in it", async () => {
  const id = await aCanary(db.pool);
  await db.pool.query("update public.canaries set namespace = 'x' where id = $1", [id]);
  expect(await rowsOf(id)).toEqual([]);
});

test("what a person's write brings with it is theirs: the checks of a canary they delete", async () => {
  const check = await aCheck(db.pool);
  const [row] = await asAda(
    "update public.canaries set deleted_at = now() where id = (select canary_id from public.checks where id = $1) returning id",
    [check],
  );
  expect(row).toBeDefined();
  expect(await rowsOf(check)).toMatchObject([{ action: "delete", kind: "checks", actor: "Ada" }]);
});

test("writing to the view of checks is told as one write of a check; its state is not", async () => {
  const check = await aCheck(db.pool, { name: "front" });
  await asAda("update public.checks set icon = 'tcp', status = 'healthy' where id = $1", [check]);
  expect(await rowsOf(check)).toMatchObject([
    { action: "update", kind: "checks", record: "front", before: { icon: null }, after: { icon: "tcp" } },
  ]);
});

test("a row whose key changes is told under both", async () => {
  await asAda("insert into public.properties (name, value) values ('audit.old', 'x')");
  await asAda("update public.properties set name = 'audit.new' where name = 'audit.old'");
  expect((await rowsOf("audit.old")).map(({ action }) => action)).toEqual(["insert", "update"]);
  expect(await rowsOf("audit.new")).toMatchObject([
    { action: "update", before: null, after: { name: "audit.new" } },
  ]);
});

test("an upsert of many rows is one row for each, new ones and changed ones apart", async () => {
  await asAda("insert into public.properties (name, value) values ('many.1', 'a')");
  await asAda(
    `insert into public.properties (name, value) select 'many.' || n, 'b' from generate_series(1, 500) as n
     on conflict (name) do update set value = excluded.value`,
  );
  const { rows } = await db.pool.query(
    "select action, count(*)::int as n from public.audit_log where record_id like 'many.%' group by 1 order by 1",
  );
  expect(rows).toEqual([
    { action: "insert", n: 500 },
    { action: "update", n: 1 },
  ]);
});

test("keys of several columns are told, and whose row it is", async () => {
  const person = await aPerson(db.pool, { name: "Tomas" });
  const team = await insert(db.pool, "public.teams", { name: "yard", created_by: admin });
  await asAda("insert into public.team_members (team_id, person_id) values ($1, $2)", [team, person]);
  expect(await rowsOf(`${team}/${person}`)).toMatchObject([{ kind: "team_members", record: "Tomas" }]);
});

describe("secrets", () => {
  const HIDDEN = "hunter2-do-not-show";

  test.each([
    ["password", `{"http": [{"name": "a", "password": "${HIDDEN}"}]}`],
    ["password as a value", `{"http": [{"password": {"value": "${HIDDEN}"}}]}`],
    ["header", `{"http": [{"headers": [{"name": "X-Any", "value": "${HIDDEN}"}]}]}`],
    ["address", `{"postgres": [{"url": "postgres://me:${HIDDEN}@db/x"}]}`],
    ["query", `{"http": [{"url": "https://shop.example/?token=${HIDDEN}&q=1"}]}`],
    ["connection string", `{"mssql": [{"connection": "user=me password=${HIDDEN} host=db"}]}`],
    ["script", `{"exec": [{"script": "curl -H 'Authorization: Bearer ${HIDDEN}'"}]}`],
    ["environment", `{"exec": [{"env": [{"name": "PGPASSWORD", "value": "${HIDDEN}"}]}]}`],
    ["named value", `{"any": [{"name": "API_TOKEN", "value": "${HIDDEN}"}]}`],
    ["number", `{"webhook": [{"apiKey": "${HIDDEN}"}]}`],
  ])("in a spec: %s", async (_, spec) => {
    const id = await aCanary(db.pool);
    await asAda("update public.canaries set spec = $2 where id = $1", [id, spec]);
    await asAda("update public.canaries set spec = '{}' where id = $1", [id]);
    await asAda("update public.canaries set spec = $2 where id = $1", [id, spec]);
    await asAda("delete from public.canaries where id = $1", [id]);
    const log = await rowsOf(id);
    expect(log).toHaveLength(4);
    const text = JSON.stringify(log);
    expect(text).not.toContain(HIDDEN);
    expect(text).toContain("***");
  });

  test("in lists and objects of any length, beside what is shown", async () => {
    const length = 40;
    const many = Array.from({ length }, (_, n) => n);
    const spec = {
      http: many.map((n) => ({
        url: `https://shop.example/${n}`,
        headers: [{ name: "X-Any", value: HIDDEN }],
      })),
      settings: Object.fromEntries(many.map((n) => [`at_${n}`, n % 2 ? { password: HIDDEN } : `seen ${n}`])),
    };
    const id = await aCanary(db.pool, { spec: {} });
    await asAda("update public.canaries set spec = $2 where id = $1", [id, spec]);
    expect((await rowsOf(id))[0]!["after"]).toEqual({
      spec: {
        http: spec.http.map(({ url }) => ({ url, headers: [{ name: "X-Any", value: "***" }] })),
        settings: Object.fromEntries(many.map((n) => [`at_${n}`, n % 2 ? { password: "***" } : `seen ${n}`])),
      },
    });
  });

  test("what is no secret stays as it is, references too", async () => {
    const spec = {
      schedule: "@every 30s",
      http: [
        {
          name: "cart",
          url: "https://shop.example/cart?page=2",
          password: "secret://shop/password",
          token: { valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
          responseCodes: [200],
          deep: [{ nothing: null, empty: {}, list: [] }],
        },
      ],
    };
    const id = await aCanary(db.pool, { spec: {} });
    await asAda("update public.canaries set spec = $2 where id = $1", [id, spec]);
    expect((await rowsOf(id))[0]!["after"]).toEqual({ spec });
  });

  test("of connections, properties, tokens and identities", async () => {
    const connection = await aConnection(db.pool);
    await asRole(
      db,
      "admin",
      admin,
      (client) =>
        client.query(
          `update public.connections set password = $2, certificate = $2, url = 'https://me:' || $2 || '@x/',
             properties = jsonb_build_object('apiKey', $2::text) where id = $1`,
          [connection, HIDDEN],
        ),
      { key: "k".repeat(32) },
    );
    await asAda("insert into public.properties (name, value) values ('smtp.password', $1)", [HIDDEN]);
    await asAda("update public.properties set value = $1 || '2' where name = 'smtp.password'", [HIDDEN]);
    const client = await db.pool.connect();
    try {
      await client.query("begin");
      await client.query("select set_config('request.jwt.claims', $1, true)", [
        JSON.stringify({ id: admin }),
      ]);
      await client.query(
        `insert into internal.access_tokens (name, person_id, value, created_at) values ('ci', $1, $2, now())`,
        [admin, HIDDEN],
      );
      await client.query("commit");
    } finally {
      client.release();
    }
    const { rows } = await db.pool.query(
      "select kind, before, after from public.audit_log where at > now() - interval '1 minute'",
    );
    expect(JSON.stringify(rows)).not.toContain(HIDDEN);
    const kinds = new Set(rows.map(({ kind }) => kind as string));
    for (const kind of ["connections", "properties", "access_tokens"]) expect(kinds).toContain(kind);
  });
});

describe("what happens at the door", () => {
  const note = (event: Partial<IdentityEvent> & Pick<IdentityEvent, "action">) =>
    createAuditLog(db.pool)({ personId: null, email: null, client: "10.9.8.7", ...event });
  const ofRecord = async (record: string): Promise<Row[]> =>
    (await db.pool.query<Row>("select * from public.audit_log where record = $1 order by id", [record])).rows;

  test("a sign-in names who and how, a failure nobody", async () => {
    const id = await aPerson(db.pool, { name: "Mei", email: "mei@example.org" });
    await note({ action: "sign-in", personId: id, method: "totp" });
    await note({ action: "sign-in-failed", personId: id, reason: "credentials" });
    await note({ action: "identity-change", personId: id, by: admin, reason: "state" });
    expect(await ofRecord("mei@example.org")).toMatchObject([
      {
        actor: "Mei",
        action: "sign-in",
        kind: "sessions",
        record_id: id,
        client: "10.9.8.7",
        after: { method: "totp" },
      },
      {
        actor: null,
        actor_id: null,
        action: "sign-in-failed",
        record_id: id,
        after: { reason: "credentials" },
      },
      { actor: "Ada", actor_id: admin, action: "identity-change", kind: "identities", record_id: id },
    ]);
  });

  test("of a stranger the address that was typed is kept, of anything else nothing: it may be a password", async () => {
    await note({ action: "sign-in-failed", email: "Nobody@Example.org", client: "10.9.8.6" });
    expect(await ofRecord("nobody@example.org")).toHaveLength(1);
    await note({ action: "sign-in-failed", email: "hunter2-typed-too-early", client: "10.9.8.6" });
    const { rows } = await db.pool.query("select * from public.audit_log where client = '10.9.8.6'");
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain("hunter2");
  });

  test("guessing fills no disk: so many failures an hour of one account, and from one address", async () => {
    for (let n = 0; n < 30; n++)
      await note({ action: "sign-in-failed", email: "guessed@example.org", client: `10.1.0.${n}` });
    expect(await ofRecord("guessed@example.org")).toHaveLength(20);
    for (let n = 0; n < 110; n++)
      await note({ action: "sign-in-failed", email: `sprayed-${n}@example.org`, client: "10.2.0.1" });
    const { rowCount } = await db.pool.query("select from public.audit_log where client = '10.2.0.1'");
    expect(rowCount).toBe(100);
  });
});

describe("it can only be added to", () => {
  const attempts: Record<string, string> = {
    insert: "insert into public.audit_log (action, kind) values ('insert', 'canaries')",
    update: "update public.audit_log set actor = 'somebody else'",
    delete: "delete from public.audit_log",
    truncate: "truncate public.audit_log",
    trigger: "alter table public.audit_log disable trigger all",
    sequence: "select nextval('public.audit_log_id_seq')",
    cleaning: "select internal.clean_audit_log(0)",
  };

  test.each(ROLES)("by no way as %s", async (role) => {
    for (const [name, sql] of Object.entries(attempts))
      await expect(
        asRole(db, role, admin, async (client) => {
          await client.query("select set_config('pilothouse.cleans_audit_log', 'on', true)");
          await client.query(sql);
        }),
        `${name} as ${role}`,
      ).rejects.toMatchObject({ code: "42501" });
  });

  test("nor by the owner, but for what is old", async () => {
    for (const name of ["update", "delete", "truncate"])
      await expect(db.pool.query(attempts[name]!), name).rejects.toMatchObject({ code: "42501" });
    await db.pool.query(
      `insert into public.audit_log (action, kind, at, record_id) values
         ('insert', 'x', now() - interval '400 days', 'old'), ('insert', 'x', now() - interval '80 days', 'young')`,
    );
    await db.pool.query("select internal.clean_audit_log(365)");
    expect(await rowsOf("old")).toEqual([]);
    await db.pool.query("select internal.clean_audit_log(1)"); // whoever writes properties cannot shorten it to nothing
    expect(await rowsOf("young")).toHaveLength(1);
  });

  test("only whoever may write rbac reads it", async () => {
    const readers: string[] = [];
    for (const role of ROLES)
      await asRole(db, role, admin, (client) => client.query("select id from public.audit_log limit 1")).then(
        () => readers.push(role),
        (error: pg.DatabaseError) => expect(error.code).toBe("42501"),
      );
    expect(readers).toEqual(["admin"]);
  });
});

/** Written through a table of another name, or by nobody. */
const THROUGH: Readonly<Record<string, string>> = { checks: "internal.checks" };

test("every relation that people write is audited", async () => {
  const { rows } = await db.pool.query<{ name: string; n: number }>(
    `select tgrelid::regclass::text as name, count(*)::int as n from pg_trigger
     where tgfoid = 'internal.audit_write'::regproc group by 1`,
  );
  const audited = new Map(rows.map(({ name, n }) => [name.replace(/^public\./, ""), n]));
  const there = await db.pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')",
  );
  for (const { name } of there.rows)
    if (RELATIONS.get(name)?.write) expect(audited.get(THROUGH[name] ?? name), name).toBe(3);
});
