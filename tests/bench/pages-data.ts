/** An estate of http checks with a history, written straight into a migrated database. */
import type pg from "pg";

export interface Size {
  checks: number;
  statuses: number;
  /** Runs a second, over all checks. */
  rate: number;
  /** The older half of the results lies as far apart as fills so many days; absent: all are as far apart as the checks run. */
  days?: number;
}

/** Rows of a statement: a few seconds of work, and whole hours of most checks. */
const SLICE = 250_000;
const CHECKS_PER_CANARY = 5;

/** One check of each canary fails, so that every group is open. The columns that are made anew by the product must not differ: a changed check would run at once. */
const CANARIES = `
insert into public.canaries (id, name, namespace, labels, spec, source, created_at)
select md5('canary' || n)::uuid, 'service-' || n, 'team-' || n % 12,
  jsonb_build_object('app', 'app-' || n % 50, 'tier', (array['gold', 'silver', 'bronze'])[1 + n % 3]),
  jsonb_build_object('schedule', $3::text, 'http', (
    select jsonb_agg(jsonb_build_object('name', 'endpoint-' || k, 'url', $2 || '/' || case
      when k = ${CHECKS_PER_CANARY} then 'down/' when k = 1 and n % 5 = 0 then 'flaky/' else 'up/' end || n || '/' || k))
    from generate_series(1, ${CHECKS_PER_CANARY}) k)),
  'UI', now() - n * interval '1 minute'
from generate_series(1, $1::integer / ${CHECKS_PER_CANARY}) n`;

const CHECKS = `
insert into internal.checks (id, canary_id, type, name, namespace, labels, spec, created_at)
select md5('check' || canary.name || (entry ->> 'name'))::uuid, canary.id, 'http', entry ->> 'name', canary.namespace,
  canary.labels, entry, canary.created_at
from public.canaries as canary, jsonb_array_elements(canary.spec -> 'http') as entry
where canary.name like 'service-%'`;

/** One row per check with what its history needs: a phase within the period and a typical duration. */
const ESTATE = `
create unlogged table internal.bench_checks as
select id as check_id, row_number() over (order by md5(id::text)) as n, 20 + ('x' || left(md5(id::text), 4))::bit(16)::integer % 180 as typical,
  spec ->> 'url' ~ '/down/' as is_down, spec ->> 'url' ~ '/flaky/' as is_flaky
from internal.checks where type = 'http' and canary_id in (select id from public.canaries where name like 'service-%')`;

const STATUSES = `
insert into public.check_statuses (check_id, time, status, duration, message, details, invalid)
select check_id, time, passed, ms, case when not passed then 'expected 503 to be 200..299' end,
  jsonb_build_object('code', case when passed then 200 else 503 end, 'elapsed', ms), false
from (
  select check_id, $3::timestamptz + (k + n / $4::float8) * make_interval(secs => $5) as time,
    not (is_down or (is_flaky and random() < 0.1)) as passed,
    (typical * (0.7 + random() * 0.6 + case when random() < 0.02 then 3 else 0 end))::integer as ms
  from generate_series($1::integer, $2::integer) k, internal.bench_checks
) as runs
order by time`;

const STATE = `
update internal.check_state as state set status = case when is_down then 'unhealthy' else 'healthy' end,
  last_runtime = $1, next_runtime = now() + n / $2::float8 * make_interval(secs => $3),
  last_transition_time = now() - n * interval '1 minute'
from internal.bench_checks as estate where estate.check_id = state.check_id`;

/** Fills the database as its owner; the sums are made by the product's own triggers. The history ends now. */
export async function seed(
  owner: pg.ClientBase,
  { checks, statuses, rate, days }: Size,
  target: string,
): Promise<void> {
  const seconds = checks / rate;
  await owner.query(CANARIES, [checks, target, `@every ${seconds}s`]);
  await owner.query(CHECKS);
  await owner.query("delete from internal.canaries_to_sync");
  await owner.query(ESTATE);
  await owner.query("analyze internal.checks, internal.bench_checks");
  const perCheck = Math.round(statuses / checks);
  const recent = days ? Math.ceil(perCheck / 2) : perCheck;
  await withoutForeignKeys(owner, "public.check_statuses", async () => {
    const newest = Date.now() - recent * seconds * 1000;
    if (days) {
      const apart = (days * 86_400 - recent * seconds) / (perCheck - recent);
      const oldest = newest - (perCheck - recent) * apart * 1000;
      await owner.query("select internal.ensure_partitions($1, $2)", [new Date(oldest), `${days} days`]);
      await history(owner, { from: oldest, runs: perCheck - recent, apart, checks });
    }
    await history(owner, { from: newest, runs: recent, apart: seconds, checks });
  });
  await owner.query(STATE, [new Date(), checks, seconds]);
  await owner.query("drop table internal.bench_checks");
  await owner.query("delete from internal.event_queue");
  await owner.query("vacuum analyze");
}

/** So many runs of each check from an instant on (ms), so many seconds apart. */
async function history(
  owner: pg.ClientBase,
  { from, runs, apart, checks }: { from: number; runs: number; apart: number; checks: number },
): Promise<void> {
  const step = Math.max(1, Math.floor(SLICE / checks));
  for (let first = 0; first < runs; first += step) {
    const last = Math.min(runs, first + step) - 1;
    await owner.query(STATUSES, [first, last, new Date(from), checks, apart]);
    process.stderr.write(`\r${Math.round(((last + 1) / runs) * 100)} % of the history `);
  }
  process.stderr.write("\n");
}

/** Checks of millions of rows one by one would take minutes; put back, they are checked all at once. */
async function withoutForeignKeys(
  owner: pg.ClientBase,
  relation: string,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'f' and conparentid = 0`,
    [relation],
  );
  for (const { name } of rows) await owner.query(`alter table ${relation} drop constraint ${name}`);
  await work();
  for (const { name, definition } of rows)
    await owner.query(`alter table ${relation} add constraint ${name} ${definition}`);
}
