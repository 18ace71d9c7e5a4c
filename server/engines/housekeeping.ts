import type pg from "pg";
import { syncAll } from "./checks/index.ts";
import type { Job } from "./job.ts";

/** Days for which single runs are kept; hours of them three times, days nine times as long (facts/engines §3.6). */
const STATUS_DAYS = 30;
/** After this many days a deleted canary or check is gone for good (facts/engines §3.6). */
const DELETED_DAYS = 7;
/** Days for which events and job history are kept (facts/engines §1.3, §1.4). */
const EVENT_DAYS = 30;
const HISTORY_DAYS = 30;
/** Runs that are kept of each job, resource and status of an agent (facts/engines §1.3). */
const AGENT_RUNS = 3;
/** Days for which the audit log is kept, unless a property says otherwise. Ours to choose. */
const AUDIT_DAYS = 365;
/** Days for which a job of the queue that failed for good can still be looked at. */
const FAILED_DAYS = 7;

/** What keeps the database in shape, as the Job History page lists it. `days` is the property's value, when there is one. */
export function housekeeping(pool: pg.Pool): Job[] {
  const run =
    (text: string, values: unknown[] = []) =>
    async () => ({ success: await affected(pool, text, values) });
  return [
    {
      name: "SyncCanaryJobs",
      schedule: "@every 5m",
      resourceType: "canary",
      run: async () => ({ success: await syncAll(pool) }),
    },
    {
      name: "EnsureCheckStatusPartitions",
      schedule: "@every 6h",
      resourceType: "check_statuses",
      run: run("select internal.ensure_partitions() as n"),
    },
    {
      name: "DeleteOldCheckStatuses",
      schedule: "@every 24h",
      resourceType: "check_statuses",
      run: async () => {
        const days = await property(pool, "check.status.retention.days", STATUS_DAYS);
        const dropped = await affected(pool, "select internal.drop_old_partitions($1) as n", [days]);
        await pool.query("select internal.delete_old_buckets($1)", [days]);
        return { success: dropped };
      },
    },
    {
      name: "CleanupChecks",
      schedule: "@every 12h",
      resourceType: "canary",
      run: run("delete from internal.checks where deleted_at < now() - make_interval(days => $1)", [
        DELETED_DAYS,
      ]),
    },
    {
      name: "CleanupCanaries",
      schedule: "@every 12h",
      resourceType: "canary",
      run: run("delete from public.canaries where deleted_at < now() - make_interval(days => $1)", [
        DELETED_DAYS,
      ]),
    },
    {
      name: "CleanupStaleJobHistory",
      schedule: "15 1 * * *",
      resourceType: "job_history",
      run: async () => ({ success: await cleanHistory(pool) }),
    },
    {
      name: "CleanupStaleAgentJobHistory",
      schedule: "0 1 * * *",
      resourceType: "job_history",
      run: run(
        `delete from public.job_history where id in (
           select id from (
             select id, row_number() over (
               partition by agent_id, name, resource_id, status order by created_at desc, id desc) as place
             from public.job_history where agent_id <> '00000000-0000-0000-0000-000000000000') as runs
           where place > $1)`,
        [AGENT_RUNS],
      ),
    },
    {
      name: "CleanupFailedJobs",
      schedule: "@every 24h",
      resourceType: "job_queue",
      run: run(
        `delete from graphile_worker._private_jobs
         where locked_at is null and attempts >= max_attempts and updated_at < now() - make_interval(days => $1)`,
        [FAILED_DAYS],
      ),
    },
    {
      name: "CleanupEventQueue",
      schedule: "@every 24h",
      resourceType: "event_queue",
      run: run("delete from internal.event_queue where created_at < now() - make_interval(days => $1)", [
        EVENT_DAYS,
      ]),
    },
    {
      name: "CleanupAuditLog",
      schedule: "@every 24h",
      resourceType: "audit_log",
      run: async () => {
        const days = await property(pool, "audit.retention.days", AUDIT_DAYS);
        return { success: await affected(pool, "select internal.clean_audit_log($1) as n", [days]) };
      },
    },
    {
      name: "FoldAgentCounts",
      schedule: "@every 1h",
      resourceType: "agents",
      run: run("select internal.fold_agent_counts()"),
    },
  ];
}

/** Old rows go; a run that began four hours ago and never ended is stale. */
async function cleanHistory(pool: pg.Pool): Promise<number> {
  const stale = await pool.query(
    "update public.job_history set status = 'STALE' where status = 'RUNNING' and time_start < now() - interval '4 hours'",
  );
  const old = await pool.query(
    "delete from public.job_history where created_at < now() - make_interval(days => $1)",
    [HISTORY_DAYS],
  );
  return (stale.rowCount ?? 0) + (old.rowCount ?? 0);
}

/** The number a function returned as `n`, or how many rows were written. */
async function affected(pool: pg.Pool, text: string, values: unknown[] = []): Promise<number> {
  const { rows, rowCount } = await pool.query<{ n?: number }>(text, values);
  return typeof rows[0]?.n === "number" ? rows[0].n : (rowCount ?? 0);
}

/** A property that is a number above zero, else the fallback. */
async function property(pool: pg.Pool, name: string, fallback: number): Promise<number> {
  const { rows } = await pool.query<{ value: string }>(
    "select value from public.properties where name = $1 and deleted_at is null",
    [name],
  );
  const value = Number(rows[0]?.value);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}
