/** /health over HTTP: what it refuses, to whom, and the words it says when there is little to show. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import type { Role } from "#app/contract/access.ts";
import { aCanary, aCheck, aCheckStatus, anAgent } from "#tests/support/builders.ts";
import { SECRET, startProduct } from "#tests/support/product.ts";
import { startSite, type Site } from "#tests/support/site.ts";
import { startForgetful } from "#tests/support/forgetful-upstream.ts";

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
    const to = answer.headers.get("location") ?? "";
    expect([answer.status, to]).toEqual([
      302,
      expect.stringMatching(`^/health\\?checkId=${id}&run=\\d{4}-\\d\\d-\\d\\dT[\\w.%]+Z$`),
    ]);
    expect(await runsOf(id)).toBe(before + 1);
    const toast = answer.headers
      .getSetCookie()
      .find((line) => line.startsWith("toast="))!
      .split(";")[0]!;
    const next = await site.visit(to, { cookie: `${cookie}; ${toast}` });
    expect(wordsOf(await next.text())).toMatch(/Check failed/);
    const later = wordsOf(await (await site.visit(to, { cookie })).text()); // the toast is spent, the result is not
    expect(later).not.toContain("Check failed");
    expect(later).toMatch(/Failed in \d+ms .*connect ECONNREFUSED 127\.0\.0\.1:1/);
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

describe("the first check", () => {
  const add = (url: string, cookie: string) =>
    site.visit("/health", { cookie, form: { intent: "add", url } });
  const offers = async (cookie: string) =>
    wordsOf(await (await site.visit("/health", { cookie })).text()).includes("What should be watched first?");

  test("is offered to whoever may add one, while the product watches only itself", async () => {
    const { pool } = site.database;
    await pool.query(
      "update checks set deleted_at = now() from canaries where canaries.id = canary_id and canaries.namespace <> 'pilothouse'",
    );
    expect(await offers(await site.as("editor"))).toBe(true);
    for (const role of ["viewer", "commander", "nobody"] as const)
      expect(await offers(await site.as(role)), role).toBe(false);
    const canary = await aCanary(pool, { namespace: "pilothouse", source: "UI", spec: {} });
    await aCheck(pool, { canary_id: canary });
    expect(await offers(await site.as("editor"))).toBe(false);
  });

  test("is made of an address, named for its host, and its drawer opens with a result to come", async () => {
    const cookie = await site.as("editor");
    const host = new URL(site.url).host;
    for (const name of [host.replace(":", "-"), `${host.replace(":", "-")}-2`]) {
      const answer = await add(`${site.url}/api/_health`, cookie);
      const to = answer.headers.get("location") ?? "";
      expect([answer.status, to]).toEqual([
        302,
        expect.stringMatching(/^\/health\?refresh=15s&checkId=[0-9a-f-]{36}$/),
      ]);
      const { rows } = await site.database.pool.query(
        `select canaries.name, canaries.namespace, canaries.source, canaries.spec from checks
         join canaries on canaries.id = canary_id where checks.id = $1`,
        [to.split("checkId=")[1]],
      );
      const http = [{ name: host.replace(":", "-"), url: `${site.url}/api/_health` }];
      expect(rows).toEqual([
        { name, namespace: "default", source: "UI", spec: { schedule: "@every 30s", http } },
      ]);
      expect(wordsOf(await (await site.visit(to, { cookie })).text())).toContain("History");
    }
  });

  test.each([
    ["", "This field is required"],
    ["   ", "This field is required"],
    ["not an address", "This is not an address"],
    ["ftp://files.example/x", "must begin with http:// or https://"],
    ["javascript:alert(1)", "This is not an address"],
    ["https://me:secret@shop.example/", "do not belong into an address"],
    [`https://shop.example/${"x".repeat(2000)}`, "at most 2,000 characters"],
  ])("of %j is refused by name, and what was typed is kept", async (url, words) => {
    const { pool } = site.database;
    await pool.query(
      "update checks set deleted_at = now() from canaries where canaries.id = canary_id and source = 'UI'",
    );
    const answer = await add(url, await site.as("editor"));
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(wordsOf(html)).toContain(words);
    expect(html).toMatch(/<input[^>]*name="url"[^>]*aria-invalid="true"/);
    expect(html).toContain(`value="${url.replaceAll('"', "&quot;")}"`);
  });

  test.each(["viewer", "commander", "nobody"] as const)("is refused to %s on every way in", async (role) => {
    const cookie = await site.as(role);
    site.recorder.take();
    expect((await add("https://shop.example/", cookie)).status).toBe(403);
    expect((await add("", cookie)).status).toBe(403);
    expect(site.recorder.take().some(({ method, path }) => method === "POST" && path.startsWith("/db"))).toBe(
      false,
    );
    const body = JSON.stringify({ name: "mine", namespace: "default", spec: {} });
    const headers = { cookie, origin: site.url, "content-type": "application/json" };
    expect((await fetch(`${site.url}/api/db/canaries`, { method: "POST", headers, body })).status).toBe(403);
  });
});

describe("the list", () => {
  const wordsAt = async (path: string, url = site.url) =>
    wordsOf(await (await fetch(url + path, { headers: { cookie: await site.as("viewer") } })).text());

  test("says 0 ms where a run took no time, and nothing where none ran", async () => {
    const { pool } = site.database;
    const canary = await aCanary(pool, { name: "quick", spec: {} });
    const quick = await aCheck(pool, { canary_id: canary, name: "zero quick", status: "healthy" });
    await aCheckStatus(pool, quick, { duration: 0 });
    await aCheck(pool, { canary_id: canary, name: "zero never" });
    expect(await wordsAt("/health?query=zero+quick&hidePassing=false")).toMatch(/Healthy.* 100% 0 ms/);
    expect(await wordsAt("/health?query=zero+never")).not.toContain("0 ms");
  });

  test("says that all is well, and shows it when asked", async () => {
    const { pool } = site.database;
    await pool.query("update checks set deleted_at = now() where status is distinct from 'healthy'");
    const canary = await aCanary(pool, { name: "calm", spec: {} });
    await aCheck(pool, { canary_id: canary, name: "calm one", status: "healthy" });
    await aCheck(pool, { canary_id: canary, name: "calm two", status: "healthy" });
    const { rows } = await pool.query(
      "update checks set status = 'healthy' where deleted_at is null returning id",
    );
    const words = await wordsAt("/health");
    expect(words).toMatch(new RegExp(`All ${rows.length} checks pass`));
    expect(words).not.toContain("calm one");
    expect(await wordsAt("/health?hidePassing=false&groupBy=no-group")).toContain("calm one");
  });

  test("is the same list from a backend that only knows the plain summary", async () => {
    const { pool } = site.database;
    const agent = await anAgent(pool, { name: "edge-7" });
    const canary = await aCanary(pool, { name: "plain", namespace: "plain-space", spec: {} });
    for (const [name, status] of [
      ["plain bad", "unhealthy"],
      ["plain good", "healthy"],
      ["plain far", "unhealthy"],
    ] as const) {
      const spec = { url: `https://${name.replace(" ", "-")}.example/` };
      const agent_id = name === "plain far" ? { agent_id: agent } : {};
      const made = { canary_id: canary, name, status, spec, transformed: true }; // or the engine takes it away
      const id = await aCheck(pool, { ...made, ...agent_id });
      await aCheckStatus(pool, id, { status: status === "healthy", duration: 12 });
    }
    const forgetful = await startForgetful(site.recorder.url);
    const nobody = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
    const web = await startProduct({
      env: { ...nobody, UPSTREAM_URL: forgetful.url, SESSION_SECRET: SECRET },
    });
    try {
      const list = (words: string) =>
        words.slice(words.indexOf("Search checks"), words.length).replace(/\d+[smh] ago/g, "");
      for (const query of [
        "tab=plain-space",
        "tab=plain-space&hidePassing=false&sortBy=status&sortDesc=true",
        "query=plain-bad.example",
        "tabBy=agent_id&tab=edge-7",
        "query=plain&status=healthy",
        "query=plain&hidePassing=false&groupBy=type&pageSize=5&page=2",
      ]) {
        const [ours, theirs] = [
          await wordsAt(`/health?${query}`),
          await wordsAt(`/health?${query}`, web.url),
        ];
        expect(ours, query).toContain("plain");
        expect(list(theirs), query).toBe(list(ours));
      }
    } finally {
      await web.stop();
      await forgetful.close();
    }
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
    ["/health?query=x&groupBy=&tabBy=&tab=", "/health?query=x"],
    ["/health?labels.in=canary:a:b", "/health?labels=%7B%22canary%3Aa%3Ab%22%3A1%7D"],
    ["/health?labels.canary:a:b=-1", "/health?labels=%7B%22canary%3Aa%3Ab%22%3A-1%7D"],
  ])("%s is tidied to %s", async (asked, goes) => {
    const response = await site.visit(asked, { cookie: await site.as("viewer") });
    expect([response.status, response.headers.get("location")]).toEqual([302, goes]);
  });

  test.each([
    "/health?status=sad&page=-1&pageSize=7&sortBy=password&timeRange=9y&historyPage=x",
    "/health?page=99999999999999999999",
    `/health?query=${encodeURIComponent(`%_*,"\\()'&+é€🙂`)}`,
    "/health?query=a&query=b&labels=x",
    "/health?groupBy=constructor&tabBy=__proto__&tab=x&open=,:1,__proto__:1",
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
  expect(await words("editor")).toContain("What should be watched first?");
  expect(await words("editor")).toContain("through the API (POST /api/db/canaries)");
  expect(await words("viewer")).not.toContain("What should be watched first?");
  expect(await words("viewer")).toContain("Ask an editor or an administrator");
});
