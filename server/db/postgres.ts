/** Our own launcher of the bundled PostgreSQL: initialise, start or take over, watch, stop. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import { choosePlaces, databaseAccount } from "./binaries.ts";
import { boundLog } from "./bounded-log.ts";
import { createCluster, createOwner, finishCarryOver, makeLogs, ownerUrl, SUPERUSER } from "./cluster.ts";
import { freePort } from "./ports.ts";
import {
  clearDeadLock,
  findPostmaster,
  runsCommand,
  spawnPostmaster,
  type Postmaster,
} from "./postmaster.ts";
import { StartError } from "./start-error.ts";

/** A server that died is started again after this long, in milliseconds; twice as long each time it does not come up. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 2000;
/** Failures after which a start gives up; the first may be due to backends of a killed server that still hold its memory. */
const TRIES_AT_START = 6;
const START_MS = 30_000;

export interface Embedded {
  /** Connection string of the owner: not a superuser, so the bundled server and a foreign one behave alike. */
  url: string;
  superuserUrl: string;
  /** Where the cluster lies: the data folder, or another place when nobody but us can reach that. */
  home: string;
  pid(): number | undefined;
  stop(): Promise<void>;
}

interface Needs {
  dataDir: string;
  password: string;
  observe: Observe;
  /** Extra settings for tests, as `name=value`. */
  settings?: readonly string[];
  /** The folder of the cluster, `postgres` unless another one is being filled. */
  cluster?: string;
  /** Ends a start that is no longer wanted: it rejects, and nothing is left running. */
  signal?: AbortSignal;
}

/** Starts the server, creating the cluster, the owner and the database when absent. Throws StartError with the remedy. */
export async function startEmbedded(needs: Needs): Promise<Embedded> {
  const { dataDir, password, observe, settings = [], signal } = needs;
  const account = await databaseAccount();
  const { native, home } = await choosePlaces(dataDir, account);
  const cluster = join(home, needs.cluster ?? "postgres");
  if (home !== dataDir)
    observe({
      kind: "database",
      message: `its user cannot reach ${dataDir}: data and programs are in ${home}`,
    });
  await makeLogs(home, account);
  if (!needs.cluster) await finishCarryOver(home);
  await createCluster({ native, cluster, account, password, signal });
  const commandOn = (port: number) => [
    join(native, "bin", "postgres"),
    ...["-D", cluster],
    ...flags(port, settings),
  ];
  const { port, found } = await takeOver(home, cluster, commandOn, observe);
  const superuserUrl = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  const log = join(home, "logs", "postgres.log");

  let server: Postmaster | undefined;
  let isStopping = false;
  let isUp = false;
  let launching: Promise<void> = Promise.resolve();
  let failures = 0;
  const pause = () => Math.min(FIRST_PAUSE_MS * 2 ** failures, LAST_PAUSE_MS);

  async function launch(running: Postmaster | null): Promise<void> {
    if (!running) await clearDeadLock(cluster);
    const current = running ?? (await spawnPostmaster({ command: commandOn(port), log, account }));
    server = current; // a stop that came meanwhile waits for us
    void current.ended.then(({ code, signal: by }) => {
      if (isStopping) return;
      if (isUp) observe({ kind: "child.stopped", child: "database", code, signal: by, restartInMs: pause() });
      again();
    });
  }

  /** A killed server comes back on the same port; its last backends may need a moment to let go of the memory. */
  async function relaunch(): Promise<void> {
    await sleep(pause());
    failures++;
    if (isStopping) return;
    launching = launch(null);
    await launching;
    const attempt = failures;
    if (isUp && (await answers(superuserUrl, START_MS, () => failures > attempt || isStopping))) failures = 0;
  }

  function again(): void {
    relaunch().catch((error: unknown) => {
      observe({ kind: "warning", message: `the database could not be started: ${String(error)}` });
      again(); // after a longer pause: what is in the way (a full disk) may go
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    leaveLog();
    await launching.catch(() => undefined);
    await server?.stop();
  }

  signal?.throwIfAborted();
  const leaveLog = boundLog(log);
  await launch(found);
  const isHopeless = () => failures > TRIES_AT_START || signal?.aborted === true;
  if (!(await answers(superuserUrl, START_MS, isHopeless))) {
    await stop();
    signal?.throwIfAborted();
    throw new StartError(`The database did not start: see ${log} for its reason.`);
  }
  await createOwner(superuserUrl, password);
  [isUp, failures] = [true, 0];
  return {
    url: ownerUrl(password, port),
    superuserUrl,
    home,
    pid: () => server?.pid,
    stop,
  };
}

/** The settings of every server of ours, as arguments. */
export function flags(port: number, settings: readonly string[]): string[] {
  return [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `port=${port}`,
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "max_connections=100",
    "shared_buffers=128MB",
    "log_statement=none",
    "log_parameter_max_length_on_error=0",
    ...settings,
  ].flatMap((setting) => ["-c", setting]);
}

/**
 * The port to use, and the server that a killed supervisor left running when it is as we would start it; one that is not
 * is stopped.
 */
async function takeOver(
  home: string,
  cluster: string,
  commandOn: (port: number) => string[],
  observe: Observe,
): Promise<{ port: number; found: Postmaster | null }> {
  const file = cluster === join(home, "postgres") ? join(home, "database-port") : null;
  const last = file ? Number(await readFile(file, "utf8").catch(() => "0")) : 0;
  const found = await findPostmaster(cluster);
  if (found && (await runsCommand(found, commandOn(last)))) {
    observe({ kind: "database", message: `taking over the server of an earlier start (pid ${found.pid})` });
    return { port: last, found };
  }
  if (found) {
    observe({ kind: "database", message: `stopping the server of an earlier start (pid ${found.pid})` });
    await found.stop();
  }
  const port = await freePort(last);
  if (file && port !== last) await writeFile(file, String(port));
  return { port, found: null };
}

/** Polls until a connection succeeds; gives up after the limit or when it is over. */
export async function answers(url: string, limitMs: number, isOver: () => boolean): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && !isOver()) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await sleep(25);
    }
  }
  return false;
}
