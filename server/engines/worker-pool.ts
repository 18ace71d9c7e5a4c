/** One pool of graphile-worker's workers: opened closed, admitted once it is listed, retired at the first trouble. */
import { EventEmitter } from "node:events";
import type pg from "pg";
import type { TaskList, WorkerEvents, WorkerPool as LibraryPool } from "graphile-worker";
import type { Observe } from "#server/observe/observation.ts";
import { queueLogger } from "./worker-queue.ts";

export interface WorkerPool {
  /** What its jobs are locked by. */
  id: string;
  /** From now on it takes jobs. */
  admit(): void;
  /** Looks for up to so many jobs at once. */
  nudge(jobs: number): void;
  /** Takes no further job; with `abort` the handlers under way are told to stop. Resolves when the last one has ended. */
  retire(options: { abort: boolean }): Promise<void>;
}

interface Needs {
  /** With listeners for the errors of the pool and of each of its connections. */
  pgPool: pg.Pool;
  /** What to run, given the signal that tells a handler to stop. */
  tasks(signal: AbortSignal): TaskList;
  /** Jobs at the same time. */
  concurrency: number;
  /** Asked before each job: whether the lock is still ours. */
  mayTake(): boolean;
  /** Called when it cannot be relied on any more, e.g. the answer to "take a job" was lost and with it a job. */
  troubled(): void;
  observe: Observe;
}

/** Between two looks when nobody notifies, in milliseconds. The worker nudges for what becomes due, so this is long. */
const POLL_MS = 60_000;

/** Throws when the database is away. Nothing is taken before `admit`. */
export async function openWorkerPool(needs: Needs): Promise<WorkerPool> {
  const { pgPool, tasks, concurrency, mayTake, troubled, observe } = needs;
  const events: WorkerEvents = new EventEmitter();
  const handlers = new AbortController();
  let library: LibraryPool | undefined;
  let admit: () => void = () => undefined;
  const admitted = new Promise<void>((done) => (admit = done));
  let ended: Promise<void> | undefined;

  events.on("pool:create", ({ workerPool }) => (library = workerPool));
  events.on("worker:getJob:error", ({ error }) => trouble(error));
  events.on("pool:fatalError", ({ error }) => trouble(error));
  events.on("pool:gracefulShutdown", () => troubled());
  function trouble(error: unknown): void {
    if (ended) return;
    const words = error instanceof Error ? error.message : String(error);
    observe({ kind: "engine.failed", engine: "jobs", error: words });
    troubled();
  }

  const { run } = await import("graphile-worker");
  const runner = await run({
    pgPool,
    schema: "graphile_worker", // whatever the environment or a file near us says
    taskList: tasks(handlers.signal),
    parsedCronItems: [],
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    events,
    logger: await queueLogger(observe),
    // Without a batch the outcome of a job is written once, and a database that is away at that moment ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    forbiddenFlags: async () => {
      await admitted;
      if (!mayTake()) throw new Error("no jobs are taken without the lock");
      return null;
    },
  });
  runner.promise.catch(() => undefined);
  const pool = library;
  if (!pool) throw new Error("the worker pool did not say its id");

  return {
    id: pool.id,
    admit,
    nudge: (jobs) => pool.nudge(jobs),
    retire({ abort }) {
      if (abort) handlers.abort(new Error("this control plane does not hold its lock any more, or stops"));
      // Its own promise, too: a pool that shuts down by itself makes `stop` return at once, before the last job has ended.
      ended ??= Promise.allSettled([runner.stop(), pool.promise]).then(() => undefined);
      admit(); // who still waits there learns that the pool is closed
      return ended;
    },
  };
}
