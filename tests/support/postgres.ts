import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { inject } from "vitest";
import { applyRolesAndGrants } from "#server/db/grants.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { apiUrl } from "#server/db/pool.ts";

export const MIGRATIONS = fileURLToPath(new URL("../../server/db/migrations", import.meta.url));

export interface TestDatabase {
  name: string;
  /** The owner: no superuser, may create roles, as in production. */
  url: string;
  /** The API's NOINHERIT login. */
  apiUrl: string;
  superuserUrl: string;
  /** A pool as the owner; ended by drop(). */
  pool: pg.Pool;
  drop(): Promise<void>;
}

/** Address of another database on the same server. */
function on(base: string, database: string, user?: { name: string; password: string }): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  if (user) {
    url.username = user.name;
    url.password = user.password;
  }
  return url.toString();
}

/** A database of the test's own, owned by a plain role with CREATEROLE; `migrated: false` leaves it empty. */
export async function createDatabase({
  migrated = true,
  server = inject("postgres"),
} = {}): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString("hex")}`;
  const password = "only-for-this-run";
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create role ${name} login createrole password '${password}'`);
  await admin.query(`create database ${name} owner ${name} template template0 encoding 'UTF8'`);
  const url = on(server, name, { name, password });
  if (migrated) await prepare(url, password);
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on("error", () => undefined);
  return {
    name,
    url,
    apiUrl: apiUrl(url, password),
    superuserUrl: on(server, name),
    pool,
    async drop() {
      await pool.end();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

/** Migrations, roles and grants, as the start does them. */
export async function prepare(url: string, apiPassword: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    if (existsSync(MIGRATIONS)) await migrate(owner, await readMigrations(MIGRATIONS), () => undefined);
    await applyRolesAndGrants(owner, { database: new URL(url).pathname.slice(1), apiPassword });
  } finally {
    await owner.end();
  }
}
