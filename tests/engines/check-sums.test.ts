/** The sums of runs against the runs themselves: whatever is written in whatever order, any range adds up. */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aCheck } from "#tests/support/builders.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { createDatabase, MIGRATIONS, type TestDatabase } from "#tests/support/postgres.ts";

let db: TestDatabase;
beforeAll(async () => void (db = await createDatabase()));
afterAll(() => db.drop());

interface Run {
  /** Seconds before now. */
  ago: number;
  status: boolean | null;
  duration: number | null;
}
const MINUTE = 60;
const DAY = 86_400;
const PERCENTILES = [0.5, 0.95, 0.97, 0.99];

const aRun = (longest: number) =>
  fc.record({
    ago: fc.oneof(
      fc.integer({ min: 0, max: 130 * MINUTE }),
      fc.double({ min: 0, max: longest, noNaN: true }),
    ),
    status: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, { weight: 1, arbitrary: fc.constant(null) }),
    duration: fc.oneof(fc.nat(30), fc.nat(60_000), fc.constant(null)),
  });

/** Writes the runs in statements of the given sizes, over and over. */
async function write(check: string, runs: Run[], sizes: number[]): Promise<void> {
  for (let from = 0, n = 0; from < runs.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    await db.pool.query(
      `insert into public.check_statuses (check_id, time, status, duration)
       select $1, now() - make_interval(secs => ago), status, duration
       from jsonb_to_recordset($2) as run (ago double precision, status boolean, duration integer)
       on conflict do nothing`,
      [check, JSON.stringify(runs.slice(from, from + size))],
    );
    from += size;
  }
}

/** Straight from the runs, with the percentiles of the durations. */
async function direct(client: pg.ClientBase, check: string, where: string, values: unknown[] = []) {
  const { rows } = await client.query(
    `select count(*)::int as total, (count(*) filter (where status))::int as passed,
       (count(*) filter (where not status))::int as failed, coalesce(sum(duration), 0)::int as duration_sum,
       max(time) filter (where status) as last_pass, max(time) filter (where not status) as last_fail,
       percentile_disc(array[${PERCENTILES.join(", ")}]) within group (order by duration) as percentiles,
       avg(duration)::float8 as mean
     from public.check_statuses where check_id = $1 and ${where}`,
    [check, ...values],
  );
  return rows[0];
}

/** In one transaction, so that `now()` is one moment. */
async function atOneMoment<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  try {
    await client.query("begin isolation level repeatable read");
    return await work(client);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

function expectWithin5Percent(seen: number[], wanted: number[]): void {
  for (const [n, value] of wanted.entries())
    expect(Math.abs(seen[n]! - value), `${seen[n]} for ${value}`).toBeLessThanOrEqual(value * 0.05);
}

test("any range of any check is the sum of its runs, percentiles within 5 %", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRun(40 * DAY), { minLength: 1, maxLength: 80 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
      fc.array(
        fc.tuple(
          fc.oneof(fc.integer({ min: 0, max: 200 }), fc.double({ min: 0, max: 60_000, noNaN: true })),
          fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5000, noNaN: true })),
        ),
        { minLength: 1, maxLength: 6 },
      ),
      async (runs, sizes, ranges) => {
        const check = await aCheck(db.pool);
        await write(check, runs, sizes);
        for (const [wide, untilAgo] of ranges)
          await atOneMoment(async (client) => {
            const ends = [untilAgo + wide, untilAgo]; // minutes ago
            const { rows } = await client.query(
              `select total::int, passed::int, failed::int, duration_sum::int,
                 array(select internal.histogram_percentile(histogram, fraction)::float8
                       from unnest($4::float8[]) as fraction) as percentiles
               from internal.sum_check_buckets(array[$1::uuid], now() - make_interval(secs => 60 * $2::float8),
                 now() - make_interval(secs => 60 * $3::float8))`,
              [check, ...ends, PERCENTILES],
            );
            const {
              last_pass: _,
              last_fail: __,
              mean: ___,
              percentiles,
              ...counts
            } = await direct(
              client,
              check,
              `time >= date_trunc('minute', now() - make_interval(secs => 60 * $2::float8))
               and time < case when $3::float8 = 0 then now() + interval '1 minute' else
                 date_trunc('minute', now() - make_interval(secs => 60 * $3::float8) + interval '59.999999 s') end`,
              ends,
            );
            if (counts.total === 0) return expect(rows).toEqual([]);
            expect(rows[0]).toMatchObject(counts);
            if (percentiles) expectWithin5Percent(rows[0].percentiles, percentiles);
          });
      },
    ),
    { numRuns: 200 },
  );
}, 120_000);

test("the summary is the last hour of the runs, in whatever order they were written", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRun(4 * DAY), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
      async (runs, sizes) => {
        const check = await aCheck(db.pool);
        await write(check, runs, sizes);
        await atOneMoment(async (client) => {
          const hour = "time >= date_trunc('minute', now()) - interval '1 hour'";
          const newest = "time = (select max(time) from public.check_statuses where check_id = $1)";
          const inHour = await direct(client, check, hour);
          const wanted = inHour.total > 0 ? inHour : await direct(client, check, newest);
          // Latency is that of the hour up to the newest run, if that is at most five minutes old.
          const { percentiles, mean } = (
            await client.query(
              `select date_trunc('minute', max(time)) >= date_trunc('minute', now()) - interval '5 minutes' as is_fresh
             from public.check_statuses where check_id = $1`,
              [check],
            )
          ).rows[0].is_fresh
            ? await direct(
                client,
                check,
                `time >= (select date_trunc('minute', max(time)) - interval '1 hour' from public.check_statuses
                          where check_id = $1)`,
              )
            : wanted;
          const { rows } = await client.query(
            "select uptime, latency from public.check_summary where id = $1",
            [check],
          );
          const { uptime, latency } = rows[0];
          expect({
            ...uptime,
            last_pass: uptime.last_pass && new Date(uptime.last_pass),
            last_fail: uptime.last_fail && new Date(uptime.last_fail),
          }).toEqual({
            passed: wanted.passed,
            failed: wanted.failed,
            last_pass: wanted.last_pass,
            last_fail: wanted.last_fail,
          });
          if (mean === null) expect(latency.avg).toBeNull();
          else expect(latency.avg).toBeCloseTo(mean, 1);
          if (percentiles)
            expectWithin5Percent([latency.p50, latency.p95, latency.p97, latency.p99], percentiles);
          else expect(latency.p95).toBeNull();
          const cheap = await client.query(
            "select passed, failed from internal.check_hour(array[$1::uuid])",
            [check],
          );
          expect(cheap.rows).toEqual([{ passed: wanted.passed, failed: wanted.failed }]);
        });
      },
    ),
    { numRuns: 200 },
  );
}, 120_000);

describe("writers side by side", () => {
  test("add up", async () => {
    const checks = await Promise.all([aCheck(db.pool), aCheck(db.pool), aCheck(db.pool)]);
    const one = (writer: number, n: number) =>
      db.pool.query(
        `insert into public.check_statuses (check_id, time, status, duration)
         select id, now() - make_interval(secs => $2 + $3::float8 / 1000), true, 5
         from unnest($1::uuid[]) with ordinality as checks (id, place) order by place * $4`,
        [checks, n * 97, writer, writer % 2 === 0 ? 1 : -1],
      );
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; n < 40; n++) await one(writer, n);
      }),
    );
    const { rows } = await db.pool.query(
      `select (total = (select count(*) from public.check_statuses where check_id = sums.check_id)) as day,
         passed::int from internal.sum_check_buckets($1, now() - interval '3 days', now()) as sums`,
      [checks],
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ day: true, passed: 240 })));
    await atOneMoment(async (client) => {
      const hours = await client.query(
        `select hour.passed = count(*) as same from internal.check_hour($1) as hour
         join public.check_statuses using (check_id) where time >= date_trunc('minute', now()) - interval '1 hour'
         group by check_id, hour.passed`,
        [checks],
      );
      expect(hours.rows).toEqual([{ same: true }, { same: true }, { same: true }]);
    });
  });
});

test("minutes have days made ahead, old days are dropped, and what came early moves to its day", async () => {
  const check = await aCheck(db.pool);
  await write(check, [{ ago: -5 * DAY, status: true, duration: 1 }], [1]);
  const where = async () =>
    (
      await db.pool.query(
        "select distinct tableoid::regclass::text as place from internal.check_minutes where check_id = $1",
        [check],
      )
    ).rows;
  expect(await where()).toEqual([{ place: "internal.check_minutes_default" }]);
  await db.pool.query("select internal.ensure_check_minutes(now() + interval '5 days')");
  expect(await where()).toEqual([
    { place: expect.stringMatching(/^internal\.check_minutes_\d{8}$/) as string },
  ]);
  const { rows } = await db.pool.query(
    "select internal.drop_old_check_minutes(now() + interval '9 days') as dropped",
  );
  expect(rows[0].dropped).toBeGreaterThanOrEqual(8);
  expect(await where()).toEqual([]);
  await db.pool.query("select internal.ensure_check_minutes()");
});

test("the history of an older version is carried over", async () => {
  const old = await createDatabase({ migrated: false });
  const client = new pg.Client({ connectionString: old.url });
  await client.connect();
  try {
    const all = await readMigrations(MIGRATIONS);
    await migrate(
      client,
      all.filter(({ name }) => name < "0030"),
      () => undefined,
    );
    const [busy, silent] = [await aCheck(client), await aCheck(client)];
    await client.query(
      `insert into public.check_statuses (check_id, time, status, duration)
       select $1::uuid, now() - n * interval '97 s', n % 7 > 0, n % 50 from generate_series(0, 4000) as n
       union all select $2::uuid, now() - n * interval '5 h', n > 1, 20 * n from generate_series(1, 9) as n`,
      [busy, silent],
    );
    const hours = "select * from public.check_statuses_1h order by check_id, created_at";
    const before = (await client.query(hours)).rows;
    await migrate(client, all, () => undefined);
    expect((await client.query(hours)).rows).toEqual(before);
    for (const range of ["45 minutes", "7 hours", "30 hours", "4 days"]) {
      const { rows } = await client.query(
        `select sums.total = wanted.total and sums.passed = wanted.passed and sums.duration_sum = wanted.ms as same,
           abs(internal.histogram_percentile(histogram, 0.95) - p95) <= p95 * 0.05 as near
         from internal.sum_check_buckets(array[$1::uuid], now() - $2::interval, now()) as sums
         cross join (
           select count(*) as total, count(*) filter (where status) as passed, sum(duration) as ms,
             percentile_disc(0.95) within group (order by duration) as p95
           from public.check_statuses where check_id = $1 and time >= date_trunc('minute', now() - $2::interval)
         ) as wanted`,
        [busy, range],
      );
      expect(rows, range).toEqual([{ same: true, near: true }]);
    }
    const summary = "select uptime, latency from public.check_summary where id = $1";
    expect((await client.query(summary, [silent])).rows[0]).toMatchObject({
      uptime: { passed: 0, failed: 1 },
      latency: { p95: 20, avg: 20 },
    });
    const { uptime } = (await client.query(summary, [busy])).rows[0];
    expect(uptime.passed + uptime.failed).toBeGreaterThanOrEqual(38);
  } finally {
    await client.end();
    await old.drop();
  }
});
