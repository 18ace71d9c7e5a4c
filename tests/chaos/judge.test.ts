/** The judge of the chaos run must see what it is there for: each fault is made by hand, and named. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { syncCanaries } from "#server/engines/checks/index.ts";
import { lastInstant, parseSchedule } from "#server/engines/schedule.ts";
import { aCanary, aCheckStatus } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane } from "../engines/checks-support.ts";
import { SCHEDULE } from "./checks.ts";
import { judgeDatabase } from "./judge.ts";
import { CANARY, TYPE } from "./writers.ts";

let db: TestDatabase;
let check: string;
let instant: Date;
beforeAll(async () => {
  db = await createDatabase();
  const plane = await aPlane(db);
  await plane.start(); // makes the queue
  await plane.end();
  const canary = await aCanary(db.pool, {
    name: "chaos 0",
    namespace: "chaos",
    source: "UI",
    spec: { schedule: SCHEDULE, tcp: [{ name: "c0", endpoint: "127.0.0.1:1" }] },
  });
  await syncCanaries(db.pool, () => new Date());
  const { rows } = await db.pool.query("select id from internal.checks where canary_id = $1", [canary]);
  check = rows[0].id;
  instant = lastInstant(parseSchedule(SCHEDULE), check, new Date())!;
  await aCheckStatus(db.pool, check, { time: new Date(instant.getTime() + 20), status: true, duration: 5 });
  await db.pool.query("update internal.check_state set last_runtime = $1 where check_id = $2", [
    new Date(instant.getTime() + 20),
    check,
  ]);
  await db.pool.query(
    "insert into internal.control_planes (id, lock_key, hostname, pid, worker_pools) values ('a', 1, 'h', 1, '{alive}')",
  );
});
afterAll(() => db.drop());

const judge = async (acknowledged: string[] = []) =>
  (await judgeDatabase(db.url, [{ kind: "row", acknowledged, unknown: [] }])).problems;

/** What the judge says while the fault is there. */
async function withFault(make: string, values: unknown[], undo: string): Promise<string[]> {
  await db.pool.query(make, values);
  const problems = await judge();
  await db.pool.query(undo);
  return problems;
}

test("a sound database is sound", async () => {
  expect(await judge()).toEqual([]);
});

test("a lost write, and one that is there twice", async () => {
  expect(await judge(["gone"])).toEqual(["1 acknowledged writes (row) are lost: gone"]);
  const insert = `insert into public.config_items (name, type, config_class) values ('two', '${TYPE}', 'Probe')`;
  for (let n = 0; n < 2; n++) await db.pool.query(insert);
  expect(await judge(["two"])).toEqual(["1 writes (row) are there twice: two"]);
  await db.pool.query("delete from public.config_items");
});

test("an instant with two runs, or with a run and an interruption", async () => {
  const again = new Date(instant.getTime() + 9000);
  await aCheckStatus(db.pool, check, { time: again, status: true, duration: 5 });
  await db.pool.query("update internal.check_state set last_runtime = $1 where check_id = $2", [
    again,
    check,
  ]);
  const [twice] = await judge();
  expect(twice).toBe(`1 instants are written down twice: ${check} ${instant.toISOString()}`);
  await db.pool.query(
    `insert into public.job_history (name, status, details) values ('Canary', 'STOPPED', $1)`,
    [{ check_id: check, instant }],
  );
  const [thrice] = await judge();
  expect(thrice).toMatch(/^2 instants are written down twice/);
});

test("sums that differ, a state that does not show the last run, a canary without its checks", async () => {
  await db.pool.query("delete from public.job_history");
  expect(
    await withFault(
      "update internal.check_minutes set total = total + 1 where check_id = $1 and bucket = (select min(bucket) from internal.check_minutes)",
      [check],
      "update internal.check_minutes set total = total - 1 where bucket = (select min(bucket) from internal.check_minutes)",
    ),
  ).toContain(`1 sums differ from the runs: ${check} m`);
  expect(
    await withFault(
      "update internal.check_state set last_runtime = last_runtime - interval '1 second' where check_id = $1",
      [check],
      "update internal.check_state set last_runtime = last_runtime + interval '1 second'",
    ),
  ).toContain(`1 checks do not show their last run: ${check}`);
  expect(
    await withFault(
      `insert into public.canaries (name, namespace, source, spec) values ($1, 'chaos', 'UI', '{"tcp": [{"name": "a"}]}')`,
      [`${CANARY} 1`],
      `delete from public.canaries where name like '${CANARY}%'`,
    ),
  ).toContain(`1 canaries do not have their checks: ${CANARY} 1`);
});

test("what the dead hold: a claim, a job; a run that never ended; a control plane too many", async () => {
  expect(
    await withFault(
      "update internal.check_state set claimed_by = 'gone' where check_id = $1",
      [check],
      "update internal.check_state set claimed_by = null",
    ),
  ).toContain("1 checks, 0 jobs and 0 queues are held by the dead");
  expect(
    await withFault(
      `with task as (insert into graphile_worker._private_tasks (identifier) values ('t') returning id)
       insert into graphile_worker._private_jobs (task_id, payload, locked_by, locked_at) select id, $1, 'gone', now() from task`,
      ["{}"],
      "delete from graphile_worker._private_jobs",
    ),
  ).toContain("0 checks, 1 jobs and 0 queues are held by the dead");
  expect(
    await withFault(
      "insert into public.job_history (name, status) select 'x', 'RUNNING' from generate_series(1, $1::integer)",
      [2],
      "delete from public.job_history",
    ),
  ).toContain("2 job runs never ended");
  expect(
    await withFault(
      "insert into internal.control_planes (id, lock_key, hostname, pid) values ('b', $1, 'h', 1)",
      [2],
      "delete from internal.control_planes where id = 'b'",
    ),
  ).toContain("2 control planes are listed");
});
