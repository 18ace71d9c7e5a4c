/**
 * Puts a backup into a database, all or nothing: one transaction makes the schema as it was when the backup was made,
 * loads the rows, and brings the schema to this version. No superuser is needed, so that every PostgreSQL works alike.
 */
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { applyWithin, ensureRecord, MIGRATION_LOCK, type Migration } from "#server/db/migrate.ts";
import { StartError } from "#server/db/start-error.ts";
import { readTables, SAME_WORDS } from "./catalogue.ts";
import { clear, holdsData } from "./clear.ts";
import { damaged, decode, type Header, type Part, type TableFacts } from "./format.ts";
import { checkOf, columnsOf, nameOf } from "./write.ts";

interface Needs {
  /** This version's. */
  migrations: Migration[];
  /** PILOTHOUSE_KEY of the database that is restored to. */
  key: string;
  /** Whether a key in the backup takes the place of `key`. */
  mayTakeKey: boolean;
  /** Overwrites data, and accepts secrets that cannot be read. */
  force: boolean;
  /** Called when all is loaded, just before it becomes true; what it throws undoes everything. */
  beforeCommit?: (header: Header) => Promise<void>;
}

const quote = pg.escapeIdentifier;

/**
 * Restores from the bytes of a backup (uncompressed) and returns its header. Throws StartError with one sentence when the
 * backup or the database is not fit for it; the database is then as before.
 */
export async function restoreFrom(
  client: pg.ClientBase,
  source: AsyncIterable<Buffer>,
  needs: Needs,
): Promise<Header> {
  const parts = decode(source);
  const first = await parts.next();
  if (first.done || first.value.kind !== "header") throw damaged();
  const { header } = first.value;
  checkMigrations(header, needs.migrations);
  checkKey(header, needs);
  if (!needs.force && (await holdsData(client)))
    throw new StartError(
      "This database holds data already: restore into an empty one, or say --force to replace what is there.",
    );
  await client.query("begin");
  try {
    for (const words of SAME_WORDS) await client.query(words);
    await client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]); // a start meanwhile waits for us
    await clear(client);
    const made = new Set(header.migrations.map(({ name }) => name));
    await ensureRecord(client);
    for (const migration of needs.migrations)
      if (made.has(migration.name)) await applyWithin(client, migration);
    await loadAll(client, header, parts);
    for (const migration of needs.migrations)
      if (!made.has(migration.name)) await applyWithin(client, migration);
    await needs.beforeCommit?.(header);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
  await client.query("analyze");
  return header;
}

function checkMigrations(header: Header, migrations: Migration[]): void {
  const known = new Map(migrations.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of header.migrations) {
    if (!known.has(name))
      throw new StartError(
        `This backup was made by Pilothouse ${header.version}, which is newer (it knows migration ${name}): restore it with that version.`,
      );
    if (known.get(name) !== hash)
      throw new StartError(
        `Migration ${name} differs from the one this backup was made with: restore the file.`,
      );
  }
}

function checkKey({ key, tables }: Header, needs: Needs): void {
  const hasSecrets = tables.some(
    ({ schema, name, rows }) => schema === "internal" && name === "secrets" && rows > 0,
  );
  const isReadable = key.check === checkOf(needs.key) || (needs.mayTakeKey && key.values !== undefined);
  if (!hasSecrets || isReadable || needs.force) return;
  throw new StartError(
    "The secrets in this backup were encrypted with another PILOTHOUSE_KEY: set that one (it is `key` in keys.json of the data folder it came from), or say --force and enter the secrets again.",
  );
}

/** Foreign keys and triggers stay out of the way while rows come in; the keys are checked as a whole afterwards. */
async function loadAll(client: pg.ClientBase, header: Header, parts: AsyncGenerator<Part>): Promise<void> {
  const tables = await readTables(client);
  const known = new Map(tables.map((table) => [nameOf(table), table]));
  for (const table of header.tables) if (!known.has(nameOf(table))) throw damaged();
  for (const { schema, name, parent, bound } of header.partitions)
    await client.query(
      `create table if not exists ${nameOf({ schema, name })} partition of ${parent} ${bound}`,
    );
  const keys = await takeForeignKeys(client);
  const names = tables.map(nameOf);
  // First of all: the audit log refuses to be emptied, and what comes back is its own.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(", ")}`);
  for (const table of header.tables) await load(client, table, parts);
  const last = await parts.next();
  if (!last.done) throw damaged();
  for (const { schema, name, value, called } of header.sequences)
    await client.query("select setval($1::text::regclass, $2, $3)", [
      nameOf({ schema, name }),
      value,
      called,
    ]);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${quote(name)} ${definition}`);
}

async function load(client: pg.ClientBase, table: TableFacts, parts: AsyncGenerator<Part>): Promise<void> {
  const begin = await parts.next();
  if (begin.done || begin.value.kind !== "table" || begin.value.name !== `${table.schema}.${table.name}`)
    throw damaged();
  const copy = client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
  await pipeline(rowsOf(parts), copy);
  if (copy.rowCount !== table.rows) throw damaged();
}

async function* rowsOf(parts: AsyncGenerator<Part>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await parts.next();
    if (done || (value.kind !== "data" && value.kind !== "end of table")) throw damaged();
    if (value.kind === "end of table") return;
    yield value.bytes;
  }
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Drops all foreign keys of ours and returns how to make them again. */
async function takeForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text in ('public', 'internal')
     order by 1, 2`,
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quote(name)}`);
  return rows;
}
