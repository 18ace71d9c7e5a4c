import type pg from "pg";
import { z } from "zod";
import type { Observe } from "#server/observe/observation.ts";
import { closeRun, openRun } from "./job-history.ts";
import type { Job, JobResult } from "./job.ts";
import { createLoop, type Loop } from "./loop.ts";
import { nextInstant, parseSchedule } from "./schedule.ts";
import { task, type Task } from "./worker-task.ts";

interface Needs {
  pool: pg.Pool;
  observe: Observe;
  now(): Date;
  jobs: readonly Job[];
}

/** The first half of the locks that keep a job from running twice at once. */
const JOB_LOCK = 0x5049;
/** Longest time between two looks at what is due, in milliseconds. */
const LOOK_MS = 60_000;
/** What a job throws ends in its history, so only a control plane that dies or a database that is away costs an attempt. */
const ATTEMPTS = 5;

/**
 * The jobs of our own schedules: `planner` puts each due instant into the queue, once however many control planes look;
 * `tasks` are what the worker runs then, wherever. A job is due at the first start ever, then by its schedule.
 */
export function createJobs({ pool, observe, now, jobs }: Needs): { planner: Loop; tasks: Task[] } {
  const schedules = new Map(jobs.map((job) => [job.name, parseSchedule(job.schedule)]));

  async function turn(): Promise<number> {
    const { rows } = await pool.query<{ name: string; next_run: Date }>(
      "select name, next_run from internal.engine_jobs where name = any ($1)",
      [jobs.map(({ name }) => name)],
    );
    const known = new Map(rows.map((row) => [row.name, row.next_run]));
    let pause = LOOK_MS;
    for (const { name } of jobs) {
      const due = known.get(name);
      const next = nextInstant(schedules.get(name)!, name, now());
      if (!next) continue;
      if (!due || due <= now()) await plan(pool, name, due ?? null, next);
      pause = Math.min(pause, (due && due > now() ? due : next).getTime() - now().getTime());
    }
    return Math.max(pause, 0);
  }

  const tasks = jobs.map((job) =>
    task({
      name: job.name,
      payload: z.object({}),
      run: (_, { signal }) => runJob({ pool, observe, now }, job, signal),
    }),
  );
  return { planner: createLoop({ name: "schedules", observe, turn }), tasks };
}

/**
 * Moves the job to its next instant and puts the due one into the queue, in one statement: of several control planes that
 * saw the same instant, one finds it unmoved. Instants that nobody saw are not made up.
 */
async function plan(pool: pg.Pool, name: string, due: Date | null, next: Date): Promise<void> {
  await pool.query(
    `with turn as (
       insert into internal.engine_jobs as job (name, next_run) values ($1, $2)
       on conflict (name) do update set next_run = excluded.next_run where job.next_run = $3
       returning name)
     select graphile_worker.add_job(name, payload => '{}', job_key => $4, max_attempts => $5) from turn`,
    [name, next, due, `${name} ${due?.toISOString() ?? "first"}`, ATTEMPTS],
  );
}

/**
 * Runs the job once and writes it down; one that still runs elsewhere is written down as skipped. What the job throws is
 * its failure, not ours: this throws only when the database is away, and then the queue tries again.
 */
export async function runJob(
  { pool, now, observe }: Omit<Needs, "jobs">,
  job: Job,
  signal = new AbortController().signal,
): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const lock = await client.query<{ free: boolean }>(
      "select pg_try_advisory_lock($1, hashtext($2)) as free",
      [JOB_LOCK, job.name],
    );
    const free = lock.rows[0]?.free ?? false;
    const run = { job, started: now() };
    const id = await openRun(client, run, free ? "RUNNING" : "SKIPPED");
    if (!free) return;
    try {
      const result = await job.run(signal).catch((error: unknown): JobResult => {
        signal.throwIfAborted(); // it did not fail: it had to stop, and is run again
        const message = error instanceof Error ? error.message : String(error);
        observe({ kind: "engine.failed", engine: "jobs", id: job.name, error: message });
        return { success: 0, errors: [message] };
      });
      await closeRun(client, { ...run, id, ended: now(), result });
    } finally {
      await client.query("select pg_advisory_unlock($1, hashtext($2))", [JOB_LOCK, job.name]);
    }
  } catch (error) {
    if (error !== signal.reason) broken = error instanceof Error ? error : new Error(String(error)); // closing it frees the lock
    throw error;
  } finally {
    client.release(broken);
  }
}
