/** The rows of `job_history` that a run leaves (facts/engines §1.2, §1.3). */
import { hostname } from "node:os";
import type pg from "pg";
import type { Job, JobResult } from "./job.ts";

/** "Balanced": what is kept of a job that does not say. */
const BALANCED = { success: 3, failed: 3 };

interface Run {
  job: Job;
  started: Date;
}

/**
 * The row of a run that begins, or of one that was skipped; returns its id, null when only failures are stored. The caller
 * holds the job's lock, so a run that is still called RUNNING died with its control plane: it is written down as stopped.
 */
export async function openRun(
  client: pg.PoolClient,
  { job, started }: Run,
  status: "RUNNING" | "SKIPPED",
): Promise<string | null> {
  if (status === "RUNNING")
    await client.query(
      `update public.job_history set status = 'STOPPED', time_end = $3, error_count = 1,
         duration_millis = least(extract(epoch from $3 - time_start) * 1000, 2147483647)::integer,
         details = jsonb_build_object('errors', jsonb_build_array('interrupted: its control plane stopped or is gone'))
       where name = $1 and resource_type = $2 and status = 'RUNNING'
         and agent_id = '00000000-0000-0000-0000-000000000000'`,
      [job.name, job.resourceType, started],
    );
  if (status === "RUNNING" && job.history?.success === 0) return null;
  const id = await insert(client, job, started, status);
  if (status === "SKIPPED") await evict(client, job);
  return id;
}

/** Completes the row of a run, and removes those that are too many now. */
export async function closeRun(
  client: pg.PoolClient,
  { id, ended, result, ...run }: Run & { id: string | null; ended: Date; result: JobResult },
): Promise<void> {
  const errors = result.errors ?? [];
  const status = errors.length === 0 ? "SUCCESS" : result.success > 0 ? "WARNING" : "FAILED";
  const row = id ?? (errors.length > 0 ? await insert(client, run.job, run.started, "RUNNING") : null);
  if (row)
    await client.query(
      `update public.job_history set status = $2, time_end = $3, duration_millis = $4, success_count = $5,
         error_count = $6, details = $7 where id = $1`,
      [
        row,
        status,
        ended,
        ended.getTime() - run.started.getTime(),
        result.success,
        errors.length,
        errors.length > 0 || result.details ? JSON.stringify({ ...result.details, errors }) : null,
      ],
    );
  await evict(client, run.job);
}

async function insert(client: pg.PoolClient, job: Job, started: Date, status: string): Promise<string> {
  const ended = status === "RUNNING" ? null : started;
  const { rows } = await client.query<{ id: string }>(
    `insert into public.job_history (name, resource_type, resource_id, status, hostname, time_start, time_end,
       duration_millis, success_count, error_count)
     values ($1, $2, '', $3, $4, $5, $6, $7, 0, 0) returning id`,
    [job.name, job.resourceType, status, hostname(), started, ended, ended ? 0 : null],
  );
  return rows[0]?.id ?? "";
}

async function evict(client: pg.PoolClient, job: Job): Promise<void> {
  const { success, failed } = job.history ?? BALANCED;
  await client.query(
    `delete from public.job_history where id in (
       select id from (
         select id, status, row_number() over (partition by status order by created_at desc, id desc) as place
         from public.job_history
         where name = $1 and resource_type = $2 and status <> 'RUNNING'
           and agent_id = '00000000-0000-0000-0000-000000000000') as runs
       where place > case when status = 'SUCCESS' then $3::integer else $4::integer end)`,
    [job.name, job.resourceType, success, failed],
  );
}
