/** What of a check can be taken elsewhere: its history as CSV, its badge as a picture. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aCanary, aCheck, aCheckStatus } from "#tests/support/builders.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
let check: string;
const MINUTE = 60_000;

beforeAll(async () => {
  site = await startSite();
  const { pool } = site.database;
  const canary = await aCanary(pool, { name: "files & <more>", namespace: "shop", spec: {} });
  const made = { canary_id: canary, transformed: true, last_runtime: new Date() };
  check = await aCheck(pool, { ...made, name: `Odd "name" <b>`, status: "unhealthy" });
  await aCheck(pool, { ...made, name: "other", status: "healthy" });
  await pool.query(
    `insert into check_statuses (check_id, time, status, duration, message)
     select $1::uuid, now() - n * interval '1 second', n % 4 <> 0, n, 'run ' || n from generate_series(1, 2500) as n`,
    [check],
  );
  await aCheckStatus(pool, check, {
    time: new Date(Date.now() - 50 * MINUTE),
    status: false,
    duration: 4000,
    message: `=cmd|' /C calc'!A0`,
    error: 'line one\nline "two", three',
  });
}, 120_000);
afterAll(() => site?.stop());

const get = async (path: string, role: Parameters<Site["as"]>[0] | null = "viewer") => {
  const response = await site.visit(path, role === null ? {} : { cookie: await site.as(role) });
  return { response, text: await response.text() };
};

describe("the history as CSV", () => {
  const csv = (query = "", role?: Parameters<Site["as"]>[0] | null) =>
    get(`/health/checks/${check}/history.csv${query}`, role);

  test("has every run of the range, newest first, however many pages it takes", async () => {
    const { response, text } = await csv();
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="odd-name-b-history.csv"');
    const lines = text.replace(/^\uFEFF/, "").split("\n");
    expect(lines[0]).toBe("time,status,duration_ms,message,error");
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,healthy,1,run 1,$/);
    expect(new Set(text.match(/run \d+/g)).size).toBe(2500);
  });

  test("is safe to open in a spreadsheet, and keeps lines and quotes", async () => {
    const { text } = await csv("?historyDuration=4s");
    expect(text).toContain(`,unhealthy,4000,'=cmd|' /C calc'!A0,"line one\nline ""two"", three"`);
    expect(text.split("\n").length).toBe(4); // head, the run on two lines, the end
  });

  test("honours range, status and duration of the address", async () => {
    const rows = async (query: string) => (await csv(query)).text.trim().split("\n").length - 1;
    expect(await rows("?historyStatus=unhealthy&timeRange=15m")).toBe(
      Math.floor((await rows("?timeRange=15m")) / 4),
    );
    expect(await rows("?historyDuration=2s")).toBe(503); // 2,000 to 2,500 and the odd one on two lines
    const from = new Date(Date.now() - 10 * MINUTE).toISOString().slice(0, 16);
    expect(await rows(`?drawerFrom=${from}`)).toBeLessThan(700);
  });

  test.each([
    [
      "?historyDuration=5+minutes",
      400,
      "historyDuration: duration is allowed only in milli seconds & seconds",
    ],
    ["?drawerFrom=soon", 400, "From must be a time like"],
  ])("%s is refused with %i and the field", async (query, status, words) => {
    const { response, text } = await csv(query);
    expect([response.status, text]).toEqual([status, expect.stringContaining(words)]);
  });

  test("of a check that is not there is 404, and strangers are sent to sign in", async () => {
    for (const id of ["nope", "00000000-0000-4000-8000-000000000000"])
      expect((await get(`/health/checks/${id}/history.csv`)).response.status).toBe(404);
    expect((await csv("", null)).response.status).toBe(302);
  });
});

describe("a badge", () => {
  const badge = (path = `check/${check}.svg`, role?: Parameters<Site["as"]>[0] | null) =>
    get(`/badges/${path}`, role);
  const GROUP = `group/${encodeURIComponent("files & <more>")}.svg`;
  const titleOf = (svg: string) => /<title>(.*?)<\/title>/.exec(svg)?.[1];

  test("is for whoever is signed in, and says name, health and uptime", async () => {
    const { response, text } = await badge();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("private, max-age=60");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(titleOf(text)).toBe("Odd &quot;name&quot; &lt;b&gt;: unhealthy, 75%");
    expect(text).not.toContain("<b>");
  });

  test("of a group counts its checks; range, words and parts are the address's", async () => {
    expect(titleOf((await badge(GROUP)).text)).toBe("files &amp; &lt;more&gt;: 1 of 2 failing, 75%");
    const asked = await badge(`${GROUP}?show=uptime&range=1mo&namespace=shop`);
    expect(titleOf(asked.text)).toBe("files &amp; &lt;more&gt;, 1 month: 75%");
    expect(titleOf((await badge(`${GROUP}?show=status&label=Shop`)).text)).toBe("Shop: 1 of 2 failing");
    expect((await badge(`${GROUP}?namespace=elsewhere`)).response.status).toBe(404);
  });

  test("is a picture that says so where it is not public, whether or not there is such a check", async () => {
    for (const path of [`check/${check}.svg`, "check/00000000-0000-4000-8000-000000000000.svg", GROUP]) {
      const { response, text } = await badge(path, null);
      expect([response.status, titleOf(text)]).toEqual([401, "Pilothouse: sign in to see"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("is everybody's while the property says so, and caches may keep it", async () => {
    const { pool } = site.database;
    await pool.query("insert into properties (name, value) values ('badges.public', 'true')");
    try {
      const { response, text } = await badge(undefined, null);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=60"]);
      expect(titleOf(text)).toContain("unhealthy, 75%");
      expect((await badge("check/00000000-0000-4000-8000-000000000000.svg", null)).response.status).toBe(404);
    } finally {
      await pool.query("delete from properties where name = 'badges.public'");
    }
    expect((await badge(undefined, null)).response.status).toBe(401);
  });

  test.each([
    ["check/nope.svg", 404],
    ["check/x", 404],
    ["canary/x.svg", 404],
    [`check/' or 1=1.svg`, 404],
    [`${GROUP}?show=everything`, 400],
    [`${GROUP}?range=1x`, 400],
  ])("%s is a picture with %i", async (path, status) => {
    const { response, text } = await badge(path);
    expect([response.status, text.startsWith("<svg")]).toEqual([status, true]);
  });
});
