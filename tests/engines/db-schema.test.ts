import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RELATIONS, RPCS } from "#app/contract/relations.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { createDatabase, MIGRATIONS, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());

const list = async (sql: string, values: unknown[] = []) =>
  (await db.pool.query<{ name: string }>(sql, values)).rows.map(({ name }) => name);

test("two processes that migrate an empty database together make it once", async () => {
  const empty = await createDatabase({ migrated: false });
  try {
    const migrations = await readMigrations(MIGRATIONS);
    const applied = await Promise.all(
      [1, 2].map(async () => {
        const client = new pg.Client({ connectionString: empty.url });
        await client.connect();
        return migrate(client, migrations, () => undefined).finally(() => client.end());
      }),
    );
    expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
    const client = new pg.Client({ connectionString: empty.url });
    await client.connect();
    expect(await migrate(client, migrations, () => undefined)).toEqual([]);
    const granted = await client.query(
      `select c.oid::regclass::text as name
       from pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) as acl
       where c.relnamespace in ('public'::regnamespace, 'internal'::regnamespace)
         and c.relkind <> 'S' and acl.grantee <> c.relowner
       union
       select c.oid::regclass || '.' || a.attname
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attacl is not null
       where c.relnamespace in ('public'::regnamespace, 'internal'::regnamespace)`,
    );
    await client.end();
    expect(granted.rows, "grants are made from the access table, never by a migration").toEqual([]);
  } finally {
    await empty.drop();
  }
});

interface Contract {
  tables: Record<string, string[]>;
  views: Record<string, string[]>;
  foreignKeys: Record<string, string>;
}
const contract = JSON.parse(
  readFileSync(new URL("../fixtures/contract-columns.json", import.meta.url), "utf8"),
) as Contract;

const COLUMNS = `
  select a.attname || ' ' || replace(replace(replace(format_type(a.atttypid, a.atttypmod),
      'timestamp with time zone', 'timestamptz'), 'timestamp without time zone', 'timestamp'),
      'character varying', 'varchar') as type, a.attnotnull as required,
    regexp_replace(pg_get_expr(d.adbin, d.adrelid), '::[a-z ]+$', '') as default
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = ('public.' || $1)::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

async function columnsOf(relation: string, withDetails: boolean): Promise<string[]> {
  const { rows } = await db.pool.query(COLUMNS, [relation]);
  return rows.map(({ type, required, default: value }) =>
    !withDetails ? type : `${type}${required ? "!" : ""}${value ? ` = ${value}` : ""}`,
  );
}

/** Tables of the contract that are views here: what a view cannot say is whether a column may be null. */
const SHOWN_AS_VIEWS = ["checks", "check_statuses_1h", "check_statuses_1d"];

test.each(Object.keys(contract.tables))(
  "the columns of %s are the contract's, in its order",
  async (name) => {
    const shown = SHOWN_AS_VIEWS.includes(name);
    const expected = contract.tables[name]!.map((column) => (shown ? column.replace("!", "") : column));
    expect((await columnsOf(name, true)).map((column) => column.replace("source.source", "source"))).toEqual(
      expected,
    );
  },
);

test.each(Object.keys(contract.views))("the columns of the view %s are the contract's", async (name) => {
  expect(await columnsOf(name, false)).toEqual(contract.views[name]!);
});

test("foreign keys carry the contract's names", async () => {
  const { rows } = await db.pool.query<{ name: string; target: string; deleted: string }>(
    `select conname as name, confrelid::regclass::text as target, confdeltype as deleted
     from pg_constraint where contype = 'f' and conparentid = 0`,
  );
  const found = new Map(rows.map((row) => [row.name, row]));
  for (const [name, text] of Object.entries(contract.foreignKeys)) {
    const [, target, cascade] = /-> (\w+)\.\w+( CASCADE)?/.exec(text)!;
    const row = found.get(name);
    expect(row?.target.replace("internal.", ""), name).toBe(target);
    expect(row?.deleted, name).toBe(cascade ? "c" : "a");
  }
});

test("every foreign key has an index that begins with its columns", async () => {
  const bare = await list(
    `select c.conrelid::regclass || ' ' || c.conname as name
     from pg_constraint c
     where c.contype = 'f' and not exists (
       select from pg_index i
       where i.indrelid = c.conrelid and i.indisvalid
         and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) like '%IS NOT NULL%')
         and (select array_agg(k order by k) from unnest(c.conkey) k)
           = (select array_agg(k order by k) from unnest((i.indkey::int2[])[0:cardinality(c.conkey) - 1]) k))`,
  );
  expect(bare).toEqual([]);
});

test("what is in the exposed schema is in the access table, and the other way round", async () => {
  const relations = await list(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition`,
  );
  expect(relations.filter((name) => !RELATIONS.has(name))).toEqual([]);
  const functions = await list(
    "select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace",
  );
  // Not callable at /rpc: an INSERT names it for a column that was left out.
  expect(functions.filter((name) => !RPCS.has(name))).toEqual(["generate_ulid"]);
  expect([...RPCS.keys()].filter((name) => !functions.includes(name))).toEqual([]);
  // Relations of the table that a later migration makes. Nobody can be granted what is not there.
  expect([...RELATIONS.keys()].filter((name) => !relations.includes(name)).sort()).toEqual([
    "component_relationships",
    "config_component_relationships",
    "config_relationships",
    "incident_rules",
  ]);
});

test("views run with their reader's rights, but for the one whose reason is written", async () => {
  expect(
    await list(
      `select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
         and not coalesce('security_invoker=true' = any (reloptions), false)`,
    ),
  ).toEqual(["connections_list"]);
});

const OWN_FUNCTIONS = `from pg_proc p where p.pronamespace in ('public'::regnamespace, 'internal'::regnamespace)
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

test("functions with the owner's rights fix their search path, and no function is anybody's", async () => {
  expect(
    await list(
      `select p.proname as name ${OWN_FUNCTIONS} and p.prosecdef
         and not coalesce(p.proconfig && array['search_path=pg_catalog, pg_temp'], false)`,
    ),
  ).toEqual([]);
  expect(
    await list(
      `select p.proname as name ${OWN_FUNCTIONS} and exists (
         select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0)`,
    ),
  ).toEqual([]);
});

test("relations that are named through a foreign key column are tables", async () => {
  const named = ["people", "teams", "agents", "config_items", "components", "canaries", "connections"];
  expect(
    await list(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname = any ($1) order by array_position($1, relname::text)`,
      [named],
    ),
  ).toEqual(named);
});

test("the rows every database begins with", async () => {
  expect(await list("select name from public.people")).toEqual(["System"]);
  expect(await list("select id || ' ' || name as name from public.agents")).toEqual([
    "00000000-0000-0000-0000-000000000000 local",
  ]);
  expect(await list("select id || name || aliases[1] as name from public.severities order by id")).toEqual([
    "1CriticalP1",
    "2BlockerP2",
    "3HighP3",
    "4MediumP4",
    "5LowP4",
  ]);
});
