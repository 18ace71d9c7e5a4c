/** PILOTHOUSE_CONFIG against a real folder and a real database. */
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createConfigFiles, type ConfigFiles } from "#server/import/config-files.ts";
import type { Observation } from "#server/observe/observation.ts";
import { aCanary } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let database: TestDatabase;
let folder: string;
let running: ConfigFiles[] = [];
let said: Observation[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-config-"));
  await database.pool.query("delete from canaries; delete from job_history");
  said = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
  await rm(folder, { recursive: true, force: true });
});

function start(): ConfigFiles {
  const files = createConfigFiles({ pool: database.pool, folder, observe: (one) => said.push(one) });
  running.push(files);
  files.start();
  return files;
}
const put = (path: string, text: string) => writeFile(join(folder, path), text);
const canary = (name: string, port = 1) =>
  `kind: Canary\nmetadata: { name: ${name} }\nspec: { interval: 30, tcp: [{ name: ${name}, endpoint: "127.0.0.1:${port}" }] }\n`;
const live = async () =>
  (
    await database.pool.query<{ name: string; port: string; source: string }>(
      `select name, split_part(spec #>> '{tcp,0,endpoint}', ':', 2) as port, source
       from canaries where deleted_at is null order by name`,
    )
  ).rows.map(({ name, port, source }) => `${name}:${port}:${source}`);
const becomes = (names: string[]) =>
  vi.waitFor(async () => expect(await live()).toEqual(names), { timeout: 15_000, interval: 50 });
const runs = async () =>
  (
    await database.pool.query<{ status: string; details: { errors?: string[] } | null }>(
      "select status, details from job_history where name = 'ConfigFiles' and status <> 'RUNNING' order by created_at desc",
    )
  ).rows;

test("what is in the folder is there; changed, it changes; gone, it goes; back, it is itself again", async () => {
  await put("a.yaml", `${canary("a")}---\n${canary("b")}`);
  await mkdir(join(folder, "teams"));
  await put("teams/c.yml", canary("c"));
  await put("readme.txt", "no canary");
  start();
  await becomes(["a:1:ConfigFile", "b:1:ConfigFile", "c:1:ConfigFile"]);
  const ids = (await database.pool.query("select id from canaries where name = 'b'")).rows;

  await put("a.yaml", canary("a", 2));
  await becomes(["a:2:ConfigFile", "c:1:ConfigFile"]);
  await rm(join(folder, "teams"), { recursive: true });
  await becomes(["a:2:ConfigFile"]);
  await put("b.yaml", canary("b", 3));
  await becomes(["a:2:ConfigFile", "b:3:ConfigFile"]);
  expect((await database.pool.query("select id from canaries where name = 'b'")).rows).toEqual(ids);
  await vi.waitFor(async () =>
    expect((await runs())[0]).toMatchObject({ status: "SUCCESS", details: { files: 2, applied: 1 } }),
  );
});

test("a broken file keeps what it had, the others go on, and the mistake is told with its line, once", async () => {
  await put("a.yaml", canary("a"));
  await put("b.yaml", `${canary("b")}---\n${canary("c")}`);
  start();
  await becomes(["a:1:ConfigFile", "b:1:ConfigFile", "c:1:ConfigFile"]);

  await put("b.yaml", "kind: Canary\nmetadata: [\n");
  await put("a.yaml", canary("a", 2));
  await becomes(["a:2:ConfigFile", "b:1:ConfigFile", "c:1:ConfigFile"]);
  await vi.waitFor(async () => {
    const [{ status, details } = { status: "", details: null }] = await runs();
    expect(status).toBe("WARNING");
    expect(details?.errors).toEqual([
      expect.stringMatching(/^b\.yaml: line \d+, column \d+: This is not readable as YAML/),
    ]);
  });
  await vi.waitFor(() => expect(said.filter(({ kind }) => kind === "warning")).toHaveLength(1));

  await put("b.yaml", `${canary("b")}---\nkind: Canary\nmetadata: { name: c }\nspec: { htpp: [] }\n`);
  await vi.waitFor(async () =>
    expect((await runs())[0]?.details?.errors?.[0]).toContain("htpp is no type of check"),
  );
  expect(await live()).toEqual(["a:2:ConfigFile", "b:1:ConfigFile", "c:1:ConfigFile"]);
  await put("b.yaml", canary("b"));
  await becomes(["a:2:ConfigFile", "b:1:ConfigFile"]);
});

test("a folder that is away deletes nothing", async () => {
  await put("a.yaml", canary("a"));
  start();
  await becomes(["a:1:ConfigFile"]);
  await rename(folder, `${folder}-away`);
  await vi.waitFor(
    async () =>
      expect((await runs())[0]).toMatchObject({
        status: "FAILED",
        details: { errors: ["the folder cannot be read (ENOENT)"] },
      }),
    { timeout: 15_000 },
  );
  expect(await live()).toEqual(["a:1:ConfigFile"]);
  await rename(`${folder}-away`, folder);
  await vi.waitFor(async () => expect((await runs())[0]?.status).toBe("SUCCESS"), { timeout: 15_000 });
});

test("what belongs to others stays theirs, and of two files with one name the first counts", async () => {
  await aCanary(database.pool, {
    name: "mine",
    source: "UI",
    spec: { tcp: [{ name: "mine", endpoint: "127.0.0.1:9" }] },
  });
  await aCanary(database.pool, {
    name: "web",
    namespace: "pilothouse",
    source: "ConfigFile",
    spec: { tcp: [{ name: "web", endpoint: "127.0.0.1:9" }] },
  });
  await put("a.yaml", `${canary("mine")}---\n${canary("a")}`);
  await put(
    "b.yaml",
    `${canary("a", 2)}---\n${canary("web").replace("name: web }", "name: web, namespace: pilothouse }")}`,
  );
  start();
  await becomes(["a:1:ConfigFile", "mine:9:UI", "web:9:ConfigFile"]);
  await vi.waitFor(async () =>
    expect((await runs())[0]?.details?.errors).toEqual([
      expect.stringMatching(
        /^a\.yaml: line 1: default\/mine is there already, and somebody made it on the pages/,
      ),
      "b.yaml: line 1: default/a is in a.yaml already: give one of them another name",
      "b.yaml: line 5: the namespace pilothouse belongs to the product itself",
    ]),
  );
});

test("secrets and config maps are no canaries; a config map that Kubernetes mounts is read through its links", async () => {
  for (const name of ["secrets", "configmaps"]) {
    await mkdir(join(folder, name));
    await put(`${name}/values.yaml`, canary(name));
  }
  await mkdir(join(folder, "..2026"));
  await put("..2026/a.yaml", canary("a"));
  await symlink("..2026", join(folder, "..data"));
  await symlink("..data/a.yaml", join(folder, "a.yaml"));
  start();
  await becomes(["a:1:ConfigFile"]);
});

test("of two control planes one applies, and the other takes over", async () => {
  await put("a.yaml", canary("a"));
  const first = start();
  await becomes(["a:1:ConfigFile"]);
  start();
  await new Promise((done) => setTimeout(done, 500));
  expect(await runs()).toHaveLength(1);
  await first.stop();
  await put("a.yaml", canary("a", 2));
  await becomes(["a:2:ConfigFile"]);
});

test("what somebody deletes by hand is there again after the next comparison, and a long file is read aside", async () => {
  const many = Array.from({ length: 3000 }, (_, index) => canary(`c${index}`)).join("---\n");
  expect(many.length).toBeGreaterThan(256_000);
  await put("many.yaml", many);
  const first = start();
  await vi.waitFor(async () => expect(await live()).toHaveLength(3000), { timeout: 40_000, interval: 200 });
  await first.stop();
  await database.pool.query("update canaries set deleted_at = now() where name = 'c7'");
  start();
  await vi.waitFor(async () => expect(await live()).toHaveLength(3000), { timeout: 40_000, interval: 200 });
});
