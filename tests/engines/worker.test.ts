/** The queue of background work against real PostgreSQL and real deaths: nothing lost, nothing doubled, nothing at once. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dbRole } from "#server/db/grants.ts";
import { inTransaction } from "#server/db/pool.ts";
import { enqueue } from "#server/engines/worker-queue.ts";
import { ROLES } from "#app/contract/access.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, eventually, type Plane } from "./checks-support.ts";
import { RUNS, testTasks } from "./fixtures/worker-tasks.ts";

let db: TestDatabase;
const planes: Plane[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  db = await createDatabase();
  await db.pool.query(RUNS);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(planes.splice(0).map((plane) => plane.end(0)));
  await db.pool.query(
    "delete from graphile_worker._private_jobs; delete from internal.test_runs; delete from internal.control_planes",
  );
});
afterAll(() => db.drop());

const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const runsOf = (key: string) => rows("select * from internal.test_runs where key = $1 order by id", [key]);
const waiting = () =>
  rows(
    "select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = task_id where identifier like 'test.%'",
  );
const poolsOf = async () =>
  (await rows("select worker_pools from internal.control_planes")).flatMap(
    (row) => row.worker_pools as string[],
  );

async function start(): Promise<Plane> {
  const plane = await aPlane(db, { tasks: testTasks(db.pool) });
  planes.push(plane);
  await plane.start();
  return plane;
}

/** A control plane in a process of its own, once it takes jobs. */
async function startProcess(): Promise<ChildProcess> {
  const known = (await poolsOf()).length;
  const file = fileURLToPath(new URL("fixtures/engine-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file, db.url], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  children.push(child);
  await eventually(poolsOf, (pools) => pools.length > known, 30_000);
  return child;
}
async function kill(child: ChildProcess): Promise<number> {
  child.kill("SIGKILL");
  await once(child, "exit");
  return Date.now();
}

test("a job runs within a moment; one for later when it is due; one in a transaction that is undone never", async () => {
  const plane = await start();
  await eventually(poolsOf, (pools) => pools.length === 1);
  const from = Date.now();
  await plane.enqueue("test.wait", { key: "now" });
  await plane.enqueue("test.wait", { key: "later" }, { runAt: new Date(from + 1500) });
  await expect(
    inTransaction(db.pool, async (client) => {
      await enqueue(client, "test.wait", { key: "never" });
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  const [now] = await eventually(
    () => runsOf("now"),
    (found) => found.length > 0,
  );
  expect(now.began.getTime() - from).toBeLessThan(1000);
  const [later] = await eventually(
    () => runsOf("later"),
    (found) => found.length > 0,
  );
  expect(later.began.getTime() - from).toBeGreaterThanOrEqual(1500);
  expect(later.began.getTime() - from).toBeLessThan(1500 + 2500);
  expect(await runsOf("never")).toEqual([]);
  expect(await eventually(waiting, (found) => found.length === 0)).toEqual([]);
});

test("the API's roles get nothing on the queue", async () => {
  await start();
  const names = [...ROLES.map((role) => dbRole(db.name, role)), `${db.name}_api`];
  const { rows: found } = await db.pool.query(
    `select name from unnest($1::text[]) as name where has_schema_privilege(name, 'graphile_worker', 'usage')
       or has_table_privilege(name, 'graphile_worker._private_jobs', 'select')`,
    [names],
  );
  expect(found).toEqual([]);
});

test("a failure and a payload that does not fit are errors of the job, which is tried again later", async () => {
  const plane = await start();
  await plane.enqueue("test.fail", {});
  await plane.enqueue("test.wait", { key: 7 });
  const failed = () =>
    rows(
      `select last_error, attempts, run_at > now() as later, locked_at from graphile_worker._private_jobs
       where last_error is not null order by id`,
    );
  expect(await eventually(failed, (found) => found.length === 2)).toEqual([
    { last_error: "broken", attempts: 1, later: true, locked_at: null },
    { last_error: expect.stringContaining("expected string"), attempts: 1, later: true, locked_at: null },
  ]);
  expect(plane.seen).toContainEqual({
    kind: "engine.failed",
    engine: "jobs",
    id: "test.fail",
    error: "broken",
  });
});

describe("a control plane that is killed", () => {
  test(
    "its job is taken up within 4 s with the attempt counted; one that must not repeat is recorded as interrupted",
    { timeout: 60_000 },
    async () => {
      const child = await startProcess();
      await enqueue(db.pool, "test.wait", { key: "slow", ms: 5000 });
      await enqueue(db.pool, "test.once", { key: "once", ms: 5000 });
      for (const key of ["slow", "once"])
        await eventually(
          () => runsOf(key),
          (found) => found.length === 1,
        );
      await start();
      const at = await kill(child);
      const slow = await eventually(
        () => runsOf("slow"),
        (found) => found.length === 2,
      );
      expect(slow).toMatchObject([
        { attempt: 1, pid: child.pid, ended: null },
        { attempt: 2, pid: process.pid },
      ]);
      expect(slow[1].began.getTime() - at).toBeLessThan(4000);
      expect(
        await eventually(
          () => runsOf("once"),
          (found) => found.length === 2,
        ),
      ).toMatchObject([{ word: "ran" }, { word: "interrupted" }]);
      expect(await eventually(waiting, (found) => found.length === 0, 12_000)).toEqual([]);
    },
  );

  test(
    "of 200 jobs none is lost, and none runs again but those it had in hand",
    { timeout: 90_000 },
    async () => {
      const child = await startProcess();
      await start();
      const keys = Array.from({ length: 200 }, (_, n) => `many ${n}`);
      for (const key of keys) await enqueue(db.pool, "test.wait", { key, ms: 20 });
      await eventually(
        () => rows("select from internal.test_runs where pid = $1", [child.pid]),
        (found) => found.length > 10,
      );
      await kill(child);
      expect(await eventually(waiting, (found) => found.length === 0, 30_000)).toEqual([]);
      const runs = await rows("select key, attempt, ended, pid from internal.test_runs order by id");
      const finished = runs.filter(({ ended }) => ended !== null);
      expect(new Set(finished.map(({ key }) => key))).toEqual(new Set(keys));
      const again = runs.filter(({ attempt }) => attempt > 1);
      expect(again.length).toBeLessThanOrEqual(6); // three at a time, and three whose end was not written down yet
      // No attempt ran twice, and a second one is the survivor's; a first one may have died before its first row.
      expect(new Set(runs.map(({ key, attempt }) => `${key} ${attempt}`)).size).toBe(runs.length);
      expect(runs.length).toBeLessThanOrEqual(200 + again.length);
      expect(new Set(again.map(({ pid }) => pid))).toEqual(new Set(again.length > 0 ? [process.pid] : []));
    },
  );
});

test(
  "a named queue stays serial with two control planes, also when one is killed",
  { timeout: 60_000 },
  async () => {
    const child = await startProcess();
    await start();
    for (let n = 0; n < 30; n++)
      await enqueue(db.pool, "test.wait", { key: `serial ${n}`, ms: 60 }, { queue: "one" });
    await eventually(
      () => rows("select from internal.test_runs where pid = $1 and ended is not null", [child.pid]),
      (found) => found.length > 2,
    );
    await kill(child);
    expect(await eventually(waiting, (found) => found.length === 0, 20_000)).toEqual([]);
    const overlapping = await rows(
      `select from internal.test_runs a join internal.test_runs b
       on a.id < b.id and a.ended is not null and b.began < a.ended`,
    );
    expect(overlapping).toEqual([]);
    const [{ ms }] = await rows(
      "select extract(epoch from max(ended) - min(began)) * 1000 as ms from internal.test_runs",
    );
    expect(Number(ms)).toBeLessThan(30 * 60 + 4000 + 3000); // one follows the other at once, besides the take-over
    const finished = await rows("select distinct key from internal.test_runs where ended is not null");
    expect(finished).toHaveLength(30);
  },
);

describe("losing the lock connection", () => {
  const cut = () =>
    db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'pilothouse control plane' and datname = current_database()`,
    );

  test(
    "stops taking jobs, tells what runs to stop, and goes on under a new pool",
    { timeout: 30_000 },
    async () => {
      const plane = await start();
      const [before] = await eventually(poolsOf, (pools) => pools.length === 1);
      await plane.enqueue("test.wait", { key: "cut", ms: 20_000 });
      await eventually(
        () => runsOf("cut"),
        (found) => found.length === 1,
      );
      await cut();
      const after = await eventually(poolsOf, (pools) => pools.length === 1 && pools[0] !== before);
      expect(after).toEqual([expect.stringMatching(/^pool-/)]);
      expect(after[0]).not.toBe(before);
      await plane.enqueue("test.wait", { key: "next" });
      expect(
        await eventually(
          () => runsOf("next"),
          (found) => found.length === 1,
        ),
      ).toHaveLength(1);
      const again = await eventually(
        () => runsOf("cut"),
        (found) => found.length === 2,
      );
      expect(again.map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(plane.seen).toContainEqual(
        expect.objectContaining({ kind: "engine.failed", id: "test.wait", error: "told to stop" }),
      );
    },
  );

  test(
    "while it is away nothing is taken, though the rest of the database is there",
    { timeout: 30_000 },
    async () => {
      const plane = await start();
      await eventually(poolsOf, (pools) => pools.length === 1);
      const { rows: limits } = await db.pool.query("select lock_key from internal.control_planes");
      const thief = await db.pool.connect();
      // Whoever holds the lock in its stead keeps it from coming back.
      const stolen = thief.query("select pg_advisory_lock($1, $2)", [0x5048, limits[0].lock_key]);
      await new Promise((done) => setTimeout(done, 100));
      await cut();
      await stolen;
      await plane.enqueue("test.wait", { key: "away" });
      await new Promise((done) => setTimeout(done, 3000));
      expect(await runsOf("away")).toEqual([]);
      await thief.query("select pg_advisory_unlock($1, $2)", [0x5048, limits[0].lock_key]);
      thief.release();
      expect(
        await eventually(
          () => runsOf("away"),
          (found) => found.length === 1,
          12_000,
        ),
      ).toHaveLength(1);
    },
  );
});

test("a queue that is locked for no job is freed", { timeout: 30_000 }, async () => {
  const plane = await start();
  const [pool] = await eventually(poolsOf, (pools) => pools.length === 1);
  await db.pool.query(
    `insert into graphile_worker._private_job_queues (queue_name, locked_by, locked_at)
     values ('stuck', $1, now() - interval '1 minute')`,
    [pool],
  );
  await plane.enqueue("test.wait", { key: "stuck" }, { queue: "stuck" });
  expect(
    await eventually(
      () => runsOf("stuck"),
      (found) => found.length === 1,
    ),
  ).toHaveLength(1);
});
