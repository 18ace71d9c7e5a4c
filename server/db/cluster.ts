/** Making the cluster of the bundled PostgreSQL: initdb, the owner, the database. */
import { spawn } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Account } from "./binaries.ts";
import { StartError } from "./start-error.ts";

export const SUPERUSER = "postgres";
/** How long killed helpers of initdb are waited for, in milliseconds. */
const LINGER_MS = 1000;
const OWNER = "pilothouse";
const DATABASE = "pilothouse";
/** The major version of the bundled binaries; a cluster of another one is not opened. */
export const MAJOR = "18";
/** A complete cluster that is about to take the place of one of another major. */
export const CARRIED = "postgres.carried";
/** Of our own making: nothing of the user's environment may change what the server does. */
export const ENVIRONMENT: NodeJS.ProcessEnv = { LANG: "C.UTF-8", TZ: "UTC", NODE_ENV: "production" };

/** The owner's address: no superuser, so that the bundled server and a foreign one behave alike. */
export function ownerUrl(password: string, port: number): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** The folder of the logs. It is ours, not the database's: the server gets its file open, and ours lies beside it. */
export async function makeLogs(home: string, account: Account | null): Promise<void> {
  const folder = join(home, "logs");
  await mkdir(folder, { recursive: true });
  if (account) await chown(folder, 0, 0);
}

/** The major that made the cluster; "" when there is none. */
export async function versionOf(cluster: string): Promise<string> {
  return (await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => "")).trim();
}

/**
 * Puts a carried cluster in its place, the old one beside it; also when an earlier attempt was interrupted between the
 * two. Returns where the old one is, null when there was nothing to do.
 */
export async function finishCarryOver(home: string): Promise<string | null> {
  const [cluster, carried] = [join(home, "postgres"), join(home, CARRIED)];
  if ((await versionOf(carried)) === "") return null;
  const major = await versionOf(cluster);
  let kept = `${cluster}.${major}.old`;
  for (let n = 2; (await versionOf(kept)) !== ""; n++) kept = `${cluster}.${major}.old.${n}`;
  if (major) await rename(cluster, kept);
  await rename(carried, cluster);
  return kept;
}

/** Creates the cluster when absent; refuses one of another major version. */
export async function createCluster({
  native,
  cluster,
  account,
  password,
  signal,
}: {
  native: string;
  cluster: string;
  account: Account | null;
  password: string;
  /** Ends initdb; what it made by then is made anew by the next start. */
  signal?: AbortSignal;
}): Promise<void> {
  const version = await versionOf(cluster);
  if (version === MAJOR) return;
  if (version)
    throw new StartError(
      `PILOTHOUSE_DATA holds a PostgreSQL ${version} database and this version brings ${MAJOR}: \`npm start -- --carry-over\` copies it into a new one and keeps the old one beside it.`,
    );
  // Renamed when complete, so a killed first start leaves nothing that looks like a cluster; and a name of its own, since
  // the initdb of a killed start may still be writing.
  const unfinished = `${basename(cluster)}.new.`;
  for (const name of (await readdir(dirname(cluster))).filter((found) => found.startsWith(unfinished)))
    await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 3 });
  const fresh = join(dirname(cluster), `${unfinished}${process.pid}`);
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  const passwordFile = `${fresh}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [fresh, passwordFile]) await chown(path, account.uid, account.gid);
  await chmod(fresh, 0o700);
  try {
    await runInitdb({ native, folder: fresh, passwordFile, account, signal });
    await rename(fresh, cluster);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

interface Initdb {
  native: string;
  folder: string;
  passwordFile: string;
  account: Account | null;
  signal?: AbortSignal;
}

async function runInitdb({ native, folder, passwordFile, account, signal }: Initdb): Promise<void> {
  const locale = ["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = ["-U", SUPERUSER, "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  const child = spawn(join(native, "bin", "initdb"), ["-D", folder, ...locale, ...access], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    env: ENVIRONMENT,
    detached: true, // leads a group of its own, so that it can be ended with all its helpers
    ...(account ?? {}),
  });
  const end = () => child.pid && process.kill(-child.pid, "SIGKILL");
  signal?.addEventListener("abort", end, { once: true });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((done, fail) => child.once("exit", done).once("error", fail));
  signal?.removeEventListener("abort", end);
  if (signal?.aborted && child.pid) await groupGone(child.pid);
  signal?.throwIfAborted();
  if (code === 0) return;
  const reason = said.trim().split("\n").at(-1) ?? "";
  throw new StartError(
    `The database could not be created in ${folder}: ${reason || `initdb ended with ${code}`}`,
  );
}

/** initdb's helpers may outlive it for a moment, while a write to the disk cannot be interrupted. */
async function groupGone(group: number): Promise<void> {
  for (const until = Date.now() + LINGER_MS; Date.now() < until; await sleep(10)) {
    try {
      process.kill(-group, 0);
    } catch {
      return;
    }
  }
}

/** The owner is not a superuser: the bundled server and a foreign one then behave alike. */
export async function createOwner(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on("error", () => undefined); // its query fails, which is enough
  await client.connect();
  try {
    const { rows } = await client.query<{ owner: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as owner,
              exists (select from pg_database where datname = $2) as database`,
      [OWNER, DATABASE],
    );
    const login = `${OWNER} login createrole nosuperuser password ${pg.escapeLiteral(password)}`;
    if (!rows[0]?.owner) await client.query(`create role ${login}`);
    if (!rows[0]?.database) await client.query(`create database ${DATABASE} owner ${OWNER}`);
  } finally {
    await client.end();
  }
}
