/** How much a page asks of upstream: never more for more rows (the query counter of DESIGN C12). */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PEOPLE } from "#tests/support/people.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
let cookie: string;
beforeAll(async () => {
  site = await startSite();
  cookie = await site.as("editor");
}, 120_000);
afterAll(() => site?.stop());

/** Brings the estate to this many checks that run once and then rest, each with a result. */
async function fill(pool: pg.Pool, wanted: number): Promise<string> {
  const tcp = Array.from({ length: wanted }, (_, n) => ({ name: `node-${n + 1}`, endpoint: "127.0.0.1:1" }));
  await pool.query(`insert into canaries (name, namespace, spec, source) values ($1, 'platform', $2, 'UI')`, [
    `fleet-${wanted}`,
    JSON.stringify({ schedule: "0 0 1 1 *", tcp }),
  ]);
  const ready = `select count(*)::int as ready, min(id::text) as id from checks
    where status is not null and canary_id in (select id from canaries where name = $1)`;
  return vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ ready: number; id: string }>(ready, [`fleet-${wanted}`]);
      if (rows[0]?.ready !== wanted) throw new Error(`${rows[0]?.ready} of ${wanted} checks ran`);
      return rows[0].id;
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** The calls of one request, their order and values aside. */
async function callsOf(path: string): Promise<string[]> {
  site.recorder.take();
  const response = await site.visit(path, { cookie });
  expect(response.status, path).toBe(200);
  await response.text();
  return site.recorder
    .take()
    .map(({ method, path: asked }) => `${method} ${asked.split("?")[0]}`)
    .sort();
}

/** Who asks, with the flags and the version; the page with its counts, two statements (summary-page.test.ts). */
const LIST = ["GET /auth/whoami", "POST /canary/api/summary"];
const DRAWER = [...LIST, "GET /canary/api/graph", "GET /db/check_statuses", "GET /db/checks"].sort();

describe.each([4, 60])("with %i checks", (wanted) => {
  let id: string;
  beforeAll(async () => {
    id = await fill(site.database.pool, wanted);
  });

  test.each([
    "/health",
    "/health?pageSize=1000&hidePassing=false",
    "/health?status=unhealthy",
    "/health?hidePassing=false&groupBy=no-group&tabBy=agent_id&sortBy=latency",
    "/health.data",
  ])("%s asks the same questions", async (path) => expect(await callsOf(path)).toEqual(LIST));

  test("the drawer asks three more", async () => {
    expect(await callsOf(`/health?checkId=${id}`)).toEqual(DRAWER);
    expect(await callsOf(`/health.data?checkId=${id}`)).toEqual(DRAWER);
    expect(await callsOf(`/health?checkId=${id}&timeRange=1mo`)).toEqual(DRAWER);
  });

  test("the drawer asks for the rights on its check while a permission record speaks of the reader", async () => {
    const { rows } = await site.database.pool.query<{ id: string }>(
      `insert into permissions (action, deny, canary_id, person_id, created_by)
       select 'delete', true, canary_id, people.id, people.id from checks, people
       where checks.id = $1 and people.email = $2 returning id`,
      [id, PEOPLE.editor.email],
    );
    try {
      expect(await callsOf(`/health?checkId=${id}`)).toEqual([...DRAWER, "GET /auth/rights"].sort());
      expect(await callsOf("/health")).toEqual(LIST);
    } finally {
      await site.database.pool.query("delete from permissions where id = $1", [rows[0]?.id]);
    }
  });
});

test.each(["/health", "/health.data"])(
  "%s learns who asks, the flags and the version in one call",
  async (path) => {
    const calls = await callsOf(path);
    expect(calls.filter((call) => !call.includes("summary"))).toEqual(["GET /auth/whoami"]);
  },
);

test("a request asks who it is exactly once, whatever it loads or does", async () => {
  const whoami = () => site.recorder.take().filter(({ path }) => path === "/auth/whoami").length;
  for (const path of ["/", "/health", "/health.data", "/health?checkId=nope", "/health?page=99"]) {
    site.recorder.take();
    await (await site.visit(path, { cookie })).text();
    expect(whoami(), path).toBe(1);
  }
  site.recorder.take();
  const refused = await site.visit("/health", { cookie, form: { intent: "run", id: "not an id" } });
  expect(refused.status).toBe(400);
  await refused.text();
  expect(whoami(), "an action and the page it draws").toBe(1);
  for (const path of ["/login", "/recovery", "/error", "/api/_health", "/favicon.svg", "/nothing-here"]) {
    await (await site.visit(path)).text();
    expect(whoami(), path).toBe(0);
  }
});

test("calls carry the session, the request's id and the client, and none of our own cookies", async () => {
  site.recorder.take();
  const kept = "pilothouse=ours; preferences=x; toast=y; js=1";
  await (
    await site.visit("/health", { cookie: `${kept}; ${cookie}`, headers: { "x-forwarded-for": "9.9.9.9" } })
  ).text();
  const calls = site.recorder.take();
  expect(calls.length).toBe(LIST.length);
  expect(new Set(calls.map(({ headers }) => headers["x-request-id"])).size).toBe(1);
  for (const { headers } of calls) {
    expect(headers.cookie).toContain("ory_kratos_session=");
    expect(headers.cookie).not.toMatch(/pilothouse|preferences|toast|js=/);
    expect(headers["x-ph-client"]).toBe("127.0.0.1");
  }
});

test("the answer says how many calls it took", async () => {
  site.recorder.take();
  const response = await site.visit("/health.data", { cookie });
  await response.text();
  expect(response.headers.get("server-timing")).toContain(`desc="${site.recorder.take().length} calls"`);
});
