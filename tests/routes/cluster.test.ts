/** Two control planes and two webs as processes of their own on one database: the work is shared, the sessions too. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "#server/db/ports.ts";
import { readMigrations } from "#server/db/migrate.ts";
import { aCanary } from "#tests/support/builders.ts";
import { debianPostgres, startDebianPostgres } from "#tests/support/debian-postgres.ts";
import { createDatabase, MIGRATIONS, type TestDatabase } from "#tests/support/postgres.ts";
import { familyOf } from "#tests/support/processes.ts";
import { ADMIN, KEY, SECRET, signIn, startProduct, type Product } from "#tests/support/product.ts";

const CHECKS = 48;
const SLOW_CHECKS = 8;
const RUN_MS = 10_000;
const CI = process.env["CI"] !== undefined && process.env["CI"] !== "false";
const NOBODY = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe("two control planes and two webs on PostgreSQL 18", () => {
  cluster(async () => ({ url: inject("postgres"), stop: async () => undefined }));
});

const missing = debianPostgres() === null && !CI;
describe.skipIf(missing)(
  `two control planes and two webs on PostgreSQL 15${missing ? " (skipped: needs PostgreSQL 15)" : ""}`,
  () => cluster(startDebianPostgres),
);

/** Counts the requests for each path; those below /slow are answered after 20 s. */
async function startTarget() {
  const hits = new Map<string, number>();
  const server: Server = createServer(({ url = "" }, response) => {
    hits.set(url, (hits.get(url) ?? 0) + 1);
    if (url.startsWith("/slow")) setTimeout(() => response.end("late"), 20_000);
    else response.end("fine");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { hits, origin, server };
}

function cluster(startServer: () => Promise<{ url: string; stop(): Promise<void> }>): void {
  let server: Awaited<ReturnType<typeof startServer>>;
  let database: TestDatabase;
  let target: Awaited<ReturnType<typeof startTarget>>;
  let ports: number[];
  let planes: Product[];
  let webs: Product[];
  let cookie: string;

  const startPlane = (port: number) => {
    const env = { DATABASE_URL: database.url, PILOTHOUSE_KEY: KEY, PILOTHOUSE_ROLE: "control-plane" };
    return startProduct({ port, env });
  };
  const startWeb = (upstream: Product, port?: number) =>
    startProduct({ port, env: { ...NOBODY, UPSTREAM_URL: upstream.url, SESSION_SECRET: SECRET } });

  beforeAll(async () => {
    server = await startServer();
    [database, target] = await Promise.all([
      createDatabase({ migrated: false, server: server.url }),
      startTarget(),
    ]);
    ports = [await freePort(), await freePort()];
    planes = await Promise.all(ports.map((port) => startPlane(port))); // both on an empty database, at once
    webs = await Promise.all(planes.map((plane) => startWeb(plane)));
    cookie = await signIn(webs[0]!.url, ADMIN);
  }, 90_000);
  afterAll(async () => {
    await Promise.all([...(webs ?? []), ...(planes ?? [])].map((product) => product.stop()));
    target?.server.closeAllConnections();
    target?.server.close();
    await database?.drop();
    await server?.stop();
  }, 60_000);

  const get = (web: Product, path: string) =>
    fetch(web.url + path, { headers: { cookie }, redirect: "manual" });

  test("both started on an empty database, whose user is a plain owner: each migration was applied once", async () => {
    const all = await readMigrations(MIGRATIONS);
    const { rows } = await database.pool.query("select name from internal.migrations order by name");
    expect(rows.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    const said = planes.map((plane) => plane.said()).join("");
    expect(said.match(/migration\.applied/g)).toHaveLength(all.length);
    const owner = await database.pool.query("select rolsuper from pg_roles where rolname = current_user");
    expect(owner.rows).toEqual([{ rolsuper: false }]);
  });

  test("a session made on one web works on the other, and ends on both", async () => {
    expect(await Promise.all(webs.map(async (web) => (await get(web, "/health")).status))).toEqual([
      200, 200,
    ]);
    const own = await signIn(webs[1]!.url, ADMIN);
    const who = (web: Product) => fetch(`${web.url}/api/auth/whoami`, { headers: { cookie: own } });
    expect((await who(webs[0]!)).status).toBe(200);
    const flow = await fetch(`${webs[0]!.url}/api/.ory/self-service/logout/browser`, {
      headers: { cookie: own, accept: "application/json" },
    });
    const { logout_url: path } = (await flow.json()) as { logout_url: string };
    await fetch(new URL(path, webs[0]!.url), { headers: { cookie: own }, redirect: "manual" });
    expect(await Promise.all(webs.map(async (web) => (await who(web)).status))).toEqual([401, 401]);
    expect((await get(webs[1]!, "/health")).status).toBe(200); // only that session ended
  });

  test("no instant of a check runs twice, and both do their share", { timeout: 60_000 }, async () => {
    await database.pool.query(`
      create table internal.claims_seen (check_id uuid, instant timestamptz, owner text, at timestamptz default now());
      create function internal.see_claim() returns trigger language plpgsql as $$
        begin
          insert into internal.claims_seen (check_id, instant, owner) values (new.check_id, new.claimed_instant, new.claimed_by);
          return null;
        end $$;
      create trigger see_claim after update on internal.check_state for each row
        when (new.claimed_by is not null and old.claimed_instant is distinct from new.claimed_instant)
        execute function internal.see_claim()`);
    for (let n = 0; n < CHECKS; n++)
      await aCanary(database.pool, {
        name: `fast ${n}`,
        spec: { schedule: "@every 1s", http: [{ name: `fast ${n}`, url: `${target.origin}/fast/${n}` }] },
      });
    await sleep(RUN_MS);
    await database.pool.query(
      "update canaries set annotations = jsonb_build_object('suspend', 'true') where name like 'fast %'",
    );
    await sleep(2000);

    const twice = await database.pool.query(
      "select check_id, instant, count(*) from internal.claims_seen group by 1, 2 having count(*) > 1",
    );
    expect(twice.rows).toEqual([]);
    const { rows } = await database.pool.query<{ path: string; claims: number; runs: number }>(
      `select replace(definition.name, 'fast ', '/fast/') as path,
         (select count(*)::int from internal.claims_seen where check_id = definition.id) as claims,
         (select count(*)::int from check_statuses where check_id = definition.id) as runs
       from checks as definition where definition.name like 'fast %'`,
    );
    expect(rows).toHaveLength(CHECKS);
    for (const { path, claims, runs } of rows) {
      expect({ path, runs, hits: target.hits.get(path) }).toEqual({ path, runs: claims, hits: claims });
      expect(runs).toBeGreaterThan(RUN_MS / 1000 / 2);
    }
    const shares = await database.pool.query<{ part: number }>(
      `select count(*)::float / sum(count(*)) over () as part from internal.claims_seen group by owner`,
    );
    expect(shares.rows).toHaveLength(2);
    for (const { part } of shares.rows) expect(part).toBeGreaterThan(0.1);
  });

  test(
    "one is killed: the other goes on within seconds and writes down each run that was lost, once",
    { timeout: 60_000 },
    async () => {
      for (let n = 0; n < SLOW_CHECKS; n++)
        await aCanary(database.pool, {
          name: `slow ${n}`,
          spec: { schedule: "@every 1h", http: [{ name: `slow ${n}`, url: `${target.origin}/slow/${n}` }] },
        });
      const slow = () => [...target.hits.keys()].filter((path) => path.startsWith("/slow")).length;
      await expect.poll(slow, { timeout: 10_000 }).toBe(SLOW_CHECKS);
      await database.pool.query("update canaries set annotations = null where name like 'fast %'");
      await sleep(2000);

      const claims = await database.pool.query<{ pid: number; check_id: string }>(
        `select plane.pid, check_id from internal.check_state
           join internal.control_planes as plane on plane.id = claimed_by
         where check_id in (select id from internal.checks where name like 'slow %')`,
      );
      const children = planes.map(
        (plane) => familyOf(plane.pid).find(({ command }) => command.includes("control-plane.js"))!.pid,
      );
      const heldBy = children.map((pid) => claims.rows.filter((row) => row.pid === pid));
      const index = heldBy[0]!.length >= heldBy[1]!.length ? 0 : 1;
      const [victim, child, held] = [planes[index]!, children[index]!, heldBy[index]!];
      expect(held.length).toBeGreaterThanOrEqual(SLOW_CHECKS / 2);
      for (const pid of [victim.pid, child]) process.kill(pid, "SIGKILL");
      const at = (await database.pool.query<{ now: Date }>("select now()")).rows[0]!.now;

      const lost = async () => {
        const { rows } = await database.pool.query<{ check_id: string }>(
          `select details->>'check_id' as check_id from job_history
           where status = 'STOPPED' and details::text like '%slow %' and details::text like '%its control plane is gone%'`,
        );
        return rows.map((row) => row.check_id).sort();
      };
      await expect.poll(lost, { timeout: 6000 }).toEqual(held.map((row) => row.check_id).sort());
      const resumed = async () => {
        const { rows } = await database.pool.query<{ count: number }>(
          `select count(distinct check_id)::int from internal.claims_seen join internal.checks on checks.id = check_id
           where at > $1::timestamptz + interval '3 s' and checks.name like 'fast %'`,
          [at],
        );
        return rows[0]!.count;
      };
      await expect.poll(resumed, { timeout: 6000 }).toBe(CHECKS);
      expect(await lost()).toHaveLength(held.length);
      const listed = await database.pool.query("select from internal.control_planes");
      expect(listed.rowCount).toBe(1);
      expect((await get(webs[1 - index]!, "/health")).status).toBe(200);
      planes[index] = await startPlane(ports[index]!);
    },
  );

  test(
    "a rolling restart: whoever asks the other side sees no error, and the session lives on",
    { timeout: 60_000 },
    async () => {
      for (const side of [0, 1]) {
        const other = webs[1 - side]!;
        const answers: number[] = [];
        let going = true;
        const reader = (async () => {
          while (going) {
            const pages = await Promise.all([
              get(other, "/health"),
              get(other, "/api/db/checks?select=id&limit=1"),
            ]);
            for (const page of pages) {
              answers.push(page.status);
              await page.arrayBuffer();
            }
            await sleep(20); // a reader, no load: the starts need the processor
          }
        })();
        const webPort = Number(new URL(webs[side]!.url).port);
        expect(await Promise.all([webs[side]!.stop(), planes[side]!.stop()])).toEqual([0, 0]);
        planes[side] = await startPlane(ports[side]!);
        webs[side] = await startWeb(planes[side], webPort);
        going = false;
        await reader;
        expect(answers.length).toBeGreaterThan(10);
        expect(answers.filter((status) => status !== 200)).toEqual([]);
        expect((await get(webs[side], "/health")).status).toBe(200);
      }
    },
  );
}
