import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { may, ROLES, type Permission, type Role } from "#app/contract/access.ts";
import { AGENTS, readPermission, RELATIONS, RPCS, SHOWN, shownTo } from "#app/contract/relations.ts";
import { agentRole, applyRolesAndGrants, dbRole } from "#server/db/grants.ts";
import { aCheck, aPerson, asRole } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
let present: string[];
beforeAll(async () => {
  db = await createDatabase();
  const { rows } = await db.pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')",
  );
  present = rows.map(({ name }) => name).filter((name) => RELATIONS.has(name));
  await aCheck(db.pool);
});
afterAll(() => db.drop());

type Verdict = "allowed" | "refused";
const allowed = (yes: boolean): Verdict => (yes ? "allowed" : "refused");

/** Runs each statement under its own savepoint, as the role, and says which were refused. */
async function attempt(role: Role, statements: Record<string, string>): Promise<Record<string, Verdict>> {
  return asRole(db, role, null, async (client) => {
    const verdicts: Record<string, Verdict> = {};
    for (const [name, sql] of Object.entries(statements)) {
      await client.query("savepoint attempt");
      verdicts[name] = await client.query(sql).then(
        () => "allowed",
        (error: pg.DatabaseError) => {
          if (error.code === "42501") return "refused";
          throw error;
        },
      );
      await client.query("rollback to savepoint attempt");
    }
    return verdicts;
  });
}

async function columnsOf(relation: string): Promise<string> {
  const { rows } = await db.pool.query<{ name: string }>(
    "select quote_ident(attname) as name from pg_attribute where attrelid = ('public.' || $1)::regclass and attnum > 0",
    [relation],
  );
  return rows[0]!.name;
}

describe.each(ROLES)("as %s", (role) => {
  test("every relation is read and written exactly as the access table says", async () => {
    const expected: Record<string, Verdict> = {};
    const statements: Record<string, string> = {};
    for (const relation of present) {
      const access = RELATIONS.get(relation)!;
      const { write } = access;
      const column = await columnsOf(relation);
      expected[`read ${relation}`] = allowed(may([role], readPermission(access)));
      statements[`read ${relation}`] = `select * from public.${relation}`;
      if (write === null) continue; // the next test: there is nothing to try on a view that only shows
      for (const [verb, sql] of [
        ["insert", `insert into public.${relation} (${column}) select null where false`],
        ["update", `update public.${relation} set ${column} = default where false`],
        ["delete", `delete from public.${relation} where false`],
      ] as const) {
        expected[`${verb} ${relation}`] = allowed(may([role], `write:${write}` as Permission));
        statements[`${verb} ${relation}`] = sql;
      }
    }
    expect(await attempt(role, statements)).toEqual(expected);
  });

  test("no relation that only shows has a write privilege, and none can be truncated or referenced", async () => {
    const { rows } = await db.pool.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
         and (has_table_privilege($1, oid, 'TRUNCATE, REFERENCES, TRIGGER')
           or (relname = any ($2) and has_any_column_privilege($1, oid, 'INSERT, UPDATE, REFERENCES'))
           or (relname = any ($2) and has_table_privilege($1, oid, 'DELETE')))`,
      [dbRole(db.name, role), present.filter((name) => RELATIONS.get(name)!.write === null)],
    );
    expect(rows).toEqual([]);
  });

  test("nothing private can be named, and only the columns that views show can be read at all", async () => {
    const verdicts = await attempt(role, {
      checks: "select * from internal.checks",
      secrets: "select * from internal.secrets",
      secret: "select internal.secret_of('connections', gen_random_uuid(), 'password')",
      caller: "select internal.caller()",
      hidden: "select internal.hidden('canary')",
      crypt: "select internal.gen_salt('bf')",
      partition: "select * from internal.check_statuses_default",
      create: "create table public.mine (id int)",
      temporary: "create temporary table mine (id int)",
      schema: "create schema mine",
    });
    expect(new Set(Object.values(verdicts))).toEqual(new Set(["refused"]));

    const { rows } = await db.pool.query<{ name: string }>(
      `select relname as name from pg_class c where relnamespace = 'internal'::regnamespace and relkind in ('r', 'p', 'v')
         and (has_any_column_privilege($1, oid, 'SELECT, INSERT, UPDATE, REFERENCES')
           or has_table_privilege($1, oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'))
       order by 1`,
      [dbRole(db.name, role)],
    );
    expect(rows.map(({ name }) => name)).toEqual([
      "agent_counts",
      "check_buckets",
      "check_last_hour",
      "check_state",
      "checks",
      "event_queue",
      ...(may([role], "read:identities") ? ["invitations"] : []),
      "job_latest",
      "role_grants",
    ]);
    const columns = await db.pool.query<{ name: string }>(
      `select format('%s.%s', attrelid::regclass, attname) as name from pg_attribute
       where attrelid in ('internal.event_queue'::regclass, 'internal.check_state'::regclass,
           'internal.invitations'::regclass) and attnum > 0
         and has_column_privilege($1, attrelid, attnum, 'SELECT')
         and attname in ('properties', 'key', 'claimed_by', 'claimed_until', 'token_hash')`,
      [dbRole(db.name, role)],
    );
    expect(columns.rows).toEqual([]);
  });

  test("functions: those of the table and of views for whoever may, the id default for whoever writes, no others", async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select proname as name from pg_proc p
       where pronamespace in ('public'::regnamespace, 'internal'::regnamespace)
         and has_function_privilege($1, oid, 'EXECUTE')
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
      [dbRole(db.name, role)],
    );
    const callable = [...RPCS].filter(([, permission]) => may([role], permission)).map(([name]) => name);
    const writes = present.some((name) => {
      const { write } = RELATIONS.get(name)!;
      return write !== null && may([role], `write:${write}` as Permission);
    });
    const shown = may([role], "read:canaries") ? ["latency_of"] : []; // what check_summary calls
    // What row policies ask: nobody can name it, since no role has the use of its schema.
    const policies = ["hidden", "hidden_texts", "lent_connections", "reads_connections", "sees_all"];
    const masking = shownTo([role]).size > 0 ? ["lent_to_change", "shown_spec"] : []; // what the schema `shown` calls
    expect(rows.map(({ name }) => name)).toEqual(
      [...callable, ...shown, ...masking, ...policies, ...(writes ? ["generate_ulid"] : [])].sort(),
    );
  });
});

test("agents read their relations, whole ones no others, write none and call one function", async () => {
  const role = agentRole(db.name);
  const { rows } = await db.pool.query<{ name: string; reads: boolean; writes: boolean }>(
    `select relname as name, has_table_privilege($1, oid, 'SELECT') as reads,
       has_table_privilege($1, oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
         or has_any_column_privilege($1, oid, 'INSERT, UPDATE, REFERENCES') as writes
     from pg_class where relnamespace = any ('{public,internal,standalone,shown}'::regnamespace[]) and relkind in ('r', 'p', 'v')`,
    [role],
  );
  const granted = rows.filter(({ reads }) => reads).map(({ name }) => name);
  expect(granted.sort()).toEqual([...AGENTS.relations].sort());
  expect(rows.filter(({ writes }) => writes)).toEqual([]);
  const called = await db.pool.query<{ name: string }>(
    `select proname as name from pg_proc p
     where pronamespace in ('public'::regnamespace, 'internal'::regnamespace)
       and has_function_privilege($1, oid, 'EXECUTE')
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    [role],
  );
  const policies = ["hidden", "hidden_texts", "sees_all"]; // what row policies call
  expect(called.rows.map(({ name }) => name).sort()).toEqual([...policies, ...AGENTS.rpcs].sort());

  const client = new pg.Client({ connectionString: db.apiUrl });
  await client.connect();
  try {
    await client.query("select set_config('role', $1, false)", [role]);
    for (const name of AGENTS.relations) await client.query(`select * from public.${name}`); // views underneath, too
    for (const refused of [
      "select * from public.checks",
      "select spec from public.checks",
      "select config from public.config_items",
      "select phone from public.people",
      "select * from public.connections",
      "select * from public.identities",
      "select * from public.audit_log",
      "select * from internal.access_tokens",
      "insert into public.teams (name, created_by) values ('x', gen_random_uuid())",
    ])
      await expect(client.query(refused), refused).rejects.toMatchObject({ code: "42501" });
  } finally {
    await client.end();
  }
});

test("the rights that matter most, written out (specification 1 §6)", async () => {
  const who = async (privilege: string, relation: string) => {
    const { rows } = await db.pool.query<{ role: Role }>(
      "select role from unnest($1::text[]) as role where has_table_privilege($2 || '_' || role, $3, $4) order by 1",
      [ROLES, db.name, `public.${relation}`, privilege],
    );
    return rows.map(({ role }) => role);
  };
  const everybody = [...ROLES].sort();
  expect(await who("SELECT", "audit_log")).toEqual(["admin"]);
  for (const relation of ["connections", "connection_details", "identities"])
    expect(await who("SELECT", relation), relation).toEqual(["admin", "editor"]);
  for (const relation of ["checks", "canaries", "people", "people_roles", "properties", "connections_list"])
    expect(await who("SELECT", relation), relation).toEqual(everybody);
  for (const relation of ["connections", "identities", "people"])
    for (const verb of ["INSERT", "UPDATE", "DELETE"])
      expect(await who(verb, relation), relation).toEqual(["admin"]);
  for (const relation of [
    "checks",
    "canaries",
    "properties",
    "teams",
    "agents",
    "config_items",
    "topologies",
  ])
    for (const verb of ["INSERT", "UPDATE", "DELETE"])
      expect(await who(verb, relation), relation).toEqual(["admin", "editor"]);
  for (const relation of ["check_statuses", "job_history", "people_roles", "severities", "audit_log"])
    for (const verb of ["INSERT", "UPDATE", "DELETE"])
      expect(await who(verb, relation), relation).toEqual([]);
});

test("the roles cannot sign in, and the login owns nothing and inherits nothing", async () => {
  const { rows } = await db.pool.query(
    `select rolname, rolcanlogin, rolinherit, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls
     from pg_roles where rolname like $1 order by rolname`,
    [`${db.name}\\_%`],
  );
  expect(rows.map(({ rolname }) => rolname)).toEqual(
    [...ROLES, "agent", "anon", "api", "lent"].map((role) => `${db.name}_${role}`).sort(),
  );
  for (const row of rows) {
    const login = row.rolname.endsWith("_api");
    expect(row.rolcanlogin).toBe(login);
    expect([row.rolsuper, row.rolcreaterole, row.rolcreatedb, row.rolbypassrls]).toEqual(
      Array(4).fill(false),
    );
    if (login) expect(row.rolinherit).toBe(false);
  }
  const owned = await db.pool.query("select relname from pg_class where relowner = $1::regrole", [
    `${db.name}_api`,
  ]);
  expect(owned.rows).toEqual([]);
});

test("the login without a role reaches nothing, and ends statements after a minute", async () => {
  const client = new pg.Client({ connectionString: db.apiUrl });
  await client.connect();
  try {
    await expect(client.query("select * from public.people")).rejects.toMatchObject({ code: "42501" });
    const { rows } = await client.query(
      "select current_setting('statement_timeout') as t, current_setting('jit') as j",
    );
    expect(rows).toEqual([{ t: "1min", j: "off" }]);
  } finally {
    await client.end();
  }
});

async function apply(): Promise<boolean> {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  return applyRolesAndGrants(client, { database: db.name, apiPassword: "only-for-this-run" }).finally(() =>
    client.end(),
  );
}

test("grants are left alone while nothing changed, and mended when somebody widened them", async () => {
  expect(await apply()).toBe(false);
  for (const widened of [
    `grant select on public.connections to ${db.name}_viewer`,
    "grant select on public.identities to public",
    `grant usage on schema internal to ${db.name}_editor`,
    `grant update (email) on public.people to ${db.name}_editor`,
    `grant execute on function internal.secret_of to ${db.name}_viewer`,
  ]) {
    await db.pool.query(widened);
    expect(await apply(), widened).toBe(true);
    expect(await apply(), widened).toBe(false);
  }
  expect(
    await attempt("viewer", {
      connections: "select * from public.connections",
      identities: "select * from public.identities",
    }),
  ).toEqual({ connections: "refused", identities: "refused" });
});

test("a relation that no table names gives nobody anything", async () => {
  await db.pool.query("create table public.unheard_of (id int)");
  try {
    expect(await apply()).toBe(true);
    expect(await attempt("admin", { read: "select * from public.unheard_of" })).toEqual({ read: "refused" });
  } finally {
    await db.pool.query("drop table public.unheard_of");
    await apply();
  }
});

test("every relation with a spec has its masked twin, with the same columns, for whoever reads but does not write it", async () => {
  const columnsIn = async (schema: string) => {
    const { rows } = await db.pool.query<{ name: string; columns: string[] }>(
      `select relname as name, array_agg(attname::text order by attnum) as columns from pg_class
       join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
       where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v') group by 1 order by 1`,
      [schema],
    );
    return new Map(rows.map(({ name, columns }) => [name, columns]));
  };
  const [own, twins] = [await columnsIn("public"), await columnsIn(SHOWN.schema)];
  const WITHOUT_SECRETS = ["teams", "teams_with_status"];
  const specs = [...own].filter(
    ([name, columns]) => columns.includes("spec") && RELATIONS.has(name) && !WITHOUT_SECRETS.includes(name),
  );
  expect(specs.map(([name]) => name).sort()).toEqual([...SHOWN.relations.keys()].sort());
  expect([...twins]).toEqual(specs);
  for (const role of ROLES) {
    const refusals: Record<string, Verdict> = {};
    const reads: Record<string, string> = {};
    for (const [name, resource] of SHOWN.relations) {
      const access = RELATIONS.get(name)!;
      refusals[name] = allowed(
        shownTo([role]).has(name) && may([role], readPermission(access)) && !may([role], `write:${resource}`),
      );
      reads[name] = `select spec from ${SHOWN.schema}.${name}`;
    }
    expect(await attempt(role, reads), role).toEqual(refusals);
  }
});

test("several processes apply roles and grants at once", async () => {
  await db.pool.query("delete from internal.meta where key = 'grants'");
  const results = await Promise.all([apply(), apply(), apply()]);
  expect(results.filter(Boolean)).toHaveLength(1);
});

test("writing to checks needs the view's own privilege, in every way there is", async () => {
  const editor = await aPerson(db.pool, { roles: ["editor"] });
  for (const role of ["viewer", "responder", "commander"] as const)
    expect(
      await attempt(role, {
        insert:
          "insert into public.checks (canary_id, type, name) select id, 'http', 'x' from public.canaries limit 1",
        update: "update public.checks set name = 'x'",
        delete: "delete from public.checks",
        locked: "select * from public.checks for update",
      }),
    ).toEqual({ insert: "refused", update: "refused", delete: "refused", locked: "refused" });
  await asRole(db, "editor", editor, async (client) => {
    const inserted = await client.query(
      `insert into public.checks (canary_id, type, name, status) select id, 'tcp', 'by hand', 'healthy'
       from public.canaries limit 1 returning *`,
    );
    expect(inserted.rows[0]).toMatchObject({ name: "by hand", status: "healthy", is_pushed: false });
    const id = inserted.rows[0].id as string;
    const updated = await client.query("update public.checks set icon = 'tcp' where id = $1 returning *", [
      id,
    ]);
    expect(updated.rows[0]).toMatchObject({ icon: "tcp", name: "by hand", status: "healthy" });
    expect((await client.query("delete from public.checks where id = $1 returning id", [id])).rowCount).toBe(
      1,
    );
  });
});
