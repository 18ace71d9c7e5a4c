/** The queue of background work, schema `graphile_worker`: installing it, putting work in, giving back what the dead hold. */
import type pg from "pg";
import type { Logger } from "graphile-worker";
import { MIGRATION_LOCK } from "#server/db/migrate.ts";
import type { Observe } from "#server/observe/observation.ts";

type Queryable = Pick<pg.ClientBase, "query">;

/** When and how a job runs; by default at once, beside others, up to 25 times with growing pauses after a failure. */
export interface EnqueueOptions {
  /** Jobs of the same queue run one after the other, on whichever control plane. A few fixed names, not one per row. */
  queue?: string;
  runAt?: Date;
  maxAttempts?: number;
  /** A job of the same key that has not begun is replaced; one that runs is not tried again if it fails. */
  key?: string;
  /** Smaller numbers first; 0 unless said. */
  priority?: number;
}

/**
 * Puts a job into the queue and returns its id. With a client inside a transaction the job exists exactly when the
 * transaction's rows do.
 */
export async function enqueue(
  db: Queryable,
  task: string,
  payload: object,
  { queue, runAt, maxAttempts, key, priority }: EnqueueOptions = {},
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select id::text from graphile_worker.add_job($1, payload => $2::json, queue_name => $3, run_at => $4,
       max_attempts => $5, job_key => $6, priority => $7)`,
    [task, JSON.stringify(payload), queue, runAt, maxAttempts, key, priority],
  );
  return rows[0]?.id ?? "";
}

/** Is the schema there? Only a database's very first start has to wait for it. */
export async function hasQueue(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>(
    `select exists (select from pg_trigger where tgname = 'tell_freed_queue') as there`,
  );
  return rows[0]?.there ?? false;
}

/** Installs or upgrades the schema, as its owner, while nobody else migrates. The API's roles get nothing on it. */
export async function installQueue(pgPool: pg.Pool, observe: Observe): Promise<void> {
  const { runMigrations } = await import("graphile-worker"); // not at the top: the API answers before this is loaded
  const logger = await queueLogger(observe);
  const client = await pgPool.connect();
  let broken: Error | undefined;
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await runMigrations({ pgPool, logger, schema: "graphile_worker" });
    await client.query(TELL_FREED_QUEUE);
    await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error)); // closing the connection gives the lock back
    throw error;
  } finally {
    client.release(broken);
  }
}

const TELL_FREED_QUEUE = `do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'graphile_worker._private_job_queues'::regclass
                   and tgname = 'tell_freed_queue') then
    create trigger tell_freed_queue after update on graphile_worker._private_job_queues for each row
      when (old.locked_by is not null and new.locked_by is null) execute function internal.tell_freed_queue();
  end if;
end $$`;

/** How many jobs could run now, counted up to the limit: the queue tells of new ones, but not of those that became due. */
export async function dueJobs(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: "worker.due",
    text: `select count(*)::int as n from (
             select from graphile_worker._private_jobs where is_available and run_at <= now() limit $1) as due`,
    values: [limit],
  });
  return rows[0]?.n ?? 0;
}

/** How long a queue may be locked without a job before that is a fault, in seconds; longer than any statement takes. */
const QUEUE_SLACK_S = 5;

/**
 * Gives back the jobs and queues of worker pools that no control plane lists, with the attempt counted. Then the queues
 * that are held for no job: a pool that was given up may still report a job that another runs by then, which removes the
 * job and leaves its queue locked. Returns whether there was anything.
 */
export async function unlockLostJobs(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ pools: string[] }>({
    name: "worker.lost",
    text: `with lost as (
             select array(
               select locked_by from (
                 select locked_by from graphile_worker._private_jobs where locked_by is not null
                 union select locked_by from graphile_worker._private_job_queues where locked_by is not null) as held
               where not exists (select from internal.control_planes where held.locked_by = any (worker_pools))) as pools)
           select pools, graphile_worker.force_unlock_workers(pools) from lost where pools <> '{}'`,
  });
  const empty = await client.query({
    name: "worker.queues",
    text: `update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
           where locked_at < now() - make_interval(secs => $1) and not exists (
             select from graphile_worker._private_jobs as job
             where job.job_queue_id = queue.id and job.locked_by = queue.locked_by)`,
    values: [QUEUE_SLACK_S],
  });
  return rows.length > 0 || (empty.rowCount ?? 0) > 0;
}

/** The library's errors as observations. What a task threw is reported where it is run, with its name. */
export async function queueLogger(observe: Observe): Promise<Logger> {
  const { Logger } = await import("graphile-worker");
  return new Logger(() => (level, message, meta) => {
    if (level !== "error" || meta?.["failure"] === true) return;
    observe({ kind: "engine.failed", engine: "jobs", error: message.split("\n")[0] ?? message });
  });
}
