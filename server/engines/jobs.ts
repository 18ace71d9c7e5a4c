import { hostname } from "node:os";
import type pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import { createLoop, type Loop } from "./loop.ts";
import { nextInstant, parseSchedule } from "./schedule.ts";

/** What a run of a job did. */
interface JobResult {
  success: number;
  errors?: string[];
  details?: Record<string, unknown>;
}

/** Housekeeping: runs on a schedule in one control plane at a time and leaves a job history row. */
export interface Job {
  /** As the Job History page shows it. */
  name: string;
  schedule: string;
  resourceType: string;
  run(): Promise<JobResult>;
}
interface Needs {
  pool: pg.Pool;
  observe: Observe;
  now(): Date;
  jobs: readonly Job[];
}

/** Successful and other runs that are kept per job (facts/engines §1.3, "Balanced"). */
const KEPT = 3;
/** The first half of the locks that keep a job from running twice at once. */
const JOB_LOCK = 0x5049;
/** Longest time between two looks, in milliseconds. */
const LOOK_MS = 10_000;

/** Runs each job when it is due: at the first start ever, then by its schedule, whichever control plane is first. */
export function createJobs({ pool, observe, now, jobs }: Needs): Loop {
  const schedules = new Map(jobs.map((job) => [job.name, parseSchedule(job.schedule)]));

  async function turn(): Promise<number> {
    for (const job of jobs) if (await take(job)) await runJob({ pool, now, observe }, job);
    return LOOK_MS;
  }

  /** Moves the job to its next instant if it is due; true for the one control plane that did. */
  async function take(job: Job): Promise<boolean> {
    const schedule = schedules.get(job.name);
    const next = schedule ? nextInstant(schedule, job.name, now()) : null;
    if (!next) return false;
    const first = await pool.query(
      `insert into internal.engine_jobs (name, next_run) values ($1, $2) on conflict (name) do nothing`,
      [job.name, next],
    );
    if (first.rowCount === 1) return true;
    const due = await pool.query(
      "update internal.engine_jobs set next_run = $2 where name = $1 and next_run <= $3",
      [job.name, next, now()],
    );
    return due.rowCount === 1;
  }

  return createLoop({ name: "jobs", observe, turn });
}

/** Runs the job once and writes it down; a job that still runs elsewhere is written down as skipped. Never throws for it. */
export async function runJob({ pool, now, observe }: Omit<Needs, "jobs">, job: Job): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const lock = await client.query<{ free: boolean }>(
      "select pg_try_advisory_lock($1, hashtext($2)) as free",
      [JOB_LOCK, job.name],
    );
    const started = now();
    const id = await open(client, job, started, lock.rows[0]?.free ? "RUNNING" : "SKIPPED");
    if (!lock.rows[0]?.free) return;
    const result = await job.run().catch((error: unknown): JobResult => {
      const message = error instanceof Error ? error.message : String(error);
      observe({ kind: "engine.failed", engine: "jobs", id: job.name, error: message });
      return { success: 0, errors: [message] };
    });
    await close(client, id, job, result, started, now());
    await client.query("select pg_advisory_unlock($1, hashtext($2))", [JOB_LOCK, job.name]);
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function open(client: pg.PoolClient, job: Job, started: Date, status: string): Promise<string> {
  const ended = status === "RUNNING" ? null : started;
  const { rows } = await client.query<{ id: string }>(
    `insert into public.job_history (name, resource_type, resource_id, status, hostname, time_start, time_end,
       duration_millis, success_count, error_count)
     values ($1, $2, '', $3, $4, $5, $6, $7, 0, 0) returning id`,
    [job.name, job.resourceType, status, hostname(), started, ended, ended ? 0 : null],
  );
  return rows[0]?.id ?? "";
}

async function close(
  client: pg.PoolClient,
  id: string,
  job: Job,
  result: JobResult,
  started: Date,
  ended: Date,
) {
  const errors = result.errors ?? [];
  const status = errors.length === 0 ? "SUCCESS" : result.success > 0 ? "WARNING" : "FAILED";
  await client.query(
    `update public.job_history set status = $2, time_end = $3, duration_millis = $4, success_count = $5,
       error_count = $6, details = $7 where id = $1`,
    [
      id,
      status,
      ended,
      ended.getTime() - started.getTime(),
      result.success,
      errors.length,
      errors.length > 0 || result.details ? JSON.stringify({ ...result.details, errors }) : null,
    ],
  );
  await client.query(
    `delete from public.job_history where id in (
       select id from (
         select id, row_number() over (partition by status = 'SUCCESS' order by created_at desc, id desc) as place
         from public.job_history where name = $1 and resource_type = $2 and status <> 'RUNNING') as runs
       where place > $3)`,
    [job.name, job.resourceType, KEPT],
  );
}
