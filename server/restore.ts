/** `npm run restore -- FILE [--force]`: what a backup holds becomes the database, all of it or nothing. */
import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { damaged, type Header } from "./backup/format.ts";
import { restoreFrom } from "./backup/restore.ts";
import { fileWords } from "./backup/words.ts";
import { readConfig } from "./config.ts";
import { replaceKeys } from "./data-folder.ts";
import { readMigrations } from "./db/migrate.ts";
import { StartError } from "./db/start-error.ts";
import { openDatabase, runCommand, type Opened } from "./open-database.ts";

runCommand(async () => {
  const { file, has } = fileWords("restore", ["--force"]);
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: the data is the upstream's, restore it there.");
  const source = contentsOf(file);
  const first = await source.next(); // a name mistyped is found before anything is started
  const database = await openDatabase(config, { migrate: false, alone: true, create: true });
  try {
    const header = await restore(database, again(first, source), {
      force: has("--force"),
      mayTakeKey: !config.key,
    });
    const rows = header.tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `${rows} rows of ${header.tables.length} tables are back, as they were on ${header.made} (version ${header.version}).\n`,
    );
  } finally {
    await database.stop();
  }
});

/** Uncompressed bytes of the file; what is wrong with it is said in a sentence. */
async function* contentsOf(file: string): AsyncGenerator<Buffer> {
  const input = createReadStream(file);
  const gunzip = createGunzip();
  input.on("error", (error) => gunzip.destroy(error));
  let isBegun = false;
  try {
    for await (const bytes of input.pipe(gunzip)) {
      isBegun = true;
      yield bytes as Buffer;
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code.startsWith("Z_"))
      throw isBegun ? damaged() : new StartError(`${file} is not a backup of Pilothouse.`);
    if (code.startsWith("E")) throw new StartError(`${file} cannot be read (${code}).`);
    throw error;
  }
}

async function* again(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer>) {
  if (!first.done) yield first.value;
  yield* rest;
}

async function restore(
  { url, key, folder, keys }: Opened,
  source: AsyncIterable<Buffer>,
  { force, mayTakeKey }: { force: boolean; mayTakeKey: boolean },
): Promise<Header> {
  const client = new pg.Client({ connectionString: url, application_name: "pilothouse restore" });
  client.on("error", () => undefined); // its query fails, which is enough
  await client.connect();
  try {
    await refuseRunning(client);
    return await restoreFrom(client, source, {
      migrations: await readMigrations(join(process.cwd(), "server/db/migrations")),
      key,
      force,
      mayTakeKey: mayTakeKey && folder !== null,
      async beforeCommit(header) {
        const { values } = header.key;
        if (!folder || !keys || !values || !mayTakeKey) return;
        await copyFile(join(folder, "keys.json"), join(folder, "keys.json.before-restore"));
        await replaceKeys(folder, { ...keys, ...values });
      },
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Control planes elsewhere on this database would go on with what is no longer there. */
async function refuseRunning(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'pilothouse %'`,
  );
  if (rowCount) throw new StartError("Pilothouse runs on this database: stop it everywhere, then restore.");
}
