import { Worker } from "node:worker_threads";
import type { Answers, Task } from "./protocol.ts";

export interface PoolOptions {
  /** Threads at the most; they start when they are needed. */
  threads?: number;
  /** How long one task may take once a thread has it, in milliseconds. */
  limitMs?: number;
  /** A thread that had nothing to do for this long ends, in milliseconds: idle memory counts. */
  idleMs?: number;
  /** Tasks that wait at the most. */
  waiting?: number;
}
export interface Pool {
  /** Rejects with a sentence when the task took too long, used too much memory, or there are too many. */
  run(task: Task): Promise<Answers>;
  close(): Promise<void>;
  /** Threads that exist. */
  size(): number;
}

interface Job {
  task: Task;
  done(answers: Answers): void;
  fail(error: Error): void;
}
interface Thread {
  worker: Worker;
  ready: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | null;
}

/** What a thread may use, in MiB; past it the thread ends and its task fails. */
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };
/** How long a thread may take to start, in milliseconds, on a machine that is busy. */
const START_MS = 30_000;

/**
 * Threads that evaluate expressions and read big texts, so that neither a loop nor a giant holds up the control plane.
 * One task at a time each: a thread that exceeds its limit is killed, and with it only that task.
 */
export function createPool({
  threads = 2,
  limitMs = 2000,
  idleMs = 60_000,
  waiting = 10_000,
}: PoolOptions = {}): Pool {
  const all = new Set<Thread>();
  const queue: Job[] = [];

  function run(task: Task): Promise<Answers> {
    if (queue.length >= waiting) return Promise.reject(new Error("too many expressions are waiting"));
    return new Promise((done, fail) => {
      queue.push({ task, done, fail });
      next();
    });
  }

  /** Gives waiting tasks to free threads, and starts one more when none is free. */
  function next(): void {
    for (const thread of all)
      if (thread.ready && !thread.job && queue.length > 0) assign(thread, queue.shift()!);
    const starting = [...all].filter(({ ready }) => !ready).length;
    if (queue.length > starting && all.size < threads) start();
  }

  function assign(thread: Thread, job: Job): void {
    if (thread.timer) clearTimeout(thread.timer);
    thread.job = job;
    thread.worker.ref();
    thread.timer = setTimeout(() => end(thread, `the expression took more than ${limitMs} ms`), limitMs);
    thread.worker.postMessage(job.task);
  }

  function start(): void {
    const worker = createThread();
    const thread: Thread = { worker, ready: false, job: null, timer: null };
    all.add(thread);
    thread.timer = setTimeout(() => end(thread, "the thread did not start"), START_MS);
    worker.on("message", (message: Answers | "ready") => {
      if (message === "ready") thread.ready = true;
      else {
        thread.job?.done(message);
        thread.job = null;
      }
      rest(thread);
      next();
    });
    worker.on("error", (error: Error & { code?: string }) =>
      end(
        thread,
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "the expression used too much memory" : error.message,
      ),
    );
    worker.on("exit", () => end(thread, "the thread ended"));
  }

  function rest(thread: Thread): void {
    if (thread.timer) clearTimeout(thread.timer);
    thread.timer = setTimeout(() => end(thread, "idle"), idleMs);
    thread.timer.unref();
    thread.worker.unref();
  }

  /** A thread that never came up fails what waits for it, once none is left: nobody waits for ever. */
  function end(thread: Thread, reason: string): void {
    if (!all.delete(thread)) return;
    if (thread.timer) clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.job?.fail(new Error(reason));
    if (!thread.ready && all.size === 0) for (const job of queue.splice(0)) job.fail(new Error(reason));
    next();
  }

  return {
    run,
    size: () => all.size,
    async close() {
      for (const job of queue.splice(0)) job.fail(new Error("the control plane stopped"));
      await Promise.all(
        [...all].map((thread) => {
          end(thread, "the control plane stopped");
          return thread.worker.terminate();
        }),
      );
    },
  };
}

/** In the build the thread's program lies beside ours; from the sources it begins with what reads TypeScript. */
function createThread(): Worker {
  const here = import.meta.url;
  const options = { resourceLimits: MEMORY, env: {} };
  if (!here.endsWith(".ts")) return new Worker(new URL("./expressions-worker.js", here), options);
  const file = JSON.stringify(new URL("./worker.ts", here).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${file}); })`;
  return new Worker(start, { ...options, eval: true });
}
