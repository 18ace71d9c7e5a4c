/** The product's database for a command beside it: the running server's when there is one, else started for the moment. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "./config.ts";
import { leaveDataFolder, openDataFolder, readKeys, urlOf, type Keys } from "./data-folder.ts";
import { prepareDatabase } from "./database.ts";
import { ownerUrl } from "./db/cluster.ts";
import { checkExternal } from "./db/external.ts";
import { createPool } from "./db/pool.ts";
import { startEmbedded } from "./db/postgres.ts";
import { StartError } from "./db/start-error.ts";

const observe = () => undefined;

/** A database to work on, and where people reach the product that uses it. */
export interface Opened {
  /** The owner's address. */
  url: string;
  origin: string | null;
  /** What the product's secrets are encrypted with. */
  key: string;
  /** The data folder; null with a DATABASE_URL. */
  folder: string | null;
  keys: Keys | null;
  stop(): Promise<void>;
}

interface How {
  /** The bundled database gets its migrations first, so that this version's code may work on it; a foreign one has them. */
  migrate: boolean;
  /** The product must not run: what is about to happen would pull the ground from under it. */
  alone?: boolean;
  /** A folder without a product is made one. */
  create?: boolean;
}

/** Throws StartError with the remedy. `stop()` leaves everything as it was found. */
export async function openDatabase(config: Config, { migrate, alone, create }: How): Promise<Opened> {
  if (config.databaseUrl) {
    await checkExternal(config.databaseUrl);
    const key = config.key!;
    return {
      url: config.databaseUrl,
      origin: null,
      key,
      folder: null,
      keys: null,
      stop: async () => undefined,
    };
  }
  const folder = resolve(config.dataDir);
  if (!create && !existsSync(join(folder, "keys.json")))
    throw new StartError(
      `PILOTHOUSE_DATA: there is no product in ${folder}: start it once, or name its folder.`,
    );
  if (!alone) {
    const keys = await readKeys(folder);
    const key = config.key ?? keys.key;
    const url = await runningUrl(folder, keys);
    if (url) return { url, origin: await urlOf(folder), key, folder, keys, stop: async () => undefined };
  }
  await openDataFolder(folder);
  try {
    const keys = await readKeys(folder);
    const needs = { dataDir: folder, password: keys.database, observe };
    const server = migrate
      ? await prepareDatabase({ config, folder, keys, observe })
      : await startEmbedded(needs);
    const stop = () => server.stop().then(() => leaveDataFolder(folder));
    return { url: server.url, origin: null, key: config.key ?? keys.key, folder, keys, stop };
  } catch (error) {
    await leaveDataFolder(folder);
    throw error;
  }
}

/** The owner's address of the bundled server when it answers. */
async function runningUrl(folder: string, keys: Keys): Promise<string | null> {
  const home = (await readFile(join(folder, "location"), "utf8").catch(() => folder)).trim();
  const port = (await readFile(join(home, "database-port"), "utf8").catch(() => "")).trim();
  if (!port || !existsSync(join(home, "postgres", "postmaster.pid"))) return null;
  const url = ownerUrl(keys.database, Number(port));
  const pool = createPool({ url, max: 1, name: "probe", observe });
  const isUp = await pool.query("select 1").then(
    () => true,
    () => false,
  );
  await pool.end();
  return isUp ? url : null;
}

/** Runs a command's work and ends the process: 0, or 1 with the error's sentence. */
export function runCommand(main: () => Promise<void>): void {
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}
