/** The demo: an estate that looks alive, is nobody's real data, and goes without a trace. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_PEOPLE } from "#app/contract/words/demo.ts";
import { readTables } from "#server/backup/catalogue.ts";
import { nameOf } from "#server/backup/write.ts";
import { startDemo } from "#server/demo/index.ts";
import { removeDemo } from "#server/demo/marks.ts";
import { aCanary, aPerson } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let database: TestDatabase;
let demo: { stop(): Promise<void> } | undefined;
let tookMs: number;
beforeAll(async () => {
  database = await createDatabase();
  const from = performance.now();
  demo = await startDemo(database.url);
  tookMs = performance.now() - from;
}, 60_000);
afterAll(async () => {
  await demo?.stop();
  await database.drop();
});

const ask = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await database.pool.query<T>(sql, values)).rows;

/** How many rows each table of ours holds. */
async function counts(): Promise<Record<string, number>> {
  const client = await database.pool.connect();
  const all: Record<string, number> = {};
  for (const table of await readTables(client)) {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${nameOf(table)}`);
    all[nameOf(table)] = rows[0]!.n;
  }
  client.release();
  return all;
}

describe("the estate", () => {
  test("a company's worth of checks with thirty days behind them, made in seconds", async () => {
    expect(tookMs).toBeLessThan(30_000);
    expect(await ask("select count(*)::int as canaries from canaries")).toEqual([{ canaries: 42 }]);
    const [facts] = await ask<Record<string, number>>(
      `select count(*)::int as checks, count(distinct namespace)::int as namespaces, count(distinct severity)::int as severities,
         count(*) filter (where status is null)::int as unknown, count(*) filter (where status = 'unhealthy')::int as unhealthy
       from checks`,
    );
    expect(facts).toEqual({
      checks: 125,
      namespaces: 11,
      severities: 5,
      unknown: 0,
      unhealthy: expect.any(Number),
    });
    expect(facts!["unhealthy"]).toBeGreaterThanOrEqual(3);
    expect(facts!["unhealthy"]).toBeLessThanOrEqual(8);
    const [first] = await ask<{ days: number }>(
      "select extract(day from now() - min(bucket))::int as days from internal.check_buckets where grain = 'd'",
    );
    expect(first!.days).toBeGreaterThanOrEqual(29);
  });

  test("something is broken, and tells since when", async () => {
    const rows = await ask<{ name: string; hours: number; error: string }>(
      `select checks.name, round(extract(epoch from now() - last_transition_time) / 3600)::int as hours, error
       from checks join check_statuses as run on run.check_id = checks.id and run.time = checks.last_runtime
       where checks.status = 'unhealthy' and checks.name in ('partners.harborline.example', 'Replica 2 keeps up')
       order by name collate "C" desc`,
    );
    expect(rows).toEqual([
      { name: "partners.harborline.example", hours: 55, error: "certificate has expired" },
      {
        name: "Replica 2 keeps up",
        hours: expect.toSatisfy((h: number) => h === 9 || h === 10),
        error: expect.stringContaining("behind"),
      },
    ]);
  });

  test("what is fine has been so for long", async () => {
    const [oldest] = await ask<{ days: number; recent: number }>(
      `select extract(day from now() - min(last_transition_time))::int as days,
         count(*) filter (where last_transition_time > now() - interval '5 days')::int as recent
       from checks where status = 'healthy'`,
    );
    expect(oldest).toEqual({ days: expect.any(Number), recent: expect.any(Number) });
    expect(oldest!.days).toBeGreaterThanOrEqual(28);
    expect(oldest!.recent).toBeLessThanOrEqual(4); // what flaps
  });

  test("the sums are those of the runs, and those of days those of their hours", async () => {
    expect(
      await ask(
        `select count(*)::int as wrong from (
           select check_id, date_trunc('hour', time, 'UTC') as bucket, count(*) as total, count(*) filter (where status) as passed
           from check_statuses group by 1, 2) as runs
         left join internal.check_buckets as sums on sums.check_id = runs.check_id and sums.grain = 'h' and sums.bucket = runs.bucket
         where (sums.total, sums.passed) is distinct from (runs.total, runs.passed)`,
      ),
    ).toEqual([{ wrong: 0 }]);
    expect(
      await ask(
        `select count(*)::int as wrong from internal.check_buckets as sums
         left join (
           select check_id, date_trunc('day', bucket, 'UTC') as day, sum(total) as total, sum(failed) as failed,
             sum(duration_sum) as duration, sum(histogram) as histogram
           from internal.check_buckets where grain = 'h' group by 1, 2
         ) as hours on hours.check_id = sums.check_id and hours.day = sums.bucket
         where grain = 'd' and (sums.total, sums.failed, sums.duration_sum, sums.histogram)
           is distinct from (hours.total, hours.failed, hours.duration, hours.histogram)`,
      ),
    ).toEqual([{ wrong: 0 }]);
    expect(
      await ask(
        `select count(*)::int as wrong from internal.check_buckets
         where grain = 'd' and (total <> passed + failed or (select sum(n) from unnest(internal.unpack_histogram(histogram)) as n) <> total)`,
      ),
    ).toEqual([{ wrong: 0 }]);
  });

  test("people of every role, teams, agents of whom one has gone silent; nothing waits to be told", async () => {
    expect(
      await ask("select name, role from people join internal.role_grants on person_id = id order by email"),
    ).toEqual(
      [...DEMO_PEOPLE]
        .sort((a, b) => (a.email < b.email ? -1 : 1))
        .map(({ first, last, role }) => ({ name: `${first} ${last}`, role })),
    );
    expect(await ask("select count(*)::int as members from team_members")).toEqual([
      { members: DEMO_PEOPLE.length },
    ]);
    expect(await ask("select name from agents where last_seen < now() - interval '1 day'")).toEqual([
      { name: "gdansk-depot" },
    ]);
    expect(await ask("select count(*)::int as waiting from internal.event_queue")).toEqual([{ waiting: 0 }]);
  });

  test("its targets behave as its history says", async () => {
    const [urls] = await ask<{ ok: string; lagging: string; expired: string }>(
      `select max(spec ->> 'url') filter (where name = 'Front page') as ok,
         max(spec ->> 'url') filter (where name = 'Replica 2 keeps up') as lagging,
         max(spec ->> 'url') filter (where name = 'partners.harborline.example') as expired from checks`,
    );
    expect((await fetch(urls!.ok)).status).toBe(200);
    expect((await fetch(urls!.lagging)).status).toBe(503);
    await expect(fetch(urls!.expired)).rejects.toThrow();
  });
});

test("a second start keeps everything and finds the targets again", async () => {
  await demo?.stop();
  const before = await counts();
  const specs = await ask("select id, spec from canaries order by id");
  demo = await startDemo(database.url);
  expect(await counts()).toEqual(before);
  expect(await ask("select id, spec from canaries order by id")).toEqual(specs);
});

test(
  "what the demo's people make is theirs; somebody else's stops the demo",
  { timeout: 30_000 },
  async () => {
    const [ingrid] = await ask<{ id: string }>("select id from people where email = $1", [
      DEMO_PEOPLE[0]!.email,
    ]);
    await aCanary(database.pool, { name: "tried out", created_by: ingrid!.id });
    await demo?.stop();
    demo = await startDemo(database.url);
    const real = await aPerson(database.pool);
    const canary = await aCanary(database.pool, { created_by: real });
    await expect(startDemo(database.url)).rejects.toThrow(
      "The demo does not run beside real data (1 people, 1 canaries are here): name an empty folder, such as PILOTHOUSE_DATA=.pilothouse-demo npm run demo.",
    );
    await database.pool.query("delete from canaries where id = $1", [canary]);
    await database.pool.query("delete from people where id = $1", [real]);
  },
);

test("it is removed by one command, and nothing of it is left", { timeout: 60_000 }, async () => {
  const empty = await createDatabase();
  expect(await removeDemo(database.pool)).toEqual({ canaries: 43, people: DEMO_PEOPLE.length });
  await database.pool.query("select internal.fold_agent_counts()");
  const left = await counts();
  await empty.pool.query("select internal.fold_agent_counts()");
  const [client, nothing] = [await empty.pool.connect(), {} as Record<string, number>];
  for (const table of await readTables(client)) {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${nameOf(table)}`);
    nothing[nameOf(table)] = rows[0]!.n;
  }
  client.release();
  await empty.drop();
  expect(left).toEqual(nothing);
});
