/**
 * A data folder whose database was made by another PostgreSQL major is carried over at start: the old programs read it,
 * the new ones write a new cluster beside it, and only when that is complete the two change places. Nothing is deleted.
 */
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import pg from "pg";
import { restoreFrom } from "./backup/restore.ts";
import { backupOf } from "./backup/write.ts";
import type { Keys } from "./data-folder.ts";
import { choosePlaces, databaseAccount, type Account } from "./db/binaries.ts";
import { CARRIED, finishCarryOver, MAJOR, ownerUrl, versionOf } from "./db/cluster.ts";
import { readMigrations } from "./db/migrate.ts";
import { programsOf } from "./db/other-major.ts";
import { freePort } from "./db/ports.ts";
import { answers, flags, startEmbedded } from "./db/postgres.ts";
import { clearDeadLock, findPostmaster, spawnPostmaster } from "./db/postmaster.ts";
import { StartError } from "./db/start-error.ts";
import type { Observe } from "./observe/observation.ts";

interface Needs {
  /** The data folder. */
  folder: string;
  keys: Keys;
  /** PILOTHOUSE_KEY of the secrets in it. */
  key: string;
  /** Was `--carry-over` said? */
  isAgreed: boolean;
  observe: Observe;
  signal: AbortSignal;
}

/** The cluster that is being filled; left behind by an interrupted attempt, it is made anew by the next. */
const FILLING = "postgres.carrying";
const START_MS = 60_000;

/** Does nothing when the database is of this version's major, or there is none. Throws StartError with what to do. */
export async function carryOver(needs: Needs): Promise<void> {
  const { folder, keys, observe, signal } = needs;
  const account = await databaseAccount();
  const { home } = await choosePlaces(folder, account);
  await finishCarryOver(home);
  const cluster = join(home, "postgres");
  const major = await versionOf(cluster);
  if (major === "" || major === MAJOR) return;
  if (!needs.isAgreed) await ask(major, signal);
  const native = await programsOf(major, { folder, home, account });

  await removeFilling(home);
  const old = await startOld({ native, cluster, home, account, password: keys.database });
  try {
    const fresh = await startEmbedded({
      dataDir: folder,
      password: keys.database,
      observe,
      signal,
      cluster: FILLING,
    });
    try {
      const rows = await copy(old.url, fresh.url, needs);
      observe({
        kind: "database",
        message: `${rows} rows carried over from PostgreSQL ${major} to ${MAJOR}`,
      });
    } finally {
      await fresh.stop();
    }
  } finally {
    await old.stop();
  }
  await rename(join(home, FILLING), join(home, CARRIED));
  const kept = await finishCarryOver(home);
  observe({ kind: "database", message: `the old database stays in ${kept}; delete it when you are sure` });
}

/** On a terminal the question; elsewhere the command that does it. */
async function ask(major: string, signal: AbortSignal): Promise<void> {
  const found = `PILOTHOUSE_DATA holds a PostgreSQL ${major} database and this version brings ${MAJOR}`;
  const how = "`npm start -- --carry-over` copies it into a new one and keeps the old one beside it";
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new StartError(`${found}: ${how}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT")); // it would be lost here otherwise
  const question = `${found}. Copy it into a new one now, and keep the old one beside it? [y/N] `;
  const answer = await terminal.question(question, { signal }).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new StartError(`Nothing was changed: ${how}.`);
}

async function removeFilling(home: string): Promise<void> {
  const folder = join(home, FILLING);
  await (await findPostmaster(folder))?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

interface Old {
  native: string;
  cluster: string;
  home: string;
  account: Account | null;
  password: string;
}

async function startOld({ native, cluster, home, account, password }: Old) {
  await (await findPostmaster(cluster))?.stop();
  await clearDeadLock(cluster);
  const port = await freePort();
  const log = join(home, "logs", "postgres.log");
  const command = [join(native, "bin", "postgres"), "-D", cluster, ...flags(port, [])];
  const server = await spawnPostmaster({ command, log, account });
  let isOver = false;
  void server.ended.then(() => (isOver = true));
  const url = ownerUrl(password, port);
  if (await answers(url, START_MS, () => isOver)) return { url, stop: () => server.stop() };
  await server.stop();
  throw new StartError(`The old database did not start: see ${log} for its reason.`);
}

/** Returns how many rows there were. */
async function copy(from: string, to: string, { key, signal }: Needs): Promise<number> {
  const [source, target] = [from, to].map((url) => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ];
  const leave = () => {
    for (const client of [source, target]) void client.end().catch(() => undefined);
  };
  for (const client of [source, target]) client.on("error", () => undefined); // their queries fail, which is enough
  signal.addEventListener("abort", leave, { once: true });
  try {
    await Promise.all([source.connect(), target.connect()]);
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    const migrations = await readMigrations(join(process.cwd(), "server/db/migrations"));
    const bytes = backupOf(source, { version, key });
    const options = { migrations, key, mayTakeKey: false, force: false };
    const { tables } = await restoreFrom(target, bytes, options);
    return tables.reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}
