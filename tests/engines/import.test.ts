/** What an import writes, against the database: who owns what, what comes back, what is told. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTransaction } from "#server/db/pool.ts";
import { applyReading, type ApplyNeeds } from "#server/import/apply.ts";
import { readImport } from "#server/import/read.ts";
import { reportLines } from "#server/import/words.ts";
import { aCanary } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => database.pool.query("delete from canaries"));

const apply = (text: string, needs: Partial<ApplyNeeds> = {}) =>
  inTransaction(database.pool, (client) =>
    applyReading(client, readImport(text), { file: "shop.yaml", source: "UI", ...needs }),
  );
const statuses = async (text: string, needs?: Partial<ApplyNeeds>) =>
  (await apply(text, needs)).documents.map(({ status }) => status);
const canary = (name: string, port = 1) =>
  `kind: Canary\nmetadata: { name: ${name}, labels: { tier: web } }\nspec: { interval: 30, tcp: [{ name: ${name}, endpoint: "127.0.0.1:${port}" }] }\n`;
const rows = async () =>
  (
    await database.pool.query(
      "select name, namespace, source, labels, spec, deleted_at is not null as deleted from canaries order by name, created_at",
    )
  ).rows;

test("what is new is applied, what is other is changed, what is the same is left alone", async () => {
  const two = `${canary("a")}---\n${canary("b")}`;
  expect(await statuses(two)).toEqual(["applied", "applied"]);
  const before = await database.pool.query("select name, updated_at from canaries order by name");
  expect(await statuses(two)).toEqual(["unchanged", "unchanged"]);
  expect((await database.pool.query("select name, updated_at from canaries order by name")).rows).toEqual(
    before.rows,
  );
  expect(await statuses(`${canary("a", 2)}---\n${canary("b")}---\n${canary("c")}`)).toEqual([
    "changed",
    "unchanged",
    "applied",
  ]);
  expect(await rows()).toEqual(
    [
      ["a", 2],
      ["b", 1],
      ["c", 1],
    ].map(([name, port]) => ({
      name,
      namespace: "default",
      source: "UI",
      labels: { tier: "web" },
      spec: { interval: 30, tcp: [{ name, endpoint: `127.0.0.1:${port}` }] },
      deleted: false,
    })),
  );
});

test("a dry run says the same and writes nothing", async () => {
  await apply(canary("a"));
  const report = await apply(`${canary("a", 2)}---\n${canary("b")}---\nkind: Canary\n`, { dry: true });
  expect(report.documents.map(({ status }) => status)).toEqual(["changed", "applied", "refused"]);
  expect((await rows()).map(({ name, spec }) => [name, spec.tcp[0].endpoint])).toEqual([
    ["a", "127.0.0.1:1"],
  ]);
  expect(reportLines(report)).toEqual([
    "shop.yaml (Canaries): 1 applied, 1 changed, 1 refused; nothing was written",
    "  changed   default/a",
    "  applied   default/b",
    "  refused   Canary: line 9, column 1: metadata.name is required",
  ]);
});

test.each([
  ["ConfigFile", "it belongs to a file of PILOTHOUSE_CONFIG, or to the product itself"],
  ["KubernetesCRD", "it belongs to Kubernetes"],
  ["Push", "its source is Push"],
  [null, "its source is unknown"],
])("a canary of source %s is not taken over, and the report says whose it is", async (source, words) => {
  await aCanary(database.pool, { name: "a", source, spec: {} });
  const { documents } = await apply(canary("a"));
  expect(documents).toMatchObject([
    { status: "refused", canary: "default/a", reason: { message: expect.stringContaining(words) } },
  ]);
  expect(await rows()).toMatchObject([{ source, spec: {} }]);
});

test("a canary that was deleted comes back as itself, with its history", async () => {
  await apply(canary("a"));
  const id = (await database.pool.query("update canaries set deleted_at = now() returning id")).rows[0].id;
  expect(await statuses(canary("a"))).toEqual(["applied"]);
  expect((await database.pool.query("select id, deleted_at from canaries")).rows).toEqual([
    { id, deleted_at: null },
  ]);
});

test("the same name in another namespace is another canary", async () => {
  await apply(canary("a"));
  expect(await statuses(canary("a").replace("name: a,", "name: a, namespace: shop,"))).toEqual(["applied"]);
  expect((await rows()).map(({ namespace }) => namespace).sort()).toEqual(["default", "shop"]);
});

test("two imports of one file at once make each canary once", async () => {
  const text = Array.from({ length: 20 }, (_, index) => canary(`c${index}`)).join("---\n");
  const both = await Promise.all([statuses(text), statuses(text)]);
  expect(both.flat().filter((status) => status === "applied")).toHaveLength(20);
  expect(both.flat().filter((status) => status === "unchanged")).toHaveLength(20);
  expect(await rows()).toHaveLength(20);
});
