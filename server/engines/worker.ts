import type pg from "pg";
import type { TaskList } from "graphile-worker";
import { createPool } from "#server/db/pool.ts";
import type { Observe } from "#server/observe/observation.ts";
import type { Instance } from "./instance.ts";
import { createLoop } from "./loop.ts";
import type { Task } from "./worker-task.ts";
import { openWorkerPool, type WorkerPool } from "./worker-pool.ts";
import { dueJobs, hasQueue, installQueue } from "./worker-queue.ts";

/** Takes jobs as long as this control plane holds its lock. */
export interface Worker {
  /** Makes the queue where there is none yet; throws when that cannot be done. An old one is upgraded once we work. */
  prepare(): Promise<void>;
  start(): void;
  /** The next look at once: the lock was lost or taken, or jobs were given back. */
  wake(): void;
  /** Takes no more jobs; what runs ends within the grace time, in milliseconds, or is told to stop and left to others. */
  drain(graceMs: number): Promise<void>;
}
interface Needs {
  /** The owner's address: the library gets connections of its own. */
  url: string;
  /** The owner's pool, for the look whether anything is due. */
  pool: pg.Pool;
  instance: Pick<Instance, "tenure" | "list" | "strike">;
  tasks: readonly Task[];
  observe: Observe;
}

/** One worker pool and the tenure of our lock it belongs to. */
interface Shift {
  tenure: number;
  pool: WorkerPool | null;
  /** It cannot be relied on any more. */
  troubled: boolean;
  ended: boolean;
}

/** Jobs at the same time in one control plane. */
const CONCURRENCY = 3;
/** How often to look for jobs that became due: retries, those for later, those that were given back. */
const LOOK_MS = 2000;
/** For handlers that were told to stop, and for connections to close, in milliseconds. */
const HURRY_MS = 500;

/**
 * Keeps one worker pool at work. When the lock is lost, or the pool had any trouble, it is retired and another takes its
 * place. A retired pool stays listed until its last job has ended, so that nobody else begins that one meanwhile.
 */
export function createWorker({ url, pool, instance, tasks, observe }: Needs): Worker {
  const pgPool = createPool({ url, max: CONCURRENCY + 1, name: "jobs", observe });
  const retired = new Set<Shift>();
  let current: Shift | null = null;
  let isInstalled = false;
  const loop = createLoop({ name: "jobs", observe, turn });

  async function turn(): Promise<number> {
    const tenure = instance.tenure();
    if (current && (current.troubled || current.tenure !== tenure)) retire(current, tenure);
    if (tenure === null) return LOOK_MS;
    await install();
    current ??= await open(tenure);
    for (const shift of retired)
      if (shift.ended && shift.pool) {
        await instance.strike(shift.pool.id);
        retired.delete(shift);
      }
    const due = await dueJobs(pool, CONCURRENCY);
    if (due > 0) current.pool?.nudge(due);
    return LOOK_MS;
  }

  async function install(): Promise<void> {
    if (!isInstalled) await installQueue(pgPool, observe);
    isInstalled = true;
  }

  async function open(tenure: number): Promise<Shift> {
    const shift: Shift = { tenure, pool: null, troubled: false, ended: false };
    const opened = await openWorkerPool({
      pgPool,
      tasks: (signal) => taskList(tasks, signal, observe),
      concurrency: CONCURRENCY,
      observe,
      mayTake: () => instance.tenure() === tenure,
      troubled() {
        shift.troubled = true;
        loop.wake();
      },
    });
    try {
      await instance.list(opened.id);
    } catch (error) {
      void opened.retire({ abort: true });
      throw error;
    }
    opened.admit();
    return Object.assign(shift, { pool: opened });
  }

  function retire(shift: Shift, tenure: number | null): void {
    current = null;
    retired.add(shift);
    void shift.pool?.retire({ abort: shift.tenure !== tenure }).then(() => {
      shift.ended = true;
      loop.wake();
    });
  }

  return {
    async prepare() {
      if (!(await hasQueue(pool))) await install();
    },
    start: loop.start,
    wake: loop.wake,
    async drain(graceMs) {
      await withinTime(loop.stop(), graceMs);
      const shifts = current ? [...retired, current] : [...retired];
      const end = (abort: boolean) => Promise.all(shifts.map((shift) => shift.pool?.retire({ abort })));
      await withinTime(end(false), graceMs);
      await withinTime(end(true), HURRY_MS);
      await withinTime(pgPool.end(), HURRY_MS);
    },
  };
}

/** The tasks as the library wants them. What one throws is reported here, with its name. */
function taskList(tasks: readonly Task[], signal: AbortSignal, observe: Observe): TaskList {
  const list: TaskList = {};
  for (const { name, perform } of tasks)
    list[name] = async (payload, { job }) => {
      try {
        await perform(payload, { attempt: job.attempts, signal: AbortSignal.any([signal]) });
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        observe({ kind: "engine.failed", engine: "jobs", id: name, error: words });
        throw error;
      }
    };
  return list;
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((done) => (timer = setTimeout(done, ms)))]);
  clearTimeout(timer);
}
