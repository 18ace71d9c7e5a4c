/** The two ways into the database: the owner (engines, identity, migrations) and the API's login that only lends roles. */
import pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import { isDatabaseAway } from "./away.ts";

export interface PoolNeeds {
  url: string;
  /** Connections at most. */
  max: number;
  name: string;
  observe: Observe;
}

/** A server that is away is asked again after this pause, in milliseconds: every question costs it a process just then. */
const AWAY_MS = 100;

/** Clients that do not ask a server that was away a moment ago: they fail at once, with its words. */
function patientClients(): new (config?: string | pg.ClientConfig) => pg.Client {
  let away: { error: Error; until: number } | null = null;
  type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const done = this.#dial();
      if (!callback) return done;
      const tell = callback as (error: Error | null, client?: pg.Client) => void;
      done.then((client) => tell(null, client), tell);
    }
    async #dial(): Promise<pg.Client> {
      if (away && performance.now() < away.until) throw away.error;
      try {
        await super.connect();
        away = null;
        return this;
      } catch (error) {
        if (isDatabaseAway(error)) away = { error: error as Error, until: performance.now() + AWAY_MS };
        throw error;
      }
    }
  };
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
    Client: patientClients(),
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
