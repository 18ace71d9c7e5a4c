/** The commands around the data: backup, restore, and what is said when they cannot. */
import { chmod, copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "#tests/support/postgres.ts";
import { ADMIN, onDatabase, signIn, startProduct } from "#tests/support/product.ts";

const NOBODY = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-keep-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs one of the commands to its end. */
async function command(
  words: string[],
  options: { dataDir: string; env?: Record<string, string | undefined> },
): Promise<{ code: number | null; said: string }> {
  const [name, ...rest] = words;
  const program = [process.execPath, `build/${name}.js`, ...rest];
  const run = await startProduct({ command: program, wait: false, ...options });
  return { code: await run.ended, said: run.said().trim() };
}

test(
  "a backup of a running product, restored on another machine, is the same product",
  { timeout: 120_000 },
  async () => {
    const [here, there] = [join(folder, "here"), join(folder, "there")];
    const file = join(folder, "nightly.backup");
    const product = await startProduct({ dataDir: here });
    const cookie = await signIn(product.url, ADMIN);
    const api = (url: string, path: string, init: RequestInit = {}, session = cookie) =>
      fetch(`${url}/api/db/${path}`, {
        ...init,
        headers: { cookie: session, origin: url, "content-type": "application/json" },
      });
    const body = JSON.stringify({
      name: "vault",
      type: "http",
      url: "http://me:s3cret@h/",
      password: "s3cret",
    });
    expect((await api(product.url, "connections", { method: "POST", body })).status).toBe(201);

    expect(await command(["backup", file, "--with-key"], { dataDir: here })).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^\d+ rows of \d+ tables are in \S+nightly\.backup \([\d.]+ MB, [\d.]+ s\)\.\nPILOTHOUSE_KEY is in it too/,
      ),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await command(["restore", file], { dataDir: here })).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^PILOTHOUSE_DATA: Pilothouse already runs on \S+ \(process \d+\): stop it/,
      ),
    });
    await product.stop();
    expect(await command(["restore", file], { dataDir: here })).toEqual({
      code: 1,
      said: "This database holds data already: restore into an empty one, or say --force to replace what is there.",
    });
    // Also from a product that does not run; it replaces the earlier one.
    expect((await command(["backup", file, "--with-key"], { dataDir: here })).code).toBe(0);

    expect(await command(["restore", file], { dataDir: there })).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^\d+ rows of \d+ tables are back, as they were on 2\S+ \(version \S+\)\.$/,
      ),
    });
    const keys = async (data: string) =>
      JSON.parse(await readFile(join(data, "keys.json"), "utf8")) as Record<string, string>;
    const [mine, theirs] = [await keys(here), await keys(there)];
    expect([theirs["key"], theirs["session"]]).toEqual([mine["key"], mine["session"]]);
    expect(theirs["database"]).not.toBe(mine["database"]);

    const second = await startProduct({ dataDir: there, env: NOBODY });
    const session = await signIn(second.url, ADMIN);
    const rows = await api(second.url, "connections?select=name,password", {}, session);
    expect(await rows.json()).toEqual([{ name: "vault", password: "***" }]);
    await second.stop();
  },
);

test("what is wrong with a file or its name is one sentence, and nothing is started", async () => {
  const data = join(folder, "none");
  const text = join(folder, "notes.txt");
  await writeFile(text, "shopping list\n");
  const short = join(folder, "short.backup");
  await copyFile(join(folder, "nightly.backup"), short);
  await truncate(short, (await stat(short)).size - 100);
  const database = await createDatabase({ migrated: false });
  const sentences = [
    [["backup"], "Name one file: npm run backup -- FILE [--with-key]"],
    [["restore", "a", "b"], "Name one file: npm run restore -- FILE [--force]"],
    [["restore", text, "--hard"], "--hard is unknown. Name one file: npm run restore -- FILE [--force]"],
    [["backup", text], `${text} is there already and is no backup: choose another name.`],
    [
      ["backup", join(folder, "new")],
      `PILOTHOUSE_DATA: there is no product in ${data}: start it once, or name its folder.`,
    ],
    [["restore", text], `${text} is not a backup of Pilothouse.`],
    [["restore", join(folder, "no")], `${join(folder, "no")} cannot be read (ENOENT).`],
  ] as const;
  for (const [words, said] of sentences)
    expect(await command([...words], { dataDir: data })).toEqual({ code: 1, said });
  const env = onDatabase(database.url);
  expect(await command(["backup", join(folder, "new")], { dataDir: data, env })).toEqual({
    code: 1,
    said: "There is nothing to back up: this database is empty.",
  });
  expect(await command(["restore", short], { dataDir: data, env })).toEqual({
    code: 1,
    said: "The secrets in this backup were encrypted with another PILOTHOUSE_KEY: set that one (it is `key` in keys.json of the data folder it came from), or say --force and enter the secrets again.",
  });
  expect(await command(["restore", short, "--force"], { dataDir: data, env })).toEqual({
    code: 1,
    said: "This backup is cut short or damaged: nothing was restored. Take another copy of it.",
  });
  const { rows } = await database.pool.query("select to_regclass('public.people') as people");
  expect(rows).toEqual([{ people: null }]);
  expect(
    (await command(["restore", join(folder, "nightly.backup"), "--force"], { dataDir: data, env })).code,
  ).toBe(0);
  await expect(stat(data)).rejects.toThrow();
  await database.drop();
});
