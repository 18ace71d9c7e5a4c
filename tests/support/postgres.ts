import { createHash, randomBytes } from "node:crypto";
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

/** Of every owner here. */
const PASSWORD = "only-for-this-run";
/** Held while a server's template is made: whoever comes second finds it there. */
const TEMPLATE_LOCK = 7_072_454_099;

/**
 * A database of the test's own, owned by a plain role with CREATEROLE; `migrated: false` leaves it empty. A migrated one
 * is a copy of the server's template, which the first test of the run makes by the product's own migrations.
 */
export async function createDatabase({
  migrated = true,
  server = inject("postgres"),
} = {}): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const template = migrated ? await templateOf(admin, server) : null;
  const owner = template ?? name;
  if (!template) await createOwner(admin, owner);
  await admin.query(
    `create database ${name} owner ${owner} template ${template ?? "template0"} encoding 'UTF8'`,
  );
  const url = on(server, name, { name: owner, password: PASSWORD });
  if (migrated) await prepare(url, PASSWORD);
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on("error", () => undefined);
  return {
    name,
    url,
    apiUrl: apiUrl(url, PASSWORD),
    superuserUrl: on(server, name),
    pool,
    async drop() {
      await pool.end();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

const createOwner = (admin: pg.Client, name: string) =>
  admin.query(`create role ${name} login createrole password '${PASSWORD}'`);

/** The migrated database that others are copied from, and its owner, who is theirs too: both have the name returned. */
async function templateOf(admin: pg.Client, server: string): Promise<string> {
  const migrations = await readMigrations(MIGRATIONS);
  const hash = createHash("sha256")
    .update(migrations.map((one) => one.hash).join())
    .digest("hex");
  const name = `template_${hash.slice(0, 12)}`;
  await admin.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query("select from pg_database where datname = $1 and datistemplate", [
      name,
    ]);
    if (rowCount) return name;
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`drop role if exists ${name}`);
    await createOwner(admin, name);
    await admin.query(`create database ${name} owner ${name} template template0 encoding 'UTF8'`);
    const client = new pg.Client({ connectionString: on(server, name, { name, password: PASSWORD }) });
    await client.connect();
    try {
      await migrate(client, migrations, () => undefined);
    } finally {
      await client.end();
    }
    await admin.query(`alter database ${name} is_template true allow_connections false`);
    return name;
  } finally {
    await admin.query("select pg_advisory_unlock($1)", [TEMPLATE_LOCK]);
  }
}

/** Migrations, roles and grants, as the start does them. */
export async function prepare(url: string, apiPassword: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await migrate(owner, await readMigrations(MIGRATIONS), () => undefined);
    await applyRolesAndGrants(owner, { database: new URL(url).pathname.slice(1), apiPassword });
  } finally {
    await owner.end();
  }
}
