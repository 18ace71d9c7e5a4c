/** `npm run reset-password -- EMAIL`: prints a one-time recovery link, for whoever has the machine. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readConfig, type Config } from "./config.ts";
import { leaveDataFolder, openDataFolder, readKeys, urlOf, type Keys } from "./data-folder.ts";
import { prepareDatabase } from "./database.ts";
import { ownerUrl } from "./db/cluster.ts";
import { checkExternal } from "./db/external.ts";
import { createPool } from "./db/pool.ts";
import { StartError } from "./db/start-error.ts";
import { createIdentity } from "./identity/index.ts";

const observe = () => undefined;

/** A database to work on, and where people will open the link. */
interface Opened {
  url: string;
  origin: string | null;
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  const email = process.argv.slice(2).find((word) => word.includes("@"));
  if (!email) throw new StartError("Name the account: npm run reset-password -- EMAIL");
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: accounts belong to the upstream, reset the password there.");
  const database = await openDatabase(config);
  const pool = createPool({ url: database.url, max: 1, name: "reset", observe });
  try {
    const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
    const publicUrl = config.publicUrl ?? database.origin ?? `http://${host}:${config.port}`;
    const secureCookies = publicUrl.startsWith("https:");
    const identity = createIdentity({ pool, publicUrl, secureCookies, observe });
    const link = await identity.recoveryLink(email);
    process.stdout.write(`This link opens the account of ${email} once, within an hour:\n  ${link}\n`);
  } finally {
    await pool.end();
    await database.stop();
  }
}

/** The running product's database when there is one, else the bundled server for this moment. */
async function openDatabase(config: Config): Promise<Opened> {
  if (config.databaseUrl) {
    await checkExternal(config.databaseUrl);
    return { url: config.databaseUrl, origin: null, stop: async () => undefined };
  }
  const folder = resolve(config.dataDir);
  if (!existsSync(join(folder, "keys.json")))
    throw new StartError(
      `PILOTHOUSE_DATA: there is no product in ${folder}: start it once, or name its folder.`,
    );
  const keys = await readKeys(folder);
  const url = await runningUrl(folder, keys);
  if (url) return { url, origin: await urlOf(folder), stop: async () => undefined };
  await openDataFolder(folder);
  try {
    const server = await prepareDatabase({ config, folder, keys, observe });
    const stop = () => server.stop().then(() => leaveDataFolder(folder));
    return { url: server.url, origin: null, stop };
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

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
