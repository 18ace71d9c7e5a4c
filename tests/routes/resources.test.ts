/** Health checks as resources: the list, the form in all its steps, saving, testing, deleting, by whom. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DELETE_QUESTION, NO_RESOURCE } from "#app/contract/words/resources.ts";
import { aCanary, aJob, anAgent } from "#tests/support/builders.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
let web: Server;
let target: string;
beforeAll(async () => {
  site = await startSite();
  web = createServer((request, response) => {
    response.statusCode = request.url === "/missing" ? 404 : 200;
    response.end(`you asked as ${request.headers["x-who"] ?? "nobody"}`);
  });
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  target = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
}, 120_000);
afterAll(async () => {
  web?.close();
  await site?.stop();
});

const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** What a browser without script would post of the page's big form, as it stands. */
function formOf(html: string): Record<string, string> {
  const form = /<form\b[^>]*group\/spec[^]*?<\/form>/.exec(html)?.[0] ?? "";
  const text = (value: string) =>
    value
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const values: Record<string, string> = {};
  const put = (name: string, value: string) => {
    values[name] = name in values ? [values[name], value].filter(Boolean).join(", ") : value;
  };
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
    const [name, type] = [attribute("name"), attribute("type") ?? "text"];
    if (!name || ((type === "radio" || type === "checkbox") && !/\bchecked=""/.test(tag))) continue;
    put(name, text(attribute("value") ?? ""));
  }
  for (const [, tag = "", value = ""] of form.matchAll(/<textarea\b([^>]*)>([^]*?)<\/textarea>/g)) {
    const name = /\bname="([^"]*)"/.exec(tag)?.[1];
    if (name) put(name, text(value.replace(/^\n/, "")).replaceAll("\n", "\r\n"));
  }
  for (const [, tag = "", options = ""] of form.matchAll(/<select\b([^>]*)>([^]*?)<\/select>/g)) {
    const name = /\bname="([^"]*)"/.exec(tag)?.[1];
    const chosen =
      /<option[^>]*value="([^"]*)"[^>]*selected/.exec(options) ??
      /<option[^>]*selected=""[^>]*value="([^"]*)"/.exec(options);
    if (name) put(name, text(chosen?.[1] ?? /value="([^"]*)"/.exec(options)?.[1] ?? ""));
  }
  return values;
}

const open = async (path: string, role: "admin" | "editor" | "viewer" = "editor") => {
  const response = await site.visit(path, { cookie: await site.as(role) });
  return { status: response.status, html: await response.text() };
};
/** Posts the form with changes on top of what it says. */
async function post(
  path: string,
  form: Record<string, string>,
  role: "admin" | "editor" | "viewer" = "editor",
) {
  const response = await site.visit(path, { cookie: await site.as(role), form });
  const html = await response.text();
  return {
    status: response.status,
    to: response.headers.get("location"),
    html,
    words: wordsOf(html),
    form: formOf(html),
  };
}
const canaryNamed = async (name: string) =>
  (await site.database.pool.query("select * from canaries where name = $1 and deleted_at is null", [name]))
    .rows[0];

describe("the list", () => {
  test("shows what is there with its columns, finds by name, and pages", async () => {
    const { pool } = site.database;
    await aCanary(pool, {
      name: "list-one",
      labels: { team: "web", tier: "gold" },
      spec: { schedule: "@every 7m", http: [] },
    });
    await aCanary(pool, { name: "list-two", source: "ConfigFile", spec: { schedule: "@hourly", http: [] } });
    const words = wordsOf((await open("/settings/canaries?query=list-")).html);
    for (const said of [
      "list-one",
      "list-two",
      "ConfigFile",
      "@every 7m",
      "team: web",
      "+1 more",
      "1–2 of 2",
      "Add Health Check",
    ])
      expect(words).toContain(said);
    for (const column of [
      "Source",
      "Schedule",
      "Job Status",
      "Last Run",
      "Last Failed",
      "Tags",
      "Created",
      "Updated",
      "Created By",
    ])
      expect(words).toContain(column);
    expect(words).not.toContain("Namespace");
    const second = wordsOf((await open("/settings/canaries?query=list-&pageSize=5&page=9")).html);
    expect(second).toContain("There is no page 9");
    expect(wordsOf((await open("/settings/canaries?query=nowhere")).html)).toContain(
      "Nothing matches this search",
    );
  });

  test("sorts by what the database knows, in both directions", async () => {
    const order = async (query: string) =>
      [...(await open(`/settings/canaries?query=list-&${query}`)).html.matchAll(/title="(list-\w+)"/g)].map(
        ([, name]) => name,
      );
    expect(await order("sortBy=name")).toEqual(["list-one", "list-two"]);
    expect(await order("sortBy=name&sortDesc=true")).toEqual(["list-two", "list-one"]);
    expect(await order("sortBy=schedule")).toEqual(["list-one", "list-two"]);
  });

  test("shows how the newest job went, and what it said in a dialog", async () => {
    const { pool } = site.database;
    const id = await aCanary(pool, { name: "list-job" });
    await aJob(pool, {
      name: "SyncCanary",
      resource_type: "canary",
      resource_id: id,
      status: "FAILED",
      error_count: 1,
      details: { errors: ["no such <host>"] },
    });
    expect(wordsOf((await open("/settings/canaries?query=list-job")).html)).toContain("failed details");
    const { html } = await open(`/settings/canaries?query=list-job&job=${id}`);
    expect(wordsOf(html)).toContain("Details for job Sync Canary");
    expect(html).toContain("no such &lt;host&gt;");
  });

  test("offers a viewer nothing to add, and is no page for a table that has none", async () => {
    expect(wordsOf((await open("/settings/canaries", "viewer")).html)).not.toContain("Add Health Check");
    expect((await open("/settings/people")).status).toBe(404);
    expect((await open("/settings/constructor")).status).toBe(404);
  });
});

describe("adding one", () => {
  test("begins with its type", async () => {
    const words = wordsOf((await open("/settings/canaries/new")).html);
    for (const type of [
      "HTTP",
      "DNS",
      "PostgreSQL",
      "Custom",
      "Kubernetes",
      "Kept, but not run by this version",
    ])
      expect(words).toContain(type);
  });

  test("without a name and an address is refused at both fields, and keeps what was typed", async () => {
    const path = "/settings/canaries/new?type=http";
    const form = {
      ...formOf((await open(path)).html),
      "f.description": "typed <already>",
      "f.thresholdMillis": "soon",
    };
    const answer = await post(path, form);
    expect(answer.status).toBe(400);
    expect(answer.words).toContain("Not saved: four fields need a look");
    expect(answer.words).toContain("URL — This field is required");
    expect(answer.words).toContain("Threshold (ms) — This field must be a number");
    expect(answer.form).toMatchObject({ "f.description": "typed <already>", "f.thresholdMillis": "soon" });
  });

  test("grows and loses rows without saving, then saves what they say", async () => {
    const path = "/settings/canaries/new?type=http";
    let { form } = await post(path, {
      ...formOf((await open(path)).html),
      step: "add:f.headers",
      "f.name": "kept",
    });
    expect(form).toMatchObject({ "f.headers@rows": "1", "f.name": "kept" });
    ({ form } = await post(path, {
      ...form,
      step: "add:f.headers",
      "f.headers.0.name": "X-A",
      "f.headers.0.value": "1",
    }));
    ({ form } = await post(path, {
      ...form,
      step: "add:r.labels",
      "f.headers.1.name": "X-Who",
      "f.headers.1.value": "ada",
    }));
    ({ form } = await post(path, {
      ...form,
      step: "remove:f.headers.0",
      "r.labels.0@key": "team",
      "r.labels.0@value": "web",
    }));
    const answer = await post(path, {
      ...form,
      "r.name": "added-by-form",
      "f.name": "front",
      "f.url": `${target}/`,
      "f.method": "POST",
      "f.body": "a\r\nb",
      "f.responseCodes": "200, 201",
      "f.test@kind": "expr",
      "f.test": "code == 200",
      "f.password@kind": "secret",
      "f.password@name": "site",
      "f.password@key": "pw",
    });
    expect([answer.status, answer.to], answer.words).toEqual([302, "/settings/canaries"]);
    const row = await canaryNamed("added-by-form");
    expect(row).toMatchObject({ namespace: "default", source: "UI", labels: { team: "web" } });
    expect(row.created_by, "whoever saved it").not.toBeNull();
    expect(row.spec).toEqual({
      schedule: "@every 1m",
      http: [
        {
          name: "front",
          url: `${target}/`,
          method: "POST",
          body: "a\nb",
          headers: [{ name: "X-Who", value: "ada" }],
          responseCodes: [200, 201],
          test: { expr: "code == 200" },
          password: { valueFrom: { secretKeyRef: { name: "site", key: "pw" } } },
        },
      ],
    });
  });

  test("twice under one name says so and keeps the form", async () => {
    const path = "/settings/canaries/new?type=tcp";
    const form = {
      ...formOf((await open(path)).html),
      "r.name": "twice",
      "f.name": "twice",
      "f.endpoint": "127.0.0.1:1",
    };
    expect((await post(path, form)).status).toBe(302);
    const again = await post(path, form);
    expect(again.status).toBe(422);
    expect(again.words).toContain("There is one of this name in this namespace already.");
    expect(again.form["f.endpoint"]).toBe("127.0.0.1:1");
  });

  test("a label twice and a schedule that is none are refused", async () => {
    const path = "/settings/canaries/new?type=tcp";
    const form = {
      ...formOf((await open(path)).html),
      "r.name": "never",
      "f.name": "a",
      "f.endpoint": "h:1",
      "s.schedule": "every minute",
      "r.labels@rows": "2",
      "r.labels.0@key": "team",
      "r.labels.1@key": "team",
    };
    const answer = await post(path, form);
    expect(answer.status).toBe(400);
    expect(answer.words).toContain("Labels — team is there twice");
    expect(answer.words).toContain("Schedule — This must be a schedule");
  });
});

describe("as code", () => {
  const path = "/settings/canaries/new?type=http";
  const asCode = async (code: string, more: Record<string, string> = {}) => {
    const { form } = await post(path, { ...formOf((await open(path)).html), step: "code" });
    return post(path, { ...form, "r.name": "by-code", code, ...more });
  };

  test("says what the fields said, and the fields say what it says", async () => {
    const there = await post(path, {
      ...formOf((await open(path)).html),
      "f.url": "http://x/",
      "f.name": "x",
      step: "code",
    });
    expect(there.form["code"]?.replaceAll("\r\n", "\n")).toBe(
      'schedule: "@every 1m"\nhttp:\n  - name: x\n    url: http://x/\n',
    );
    const back = await post(path, {
      ...there.form,
      code: "http:\n  - name: y\n    url: http://y/\n    extra: kept\n",
      step: "form",
    });
    expect(back.form).toMatchObject({ "f.name": "y", "f.url": "http://y/", "s.schedule": "" });
    expect(JSON.parse(back.form["base"]!)).toEqual({
      http: [{ name: "y", url: "http://y/", extra: "kept" }],
    });
  });

  test.each([
    ["http:\n  - name: a\n   url: x", "Line 3", "Sequence item without"],
    [
      "schedule: '@every 1m'\nhttp:\n  - name: a\n    url: http://x\n    maxSSLExpiry: soon\n",
      "Line 5",
      "http.0.maxSSLExpiry: This field must be a number",
    ],
    ["http:\n  - name: a\n    url: http://x\n    urll: y\n", "Line 4", "unknown field urll"],
    ["htpp:\n  - name: a\n", "Line 1", "is http meant?"],
    ["schedule: '@every 1m'\nschedule: '@hourly'\nhttp: []\n", "Line 2", "unique"],
    ["just text", "Line 1", "This must be a map"],
    ["", "Line 1", "There is nothing here yet"],
    ["schedule: '@every 1m'\n", "Line 1", "There is no check in it yet"],
  ])("%j is refused at its line, and kept as typed", async (code, line, reason) => {
    const answer = await asCode(code);
    expect(answer.status).toBe(400);
    expect(answer.words).toContain(line);
    expect(answer.words).toContain(reason);
    expect(answer.form["code"]?.replaceAll("\r\n", "\n")).toBe(code);
    expect(await canaryNamed("by-code")).toBeUndefined();
  });

  test("text that cannot be read stays code when the form is asked for", async () => {
    const answer = await asCode("a: [", { step: "form" });
    expect(answer.status).toBe(400);
    expect(answer.words).toContain("The code cannot be read");
    expect(answer.form).toMatchObject({ as: "code", code: "a: [" });
  });

  test("a whole manifest is taken out of its wrapping on request", async () => {
    const manifest =
      "apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata:\n  name: x\nspec:\n  http:\n    - name: a\n      url: http://x\n";
    const answer = await asCode(manifest);
    expect(answer.words).toContain("This is a whole manifest");
    const bare = await post(path, { ...answer.form, step: "unwrap" });
    expect(bare.form["code"]?.replaceAll("\r\n", "\n")).toBe("http:\n  - name: a\n    url: http://x\n");
  });

  test("types without a form are written as code and kept, also when they are not run", async () => {
    const helm = "/settings/canaries/new?type=helm";
    const { form } = { form: formOf((await open(helm)).html) };
    expect(form["as"]).toBe("code");
    const saved = await post(helm, {
      ...form,
      "r.name": "a-chart",
      code: "helm:\n  - name: c\n    chartmuseum: x\n",
    });
    expect([saved.status, saved.to], saved.words).toEqual([302, "/settings/canaries"]);
    expect((await canaryNamed("a-chart")).spec).toEqual({ helm: [{ name: "c", chartmuseum: "x" }] });
  });
});

describe("a test before saving", () => {
  test("runs the spec once, says how each check went, keeps the form and writes nothing", async () => {
    const path = "/settings/canaries/new?type=http";
    const code = `http:\n  - name: fine\n    url: ${target}/\n  - name: missing\n    url: ${target}/missing\nhelm:\n  - name: chart\n`;
    const { form } = await post(path, { ...formOf((await open(path)).html), step: "code" });
    const before = await site.database.pool.query("select count(*)::int as n from checks");
    const answer = await post(path, { ...form, "r.name": "never-saved", code, step: "test" });
    expect(answer.status).toBe(200);
    expect(answer.words).toContain("The test failed: 1 of 3");
    expect(answer.words).toMatch(/Passed fine/);
    expect(answer.words).toMatch(/Failed missing .*404/);
    expect(answer.words).toMatch(/Not run chart .*does not run Helm checks/);
    expect(answer.form["code"]?.replaceAll("\r\n", "\n")).toBe(code);
    expect(await canaryNamed("never-saved")).toBeUndefined();
    expect((await site.database.pool.query("select count(*)::int as n from checks")).rows).toEqual(
      before.rows,
    );
  });

  test("is for those who could save it", async () => {
    const answer = await site.visit("/api/ph/canary/test", {
      cookie: await site.as("viewer"),
      form: { name: "x" },
    });
    expect(answer.status).toBe(403);
  });
});

describe("one that is there", () => {
  test("is changed in its fields, keeps what they do not show, and runs as it says now", async () => {
    const { pool } = site.database;
    const spec = {
      schedule: "0 0 1 1 *",
      http: [
        { name: "a", url: `${target}/`, later: { kept: true } },
        { name: "b", url: `${target}/b` },
      ],
    };
    const id = await aCanary(pool, { name: "edited", spec });
    const page = await open(`/settings/canaries/${id}`);
    expect(page.status).toBe(200);
    const form = formOf(page.html);
    const answer = await post(`/settings/canaries/${id}`, {
      ...form,
      "f.url": `${target}/missing`,
      "r.name": "renamed",
    });
    expect(answer.status, "what the fields do not know is refused by name").toBe(400);
    expect(answer.words).toContain("unknown field later");
    const code = await post(`/settings/canaries/${id}`, { ...answer.form, step: "code" });
    const mended = code.form["code"]!.replaceAll("\r\n", "\n").replace(/ {4}later:\n {6}kept: true\n/, "");
    const saved = await post(`/settings/canaries/${id}`, { ...code.form, code: mended });
    expect([saved.status, saved.to], saved.words).toEqual([302, "/settings/canaries"]);
    const row = await canaryNamed("edited");
    expect(row.id, "name and namespace stay").toBe(id);
    expect(row.spec.http).toEqual([
      { name: "a", url: `${target}/missing` },
      { name: "b", url: `${target}/b` },
    ]);
    await vi.waitFor(
      async () => {
        const { rows } = await pool.query("select status from checks where canary_id = $1 and name = 'a'", [
          id,
        ]);
        expect(rows[0]?.status).toBe("unhealthy");
      },
      { timeout: 15_000, interval: 100 },
    );
  });

  test("two who save the same: the second is told, sees what changed, and may insist", async () => {
    const id = await aCanary(site.database.pool, {
      name: "contended",
      spec: { schedule: "@hourly", tcp: [{ name: "a", endpoint: "h:1" }] },
    });
    const path = `/settings/canaries/${id}`;
    const [mine, theirs] = [formOf((await open(path)).html), formOf((await open(path, "admin")).html)];
    expect((await post(path, { ...theirs, "f.endpoint": "h:2" }, "admin")).status).toBe(302);
    const told = await post(path, { ...mine, "f.endpoint": "h:3" });
    expect(told.status).toBe(409);
    expect(told.words).toContain("Somebody else has changed this in the meantime");
    expect(told.words).toContain("tcp.0.endpoint: h:2 instead of h:1");
    expect(told.form["f.endpoint"]).toBe("h:3");
    expect((await canaryNamed("contended")).spec.tcp[0].endpoint).toBe("h:2");
    expect((await post(path, { ...told.form, step: "anyway" })).status).toBe(302);
    expect((await canaryNamed("contended")).spec.tcp[0].endpoint).toBe("h:3");
  });

  test("another of its checks is a step away, and nothing typed in the first is lost", async () => {
    const id = await aCanary(site.database.pool, {
      name: "several",
      spec: {
        schedule: "@hourly",
        tcp: [
          { name: "a", endpoint: "h:1" },
          { name: "b", endpoint: "h:2" },
        ],
      },
    });
    const path = `/settings/canaries/${id}`;
    const other = await post(path, {
      ...formOf((await open(path)).html),
      "f.endpoint": "h:9",
      step: "entry:tcp.1",
    });
    expect(other.form).toMatchObject({ at: "tcp.1", "f.name": "b", "f.endpoint": "h:2" });
    expect((await post(path, { ...other.form, "f.endpoint": "h:8" })).status).toBe(302);
    expect(
      (await canaryNamed("several")).spec.tcp.map(({ endpoint }: { endpoint: string }) => endpoint),
    ).toEqual(["h:9", "h:8"]);
  });

  test("is deleted after a question, with its checks, and can be had back", async () => {
    const { pool } = site.database;
    const id = await aCanary(pool, {
      name: "doomed",
      spec: { schedule: "0 0 1 1 *", tcp: [{ name: "a", endpoint: "127.0.0.1:1" }] },
    });
    const checks = async () =>
      (
        await pool.query(
          "select count(*)::int as n from checks where canary_id = $1 and deleted_at is null",
          [id],
        )
      ).rows[0].n;
    await vi.waitFor(async () => expect(await checks()).toBe(1), { timeout: 15_000, interval: 100 });
    const path = `/settings/canaries/${id}?confirm=delete`;
    expect(wordsOf((await open(path)).html)).toContain(DELETE_QUESTION);
    const deleted = await post(path, { intent: "delete" });
    expect([deleted.status, deleted.to]).toEqual([302, `/settings/canaries?deleted=${id}`]);
    expect(await canaryNamed("doomed")).toBeUndefined();
    expect(await checks()).toBe(0);
    const gone = await open(`/settings/canaries/${id}`);
    expect([gone.status, wordsOf(gone.html).includes(NO_RESOURCE)]).toEqual([404, true]);
    expect(wordsOf((await open(deleted.to!)).html)).toContain("Undo");
    const back = await post("/settings/canaries", { intent: "restore", id });
    expect([back.status, back.to]).toEqual([302, `/settings/canaries/${id}`]);
    await vi.waitFor(async () => expect(await checks()).toBe(1), { timeout: 15_000, interval: 100 });
  });

  test.each([
    ["ConfigFile", "Linked to local file"],
    ["kubernetes/x", "Linked to CRD"],
    ["component/x", "Created by a component"],
  ])("from %s is for looking at, whatever is posted", async (source, said) => {
    const id = await aCanary(site.database.pool, { name: `of-${source}`, source });
    const page = await open(`/settings/canaries/${id}`);
    expect(wordsOf(page.html)).toContain(said);
    expect(page.html).not.toContain('name="base"');
    expect((await post(`/settings/canaries/${id}`, { intent: "delete" })).status).toBe(403);
    expect(
      (await post(`/settings/canaries/${id}`, { intent: "save", as: "code", code: "http: []" })).status,
    ).toBe(403);
  });

  test("of an agent says whose it is, and a viewer gets no form at all", async () => {
    const agent = await anAgent(site.database.pool, { name: "edge-7" });
    const id = await aCanary(site.database.pool, { name: "far away", agent_id: agent });
    expect(wordsOf((await open(`/settings/canaries/${id}`)).html)).toContain("Linked to edge-7");
    const own = await aCanary(site.database.pool, { name: "looked-at" });
    const page = await open(`/settings/canaries/${own}`, "viewer");
    expect(page.html).not.toContain('name="base"');
    expect((await post(`/settings/canaries/${own}`, { intent: "delete" }, "viewer")).status).toBe(403);
  });

  test("shows its jobs with the details of each", async () => {
    const id = await aCanary(site.database.pool, { name: "with-jobs" });
    const job = await aJob(site.database.pool, {
      name: "SyncCanary",
      resource_type: "canary",
      resource_id: id,
      status: "WARNING",
      success_count: 1200,
      error_count: 3,
      duration_millis: 61_000,
      details: { errors: { one: "wrong" }, summary: { checks: 2 } },
    });
    const words = wordsOf((await open(`/settings/canaries/${id}?tab=jobHistory`)).html);
    for (const said of ["Sync Canary", "warning", "1m1s", "1,200", "3"]) expect(words).toContain(said);
    const dialog = wordsOf((await open(`/settings/canaries/${id}?tab=jobHistory&job=${job}`)).html);
    for (const said of ["Details for job Sync Canary", "one : wrong", "Reconcile Summary", "checks : 2"])
      expect(dialog).toContain(said);
  });

  test("that is none is not found, also by what is no id", async () => {
    for (const id of ["018f0000-0000-7000-8000-00000000dead", "x'--"])
      expect((await open(`/settings/canaries/${id}`)).status).toBe(404);
  });
});
