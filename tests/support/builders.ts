/**
 * Rows for tests: each builder inserts one with sensible defaults and returns its id. Give only what the test is about.
 * They write as the owner, so triggers run as for the engines (no caller).
 */
import pg from "pg";
import { dbRole } from "#server/db/grants.ts";
import type { Role } from "#app/contract/access.ts";
import type { TestDatabase } from "./postgres.ts";

type Row = Record<string, unknown>;
type Queryable = Pick<pg.Pool, "query">;

let made = 0;
const unique = (word: string) => `${word}-${process.pid}-${++made}`;

/** JSON columns take objects; arrays of plain strings stay PostgreSQL arrays. */
const toParameter = (value: unknown) =>
  value !== null && typeof value === "object" && !(value instanceof Date) && !Array.isArray(value)
    ? JSON.stringify(value)
    : value;

/** Inserts a row and returns the named column, `id` unless said. */
export async function insert(db: Queryable, relation: string, row: Row, returning = "id"): Promise<string> {
  const columns = Object.keys(row);
  const { rows } = await db.query(
    `insert into ${relation} (${columns.map((name) => pg.escapeIdentifier(name)).join(", ")})
     values (${columns.map((_, index) => `$${index + 1}`).join(", ")}) returning ${returning} as key`,
    columns.map((name) => toParameter(row[name])),
  );
  return rows[0].key as string;
}

/** A person, with the roles given. */
export async function aPerson(
  db: Queryable,
  { roles = [], ...row }: Row & { roles?: Role[] } = {},
): Promise<string> {
  const name = unique("person");
  const id = await insert(db, "public.people", { name, email: `${name}@example.org`, ...row });
  for (const role of roles)
    await db.query("insert into internal.role_grants (person_id, role) values ($1, $2)", [id, role]);
  return id;
}

export const aTeam = async (db: Queryable, row: Row = {}) =>
  insert(db, "public.teams", {
    name: unique("team"),
    created_by: "00000000-0000-0000-0000-000000000001",
    ...row,
  });

export const anAgent = (db: Queryable, row: Row = {}) =>
  insert(db, "public.agents", { name: unique("agent"), ...row });

export const aCanary = (db: Queryable, row: Row = {}) =>
  insert(db, "public.canaries", {
    name: unique("canary"),
    namespace: "default",
    spec: { schedule: "@every 1m", http: [{ name: "web", url: "http://127.0.0.1:1/" }] },
    source: "UI",
    ...row,
  });

/** A check, of a canary of its own unless `canary_id` is given. */
export async function aCheck(db: Queryable, row: Row = {}): Promise<string> {
  const canary = row["canary_id"] ?? (await aCanary(db));
  return insert(db, "public.checks", { name: unique("check"), type: "http", ...row, canary_id: canary });
}

/** One run of a check; `time` is now unless given. */
export const aCheckStatus = (db: Queryable, check: string, row: Row = {}) =>
  insert(
    db,
    "public.check_statuses",
    { check_id: check, time: new Date(), status: true, duration: 10, ...row },
    "check_id",
  );

export const aComponent = (db: Queryable, row: Row = {}) =>
  insert(db, "public.components", {
    name: unique("component"),
    external_id: unique("external"),
    status: "healthy",
    type: "Application",
    ...row,
  });

export const aConfigItem = (db: Queryable, row: Row = {}) =>
  insert(db, "public.config_items", {
    name: unique("config"),
    type: "Kubernetes::Pod",
    config_class: "Pod",
    ...row,
  });

export const aConnection = (db: Queryable, row: Row = {}) =>
  insert(db, "public.connections", { name: unique("connection"), type: "http", ...row });

export const aJob = (db: Queryable, row: Row = {}) =>
  insert(db, "public.job_history", { name: "Canary", status: "SUCCESS", time_start: new Date(), ...row });

/** Does the work in one transaction of the API's login, as a role and a person, the way the API does. */
export async function asRole<T>(
  db: TestDatabase,
  role: Role,
  person: string | null,
  work: (client: pg.Client) => Promise<T>,
  { key }: { key?: string } = {},
): Promise<T> {
  const client = new pg.Client({ connectionString: db.apiUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
              set_config('app.settings.pilothouse_key', $3, true)`,
      [dbRole(db.name, role), JSON.stringify({ role: dbRole(db.name, role), id: person }), key ?? ""],
    );
    const result = await work(client);
    await client.query("commit");
    return result;
  } finally {
    await client.end(); // a failed transaction goes with its connection
  }
}
