/** The two ways into the database: the owner (engines, identity, migrations) and the API's login that only lends roles. */
import pg from "pg";
import type { Observe } from "#server/observe/observation.ts";

export interface PoolNeeds {
  url: string;
  /** Connections at most. */
  max: number;
  name: string;
  observe: Observe;
}

/**
 * A pool that survives its server: an idle connection that dies is reported, not thrown. Values of `int8` and `numeric`
 * stay strings (they may not fit a number); timestamps are Dates.
 */
export function createPool({ url, max, name, observe }: PoolNeeds): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: `pilothouse ${name}`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: "-c jit=off",
  });
  // Each connection has a listener of its own: the pool's own covers only those that nobody holds at the moment.
  pool.on("connect", (client) =>
    client.on("error", (error) =>
      observe({ kind: "database", message: `a connection of ${name} was lost: ${error.message}` }),
    ),
  );
  pool.on("error", () => undefined);
  return pool;
}

/** The address of the API's login on the same database: a role of its own that owns nothing and inherits nothing. */
export function apiUrl(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = `${databaseOf(ownerUrl)}_api`;
  url.password = password;
  return url.toString();
}

/** The database's name, which prefixes its roles. */
export function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** Runs in one transaction on a client of the pool; a client whose transaction could not be ended is thrown away. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}
