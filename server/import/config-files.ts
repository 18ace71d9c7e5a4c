/** PILOTHOUSE_CONFIG, watched: what its files say is what there is. */
import type { FSWatcher } from "chokidar";
import type pg from "pg";
import type { Job, JobResult } from "#server/engines/job.ts";
import { runJob } from "#server/engines/jobs.ts";
import { createLoop } from "#server/engines/loop.ts";
import type { Observe } from "#server/observe/observation.ts";
import { applyFolder, type FolderResult } from "./apply-folder.ts";
import type { Reading } from "./entry.ts";
import { readFolder, stateOf, type FolderFile } from "./folder.ts";
import { readAside } from "./read-aside.ts";

export interface ConfigFiles {
  start(): void;
  stop(): Promise<void>;
}
interface Needs {
  /** The owner's pool. */
  pool: pg.Pool;
  folder: string;
  observe: Observe;
  now?: () => Date;
}

/** Held by the one control plane that applies the folder, as long as it lives. */
const LOCK = 7_072_454_082;
/** Besides being told of changes, the files are looked at this often, in milliseconds. */
const LOOK_MS = 5000;
/** This often what is in the database is compared, too, in milliseconds. */
const COMPARE_MS = 60_000;
/** Writing a file takes its time, and editors write twice: changes are waited for this long, in milliseconds. */
const SETTLE_MS = 200;
/** As the Job History page shows it. */
const JOB: Omit<Job, "run"> = {
  name: "ConfigFiles",
  schedule: "@every 1m",
  resourceType: "config_files",
  history: { success: 20, failed: 20 },
};

/**
 * Applies the folder at the start and whenever it changes. Of several control planes one does it; when it ends another
 * takes over. A run that changed something, or found a mistake it had not found before, is in the job history.
 */
export function createConfigFiles({ pool, folder, observe, now = () => new Date() }: Needs): ConfigFiles {
  let holder: pg.PoolClient | null = null;
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | undefined;
  let last = { state: "", errors: "", at: 0 };
  const readings = new Map<string, Reading>();
  const loop = createLoop({ name: "config files", observe, turn });

  async function turn(): Promise<number> {
    await watch();
    if (!(await lead())) return LOOK_MS;
    const files = await readFolder(folder).catch((error: NodeJS.ErrnoException) => error);
    const state = Array.isArray(files) ? stateOf(files) : `unreadable ${files.code}`;
    const isOther = state !== last.state;
    if (!isOther && Date.now() - last.at < COMPARE_MS) return LOOK_MS;
    let errors = last.errors;
    const work = async (): Promise<JobResult> => {
      const result = await apply(files);
      errors = (result.errors ?? []).join("\n");
      return result;
    };
    if (isOther) await note(work);
    else {
      const result = await work();
      if (hasWritten(result) || errors !== last.errors) await note(() => Promise.resolve(result));
    }
    if (errors && errors !== last.errors)
      for (const error of errors.split("\n"))
        observe({ kind: "warning", message: `PILOTHOUSE_CONFIG: ${error}` });
    last = { state, errors, at: Date.now() };
    return LOOK_MS;
  }

  const note = (run: () => Promise<JobResult>) => runJob({ pool, observe, now }, { ...JOB, run });

  async function apply(files: FolderFile[] | NodeJS.ErrnoException): Promise<JobResult> {
    if (!Array.isArray(files)) return { success: 0, errors: [`the folder cannot be read (${files.code})`] };
    const result = await applyFolder(pool, files, read);
    const known = new Set(files.map(({ hash }) => hash));
    for (const hash of readings.keys()) if (!known.has(hash)) readings.delete(hash);
    return resultOf(result, files.length);
  }

  /** What did not change is not read again. */
  async function read({ hash, text }: FolderFile): Promise<Reading> {
    const reading = readings.get(hash) ?? (await readAside(text ?? ""));
    readings.set(hash, reading);
    return reading;
  }

  /** Session-level lock on a connection of its own: it is free at once when we die. */
  async function lead(): Promise<boolean> {
    if (holder) return true;
    const client = await pool.connect();
    let isOurs = false;
    try {
      const { rows } = await client.query<{ free: boolean }>("select pg_try_advisory_lock($1) as free", [
        LOCK,
      ]);
      isOurs = rows[0]?.free ?? false;
    } finally {
      if (!isOurs) client.release();
    }
    if (!isOurs) return false;
    client.once("error", () => {
      if (holder !== client) return;
      holder = null;
      client.release(true);
    });
    holder = client;
    return true;
  }

  async function watch(): Promise<void> {
    if (watcher) return;
    const chokidar = await import("chokidar"); // only where a folder is watched
    watcher = chokidar.watch(folder, { ignoreInitial: true, depth: 8 });
    watcher.on("all", () => {
      clearTimeout(timer);
      timer = setTimeout(loop.wake, SETTLE_MS);
    });
    watcher.on("error", (error) =>
      observe({
        kind: "warning",
        message: `PILOTHOUSE_CONFIG is looked at every ${LOOK_MS / 1000} s only: ${String(error)}`,
      }),
    );
  }

  return {
    start: loop.start,
    async stop() {
      clearTimeout(timer);
      await Promise.all([loop.stop(), watcher?.close()]);
      const client = holder;
      holder = null;
      client?.release(true); // closing it frees the lock
    },
  };
}

const resultOf = ({ errors, ...counts }: FolderResult, files: number): JobResult => ({
  success: counts.applied + counts.changed + counts.unchanged + counts.deleted,
  errors,
  details: { files, ...counts },
});

const hasWritten = ({ details }: JobResult) =>
  ["applied", "changed", "deleted"].some((what) => Number(details?.[what] ?? 0) > 0);
