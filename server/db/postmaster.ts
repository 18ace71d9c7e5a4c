/** One running server of a cluster: started by us, or found running after its supervisor was killed. */
import { spawn } from "node:child_process";
import { open, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./binaries.ts";
import { ENVIRONMENT } from "./cluster.ts";

export interface Postmaster {
  readonly pid: number;
  /** Resolves when it has ended, however that came; with words for the log. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Fast shutdown: open transactions are rolled back, a checkpoint is written. When that takes too long, the next start mends it. */
  stop(): Promise<void>;
}

/** How long a fast shutdown may take, in milliseconds; the product has to be gone within ten seconds. */
const FAST_MS = 2500;
/** How often a server that is not our child is looked at, in milliseconds. */
const WATCH_MS = 100;

interface Launch {
  /** Program and arguments. */
  command: readonly string[];
  /** The file its own log is appended to. */
  log: string;
  account: Account | null;
}

/** Starts the server; its end comes through `ended`, also when it could not be started. */
export async function spawnPostmaster({ command, log, account }: Launch): Promise<Postmaster> {
  const file = await open(log, "a");
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: "/",
    stdio: ["ignore", file.fd, file.fd],
    env: ENVIRONMENT,
    detached: true, // a Ctrl-C in the terminal reaches us only; we stop the database last
    ...(account ?? {}),
  });
  await file.close();
  const ended = new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.once("exit", (code, signal) => done({ code, signal }));
    child.once("error", () => done({ code: 127, signal: null }));
  });
  return { pid: child.pid ?? 0, ended, stop: () => end(ended, (signal) => void child.kill(signal)) };
}

/** The server that runs on this cluster without being our child; null when there is none. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  const pid = Number(file.split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await isPostgresOf(pid, cluster))) return null;
  const ended = (async () => {
    while (await isPostgresOf(pid, cluster)) await sleep(WATCH_MS, undefined, { ref: false });
    return { code: null, signal: null };
  })();
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // it has just ended
    }
  };
  return { pid, ended, stop: () => end(ended, kill) };
}

/**
 * Removes the lock file of a server that has ended but is still listed, because whoever became its parent has not asked
 * for its exit code: PostgreSQL would take it for alive. Its memory guards the cluster against backends that remain.
 */
export async function clearDeadLock(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  const pid = Number((await readFile(file, "utf8").catch(() => "")).split("\n")[0]);
  const stat = pid > 1 ? await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "") : "";
  if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")) await rm(file, { force: true });
}

/** Does it run exactly this command, from files that are still there? Only Linux tells. */
export async function runsCommand({ pid }: Postmaster, command: readonly string[]): Promise<boolean> {
  const running = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const program = await readlink(`/proc/${pid}/exe`).catch(() => "");
  return running === command.map((word) => `${word}\0`).join("") && !program.endsWith(" (deleted)");
}

async function end(ended: Promise<unknown>, kill: (signal: NodeJS.Signals) => void): Promise<void> {
  kill("SIGINT");
  const force = setTimeout(() => kill("SIGQUIT"), FAST_MS);
  const alive = setInterval(() => undefined, WATCH_MS); // watching a server that is not our child holds nothing open
  await ended;
  clearInterval(alive);
  clearTimeout(force);
}

async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  if (process.platform !== "linux") return true;
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes(cluster);
}
