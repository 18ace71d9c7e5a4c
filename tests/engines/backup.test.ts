/** A backup holds everything, and comes back as everything or nothing. */
import { Readable } from "node:stream";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTables } from "#server/backup/catalogue.ts";
import { restoreFrom } from "#server/backup/restore.ts";
import { backupOf, nameOf } from "#server/backup/write.ts";
import { readMigrations } from "#server/db/migrate.ts";
import {
  aCanary,
  aCheck,
  aCheckStatus,
  aConfigItem,
  aConnection,
  aJob,
  anAgent,
  aPerson,
  aTeam,
} from "#tests/support/builders.ts";
import { debianPostgres, startDebianPostgres } from "#tests/support/debian-postgres.ts";
import { createDatabase, MIGRATIONS, prepare, type TestDatabase } from "#tests/support/postgres.ts";

const KEY = "a key of at least thirty-two characters";
const OTHER_KEY = "another key of at least thirty-two characters";
let source: TestDatabase;
const open: TestDatabase[] = [];

async function database(options: Parameters<typeof createDatabase>[0] = {}): Promise<TestDatabase> {
  const made = await createDatabase(options);
  open.push(made);
  return made;
}

beforeAll(async () => {
  source = await database();
  await source.pool.query("select internal.ensure_partitions(now() - interval '40 days')");
  const person = await aPerson(source.pool, {
    roles: ["admin"],
    avatar: "tab\tnewline\nbackslash\\ \\. ünïcode ❤",
  });
  await aTeam(source.pool, { created_by: person });
  await anAgent(source.pool, { properties: { zone: "eu\n\\N" } });
  const canary = await aCanary(source.pool, { created_by: person });
  const check = await aCheck(source.pool, { canary_id: canary, status: "healthy", labels: { a: null } });
  for (const days of [0, 1, 9, 35, 200])
    await aCheckStatus(source.pool, check, {
      time: new Date(Date.now() - days * 86_400_000),
      message: "\\N",
    });
  const parent = await aConfigItem(source.pool);
  await aConfigItem(source.pool, {
    parent_id: parent,
    config: { deep: [1, "two", { "th\u0001ree": "\\u0000" }] },
  });
  await aJob(source.pool, { details: { errors: [] } });
  await withKey(source.url, KEY, (client) =>
    aConnection(client as unknown as pg.Pool, { name: "vault", password: "s3cret" }),
  );
});
afterAll(async () => {
  for (const one of open) await one.drop();
});

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const withKey = <T>(url: string, key: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(url, async (client) => {
    await client.query("select set_config('app.settings.pilothouse_key', $1, false)", [key]);
    return work(client);
  });

async function backup(url: string, options: { withKey?: { session?: string } } = {}): Promise<Buffer> {
  return withClient(url, async (client) => {
    const pieces: Buffer[] = [];
    for await (const bytes of backupOf(client, { version: "1.2.3", key: KEY, ...options }))
      pieces.push(bytes);
    return Buffer.concat(pieces);
  });
}

async function restore(
  url: string,
  file: Buffer,
  options: { key?: string; force?: boolean; mayTakeKey?: boolean } = {},
) {
  const migrations = await readMigrations(MIGRATIONS);
  const needs = { migrations, key: KEY, force: false, mayTakeKey: false, ...options };
  return withClient(url, (client) => restoreFrom(client, Readable.from(pieces(file)), needs));
}

/** In pieces of odd lengths, as a network would bring them. */
function* pieces(file: Buffer): Generator<Buffer> {
  for (let at = 0, length = 1; at < file.length; at += length, length = (length * 7) % 65_521)
    yield file.subarray(at, at + length);
}

/** Every row of every table, as text. */
async function contents(url: string): Promise<Record<string, string[]>> {
  return withClient(url, async (client) => {
    const all: Record<string, string[]> = {};
    for (const table of await readTables(client)) {
      const name = nameOf(table);
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from ${name} as t order by t::text collate "C"`,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  });
}

/** Constraints, triggers, views, partitions and functions, as the catalogue tells them. */
async function shape(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
         where connamespace::regnamespace::text in ('public', 'internal') and conparentid = 0 and contype <> 'n'
       union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
       union all select oid::regclass || ' ' || relkind::text || coalesce(pg_get_expr(relpartbound, oid), '') from pg_class
         where relnamespace::regnamespace::text in ('public', 'internal') and relkind in ('r', 'p', 'v', 'i', 'S')
       union all select oid::regprocedure::text from pg_proc where pronamespace::regnamespace::text in ('public', 'internal')
       order by 1`,
    );
    return rows.map(({ line }) => line);
  });
}

test("what was backed up is there after a restore: every row, secret, sequence and constraint", async () => {
  const before = await contents(source.url);
  expect(before['"public"."check_statuses"']).toHaveLength(5);
  const file = await backup(source.url);
  const target = await database({ migrated: false });
  await restore(target.url, file);
  expect(await contents(target.url)).toEqual(before);
  expect(await shape(target.url)).toEqual(await shape(source.url));

  const secret = "select internal.secret_of('connections', id, 'password') as secret from connections";
  expect((await withKey(target.url, KEY, (client) => client.query(secret))).rows).toEqual([
    { secret: "s3cret" },
  ]);
  const next = "select nextval('internal.control_plane_keys')::int as n";
  const ours = await source.pool.query(next);
  expect((await target.pool.query(next)).rows).toEqual(ours.rows);

  await prepare(target.url, "only-for-this-run"); // a start: migrations, roles, grants
  await aCheckStatus(target.pool, (await target.pool.query("select id from checks limit 1")).rows[0].id, {});
});

test("any rows at all, whatever is in them", { timeout: 60_000 }, async () => {
  const from = await database();
  const to = await database();
  const text = fc
    .string({ unit: "binary", maxLength: 40, size: "max" })
    .map((words) => words.replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, fc.jsonValue()), { maxLength: 40, size: "max" }),
      async (rows) => {
        await from.pool.query("delete from properties");
        await from.pool.query("delete from config_items");
        for (const [index, [words, value]] of rows.entries()) {
          await from.pool.query("insert into properties (name, value) values ($1, $2)", [
            `${index} ${words}`,
            words,
          ]);
          const json = JSON.stringify(value).replaceAll("\\u0000", "");
          await from.pool.query(
            "insert into config_items (name, type, config_class, config) values ($1, 'T', 'C', $2)",
            [`n${words}`, json],
          );
        }
        await restore(to.url, await backup(from.url), { force: true });
        expect(await contents(to.url)).toEqual(await contents(from.url));
      },
    ),
    { numRuns: 4 },
  );
});

describe("all or nothing", () => {
  let file: Buffer;
  let target: TestDatabase;
  let before: Record<string, string[]>;
  beforeAll(async () => {
    file = await backup(source.url);
    target = await database();
    await aPerson(target.pool, { name: "Somebody else" });
    before = await contents(target.url);
  });

  test("data is not overwritten unless --force was said", async () => {
    await expect(restore(target.url, file)).rejects.toThrow(
      "This database holds data already: restore into an empty one, or say --force to replace what is there.",
    );
    expect(await contents(target.url)).toEqual(before);
  });

  test(
    "a file cut short anywhere, and one with any byte changed, restores nothing",
    { timeout: 60_000 },
    async () => {
      const header = file.indexOf("\n", 20) + 1;
      for (const at of [header, header + 40, (header + file.length) >> 1, file.length - 40, file.length - 1])
        await expect(restore(target.url, file.subarray(0, at), { force: true })).rejects.toThrow(
          "This backup is cut short or damaged: nothing was restored.",
        );
      const changed = Buffer.from(file);
      const at = changed.indexOf("newline");
      changed[at] = changed[at]! ^ 1;
      await expect(restore(target.url, changed, { force: true })).rejects.toThrow("cut short or damaged");
      expect(await contents(target.url)).toEqual(before);
    },
  );

  test.each([
    ["", "This file is not a backup of Pilothouse."],
    ["PGDMP", "This file is not a backup of Pilothouse."],
    [
      "pilothouse-backup 2\n{}\n",
      /^This backup was made by a newer version of Pilothouse \(format 2, this one knows 1\)/,
    ],
  ])("a foreign file (%s) is refused", async (words, sentence) => {
    await expect(restore(target.url, Buffer.from(words), { force: true })).rejects.toThrow(sentence);
    expect(await contents(target.url)).toEqual(before);
  });

  test("one of a newer version is refused", async () => {
    const newer = await database();
    await newer.pool.query("insert into internal.migrations (name, hash) values ('9999_later', 'x')");
    await expect(restore(target.url, await backup(newer.url), { force: true })).rejects.toThrow(
      "This backup was made by Pilothouse 1.2.3, which is newer (it knows migration 9999_later): restore it with that version.",
    );
  });

  test("secrets of another key are refused, unless the backup brings the key or --force was said", async () => {
    const fresh = await database({ migrated: false });
    await expect(restore(fresh.url, file, { key: OTHER_KEY })).rejects.toThrow(
      /^The secrets in this backup were encrypted with another PILOTHOUSE_KEY: set that one/,
    );
    const whole = await backup(source.url, { withKey: { session: "s" } });
    const header = await restore(fresh.url, whole, { key: OTHER_KEY, mayTakeKey: true });
    expect(header.key.values).toEqual({ key: KEY, session: "s" });
    expect(file.toString()).not.toContain(KEY);
    await restore(fresh.url, file, { key: OTHER_KEY, force: true });
  });

  test("--force puts the backup in the place of everything", async () => {
    await restore(target.url, file, { force: true });
    expect(await contents(target.url)).toEqual(await contents(source.url));
  });
});

test("a backup of an older version is brought up to this one", async () => {
  const all = await readMigrations(MIGRATIONS);
  const later = {
    name: "9999_later",
    sql: "alter table teams add column motto text default 'on'",
    hash: "h",
  };
  const target = await database({ migrated: false });
  const needs = { migrations: [...all, later], key: KEY, force: false, mayTakeKey: false };
  const file = await backup(source.url);
  await withClient(target.url, (client) => restoreFrom(client, Readable.from(pieces(file)), needs));
  const { rows } = await target.pool.query("select motto from teams");
  expect(rows).toEqual([{ motto: "on" }]);
  const recorded = await target.pool.query("select name from internal.migrations order by name desc limit 1");
  expect(recorded.rows).toEqual([{ name: "9999_later" }]);
});

test("a backup is one instant, whatever is written meanwhile", async () => {
  const busy = await database();
  const canary = await aCanary(busy.pool);
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++)
      await busy.pool.query(
        `with added as (insert into checks (canary_id, name, type) values ($1, $2, 'http') returning id) select from added`,
        [canary, `check ${n}`],
      );
  })();
  const target = await database({ migrated: false });
  for (let n = 0; n < 2; n++) await restore(target.url, await backup(busy.url), { force: true });
  isOver = true;
  await writing;
  const { rows } = await target.pool.query(
    "select (select count(*) from internal.checks)::int as checks, (select count(*) from internal.check_state)::int as states",
  );
  expect(rows[0].checks).toBe(rows[0].states);
});

test.skipIf(!debianPostgres())("from PostgreSQL 15 to this one", { timeout: 60_000 }, async () => {
  const old = await startDebianPostgres();
  try {
    const from = await createDatabase({ server: old.url });
    await aTeam(from.pool, { name: "Kept" });
    const target = await database({ migrated: false });
    await restore(target.url, await backup(from.url));
    expect(await contents(target.url)).toEqual(await contents(from.url));
    await from.drop();
  } finally {
    await old.stop();
  }
});
