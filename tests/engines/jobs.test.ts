/** Jobs of our own schedules: put into the queue once, run by one, and what they leave in the history. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { housekeeping } from "#server/engines/housekeeping.ts";
import type { Job } from "#server/engines/job.ts";
import { runJob } from "#server/engines/jobs.ts";
import { aCanary, anAgent } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, eventually, type Plane } from "./checks-support.ts";

let db: TestDatabase;
const planes: Plane[] = [];
beforeAll(async () => {
  db = await createDatabase();
  const plane = await aPlane(db);
  await plane.start(); // installs the queue
  await plane.end(0);
  await db.pool.query("delete from graphile_worker._private_jobs; delete from public.job_history");
});
afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.end(0)));
  await db.pool.query(
    "delete from public.canaries; delete from public.job_history; delete from internal.engine_jobs",
  );
});
afterAll(() => db.drop());

const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const needs = () => ({ pool: db.pool, observe: () => undefined, now: () => new Date() });
const job = (run: Job["run"], more: Partial<Job> = {}): Job => ({
  name: "Test",
  schedule: "@every 1h",
  resourceType: "test",
  run,
  ...more,
});
const statuses = async () =>
  (await rows("select status from public.job_history where name = 'Test' order by created_at, id")).map(
    ({ status }) => status as string,
  );
const start = async (jobs: Job[]) => {
  const plane = await aPlane(db, { jobs });
  planes.push(plane);
  await plane.start();
};

test("each instant runs once, however many control planes look", { timeout: 30_000 }, async () => {
  const began: number[] = [];
  const jobs = [
    job(
      async () => {
        began.push(Date.now());
        return { success: 1 };
      },
      { schedule: "@every 1s" },
    ),
  ];
  await Promise.all([start(jobs), start(jobs), start(jobs)]);
  await new Promise((done) => setTimeout(done, 6500));
  expect(began.length).toBeGreaterThanOrEqual(5);
  expect(began.length).toBeLessThanOrEqual(8); // the first start, then one for each second
  expect((await statuses()).filter((status) => status === "SUCCESS")).toHaveLength(3); // others: one is just running
});

test("a new database runs its housekeeping at the first start, and not again before it is due", async () => {
  await start([]);
  const all = housekeeping(db.pool)
    .map(({ name }) => name)
    .sort();
  const done = () =>
    rows('select name, status, error_count as errors from public.job_history order by name collate "C"');
  const history = await eventually(
    done,
    (found) => found.filter((row) => row.status === "SUCCESS").length === all.length,
  );
  expect(history).toEqual(all.map((name) => ({ name, status: "SUCCESS", errors: 0 })));
  await planes.pop()!.end(0);
  await start([]);
  await new Promise((done) => setTimeout(done, 1000));
  expect(await done()).toEqual(history);
});

test("history tells success, warning, failure and skipping, and is kept short", async () => {
  const steps: Job["run"][] = [
    async () => ({ success: 1, errors: ["one of two"] }),
    () => Promise.reject(new Error("broken")),
    async () => ({ success: 2 }),
  ];
  for (const step of steps) await runJob(needs(), job(step));
  expect(
    await rows("select status, error_count, details from public.job_history order by created_at, id"),
  ).toEqual([
    { status: "WARNING", error_count: 1, details: { errors: ["one of two"] } },
    { status: "FAILED", error_count: 1, details: { errors: ["broken"] } },
    { status: "SUCCESS", error_count: 0, details: null },
  ]);
  await runJob(
    needs(),
    job(async () => {
      expect(await statuses()).toContain("RUNNING");
      await runJob(
        needs(),
        job(async () => ({ success: 9 })),
      );
      return { success: 1 };
    }),
  );
  expect((await statuses()).filter((status) => status === "SKIPPED")).toHaveLength(1);
  for (let n = 0; n < 5; n++) {
    await runJob(
      needs(),
      job(async () => ({ success: 1 })),
    );
    await runJob(
      needs(),
      job(() => Promise.reject(new Error("broken"))),
    );
  }
  const counts = await rows(
    "select status, count(*)::int as n from public.job_history group by status order by status",
  );
  expect(counts).toEqual([
    { status: "FAILED", n: 3 },
    { status: "SKIPPED", n: 1 },
    { status: "SUCCESS", n: 3 },
    { status: "WARNING", n: 1 },
  ]);
});

test("a job that keeps no successes stores its failures only", async () => {
  const history = { success: 0, failed: 2 };
  await runJob(
    needs(),
    job(async () => ({ success: 1 }), { history }),
  );
  for (let n = 0; n < 3; n++)
    await runJob(
      needs(),
      job(() => Promise.reject(new Error("broken")), { history }),
    );
  expect(await statuses()).toEqual(["FAILED", "FAILED"]);
});

test("a run that was told to stop is interrupted, not failed, and the next one says so", async () => {
  const stop = new AbortController();
  const run = runJob(
    needs(),
    job((signal) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("cut"))))),
    stop.signal,
  );
  await eventually(statuses, (found) => found.length === 1);
  stop.abort(new Error("the control plane stops"));
  await expect(run).rejects.toThrow("the control plane stops");
  await runJob(
    needs(),
    job(async () => ({ success: 1 })),
  );
  expect(
    await rows(
      "select status, details -> 'errors' ->> 0 as error from public.job_history order by created_at, id",
    ),
  ).toEqual([
    { status: "STOPPED", error: "interrupted: its control plane stopped or is gone" },
    { status: "SUCCESS", error: null },
  ]);
});

test("every housekeeping job does its work on this database", async () => {
  const canary = await aCanary(db.pool, { deleted_at: new Date(Date.now() - 8 * 86_400_000) });
  const agent = await anAgent(db.pool);
  await rows(
    `insert into public.job_history (name, status, time_start, agent_id)
     select 'Old', 'RUNNING', now() - interval '5 hours', '00000000-0000-0000-0000-000000000000'::uuid
     union all select 'Pushed', 'SUCCESS', now(), $1::uuid from generate_series(1, 5)`,
    [agent],
  );
  await rows(
    `insert into graphile_worker._private_tasks (identifier) values ('none') on conflict do nothing`,
  );
  await rows(
    `insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, updated_at)
     select id, '{}', 1, 1, now() - make_interval(days => age) from graphile_worker._private_tasks,
       (values (8), (6)) as ages (age) where identifier = 'none'`,
  );
  for (const one of housekeeping(db.pool)) await runJob(needs(), one);
  const history = await rows("select name, status, details from public.job_history");
  expect(history.filter(({ status }) => status !== "SUCCESS" && status !== "STALE")).toEqual([]);
  expect(history.filter(({ name }) => name === "Old")).toMatchObject([{ status: "STALE" }]);
  expect(history.filter(({ name }) => name === "Pushed")).toHaveLength(3);
  expect(await rows("select from public.canaries where id = $1", [canary])).toEqual([]);
  expect(await rows("select from graphile_worker._private_jobs")).toHaveLength(1);
});
