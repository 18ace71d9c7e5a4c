/** Canaries and their checks: appearing, changing, going and coming back; the product's own; connections. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  createResolveConnection,
  ensureSelfCanaries,
  syncAll,
  syncCanaries,
  type SelfTargets,
} from "#server/engines/checks/index.ts";
import { createLookUp } from "#server/engines/references.ts";
import { aCanary, aCheck, aCheckStatus, aConnection, anAgent } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, aPort, eventually } from "./checks-support.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterEach(() =>
  db.pool.query(
    "delete from public.canaries; delete from public.job_history; delete from internal.canaries_to_sync",
  ),
);
afterAll(() => db.drop());

const now = () => new Date();
const sync = () => syncCanaries(db.pool, now);
const http = (name: string, more: object = {}) => ({ name, url: "http://127.0.0.1:1/", ...more });
const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const checksOf = (canary: string) =>
  rows("select * from public.checks where canary_id = $1 order by name", [canary]);
const setSpec = (canary: string, spec: object) =>
  db.pool.query("update public.canaries set spec = $2 where id = $1", [canary, JSON.stringify(spec)]);

describe("checks follow their canary", () => {
  test("entries appear, change, go and come back with their history", async () => {
    const canary = await aCanary(db.pool, { spec: { interval: 60, http: [http("a"), http("b")] } });
    await sync();
    const [a, b] = await checksOf(canary);
    expect([a.name, b.name, a.deleted_at, a.type]).toEqual(["a", "b", null, "http"]);
    await aCheckStatus(db.pool, b.id);

    await setSpec(canary, { interval: 60, http: [http("a", { description: "front" })] });
    await sync();
    const [a2, gone] = await checksOf(canary);
    expect(a2).toMatchObject({ id: a.id, description: "front", deleted_at: null });
    expect(gone).toMatchObject({ id: b.id, next_runtime: null });
    expect(gone.deleted_at).not.toBeNull();

    await setSpec(canary, { interval: 60, http: [http("a"), http("b")] });
    await sync();
    const [, back] = await checksOf(canary);
    expect(back).toMatchObject({ id: b.id, deleted_at: null });
    expect(back.next_runtime.getTime() - Date.now()).toBeLessThan(1000);
    expect(await rows("select from public.check_statuses where check_id = $1", [b.id])).toHaveLength(1);
  });

  test("what did not change keeps its instant and its version; what did runs at once", async () => {
    const canary = await aCanary(db.pool, { spec: { schedule: "@every 1h", http: [http("a"), http("b")] } });
    await sync();
    const later = new Date(Date.now() + 1_000_000);
    await db.pool.query("update internal.check_state set next_runtime = $1", [later]);
    const [before] = await checksOf(canary);
    await setSpec(canary, { schedule: "@every 1h", http: [http("a"), http("b", { icon: "x" })] });
    await sync();
    const [a, b] = await checksOf(canary);
    expect([a.next_runtime <= later, a.updated_at]).toEqual([true, before.updated_at]);
    expect(b.next_runtime.getTime()).toBeLessThan(Date.now() + 1000);
  });

  test("a denser schedule counts at once, none at all stops the runs", async () => {
    const canary = await aCanary(db.pool, { spec: { schedule: "@every 1h", http: [http("a")] } });
    await sync();
    await db.pool.query("update internal.check_state set next_runtime = now() + interval '50 minutes'");
    await setSpec(canary, { schedule: "@every 30s", http: [http("a")] });
    await sync();
    expect((await checksOf(canary))[0].next_runtime.getTime()).toBeLessThan(Date.now() + 30_001);
    await setSpec(canary, { http: [http("a")] });
    await sync();
    expect(await checksOf(canary)).toMatchObject([{ next_runtime: null, deleted_at: null }]);
  });

  test("suspending stops the runs and keeps the checks; resuming runs them at once", async () => {
    const canary = await aCanary(db.pool, { spec: { interval: 60, http: [http("a")] } });
    await sync();
    await db.pool.query('update public.canaries set annotations = \'{"suspend": "true"}\' where id = $1', [
      canary,
    ]);
    await sync();
    expect(await checksOf(canary)).toMatchObject([{ next_runtime: null, deleted_at: null }]);
    await db.pool.query("update public.canaries set annotations = null where id = $1", [canary]);
    await sync();
    expect((await checksOf(canary))[0].next_runtime.getTime()).toBeLessThan(Date.now() + 1000);
  });

  test("a deleted canary's checks are gone, and run no more", async () => {
    const canary = await aCanary(db.pool, { spec: { interval: 60, http: [http("a")] } });
    await sync();
    await db.pool.query("update public.canaries set deleted_at = now() where id = $1", [canary]);
    await sync();
    const [check] = await checksOf(canary);
    expect([check.deleted_at === null, check.next_runtime]).toEqual([false, null]);
  });

  test("canaries of agents are theirs", async () => {
    const canary = await aCanary(db.pool, {
      agent_id: await anAgent(db.pool),
      spec: { interval: 60, http: [http("a")] },
    });
    await sync();
    await syncAll(db.pool);
    await sync();
    expect(await checksOf(canary)).toEqual([]);
  });

  test("a check that somebody pushed has no entry, and stays", async () => {
    const canary = await aCanary(db.pool, { spec: { interval: 60, http: [http("a")] } });
    const pushed = await aCheck(db.pool, { canary_id: canary, name: "pushed" });
    await sync();
    expect(await rows("select deleted_at from public.checks where id = $1", [pushed])).toEqual([
      { deleted_at: null },
    ]);
  });

  test("two control planes that sync at once do each canary once", async () => {
    const ids = await Promise.all(
      Array.from({ length: 250 }, () =>
        aCanary(db.pool, { spec: { interval: 60, http: [http("a"), http("b")] } }),
      ),
    );
    const counts = await Promise.all([sync(), sync(), sync()]);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(250);
    const [{ n }] = await rows("select count(*)::int as n from public.checks where canary_id = any ($1)", [
      ids,
    ]);
    expect(n).toBe(500);
    expect(await sync()).toBe(0);
  });

  test("a change that is not about the checks is not looked at", async () => {
    const canary = await aCanary(db.pool);
    await sync();
    await db.pool.query("update public.canaries set is_pushed = true where id = $1", [canary]);
    expect(await rows("select from internal.canaries_to_sync")).toEqual([]);
  });
});

describe("checks that are not entries", () => {
  test("with resultMode junit the whole canary is one check, and its parts come and go with the mode", async () => {
    const spec = { interval: 60, http: [http("a")], tcp: [{ name: "b", endpoint: "127.0.0.1:1" }] };
    const canary = await aCanary(db.pool, { name: "suite", spec: { ...spec, resultMode: "junit" } });
    await sync();
    expect(await checksOf(canary)).toMatchObject([
      { type: "junit", name: "suite", spec: { resultMode: "junit" } },
    ]);
    expect((await checksOf(canary))[0].next_runtime).not.toBeNull();
    await setSpec(canary, spec);
    await sync();
    const live = (await checksOf(canary)).filter(({ deleted_at }) => deleted_at === null);
    expect(live.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("a webhook is a check without a schedule, and its token is nowhere but in its canary", async () => {
    const canary = await aCanary(db.pool, {
      spec: { interval: 60, webhook: { name: "hook", token: "hush" } },
    });
    await sync();
    expect(await checksOf(canary)).toMatchObject([
      { type: "webhook", name: "hook", spec: { name: "hook" }, next_runtime: null, deleted_at: null },
    ]);
    expect(JSON.stringify(await checksOf(canary))).not.toContain("hush");
  });
});

test("labels that a run found lie under the canary's, and are replaced by the next run's", async () => {
  let found: object = {};
  const server = createServer((_, response) => {
    const result = [{ metric: found, value: [0, "1"] }];
    response.end(JSON.stringify({ data: { resultType: "vector", result } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const check = {
    name: "up",
    url: `http://127.0.0.1:${port}`,
    query: "up",
    labels: { team: "mine", tier: "1" },
  };
  const canary = await aCanary(db.pool, { spec: { prometheus: [check] } });
  await sync();
  const plane = await aPlane(db);
  const labelsAfterRun = async (labels: object) => {
    found = labels;
    await plane.checks.run((await checksOf(canary))[0].id);
    return (await checksOf(canary))[0].labels;
  };
  const all = { job: "node", team: "mine", tier: "1" };
  expect(await labelsAfterRun({ __name__: "up", job: "node", team: "theirs" })).toEqual(all);

  const written = async () =>
    (await rows("select updated_at from internal.checks where canary_id = $1", [canary]))[0];
  const before = await written();
  await syncAll(db.pool);
  await sync();
  expect((await checksOf(canary))[0].labels).toEqual(all);
  expect(await labelsAfterRun({ job: "node", team: "theirs" })).toEqual(all);
  expect(await written()).toEqual(before);

  expect(await labelsAfterRun({ zone: "a" })).toEqual({ zone: "a", team: "mine", tier: "1" });
  await setSpec(canary, { prometheus: [{ ...check, labels: { zone: "b" } }] });
  await sync();
  expect((await checksOf(canary))[0].labels).toEqual({ zone: "b" });
  expect(await labelsAfterRun({ zone: "a", job: "x" })).toEqual({ zone: "b", job: "x" });
  await plane.end();
  server.close();
});

describe("transformed checks", () => {
  const names = (n: string) =>
    `[${n}].map(n, {'name': n, 'pass': n != 'bad', 'message': 'is ' + n, 'duration': 5, 'icon': 'bell'})`;
  const parent = (expr: string, more: object = {}) => ({
    name: "parent",
    script: "true",
    labels: { team: "one" },
    transform: { expr },
    ...more,
  });
  async function after(canary: string, spec: object, parentId?: string) {
    await setSpec(canary, { severity: "high", exec: [spec] });
    await sync();
    const id = parentId ?? (await checksOf(canary)).find(({ name }) => name === "parent").id;
    const plane = await aPlane(db);
    await plane.checks.run(id);
    await plane.end();
    return (await checksOf(canary)).map(({ name, status, deleted_at, transformed, next_runtime }) =>
      [name, status, deleted_at === null ? "live" : "gone", transformed, next_runtime].join(" ").trim(),
    );
  }

  test("are rows with a status and no schedule, and go when they are missing", async () => {
    const canary = await aCanary(db.pool, { spec: {} });
    expect(await after(canary, parent(names("'good', 'bad'")))).toEqual([
      "bad unhealthy live true",
      "good healthy live true",
      "parent healthy live",
    ]);
    const [bad] = await checksOf(canary);
    expect(bad).toMatchObject({
      type: "exec",
      namespace: "default",
      icon: "bell",
      severity: "high",
      labels: { team: "one" },
      spec: null,
    });
    expect(
      await rows("select status, message, duration from public.check_statuses where check_id = $1", [bad.id]),
    ).toEqual([{ status: false, message: "is bad", duration: 5 }]);
    const [, , own] = await rows(
      "select name, details from public.check_statuses join public.checks on id = check_id where canary_id = $1 order by name",
      [canary],
    );
    expect(own).toEqual({ name: "parent", details: null });

    expect(await after(canary, parent(names("'good', 'new'")))).toEqual([
      "bad unhealthy gone true",
      "good healthy live true",
      "new healthy live true",
      "parent healthy live",
    ]);
    // Nothing at all may mean that the source is away: nothing is deleted.
    expect(await after(canary, parent("[]"))).toContain("good healthy live true");
    expect(await after(canary, parent(names("'bad'")))).toEqual([
      "bad unhealthy live true",
      "good healthy gone true",
      "new healthy gone true",
      "parent healthy live",
    ]);
  });

  test.each([
    ["MarkHealthy", "bad healthy gone true"],
    ["MarkUnhealthy", "bad unhealthy gone true"],
    ["Ignore", "bad unhealthy live true"],
  ])("with %s one that is missing ends as %s", async (transformDeleteStrategy, end) => {
    const canary = await aCanary(db.pool, { spec: {} });
    await after(canary, parent(names("'good', 'bad'"), { transformDeleteStrategy }));
    expect((await after(canary, parent(names("'good'"), { transformDeleteStrategy })))[0]).toBe(end);
  });

  test("go with their parent, say themselves that they are gone, and never take an entry's place", async () => {
    const canary = await aCanary(db.pool, { spec: {} });
    const deleting = "[{'name': 'a', 'pass': true}, {'name': 'b', 'deletedAt': '2024-01-01T00:00:00Z'}]";
    expect(await after(canary, parent(deleting))).toEqual([
      "a healthy live true",
      "b  gone true",
      "parent healthy live",
    ]);
    await setSpec(canary, { exec: [{ name: "a", script: "exit 1" }] });
    await sync();
    const [a, , gone] = await checksOf(canary);
    expect([a.name, a.transformed, a.deleted_at]).toEqual(["a", null, null]);
    expect(gone.deleted_at).not.toBeNull();

    await setSpec(canary, {
      exec: [{ name: "a", script: "exit 1" }, parent(deleting), { name: "c", script: "true" }],
    });
    await sync();
    const plane = await aPlane(db);
    for (const { id, name } of await checksOf(canary)) if (name !== "b") await plane.checks.run(id);
    await plane.end();
    expect((await checksOf(canary))[0]).toMatchObject({ name: "a", status: "unhealthy", transformed: null });
  });

  test("are run by running what they come from", async () => {
    const canary = await aCanary(db.pool, { spec: {} });
    await after(canary, parent(names("'good'")));
    const [{ id }] = await checksOf(canary);
    const plane = await aPlane(db);
    expect((await plane.checks.run(id))!.check.name).toBe("parent");
    await plane.end();
    expect(await rows("select status from public.check_statuses where check_id = $1", [id])).toEqual([
      { status: true },
      { status: true },
    ]);
  });

  test("an expression sees the last stored result", async () => {
    const canary = await aCanary(db.pool, { spec: {} });
    const display = { expr: "last_result().?results.stdout.orValue('first') + ' then ' + results.stdout" };
    const spec = { name: "parent", script: "echo now", display };
    await after(canary, spec);
    await after(canary, spec);
    const [{ id }] = await checksOf(canary);
    expect(
      await rows("select message from public.check_statuses where check_id = $1 order by time", [id]),
    ).toEqual([{ message: "first then now" }, { message: "now then now" }]);
  });
});

describe("the product's own canaries", () => {
  const targets = (port: number): SelfTargets => ({
    webUrl: `http://127.0.0.1:${port}`,
    apiUrl: `http://127.0.0.1:${port + 1}`,
    database: { host: "127.0.0.1", port: 5432 },
    dataFolder: "/tmp",
  });
  const own = () => rows("select * from public.canaries where namespace = 'pilothouse' order by name");

  test("are made once, by whichever starts first, and kept in step", async () => {
    await Promise.all([1, 2, 3].map(() => ensureSelfCanaries(db.pool, targets(3000), now())));
    const before = await own();
    expect(before.map(({ name, source }) => [name, source])).toEqual([
      ["pilothouse-api", "ConfigFile"],
      ["pilothouse-data", "ConfigFile"],
      ["pilothouse-database", "ConfigFile"],
      ["pilothouse-web", "ConfigFile"],
    ]);
    await ensureSelfCanaries(db.pool, targets(4000), now());
    const after = await own();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[3].spec.http[0].url).toBe("http://127.0.0.1:4000/api/_health");
    expect(
      await rows(
        "select type, count(*)::int as n from public.checks where namespace = 'pilothouse' group by 1 order by 1",
      ),
    ).toEqual([
      { type: "folder", n: 1 },
      { type: "http", n: 3 },
      { type: "postgres", n: 1 },
      { type: "tcp", n: 1 },
    ]);
  });

  test("a suspended one stays suspended, a deleted one deleted, and what another start watches is left alone", async () => {
    await ensureSelfCanaries(db.pool, targets(3000), now());
    await db.pool.query(
      "update public.canaries set annotations = '{\"suspend\": \"true\"}' where name = 'pilothouse-web'",
    );
    await db.pool.query("update public.canaries set deleted_at = now() where name = 'pilothouse-api'");
    await ensureSelfCanaries(
      db.pool,
      { ...targets(4000), database: undefined, dataFolder: undefined },
      now(),
    );
    const live = (await own()).filter(({ deleted_at }) => deleted_at === null);
    expect(live.map(({ name, annotations }) => [name, annotations])).toEqual([
      ["pilothouse-data", null],
      ["pilothouse-database", null],
      ["pilothouse-web", { suspend: "true" }],
    ]);
    expect(await rows("select next_runtime from public.checks where name = 'web'")).toEqual([
      { next_runtime: null },
    ]);
  });

  test("have results soon, over a connection whose password is nowhere to be read", async () => {
    const web = await aPort();
    const { hostname, port, password } = new URL(db.url);
    const plane = await aPlane(db, { self: { database: { host: hostname, port: Number(port) } } });
    await plane.start();
    const checks = await eventually(
      () =>
        rows(
          "select type, status from public.checks where status is not null and deleted_at is null order by type",
        ),
      (found) => found.length === 2,
    );
    expect(checks).toEqual([
      { type: "postgres", status: "healthy" },
      { type: "tcp", status: "healthy" },
    ]);
    const [{ text }] = await rows(
      `select concat((select json_agg(c) from public.canaries c), (select json_agg(c) from public.checks c),
         (select json_agg(s) from public.check_statuses s), (select json_agg(j) from public.job_history j)) as text`,
    );
    expect(text).toContain("connection://pilothouse/self");
    expect(text).not.toContain(password);
    await plane.end();
    web.close();
  });
});

describe("connections", () => {
  const key = "a key of at least thirty-two characters";
  const stored = async (row: object) => {
    const client = await db.pool.connect();
    await client.query("select set_config('app.settings.pilothouse_key', $1, false)", [key]);
    const id = await aConnection(client, { ...row });
    await client.query("select set_config('app.settings.pilothouse_key', '', false)");
    client.release();
    return id;
  };
  const resolve = (reference: string, asker = { type: "postgres", namespace: "default" }) =>
    createResolveConnection({ pool: db.pool, key, selfUrl: "postgres://self", lookUp })(reference, asker);
  const lookUp = createLookUp({
    folder: null,
    variables: {
      PH_SECRET_DB_PASSWORD: "from outside",
      PH_SECRET_DB_URL: "http://$(username)@there/{{.name}}",
    },
  });

  test("are found by namespace and name, by name, and by id, with their secrets filled in", async () => {
    const id = await stored({
      name: "orders",
      namespace: "shop",
      type: "postgres",
      url: "postgres://$(username):$(password)@$(properties.host)/orders",
      username: "me",
      password: "p@ss/word",
      properties: { host: "db.example" },
    });
    const expected = {
      url: "postgres://me:p%40ss%2Fword@db.example/orders",
      username: "me",
      password: "p@ss/word",
    };
    const inShop = { type: "postgres", namespace: "shop" };
    expect(await resolve("connection://shop/orders")).toMatchObject(expected);
    expect(await resolve("connection://orders", inShop)).toMatchObject(expected);
    expect(await resolve("connection://postgres/orders", inShop)).toMatchObject(expected);
    expect(await resolve("connection://postgres/shop/orders")).toMatchObject(expected);
    expect(await resolve(id)).toMatchObject(expected);
    await expect(resolve("connection://http/shop/orders")).rejects.toThrow("was not found");
    expect(JSON.stringify(await rows("select * from public.connections"))).not.toContain("p@ss");
  });

  test("a password inside the url is put back where it was", async () => {
    await stored({ name: "inline", type: "postgres", url: "postgres://me:p%40ss@db/x" });
    expect(await resolve("connection://inline")).toMatchObject({ url: "postgres://me:p%40ss@db/x" });
  });

  test("hands over certificate, properties, type and TLS; secret properties are named as such", async () => {
    await stored({
      name: "bucket",
      type: "aws",
      username: "key",
      certificate: "PEM",
      properties: { region: "eu-west-1", apiToken: "hidden", path: "/{{ .username }}/$(namespace)" },
      insecure_tls: false,
    });
    expect(await resolve("connection://bucket")).toEqual({
      url: "",
      type: "aws",
      username: "key",
      certificate: "PEM",
      properties: { region: "eu-west-1", apiToken: "hidden", path: "/key/default" },
      insecureTls: false,
      secrets: ["hidden"],
    });
  });

  test("what a connection only refers to is looked up, and a missing one is named", async () => {
    await stored({
      name: "referring",
      type: "http",
      url: "secret://db/url",
      username: "me",
      password: "secret://db/password",
    });
    expect(await resolve("connection://referring")).toMatchObject({
      url: "http://me@there/referring",
      password: "from outside",
      secrets: ["from outside", "http://$(username)@there/{{.name}}"],
    });
    await stored({ name: "lost", type: "http", url: "http://x", password: "secret://db/nothing" });
    await expect(resolve("connection://lost")).rejects.toThrow(
      "connection connection://lost: password: secret db/nothing was not found",
    );
  });

  test("an address is its own connection", async () => {
    expect(await resolve("postgres://me:pass@db/x")).toEqual({
      url: "postgres://me:pass@db/x",
      secrets: [],
    });
    expect(await resolve("secret://db/password")).toEqual({ url: "from outside", secrets: ["from outside"] });
  });

  test("one that is not there, deleted or oddly named is an error with a sentence", async () => {
    await stored({ name: "old", type: "http", url: "http://x", deleted_at: new Date() });
    await expect(resolve("connection://default/old")).rejects.toThrow(
      "connection connection://default/old was not found",
    );
    await expect(resolve("orders")).rejects.toThrow(
      'connection "orders" must be connection://<namespace>/<name>',
    );
  });

  test("the product's own is for postgres checks, and for nothing but SELECT 1", async () => {
    expect(await resolve("connection://pilothouse/self")).toEqual({ url: "postgres://self", pingOnly: true });
    await expect(
      resolve("connection://pilothouse/self", { type: "http", namespace: "pilothouse" }),
    ).rejects.toThrow("for postgres checks only");
  });
});
