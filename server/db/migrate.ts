/** Plain SQL, forward only: each file once, in a transaction, recorded with its hash. Safe when several start together. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import { StartError } from "./start-error.ts";

/** One number for all of ours: whoever holds it migrates, the others wait. */
export const MIGRATION_LOCK = 7_072_454_001;

export interface Migration {
  name: string;
  sql: string;
  hash: string;
}

/** The migrations of a folder in the order of their names. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { name: name.replace(/\.sql$/, ""), sql, hash: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Applies what is missing and returns the names applied. Throws StartError when the database knows migrations this
 * version does not have (it is newer), or when a recorded one has changed since.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: Migration[],
  observe: Observe,
): Promise<string[]> {
  await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    await ensureRecord(client);
    const { rows } = await client.query<{ name: string; hash: string }>(
      "select name, hash from internal.migrations",
    );
    checkRecorded(rows, migrations);
    const done = new Set(rows.map((row) => row.name));
    const missing = migrations.filter((migration) => !done.has(migration.name));
    for (const migration of missing) await apply(client, migration, observe);
    return missing.map((migration) => migration.name);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
  }
}

/** Where applied migrations are recorded. */
export async function ensureRecord(client: pg.ClientBase): Promise<void> {
  await client.query("create schema if not exists internal");
  await client.query(
    `create table if not exists internal.migrations (
       name text primary key, hash text not null, applied_at timestamptz not null default now())`,
  );
}

/** Applies one migration in the caller's transaction. */
export async function applyWithin(client: pg.ClientBase, { name, sql, hash }: Migration): Promise<void> {
  await client.query(sql);
  await client.query("insert into internal.migrations (name, hash) values ($1, $2)", [name, hash]);
}

function checkRecorded(recorded: { name: string; hash: string }[], migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.hash]));
  for (const { name, hash } of recorded) {
    const ours = known.get(name);
    if (ours === undefined)
      throw new StartError(
        `The database was made by a newer version of Pilothouse (it knows migration ${name}): start that version, or point PILOTHOUSE_DATA or DATABASE_URL elsewhere.`,
      );
    if (ours !== hash)
      throw new StartError(
        `Migration ${name} differs from the one this database was made with: restore the file.`,
      );
  }
}

async function apply(client: pg.ClientBase, { name, sql, hash }: Migration, observe: Observe): Promise<void> {
  const start = performance.now();
  await client.query("begin");
  try {
    await applyWithin(client, { name, sql, hash });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  observe({ kind: "migration.applied", name, ms: Math.round(performance.now() - start) });
}
