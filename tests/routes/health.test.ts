/** /health over HTTP: what it refuses, to whom, and the words it says when there is little to show. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import type { Role } from "#app/contract/access.ts";
import { aCanary, aCheck, aCheckStatus } from "#tests/support/builders.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());

/** A check that ran once and rests until new year, by way of its canary. */
async function aRestingCheck(name: string): Promise<string> {
  const { pool } = site.database;
  const tcp = [{ name, endpoint: "127.0.0.1:1" }];
  const canary = await aCanary(pool, { spec: { schedule: "0 0 1 1 *", tcp } });
  return vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ id: string }>(
        "select id from checks where canary_id = $1 and status is not null",
        [canary],
      );
      if (!rows[0]) throw new Error(`${name} did not run`);
      return rows[0].id;
    },
    { timeout: 15_000, interval: 50 },
  );
}
const runsOf = async (id: string) =>
  (
    await site.database.pool.query("select count(*)::int as runs from check_statuses where check_id = $1", [
      id,
    ])
  ).rows[0].runs as number;
/** One statement as the viewers' role of the database, undone. */
async function asViewer(statement: string) {
  const client = await site.database.pool.connect();
  try {
    await client.query(`begin; set local role ${site.database.name}_viewer`);
    return await client.query(statement);
  } finally {
    await client.query("rollback");
    client.release();
  }
}
/** The text of a page without its markup. */
const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

describe("Run now", () => {
  const RUNNERS: Role[] = ["admin", "editor", "commander", "responder"];

  test.each(RUNNERS)("as %s runs the check, and the next page says how it went, once", async (role) => {
    const id = await aRestingCheck(`run-by-${role}`);
    const cookie = await site.as(role);
    const before = await runsOf(id);
    const page = await site.visit(`/health?checkId=${id}`, { cookie });
    expect(wordsOf(await page.text())).toContain("Run now");

    const answer = await site.visit(`/health?checkId=${id}`, { cookie, form: { intent: "run", id } });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, `/health?checkId=${id}`]);
    expect(await runsOf(id)).toBe(before + 1);
    const toast = answer.headers
      .getSetCookie()
      .find((line) => line.startsWith("toast="))!
      .split(";")[0]!;
    const next = await site.visit(`/health?checkId=${id}`, { cookie: `${cookie}; ${toast}` });
    expect(wordsOf(await next.text())).toMatch(/Check failed/);
    expect(next.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^toast=;.*Max-Age=0/));
  });

  test.each(["viewer", "nobody"] as const)(
    "as %s is not offered, and refused on every way in",
    async (role) => {
      const id = await aRestingCheck(`not-by-${role}`);
      const cookie = await site.as(role);
      const before = await runsOf(id);
      const page = await site.visit(`/health?checkId=${id}`, { cookie });
      expect(page.status).toBe(200);
      const words = wordsOf(await page.text());
      expect(words).toContain(`not-by-${role}`);
      expect(words).not.toContain("Run now");

      site.recorder.take();
      const form = { intent: "run", id };
      const asPage = await site.visit("/health", { cookie, form });
      expect(asPage.status).toBe(403);
      expect(wordsOf(await asPage.text())).toContain(UNAUTHORIZED);
      expect((await site.visit("/health.data", { cookie, form })).status).toBe(403);
      expect(site.recorder.take().some(({ path }) => path.includes("/run/"))).toBe(false);
      expect((await site.visit(`/api/canary/run/check/${id}`, { cookie, form: {} })).status).toBe(403);
      expect(await runsOf(id)).toBe(before);
    },
  );

  test("a viewer writes nothing by the API and nothing as the SQL role", async () => {
    const cookie = await site.as("viewer");
    const call = (method: string, path: string) =>
      fetch(`${site.url}/api/db/${path}`, {
        method,
        headers: { cookie, origin: site.url, "content-type": "application/json" },
        ...(method === "DELETE" ? {} : { body: JSON.stringify({ name: "mine", spec: {} }) }),
      });
    expect((await call("POST", "canaries")).status).toBe(403);
    expect((await call("PATCH", "canaries?name=eq.mine")).status).toBe(403);
    expect((await call("DELETE", "checks?name=eq.mine")).status).toBe(403);
    for (const statement of [
      "insert into canaries (name, namespace, spec) values ('mine', 'default', '{}')",
      "update checks set severity = 'low'",
      "delete from check_statuses",
      "insert into properties (name, value) values ('mine', 'true')",
    ])
      await expect(asViewer(statement), statement).rejects.toMatchObject({ code: "42501" });
    expect((await asViewer("select id from canaries limit 1")).rowCount).toBe(1);
  });

  test.each([
    ["an id that is none", { intent: "run", id: "nonsense" }, 400],
    ["no id", { intent: "run" }, 400],
    ["an intent nobody knows", { intent: "constructor", id: "x" }, 400],
    ["no intent", {}, 400],
    ["a check that is not there", { intent: "run", id: "00000000-0000-4000-8000-000000000000" }, 422],
  ])("with %s is answered on the page", async (_name, form, status) => {
    const answer = await site.visit("/health", { cookie: await site.as("editor"), form });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain("text/html");
  });
});

describe("the drawer", () => {
  test("over history that was pushed by somebody else, with words for every result", async () => {
    const { pool } = site.database;
    const canary = await aCanary(pool, { spec: { schedule: "@every 1h" } });
    const id = await aCheck(pool, { canary_id: canary, name: "pushed <b>check</b>", description: "A & B" });
    await aCheckStatus(pool, id, { status: false, error: "<script>alert(1)</script>", message: "" });
    const html = await (
      await site.visit(`/health?checkId=${id}`, { cookie: await site.as("viewer") })
    ).text();
    expect(html).not.toContain("<script>alert(1)");
    expect(wordsOf(html)).toContain("Failed: &lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test.each(["nope", "00000000-0000-4000-8000-000000000000", "' or 1=1", "../../etc"])(
    "of %j says that there is no such check, over the list",
    async (id) => {
      const path = `/health?query=zzz&checkId=${encodeURIComponent(id)}`;
      const response = await site.visit(path, { cookie: await site.as("viewer") });
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(wordsOf(html)).toContain("There is no check with this id.");
      expect(html).toContain('href="/health?query=zzz"');
    },
  );

  test("of a deleted check says so", async () => {
    const { pool } = site.database;
    const canary = await aCanary(pool, { spec: { schedule: "@every 1h" } });
    const id = await aCheck(pool, { canary_id: canary, deleted_at: new Date() });
    const html = await (
      await site.visit(`/health?checkId=${id}`, { cookie: await site.as("viewer") })
    ).text();
    expect(wordsOf(html)).toContain("This check was deleted");
  });
});

describe("the address", () => {
  test.each([
    ["/health?query=&status=all&page=1", "/health"],
    ["/health?query=&status=unhealthy", "/health?status=unhealthy"],
    ["/health?query=x&status=All", "/health?query=x"],
  ])("%s is tidied to %s", async (asked, goes) => {
    const response = await site.visit(asked, { cookie: await site.as("viewer") });
    expect([response.status, response.headers.get("location")]).toEqual([302, goes]);
  });

  test.each([
    "/health?status=sad&page=-1&pageSize=7&sortBy=password&timeRange=9y&historyPage=x",
    "/health?page=99999999999999999999",
    `/health?query=${encodeURIComponent(`%_*,"\\()'&+é€🙂`)}`,
    "/health?query=a&query=b&labels=x",
    `/health?query=${"x".repeat(2000)}`,
  ])("%s is answered, not refused", async (path) => {
    expect((await site.visit(path, { cookie: await site.as("viewer") })).status).toBe(200);
  });

  test("what is typed is found as it is", async () => {
    const { pool } = site.database;
    const canary = await aCanary(pool, { spec: { schedule: "@every 1h" } });
    const odd = `100%_done*,"(x)\\`;
    await aCheck(pool, { canary_id: canary, name: odd });
    await aCheck(pool, { canary_id: canary, name: `100 x done, x` });
    const html = await (
      await site.visit(`/health?query=${encodeURIComponent(odd)}`, { cookie: await site.as("viewer") })
    ).text();
    expect(wordsOf(html)).toContain("1–1 of 1");
  });
});

test("a feature that is switched off is not there, and neither is its menu entry", async () => {
  const { pool } = site.database;
  const cookie = await site.as("admin");
  await pool.query("insert into properties (name, value) values ('health.disable', 'true')");
  try {
    expect((await site.visit("/health", { cookie })).status).toBe(404);
    expect((await site.visit("/health.data", { cookie })).status).toBe(404);
    expect((await site.visit("/", { cookie })).status).toBe(403);
  } finally {
    await pool.query("delete from properties where name = 'health.disable'");
  }
  expect((await site.visit("/health", { cookie })).status).toBe(200);
});

test("an installation that watches nothing says how to begin, to each in their words", async () => {
  await site.database.pool.query("update checks set deleted_at = now() where deleted_at is null");
  const words = async (role: Role) =>
    wordsOf(await (await site.visit("/health", { cookie: await site.as(role) })).text());
  expect(await words("editor")).toContain("Add one through the API");
  expect(await words("viewer")).toContain("Ask an editor or an administrator");
});
