/** Import and export over HTTP: the page with and without a file, the API, and who may. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROLES, type Role } from "#app/contract/access.ts";
import { IMPORT_LIMIT, ImportReport } from "#app/contract/rows/import-report.ts";
import { aCanary } from "#tests/support/builders.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());
/** Out of the way: deleted as people delete, because engines are at work on them. */
beforeEach(() =>
  site.database.pool.query(
    "update canaries set deleted_at = now(), name = name || id where namespace <> 'pilothouse' and deleted_at is null",
  ),
);

const gatus = readFileSync(fileURLToPath(new URL("../fixtures/import/gatus.yaml", import.meta.url)), "utf8");
const shop = `kind: Canary\nmetadata: { name: shop }\nspec: { schedule: "0 0 1 1 *", tcp: [{ name: "shop <b>", endpoint: "127.0.0.1:1" }] }\n`;
const PAGE = "/settings/canaries/import";
const EXPORT = "/settings/canaries/export.yaml";

/** What a browser without scripts sends. */
async function post(fields: Record<string, string | File>, role: Role = "editor", path = PAGE) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ intent: "import", ...fields })) body.set(name, value);
  const headers = { cookie: await site.as(role), origin: site.url };
  return fetch(site.url + path, { method: "POST", headers, body, redirect: "manual" });
}
const names = async () =>
  (
    await site.database.pool.query<{ name: string; source: string; created_by: string | null }>(
      "select name, source, created_by from canaries where namespace <> 'pilothouse' and deleted_at is null order by name",
    )
  ).rows;
const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

describe("the page", () => {
  test("checks without writing, keeps what was pasted, then imports it, editable and by whoever did it", async () => {
    const checked = await post({ text: shop, do: "check" });
    const html = await checked.text();
    expect(checked.status).toBe(200);
    expect(wordsOf(html)).toContain("pasted text, Canaries: 1 would be applied");
    expect(html).toContain("name: &quot;shop &lt;b&gt;&quot;");
    expect(await names()).toEqual([]);

    const done = await post({ text: shop, do: "import" });
    expect(wordsOf(await done.text())).toContain("1 applied");
    expect(await names()).toEqual([{ name: "shop", source: "UI", created_by: expect.any(String) }]);
    expect(wordsOf(await (await post({ text: shop, do: "import" })).text())).toContain("1 unchanged");
  });

  test("takes a file, and reports each of its documents with line and reason", async () => {
    const file = new File([gatus], "config.yaml", { type: "application/yaml" });
    const words = wordsOf(await (await post({ text: "", file, do: "import" })).text());
    expect(words).toContain("config.yaml, a configuration of Gatus: 4 refused, 9 applied");
    expect(words).toContain("there is no check for an address like udp://");
    expect(words).toMatch(/line 7, column 1: alerting is not imported/);
    expect((await names()).map(({ name }) => name)).toContain("shop-front-page");
  });

  test.each([
    [{ text: "" }, 400, "Choose a file, or paste its text."],
    [{ text: "  \n" }, 400, "Choose a file, or paste its text."],
    [{ text: "just words", do: "import" }, 200, "this is no Canary"],
    [{ text: "a: [", do: "import" }, 200, "not readable as YAML"],
  ])("%j is answered with %i: %s, and nothing is lost", async (fields, status, words) => {
    const answer = await post(fields);
    const html = await answer.text();
    expect(answer.status).toBe(status);
    expect(wordsOf(html)).toContain(words);
    if (fields.text.trim()) expect(html).toContain(fields.text);
  });

  test("a file that is too long is refused in words, before it is read", async () => {
    const file = new File(["#".repeat(IMPORT_LIMIT + 200_000)], "long.yaml");
    const answer = await post({ file, do: "check" });
    expect(answer.status).toBe(413);
    expect(wordsOf(await answer.text())).toContain("A file may have 5 MB at most: import it in parts.");
  });

  test("what cannot be posted there is said so", async () => {
    const headers = { cookie: await site.as("editor"), origin: site.url, "content-type": "text/plain" };
    expect((await fetch(site.url + PAGE, { method: "POST", headers, body: shop })).status).toBe(415);
  });
});

describe("the API", () => {
  const call = async (
    body: string,
    { role = "editor" as Role, query = "kind=canaries", type = "text/plain" } = {},
  ) =>
    fetch(`${site.url}/api/ph/import?${query}`, {
      method: "POST",
      headers: { cookie: await site.as(role), origin: site.url, "content-type": type },
      body,
    });

  test("takes the file itself, or JSON with its name, and answers with the report", async () => {
    const answer = await call(shop, { query: "kind=canaries&dry=true&file=shop.yaml" });
    expect(ImportReport.parse(await answer.json())).toMatchObject({
      file: "shop.yaml",
      dry: true,
      documents: [{ status: "applied" }],
    });
    expect(await names()).toEqual([]);
    const json = await call(JSON.stringify({ file: "a.yaml", text: shop }), { type: "application/json" });
    expect(await json.json()).toMatchObject({
      file: "a.yaml",
      dry: false,
      documents: [{ status: "applied", canary: "default/shop" }],
    });
  });

  test.each([
    [{ query: "" }, "x", 400, "kind must be canaries"],
    [{ query: "kind=teams" }, "x", 400, "kind must be canaries"],
    [{ query: "kind=canaries&dry=perhaps" }, "x", 400, "dry must be true or false"],
    [{ type: "application/json" }, "{", 400, "must be {file, text}"],
    [{ type: "application/json" }, '{"monitorList": []}', 400, "must be {file, text}"],
    [{}, "#".repeat(IMPORT_LIMIT + 1), 413, "5 MB at most"],
  ])("%j is refused with the reason", async (options, body, status, words) => {
    const answer = await call(body, options);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { error: string }).error).toContain(words);
  });

  test("a long file is read aside while others are answered", async () => {
    const many = Array.from({ length: 4000 }, (_, index) =>
      shop.replace("name: shop ", `name: shop-${index} `),
    ).join("---\n");
    const importing = call(many, { query: "kind=canaries&dry=true" });
    const began = performance.now();
    expect((await fetch(`${site.url}/api/health`)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2000);
    expect(((await (await importing).json()) as ImportReport).documents).toHaveLength(4000);
  });
});

describe("export", () => {
  test("gives what imports to the same, of all, of a search, of one", async () => {
    const { pool } = site.database;
    const spec = {
      schedule: "0 0 1 1 *",
      tcp: [{ name: "port", endpoint: "127.0.0.1:1", description: "yes: no #" }],
    };
    const one = await aCanary(pool, { name: "one", spec, labels: { team: "web" } });
    await aCanary(pool, { name: "two", spec, source: "KubernetesCRD" });
    const visit = async (query: string) => site.visit(EXPORT + query, { cookie: await site.as("editor") });

    const all = await visit("");
    expect(all.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
    expect(all.headers.get("content-disposition")).toBe('attachment; filename="canaries.yaml"');
    const yaml = await all.text();
    expect(yaml.match(/^ {2}name: .*$/gm)).toEqual(["  name: one", "  name: two"]);
    expect(await (await visit("?query=kubernetes")).text()).not.toContain("name: one");
    const single = await visit(`?id=${one}`);
    expect(single.headers.get("content-disposition")).toBe('attachment; filename="default-one.yaml"');
    const text = await single.text();
    const again = await post({ text, do: "import" });
    expect(wordsOf(await again.text())).toContain("1 unchanged");
    for (const id of ["nonsense", "00000000-0000-4000-8000-000000000000"])
      expect((await visit(`?id=${id}`)).status).toBe(404);
  });
});

describe("who may", () => {
  test.each(ROLES)("%s", async (role) => {
    const may = role === "admin" || role === "editor";
    const cookie = await site.as(role);
    expect((await post({ text: shop, do: "import" }, role)).status).toBe(may ? 200 : 403);
    expect((await site.visit(EXPORT, { cookie })).status).toBe(may ? 200 : 403);
    const headers = { cookie, origin: site.url, "content-type": "text/plain" };
    const api = await fetch(`${site.url}/api/ph/import?kind=canaries`, {
      method: "POST",
      headers,
      body: shop,
    });
    expect(api.status).toBe(may ? 200 : 403);
    expect(await names()).toHaveLength(may ? 1 : 0);
  });

  test("nobody without a session", async () => {
    expect((await site.visit(EXPORT)).status).toBe(302);
    expect(
      (
        await fetch(`${site.url}/api/ph/import?kind=canaries`, {
          method: "POST",
          headers: { origin: site.url },
          body: shop,
        })
      ).status,
    ).toBe(401);
  });
});
