/** What has to be true after the last kill; each function returns the sentences that are not so. */
import pg from "pg";
import { lastInstant, parseSchedule } from "#server/engines/schedule.ts";
import { BY_HAND, SCHEDULE } from "./checks.ts";
import { ask } from "./http.ts";
import type { Product } from "./product.ts";
import { CANARY, TYPE, type Written } from "./writers.ts";

type Rows = <T>(text: string, values?: unknown[]) => Promise<T[]>;

/** Everything the database holds, as of one moment. `lines` are the figures. */
export async function judgeDatabase(databaseUrl: string, written: readonly Written[]) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const rows: Rows = async (text, values = []) => (await client.query({ text, values })).rows as never;
    const lines: string[] = [];
    const problems = [
      ...(await judgeWrites(rows, written, lines)),
      ...(await judgeInstants(rows, lines)),
      ...(await judgePairs(rows)),
      ...(await judgeJobs(rows, lines)),
    ];
    return { problems, lines };
  } finally {
    await client.end();
  }
}

/** Every write that was acknowledged is there, once; every other at most once. */
async function judgeWrites(rows: Rows, written: readonly Written[], lines: string[]): Promise<string[]> {
  type Counted = { name: string; n: number };
  const sources = {
    row: await rows<Counted>(
      "select name, count(*)::int as n from public.config_items where type = $1 group by name",
      [TYPE],
    ),
    canary: await rows<Counted>(
      "select name, count(*)::int as n from public.canaries where name like $1 group by name",
      [`${CANARY}%`],
    ),
    form: await rows<Counted>(
      `select spec -> 'http' -> 0 ->> 'url' as name, count(*)::int as n from public.canaries
       where source = 'UI' and namespace = 'default' group by 1`,
    ),
    run: await rows<Counted>(
      `select definition.id::text as name, count(status.time)::int as n
       from internal.checks as definition join public.canaries on canaries.id = canary_id
       left join public.check_statuses as status on status.check_id = definition.id
       where canaries.name like $1 group by definition.id`,
      [`${BY_HAND}%`],
    ),
  };
  return Object.entries(sources).flatMap(([kind, found]) => {
    const counts = new Map(found.map(({ name, n }) => [name, n]));
    const all = written.filter((one) => one.kind === kind);
    const acknowledged = all.flatMap((one) => one.acknowledged);
    const unknown = all.flatMap((one) => one.unknown);
    const lost = acknowledged.filter((name) => (counts.get(name) ?? 0) === 0);
    const doubled = [...acknowledged, ...unknown].filter((name) => (counts.get(name) ?? 0) > 1);
    lines.push(`${kind}: ${acknowledged.length} acknowledged, ${unknown.length} without a good answer`);
    return [
      ...(lost.length > 0 ? [`${lost.length} acknowledged writes (${kind}) are lost: ${some(lost)}`] : []),
      ...(doubled.length > 0 ? [`${doubled.length} writes (${kind}) are there twice: ${some(doubled)}`] : []),
    ];
  });
}

/** An instant has one status row, or one job history row that says it was interrupted, or (missed) neither. */
async function judgeInstants(rows: Rows, lines: string[]): Promise<string[]> {
  const schedule = parseSchedule(SCHEDULE);
  const scheduled = `select definition.id from internal.checks as definition
    join public.canaries on canaries.id = canary_id where canaries.spec ->> 'schedule' = $1`;
  const stored = await rows<{ id: string; at: Date }>(
    `select check_id as id, time as at from public.check_statuses where check_id in (${scheduled})`,
    [SCHEDULE],
  );
  const stopped = await rows<{ id: string; at: string }>(
    `select details ->> 'check_id' as id, details ->> 'instant' as at from public.job_history
     where name = 'Canary' and status = 'STOPPED' and (details ->> 'check_id')::uuid in (${scheduled})`,
    [SCHEDULE],
  );
  const seen = new Set<string>();
  const twice: string[] = [];
  for (const { id, at } of [...stored, ...stopped]) {
    const instant = `${id} ${lastInstant(schedule, id, new Date(at))?.toISOString()}`;
    if (seen.has(instant)) twice.push(instant);
    seen.add(instant);
  }
  lines.push(`instants: ${stored.length} stored, ${stopped.length} interrupted, ${twice.length} twice`);
  return twice.length > 0 ? [`${twice.length} instants are written down twice: ${some(twice)}`] : [];
}

/** What is written in two places is in both. */
async function judgePairs(rows: Rows): Promise<string[]> {
  const sums = await rows<{ check_id: string; grain: string }>(
    `with counted as (
       select check_id, count(*) as total, count(*) filter (where status) as passed,
         count(*) filter (where not status) as failed, coalesce(sum(duration), 0) as ms
       from public.check_statuses group by check_id),
     summed as (
       select check_id, grain, sum(total) as total, sum(passed) as passed, sum(failed) as failed,
         sum(duration_sum) as ms
       from (
         select check_id, grain::text, total, passed, failed, duration_sum from internal.check_buckets
         union all
         select check_id, 'm', total, passed, failed, duration_sum from internal.check_minutes) as buckets
       group by check_id, grain),
     wanted as (select counted.*, grain from counted cross join (values ('m'), ('h'), ('d')) as grains (grain))
     select coalesce(wanted.check_id, summed.check_id)::text as check_id, coalesce(wanted.grain, summed.grain) as grain
     from wanted full join summed using (check_id, grain)
     where (wanted.total, wanted.passed, wanted.failed, wanted.ms)
       is distinct from (summed.total, summed.passed, summed.failed, summed.ms)`,
  );
  const state = await rows<{ check_id: string }>(
    `select check_id::text from internal.check_state
     left join (select check_id, max(time) as newest from public.check_statuses group by check_id) as run using (check_id)
     where last_runtime is distinct from newest`,
  );
  const entries = await rows<{ name: string }>(
    `select name from public.canaries
     where source = 'UI' and (select count(*) from internal.checks where canary_id = canaries.id and deleted_at is null)
       <> jsonb_array_length(coalesce(spec -> 'tcp', '[]')) + jsonb_array_length(coalesce(spec -> 'http', '[]'))`,
  );
  const stateless = await rows<{ id: string }>(
    "select id::text from internal.checks where not exists (select from internal.check_state where check_id = id)",
  );
  return [
    ...(sums.length > 0
      ? [
          `${sums.length} sums differ from the runs: ${some(sums.map((row) => `${row.check_id} ${row.grain}`))}`,
        ]
      : []),
    ...(state.length > 0
      ? [`${state.length} checks do not show their last run: ${some(state.map((row) => row.check_id))}`]
      : []),
    ...(entries.length > 0
      ? [`${entries.length} canaries do not have their checks: ${some(entries.map(({ name }) => name))}`]
      : []),
    ...(stateless.length > 0 ? [`${stateless.length} checks have no state`] : []),
  ];
}

/** Nothing is held by a control plane that is gone. */
async function judgeJobs(rows: Rows, lines: string[]): Promise<string[]> {
  const [found] = await rows<{
    claims: number;
    jobs: number;
    queues: number;
    planes: number;
    running: number;
  }>(
    `select
       (select count(*)::int from internal.check_state where claimed_by is not null
          and claimed_by not in (select id from internal.control_planes)) as claims,
       (select count(*)::int from graphile_worker._private_jobs where locked_by is not null and not exists (
          select from internal.control_planes where locked_by = any (worker_pools))) as jobs,
       (select count(*)::int from graphile_worker._private_job_queues where locked_by is not null and not exists (
          select from internal.control_planes where locked_by = any (worker_pools))) as queues,
       (select count(*)::int from internal.control_planes) as planes,
       (select count(*)::int from public.job_history where status = 'RUNNING') as running`,
  );
  const history = await rows<{ status: string; n: number }>(
    "select status, count(*)::int as n from public.job_history where name <> 'Canary' group by status order by status",
  );
  lines.push(`jobs: ${history.map(({ status, n }) => `${n} ${status}`).join(", ")}`);
  const { claims, jobs, queues, planes, running } = found!;
  return [
    ...(claims + jobs + queues > 0
      ? [`${claims} checks, ${jobs} jobs and ${queues} queues are held by the dead`]
      : []),
    ...(planes === 1 ? [] : [`${planes} control planes are listed`]),
    ...(running > 1 ? [`${running} job runs never ended`] : []),
  ];
}

/** Every session that was handed out is good, also after the database died. */
export async function judgeSessions({ url }: Product, cookies: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    cookies.map((cookie) => ask(`${url}/api/auth/whoami`, { headers: { cookie } }, 10_000)),
  );
  const bad = answers.filter((answer) => answer?.status !== 200).length;
  return bad > 0 ? [`${bad} of ${cookies.length} sessions that were handed out are not known`] : [];
}

const some = (names: readonly string[]) => names.slice(0, 5).join(", ");
