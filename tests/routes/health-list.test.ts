/** The list of /health over HTTP: its files, what a browser remembers of it, and what another backend makes of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aCanary, aCheck, aCheckStatus } from "#tests/support/builders.ts";
import { startForgetful } from "#tests/support/forgetful-upstream.ts";
import { SECRET, startProduct } from "#tests/support/product.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
const NAMES = ["=HYPERLINK(1)", 'say "hi", twice', "plain"];
beforeAll(async () => {
  site = await startSite();
  const { pool } = site.database;
  const canary = await aCanary(pool, { name: "files", namespace: "files", labels: { team: "a" }, spec: {} });
  for (const [index, name] of NAMES.entries()) {
    const status = index === 2 ? "healthy" : "unhealthy";
    const labels = index === 0 ? { pci: "true" } : { pci: "no" };
    const type = index === 1 ? "restic" : "http";
    const made = { canary_id: canary, name, type, status, labels, transformed: true }; // or the engine takes it away
    const id = await aCheck(pool, index === 1 ? { ...made, status: null } : made);
    if (index !== 1) await aCheckStatus(pool, id, { status: index === 2, duration: 12 });
  }
}, 120_000);
afterAll(() => site?.stop());

const read = async (path: string, url = site.url) => {
  const answer = await fetch(url + path, { headers: { cookie: await site.as("viewer") } });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
};
interface File {
  checks: {
    name: string;
    status: string;
    passed: number | null;
    results: string;
    latency_ms: number | null;
  }[];
}
const namesIn = async (query: string, url = site.url) =>
  (JSON.parse((await read(`/health.json?${query}`, url)).text) as File).checks.map(({ name }) => name);
const labels = (marks: object) => `labels=${encodeURIComponent(JSON.stringify(marks))}`;

describe("the list as a file", () => {
  test("is JSON with what the address filters", async () => {
    const { status, type, text } = await read("/health.json?tab=files&hidePassing=false");
    expect([status, type]).toEqual([200, "application/json; charset=utf-8"]);
    const { checks } = JSON.parse(text) as File;
    expect(checks.find(({ name }) => name === "plain")).toMatchObject({
      group: "files",
      namespace: "files",
      type: "http",
      status: "healthy",
      passed: 1,
      failed: 0,
      uptime: 1,
      latency_ms: 12,
      results: "1",
    });
    expect(checks.find(({ name }) => name === NAMES[1])).toMatchObject({ status: "unknown", passed: null });
    const all = `tab=files&hidePassing=false`;
    expect((await namesIn(all)).length).toBe(3);
    expect(await namesIn("tab=files&status=unhealthy")).toEqual([NAMES[0]]);
    expect(await namesIn("tab=files&status=unknown")).toEqual([NAMES[1]]);
    expect(await namesIn("tab=files&query=plain&hidePassing=false")).toEqual(["plain"]);
    expect(await namesIn(`${all}&${labels({ "canary:pci:true": 1 })}`)).toEqual([NAMES[0]]);
    expect((await namesIn(`${all}&${labels({ "canary:pci:true": -1 })}`)).length).toBe(2);
    expect((await namesIn(`tab=files&status=warning`)).length).toBe(3);
    expect(await namesIn("query=no-such-thing")).toEqual([]);
  });

  test("is CSV in which nothing is a formula", async () => {
    const { type, text } = await read("/health.csv?tab=files&hidePassing=false&groupBy=no-group");
    expect(type).toBe("text/csv; charset=utf-8");
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBe(4);
    expect(lines[0]).toMatch(/^id,name,group,namespace,type,status,/);
    expect(text).toContain(",'=HYPERLINK(1),files,");
    expect(text).toContain(',"say ""hi"", twice",');
    expect((await read("/health.csv?query=no-such-thing")).text).toMatch(/^id,name,[^\n]*\n$/);
  });

  test("has more checks than fit into one answer, each once", async () => {
    const { pool } = site.database;
    const canary = await aCanary(pool, { name: "many", namespace: "many", spec: {} });
    await pool.query(
      `insert into checks (canary_id, name, type, status, transformed)
       select $1::uuid, 'many-' || n, 'http', 'unhealthy', true from generate_series(1, 2300) as n`,
      [canary],
    );
    const names = await namesIn("tab=many");
    expect([names.length, new Set(names).size]).toEqual([2300, 2300]);
    await pool.query("update checks set deleted_at = now() where canary_id = $1", [canary]);
  });

  test("is the same from a backend that only knows the plain summary", async () => {
    const forgetful = await startForgetful(site.recorder.url);
    const nobody = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
    const web = await startProduct({
      env: { ...nobody, UPSTREAM_URL: forgetful.url, SESSION_SECRET: SECRET },
    });
    try {
      for (const query of [
        "tab=files&hidePassing=false",
        `hidePassing=false&${labels({ "canary:team:a": 1 })}`,
      ])
        expect(await namesIn(query, web.url), query).toEqual(await namesIn(query));
      const page = await read("/health?timeRange=1d", web.url);
      expect(page.text).toContain("of the last hour only, whatever the time range");
      expect((await read("/health?timeRange=1d")).text).not.toContain("of the last hour only");
    } finally {
      await web.stop();
      await forgetful.close();
    }
  });
});

test("a type that this version does not run says so in its row", async () => {
  const { text } = await read("/health?tab=files&groupBy=no-group");
  expect(text).toContain("This version does not run Restic checks.");
  expect(text).toContain("Not run here");
});

describe("a browser remembers", () => {
  const prefer = async (form: Record<string, string>, cookie = "") =>
    site.visit("/preferences", { cookie, form: { intent: "prefer", return_to: "/health", ...form } });
  const kept = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .find((line) => line.startsWith("preferences="))!
      .split(";")[0]!;

  test("how the list is shown, and the address says what differs", async () => {
    const answer = await prefer({ hidePassing: "false", groupBy: "type", tabBy: "team", layout: "card" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/health"]);
    const cookie = `${await site.as("viewer")}; ${kept(answer)}`;
    const page = await (await site.visit("/health", { cookie })).text();
    expect(page).toContain('aria-label="team"'); // the tabs
    expect(page).toMatch(/<ul aria-label="Checks"/);
    const other = await (await site.visit("/health?layout=table&hidePassing=true", { cookie })).text();
    expect(other).not.toMatch(/<ul aria-label="Checks"/);
    const only = kept(await prefer({ refresh: "5m" }, kept(answer)));
    const after = await (
      await site.visit("/health", { cookie: `${await site.as("viewer")}; ${only}` })
    ).text();
    expect(after).toContain("Refresh every: 5 minutes");
    expect(after).toContain('<noscript><meta http-equiv="refresh" content="300"/></noscript>');
    expect(after).toMatch(/<ul aria-label="Checks"/);
  });

  test.each([
    { refresh: "1s" },
    { groupBy: "" },
    { tabBy: "x".repeat(301) },
    { layout: "list" },
    { hidePassing: "1" },
  ])("nothing it does not know: %j", async (form) =>
    expect((await prefer(form as unknown as Record<string, string>)).status).toBe(400),
  );
});

test("pictures are public, kept for ever, and never a page", async () => {
  const answer = await site.visit("/icons/postgres.svg");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/svg+xml");
  expect(answer.headers.get("cache-control")).toContain("immutable");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await answer.text()).toContain("<svg");
  expect((await site.visit("/icons/..%2f..%2fetc%2fpasswd")).status).toBe(200);
});
