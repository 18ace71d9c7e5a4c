/** Reads a whole database in one snapshot, while it is in use. */
import { createHmac } from "node:crypto";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { StartError } from "#server/db/start-error.ts";
import { readPartitions, readSequences, readTables, SAME_WORDS } from "./catalogue.ts";
import { encode, type Header, type Part, type TableFacts } from "./format.ts";

interface Needs {
  /** The product's version. */
  version: string;
  /** PILOTHOUSE_KEY of the database's secrets. */
  key: string;
  /** Puts the key, and the session secret when there is one, into the file. */
  withKey?: { session?: string };
  /** Told once the header is known. */
  begun?: (header: Header) => void;
}

const quote = pg.escapeIdentifier;

/** The key's mark in a backup. */
export const checkOf = (key: string) => createHmac("sha256", key).update("pilothouse backup").digest("hex");

/**
 * The bytes of a backup, uncompressed. The client must be its own: it holds one REPEATABLE READ transaction as long as
 * somebody reads, and has to be ended when the reader leaves early. Throws StartError when there is nothing of ours.
 */
export function backupOf(client: pg.ClientBase, needs: Needs): AsyncGenerator<Buffer> {
  return encode(partsOf(client, needs));
}

async function* partsOf(client: pg.ClientBase, needs: Needs): AsyncGenerator<Part> {
  await client.query("begin isolation level repeatable read, read only");
  for (const words of SAME_WORDS) await client.query(words);
  const header = await headerOf(client, needs);
  needs.begun?.(header);
  yield { kind: "header", header };
  for (const table of header.tables) {
    yield { kind: "table", name: `${table.schema}.${table.name}` };
    const select = `select ${columnsOf(table)} from ${nameOf(table)}`;
    const rows: AsyncIterable<Buffer> = client.query(copyTo(`copy (${select}) to stdout`));
    for await (const bytes of rows) yield { kind: "data", bytes };
    yield { kind: "end of table" };
  }
  await client.query("commit");
}

async function headerOf(client: pg.ClientBase, { version, key, withKey }: Needs): Promise<Header> {
  const known = await client.query("select from pg_class where oid = to_regclass('internal.migrations')");
  if (known.rowCount === 0) throw new StartError("There is nothing to back up: this database is empty.");
  const migrations = await client.query<Header["migrations"][number]>(
    "select name, hash from internal.migrations order by name",
  );
  const tables: TableFacts[] = [];
  for (const table of await readTables(client)) {
    const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${nameOf(table)}`);
    tables.push({ ...table, rows: Number(rows[0]!.n) });
  }
  return {
    version,
    made: new Date().toISOString(),
    migrations: migrations.rows,
    tables,
    sequences: await readSequences(client),
    partitions: await readPartitions(client),
    key: { check: checkOf(key), ...(withKey ? { values: { key, ...withKey } } : {}) },
  };
}

/** A table's name as SQL. */
export const nameOf = ({ schema, name }: { schema: string; name: string }) =>
  `${quote(schema)}.${quote(name)}`;
/** Its columns as SQL. */
export const columnsOf = ({ columns }: { columns: string[] }) => columns.map(quote).join(", ");
