/** The database, whichever it is: started or checked, migrated, with the roles and grants of this version. */
import { createHmac } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "./config.ts";
import type { Keys } from "./data-folder.ts";
import { applyRolesAndGrants } from "./db/grants.ts";
import { migrate, readMigrations } from "./db/migrate.ts";
import { databaseOf } from "./db/pool.ts";
import { startEmbedded } from "./db/postgres.ts";
import type { Observe } from "./observe/observation.ts";

export interface Database {
  /** The owner's address: engines, identity, migrations. */
  url: string;
  /** Of the API's login: derived from the key, so that all control planes agree without asking. */
  apiPassword: string;
  stop(): Promise<void>;
}

interface Needs {
  config: Config;
  /** The data folder; null with a DATABASE_URL, which needs none. */
  folder: string | null;
  keys: Keys | null;
  observe: Observe;
  /** Ends a start that is no longer wanted; what was started by then is stopped again. */
  signal?: AbortSignal;
}

/** Throws StartError when the database cannot be used as configured. */
export async function prepareDatabase({ config, folder, keys, observe, signal }: Needs): Promise<Database> {
  const key = config.key ?? keys!.key;
  if (config.databaseUrl) {
    const apiPassword = await upgrade(config.databaseUrl, key, observe, signal);
    return { url: config.databaseUrl, apiPassword, stop: async () => undefined };
  }
  const server = await startEmbedded({ dataDir: folder!, password: keys!.database, observe, signal });
  try {
    const apiPassword = await upgrade(server.url, key, observe, signal);
    return { url: server.url, apiPassword, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function upgrade(url: string, key: string, observe: Observe, signal?: AbortSignal): Promise<string> {
  const apiPassword = createHmac("sha256", key).update("pilothouse api login").digest("hex");
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  const leave = () => void client.end().catch(() => undefined); // cuts a statement under way: its transaction is undone
  signal?.addEventListener("abort", leave, { once: true });
  try {
    signal?.throwIfAborted();
    await client.connect();
    await migrate(client, await readMigrations(join(process.cwd(), "server/db/migrations")), observe);
    await applyRolesAndGrants(client, { database: databaseOf(url), apiPassword });
  } finally {
    signal?.removeEventListener("abort", leave);
    await client.end().catch(() => undefined);
  }
  return apiPassword;
}
