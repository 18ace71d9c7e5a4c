/** The check engine against real PostgreSQL and real sockets: rows in, rows out. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  createCheckEngine,
  createCheckStore,
  syncCanaries,
  type CheckStore,
} from "#server/engines/checks/index.ts";
import type { Claim } from "#server/engines/checks/check.ts";
import { aCanary } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, aPort, aSilentPort, eventually, type Plane, type Target } from "./checks-support.ts";

let db: TestDatabase;
let port: Target;
let silent: Target;
const planes: Plane[] = [];
beforeAll(async () => {
  [db, port, silent] = await Promise.all([createDatabase(), aPort(), aSilentPort()]);
});
afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.end(0)));
  await db.pool.query(
    "delete from public.canaries; delete from public.job_history; delete from internal.control_planes",
  );
});
afterAll(async () => {
  port.close();
  silent.close();
  await db.drop();
});

const start = async (needs: Parameters<typeof aPlane>[1] = {}) => {
  const plane = await aPlane(db, needs);
  planes.push(plane);
  await plane.start();
  return plane;
};
const tcp = (name = "port") => ({ name, endpoint: `127.0.0.1:${port.port}` });
const hanging = (name = "hangs") => ({ name, url: `http://127.0.0.1:${silent.port}/` });
const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const checkOf = async (canary: string) =>
  (await rows("select * from public.checks where canary_id = $1", [canary]))[0];
const statusesOf = (check: string) =>
  rows("select * from public.check_statuses where check_id = $1 order by time", [check]);

test("a new canary is run within two seconds and all of it is written down", async () => {
  const plane = await start();
  const from = Date.now();
  const canary = await aCanary(db.pool, {
    labels: { app: "shop" },
    spec: {
      schedule: "@every 30s",
      severity: "high",
      tcp: [tcp()],
      http: [{ name: "odd", url: 7 }],
      pigeon: [{ name: "p" }],
    },
  });
  const checks = await eventually(
    () =>
      rows("select * from public.checks where canary_id = $1 and status is not null order by type", [canary]),
    (found) => found.length === 3,
  );
  expect(Date.now() - from).toBeLessThan(2500);
  expect(checks.map(({ type, status }) => [type, status])).toEqual([
    ["http", "unhealthy"],
    ["pigeon", "unhealthy"],
    ["tcp", "healthy"],
  ]);
  const [odd, pigeon, fine] = await Promise.all(
    checks.map((check) => statusesOf(check.id).then(([row]) => row)),
  );
  expect(odd).toMatchObject({
    status: false,
    invalid: true,
    error: "url: This field must be text",
    severity: "high",
  });
  expect(pigeon).toMatchObject({ status: false, invalid: true, error: "unknown check type pigeon" });
  expect(fine).toMatchObject({ status: true, invalid: false, error: null });
  const state = checks[2];
  expect(state.labels).toEqual({ app: "shop", high: "true" });
  expect(state.last_runtime).toEqual(fine.time);
  expect(state.next_runtime.getTime()).toBeGreaterThan(Date.now());
  expect(state.last_transition_time).not.toBeNull();
  const summary = await rows("select uptime, latency from public.check_summary where id = $1", [state.id]);
  expect(summary[0]).toMatchObject({ uptime: { passed: 1, failed: 0 }, latency: { p95: fine.duration } });
  expect(plane.seen.filter(({ kind }) => kind === "check.ran")).toHaveLength(3);
});

test("a flip moves the transition time, staying the same does not", async () => {
  await start();
  const target = await aPort();
  const canary = await aCanary(db.pool, {
    spec: { interval: 1, tcp: [{ name: "x", endpoint: `127.0.0.1:${target.port}` }] },
  });
  const healthy = await eventually(
    () => checkOf(canary),
    (check) => check?.status === "healthy",
  );
  await eventually(
    () => statusesOf(healthy.id),
    (found) => found.length >= 2,
  );
  expect((await checkOf(canary)).last_transition_time).toEqual(healthy.last_transition_time);
  target.close();
  const unhealthy = await eventually(
    () => checkOf(canary),
    (check) => check.status === "unhealthy",
  );
  expect(unhealthy.last_transition_time > healthy.last_transition_time).toBe(true);
  expect(
    await rows("select name from internal.event_queue where key = $1 and name = 'check.failed'", [
      healthy.id,
    ]),
  ).toHaveLength(1);
});

test("a schedule that cannot be read is said on the check, once, and mended by the canary", async () => {
  await start();
  const canary = await aCanary(db.pool, { spec: { schedule: "every minute", tcp: [tcp()] } });
  const check = await eventually(
    () => checkOf(canary),
    (found) => found?.status === "unhealthy",
  );
  expect(check.next_runtime).toBeNull();
  expect((await statusesOf(check.id)).map((row) => row.error)).toEqual([
    expect.stringMatching('^schedule "every minute": '),
  ]);
  await db.pool.query(
    'update public.canaries set spec = spec || \'{"schedule": "@every 1h"}\' where id = $1',
    [canary],
  );
  expect(
    await eventually(
      () => checkOf(canary),
      (found) => found.status === "healthy",
    ),
  ).toMatchObject({ status: "healthy" });
});

describe("several control planes", () => {
  test("share hundreds of instants and run each exactly once", async () => {
    await aCanary(db.pool, {
      spec: { schedule: "@every 1s", tcp: Array.from({ length: 60 }, (_, n) => tcp(`c${n}`)) },
    });
    await syncCanaries(db.pool, () => new Date());
    const claimed: { engine: number; id: string; instant: number }[] = [];
    const engines = await Promise.all(
      [0, 1, 2].map(async (n) => {
        const pool = new pg.Pool({ connectionString: db.url, max: 4 });
        pool.on("error", () => undefined);
        const owner = `engine ${n}`;
        await pool.query(
          "insert into internal.control_planes (id, lock_key, hostname, pid) values ($1, $2, 'h', 1)",
          [owner, -n - 1],
        );
        const store = createCheckStore(pool, { timeoutMs: 5000 });
        const watched: CheckStore = {
          ...store,
          async claim(request) {
            const answer = await store.claim(request);
            for (const { id, instant } of answer.claims)
              claimed.push({ engine: n, id, instant: instant.getTime() });
            return answer;
          },
        };
        const engine = createCheckEngine({
          store: watched,
          observe: () => undefined,
          resolveConnection: () => Promise.reject(new Error("none")),
        });
        let on = true;
        const loop = (async () => {
          while (on)
            await new Promise(
              (done) => void engine.tick(owner).then((ms) => setTimeout(done, Math.min(ms, 30))),
            );
        })();
        return async () => {
          on = false;
          await loop;
          await engine.drain(3000);
          await pool.end();
        };
      }),
    );
    await new Promise((done) => setTimeout(done, 6000));
    await Promise.all(engines.map((end) => end()));

    expect(claimed.length).toBeGreaterThan(300);
    expect(new Set(claimed.map(({ engine }) => engine)).size).toBeGreaterThan(1);
    expect(new Set(claimed.map(({ id, instant }) => `${id} ${instant}`)).size).toBe(claimed.length);
    const [{ n }] = await rows("select count(*)::int as n from public.check_statuses");
    expect(n).toBe(claimed.length);
    const byCheck = new Map<string, number[]>();
    for (const { id, instant } of claimed) byCheck.set(id, [...(byCheck.get(id) ?? []), instant]);
    for (const instants of byCheck.values()) {
      instants.sort((a, b) => a - b);
      // The first may be the "soon" of a new check; from then on they are whole seconds apart.
      for (let i = 2; i < instants.length; i++) expect((instants[i]! - instants[i - 1]!) % 1000).toBe(0);
    }
  });

  test("a claim taken from its owner stores nothing", async () => {
    await aCanary(db.pool, { spec: { schedule: "@every 1h", tcp: [tcp()] } });
    await syncCanaries(db.pool, () => new Date(Date.now() - 5000));
    await db.pool.query(
      "insert into internal.control_planes (id, lock_key, hostname, pid) values ('a', -1, 'h', 1)",
    );
    const store = createCheckStore(db.pool, { timeoutMs: 5000 });
    const { claims } = await store.claim({ owner: "a", now: new Date(), limit: 10, minMs: 1000 });
    const [claim] = claims as [Claim];
    const finished = {
      check: claim,
      claim,
      time: new Date(),
      ms: 5,
      outcome: { status: "healthy" as const },
      dueAfter: null,
    };
    await store.interrupt([claim], "for the test");
    await store.save([finished]);
    await store.interrupt([claim], "again");
    expect(await statusesOf(claim.id)).toEqual([]);
    expect(await rows("select status from public.job_history")).toEqual([{ status: "STOPPED" }]);
    expect(await store.claim({ owner: "nobody", now: new Date(), limit: 10, minMs: 1000 })).toMatchObject({
      claims: [],
    });
  });

  test("what a killed control plane was running is recorded as interrupted, once, and goes on elsewhere", async () => {
    const canary = await aCanary(db.pool, {
      name: "slow",
      spec: { schedule: "@every 2s", http: [hanging("one"), hanging("two")] },
    });
    const file = fileURLToPath(new URL("fixtures/engine-process.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", file, db.url], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    await eventually(
      () => rows("select claimed_by from internal.check_state where claimed_by is not null"),
      (found) => found.length === 2,
      20_000,
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    const others = await Promise.all([
      start({ limits: { timeoutMs: 300 } }),
      start({ limits: { timeoutMs: 300 } }),
    ]);
    const jobs = await eventually(
      () => rows("select * from public.job_history where resource_type = 'canary' and status = 'STOPPED'"),
      (found) => found.length >= 2,
    );
    expect(jobs).toHaveLength(2);
    expect(jobs[0]).toMatchObject({ name: "Canary", resource_id: canary, error_count: 1 });
    expect(jobs.map((job) => job.details.errors[0]).sort()).toEqual([
      "http check one was interrupted: its control plane is gone",
      "http check two was interrupted: its control plane is gone",
    ]);
    const check = await checkOf(canary);
    await eventually(
      () => statusesOf(check.id),
      (found) => found.length > 0,
    );
    expect((await statusesOf(check.id))[0]).toMatchObject({ status: false, error: "timed out after 0.3 s" });
    expect(await rows("select * from public.job_history where status = 'STOPPED'")).toHaveLength(2);
    expect(
      others.flatMap(({ seen }) => seen).filter(({ kind }) => kind === "check.interrupted"),
    ).toHaveLength(2);
    expect(await rows("select id from internal.control_planes")).toHaveLength(2);
  }, 60_000);

  test("one that loses its connection takes no claims, and comes back by itself", async () => {
    const plane = await start();
    const canary = await aCanary(db.pool, { spec: { interval: 1, tcp: [tcp()] } });
    const check = await eventually(
      () => checkOf(canary),
      (found) => found?.status === "healthy",
    );
    await db.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pilothouse control plane' and datname = current_database()",
    );
    const before = (await statusesOf(check.id)).length;
    const after = await eventually(
      () => statusesOf(check.id),
      (found) => found.length >= before + 3,
    );
    expect(after.length).toBeGreaterThanOrEqual(before + 3);
    expect(plane.seen.some((seen) => seen.kind === "database" && /was lost/.test(seen.message))).toBe(true);
    expect(await rows("select * from public.job_history where status = 'STOPPED'")).toEqual([]);
  });
});

test("a claim whose answer was lost with the database is given back at the next turn", async () => {
  const canary = await aCanary(db.pool, { spec: { schedule: "@every 1s", tcp: [tcp()] } });
  await syncCanaries(db.pool, () => new Date(Date.now() - 5000));
  await db.pool.query(
    "insert into internal.control_planes (id, lock_key, hostname, pid) values ('a', -1, 'h', 1)",
  );
  const store = createCheckStore(db.pool, { timeoutMs: 5000 });
  let lose = true;
  const engine = createCheckEngine({
    observe: () => undefined,
    resolveConnection: () => Promise.reject(new Error("none")),
    store: {
      ...store,
      async claim(request) {
        const answer = await store.claim(request);
        if (lose) throw new Error("Connection terminated unexpectedly");
        return answer;
      },
    },
  });
  await expect(engine.tick("a")).rejects.toThrow("terminated");
  lose = false;
  const check = await eventually(
    async () => {
      await engine.tick("a");
      return checkOf(canary);
    },
    (found) => found.status === "healthy",
  );
  await engine.drain(1000);
  expect(check.status).toBe("healthy");
  expect(await rows("select details -> 'errors' ->> 0 as error from public.job_history")).toEqual([
    { error: "tcp check port was interrupted: the database went away while it was claimed" },
  ]);
});

test("a database that is slow to store delays no run", async () => {
  await aCanary(db.pool, {
    spec: { schedule: "@every 1h", tcp: Array.from({ length: 6 }, (_, n) => tcp(`c${n}`)) },
  });
  await syncCanaries(db.pool, () => new Date(Date.now() - 5000));
  await db.pool.query(
    "insert into internal.control_planes (id, lock_key, hostname, pid) values ('a', -1, 'h', 1)",
  );
  const store = createCheckStore(db.pool, { timeoutMs: 5000 });
  let answer: () => void = () => undefined;
  const stored = new Promise<void>((done) => (answer = done));
  const claimed: number[] = [];
  const engine = createCheckEngine({
    observe: () => undefined,
    resolveConnection: () => Promise.reject(new Error("none")),
    limits: { concurrency: 2 },
    store: {
      ...store,
      async claim(request) {
        const found = await store.claim(request);
        claimed.push(found.claims.length);
        return found;
      },
      save: (results) => stored.then(() => store.save(results)),
    },
  });
  await eventually(
    () => engine.tick("a").then(() => claimed.reduce((sum, n) => sum + n, 0)),
    (n) => n === 6,
  );
  expect(Math.max(...claimed)).toBe(2); // no more than two at a time
  expect(claimed.reduce((sum, n) => sum + n, 0)).toBe(6);
  answer();
  await engine.drain(3000);
  expect(await rows("select count(*)::int as n from public.check_statuses")).toEqual([{ n: 6 }]);
});

describe("stopping", () => {
  test("a run that ends in time is stored, one that does not is recorded as interrupted, and claims are given back", async () => {
    const slow = await aSlowPort(1000);
    const plane = await start();
    const canary = await aCanary(db.pool, {
      spec: {
        schedule: "@every 1h",
        http: [{ name: "slow", url: `http://127.0.0.1:${slow.port}/` }, hanging()],
      },
    });
    await eventually(
      () => Promise.resolve(plane.checks.running()),
      (n) => n === 2,
    );
    planes.splice(planes.indexOf(plane), 1);
    const from = Date.now();
    await plane.end(2500);
    slow.close();
    expect(Date.now() - from).toBeLessThan(5000);
    const checks = await rows(
      "select id, name, status, next_runtime from public.checks where canary_id = $1 order by name",
      [canary],
    );
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ["hangs", null],
      ["slow", "healthy"],
    ]);
    expect(await statusesOf(checks[0].id)).toEqual([]);
    expect(checks[0].next_runtime.getTime()).toBeGreaterThan(Date.now());
    expect(
      await rows("select resource_id, details from public.job_history where status = 'STOPPED'"),
    ).toEqual([
      {
        resource_id: canary,
        details: expect.objectContaining({
          check_id: checks[0].id,
          errors: ["http check hangs was interrupted: the control plane stopped"],
        }),
      },
    ]);
    expect(await rows("select from internal.check_state where claimed_by is not null")).toEqual([]);
    expect(await rows("select from internal.control_planes")).toEqual([]);
  });
});

describe("Run Now", () => {
  test("runs whatever the schedule says, stores the result, and leaves the next instant alone", async () => {
    const plane = await start();
    const canary = await aCanary(db.pool, { spec: { tcp: [tcp()] } });
    const check = await eventually(
      () => checkOf(canary),
      (found) => found !== undefined,
    );
    expect(check.next_runtime).toBeNull();
    const run = await plane.checks.run(check.id);
    expect(run).toMatchObject({ outcome: { status: "healthy" }, check: { name: "port", canaryId: canary } });
    expect(await statusesOf(check.id)).toMatchObject([{ status: true, time: run!.time, duration: run!.ms }]);
    expect(await checkOf(canary)).toMatchObject({
      status: "healthy",
      next_runtime: null,
      last_runtime: run!.time,
    });
  });

  test("asked twice at once it runs once; of a check that is not there it says so; too many are refused", async () => {
    const plane = await start({ limits: { timeoutMs: 400, runNow: 2 } });
    const canary = await aCanary(db.pool, { spec: { http: [hanging("a"), hanging("b"), hanging("c")] } });
    const ids = await eventually(
      async () =>
        (await rows("select id from public.checks where canary_id = $1", [canary])).map(({ id }) => id),
      (found) => found.length === 3,
    );
    const [one, same] = [plane.checks.run(ids[0]), plane.checks.run(ids[0])];
    await plane.checks.run(ids[1]).then(
      () => undefined,
      () => undefined,
    );
    expect(await one).toEqual(await same);
    expect(await statusesOf(ids[0])).toHaveLength(1);
    const all = await Promise.allSettled(ids.map((id) => plane.checks.run(id)));
    expect(all.filter((result) => result.status === "rejected").map(({ reason }) => reason.message)).toEqual([
      "Too many checks are being run by hand, try again in a moment",
    ]);
    expect(await plane.checks.run("00000000-0000-4000-8000-000000000000")).toBeNull();
  });

  test("an older result never overwrites the state of a newer one", async () => {
    const plane = await start();
    const canary = await aCanary(db.pool, { spec: { tcp: [tcp()] } });
    const check = await eventually(
      () => checkOf(canary),
      (found) => found !== undefined,
    );
    await plane.checks.run(check.id);
    const store = createCheckStore(db.pool, { timeoutMs: 1000 });
    const runnable = (await store.load(check.id))!;
    const old = {
      check: runnable,
      claim: null,
      time: new Date(Date.now() - 60_000),
      ms: 1,
      outcome: { status: "unhealthy" as const, error: "old \0 \ud800 text" },
      dueAfter: null,
    };
    await store.save([old, { ...old, time: new Date(Date.now() - 50_000) }]);
    expect(await checkOf(canary)).toMatchObject({ status: "healthy" });
    expect((await statusesOf(check.id)).map(({ error }) => error)).toEqual([
      "old   text",
      "old   text",
      null,
    ]);
  });
});

test("property check.interval.min holds dense schedules apart", async () => {
  await db.pool.query("insert into public.properties (name, value) values ('check.interval.min', '3s')");
  await start();
  const canary = await aCanary(db.pool, { spec: { schedule: "@every 1s", tcp: [tcp()] } });
  const check = await eventually(
    () => checkOf(canary),
    (found) => found?.status === "healthy",
  );
  await new Promise((done) => setTimeout(done, 4500));
  const times = (await statusesOf(check.id)).map(({ time }) => time.getTime());
  expect(times.length).toBeLessThanOrEqual(3);
  await db.pool.query("delete from public.properties");
});

test("check.disabled.<type> and check.*.disabled stop runs by schedule, not by hand", async () => {
  await db.pool.query("insert into public.properties (name, value) values ('check.disabled.tcp', 'true')");
  const plane = await start();
  const canary = await aCanary(db.pool, {
    spec: { schedule: "@every 1s", tcp: [tcp()], exec: [{ name: "e", script: "true" }] },
  });
  const ran = () => plane.seen.flatMap((seen) => (seen.kind === "check.ran" ? [seen.id] : []));
  await eventually(
    () => Promise.resolve(ran()),
    (ids) => ids.length >= 2,
  );
  const [exec, port] = await rows("select id from public.checks where canary_id = $1 order by type", [
    canary,
  ]);
  expect(ran()).not.toContain(port.id);
  expect(await plane.checks.run(port.id)).toMatchObject({ outcome: { status: "healthy" } });

  await db.pool.query("insert into public.properties (name, value) values ('check.*.disabled', 'on')");
  await new Promise((done) => setTimeout(done, 3500));
  const before = ran().length;
  await new Promise((done) => setTimeout(done, 2000));
  expect(ran()).toHaveLength(before);
  await db.pool.query("delete from public.properties");
  await eventually(
    () => Promise.resolve(ran().slice(before)),
    (ids) => ids.includes(exec.id) && ids.includes(port.id),
  );
});

test("a type that nobody runs here stays unknown, and says why when it is run by hand", async () => {
  const plane = await start();
  const canary = await aCanary(db.pool, { spec: { schedule: "@every 1s", kubernetes: [{ name: "pods" }] } });
  const [check] = await eventually(
    () => rows("select * from public.checks where canary_id = $1", [canary]),
    (found) => found.length === 1,
  );
  await expect(plane.checks.run(check.id)).rejects.toThrow("This version does not run Kubernetes checks.");
  await new Promise((done) => setTimeout(done, 1500));
  expect(await rows("select status, next_runtime from public.checks where id = $1", [check.id])).toEqual([
    { status: null, next_runtime: null },
  ]);
  expect(await statusesOf(check.id)).toEqual([]);
});

async function aSlowPort(ms: number): Promise<Target> {
  const target = await aPort();
  target.server.removeAllListeners("connection");
  target.server.on("connection", (socket) => {
    setTimeout(() => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"), ms);
  });
  return target;
}
