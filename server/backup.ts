/** `npm run backup -- FILE [--with-key]`: the whole database in one file, also while the product runs. */
import { createWriteStream } from "node:fs";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { fileWords } from "./backup/words.ts";
import { backupOf } from "./backup/write.ts";
import type { Header } from "./backup/format.ts";
import { readConfig } from "./config.ts";
import { StartError } from "./db/start-error.ts";
import { openDatabase, runCommand, type Opened } from "./open-database.ts";

runCommand(async () => {
  const { file, has } = fileWords("backup", ["--with-key"]);
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: the data is the upstream's, make the backup there.");
  await refuseOther(file);
  const database = await openDatabase(config, { migrate: false });
  try {
    const from = performance.now();
    const header = await write(file, database, has("--with-key"));
    const rows = header.tables.reduce((sum, table) => sum + table.rows, 0);
    const megabytes = ((await stat(file)).size / 1e6).toFixed(1);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    process.stdout.write(
      `${rows} rows of ${header.tables.length} tables are in ${file} (${megabytes} MB, ${seconds} s).\n` +
        (has("--with-key")
          ? "PILOTHOUSE_KEY is in it too: whoever has the file can read every secret.\n"
          : "PILOTHOUSE_KEY is not in it (--with-key puts it in): keep it apart, or stored secrets cannot be read again.\n"),
    );
  } finally {
    await database.stop();
  }
});

/** A name mistyped must not cost a file: only an earlier backup is replaced. */
async function refuseOther(file: string): Promise<void> {
  const start = Buffer.alloc(2);
  const found = await open(file).catch(() => null);
  if (!found) return;
  const { bytesRead } = await found.read(start, 0, 2, 0).catch(() => ({ bytesRead: -1 }));
  await found.close();
  if (bytesRead !== 0 && start.readUInt16BE() !== 0x1f8b)
    throw new StartError(`${file} is there already and is no backup: choose another name.`);
}

/** Beside its name until it is complete, so that an interrupted backup replaces nothing. */
async function write(file: string, { url, key, keys }: Opened, withKey: boolean): Promise<Header> {
  const client = new pg.Client({ connectionString: url, application_name: "pilothouse backup" });
  client.on("error", () => undefined); // its query fails, which is enough
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  const partial = `${file}.partial`;
  let header: Header | undefined;
  try {
    await client.connect();
    const bytes = backupOf(client, {
      version,
      key,
      begun: (known) => (header = known),
      ...(withKey ? { withKey: keys ? { session: keys.session } : {} } : {}),
    });
    await pipeline(bytes, createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw code && syscall ? new StartError(`${file} cannot be written (${code}).`) : error;
  } finally {
    await client.end().catch(() => undefined);
  }
  return header!;
}
