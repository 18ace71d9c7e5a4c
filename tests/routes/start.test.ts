/** Starting and stopping: what goes wrong is said in one sentence, and nothing is ever left running. */
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "#server/db/ports.ts";
import { aCanary } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { familyOf, processes, stillThere, type Process } from "#tests/support/processes.ts";
import {
  ADMIN,
  KEY,
  onDatabase,
  SECRET,
  signIn,
  startProduct,
  type Product,
} from "#tests/support/product.ts";

let folder: string;
const open: Product[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-start-"));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((product) => product.stop()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Ended after the test, also when it fails. */
async function start(options: Parameters<typeof startProduct>[0] = {}): Promise<Product> {
  const product = await startProduct(options);
  open.push(product);
  return product;
}

/** Starts with a mistake and returns the exit code and what was said. */
async function mistake(env: Record<string, string | undefined>, dataDir?: string) {
  const data = dataDir ?? join(folder, "mistake");
  const product = await start({ env, wait: false, dataDir: data });
  const code = await product.ended;
  expect(runningOn(data)).toEqual([]);
  return { code, said: product.said().trim() };
}

const runningOn = (data: string) => processes().filter(({ command }) => command.includes(`${data}/`));

/** Under a file, where nobody can make a folder. */
const NOT_A_FOLDER = join(process.cwd(), "package.json", "data");
const NOBODY = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };

describe("a mistake stops the start with one sentence that names it", () => {
  test.each([
    ["PORT", { PORT: "abc" }, "PORT must be a whole number from 1 to 65535."],
    [
      "HOST",
      { HOST: "192.0.2.1" },
      /^HOST 192\.0\.2\.1 is not an address of this machine \(EADDRNOTAVAIL\): use/,
    ],
    [
      "TRUST_PROXY",
      { TRUST_PROXY: "yes" },
      "TRUST_PROXY must be the number of proxies in front, from 0 to 100.",
    ],
    [
      "PUBLIC_URL",
      { PUBLIC_URL: "example.com" },
      "PUBLIC_URL must be the address people type, like https://pilothouse.example.com.",
    ],
    ["PILOTHOUSE_ROLE", { PILOTHOUSE_ROLE: "both" }, "PILOTHOUSE_ROLE must be all, web or control-plane."],
    [
      "SESSION_SECRET",
      { SESSION_SECRET: "short" },
      "SESSION_SECRET must have at least 32 characters, for example from `openssl rand -hex 32`.",
    ],
    [
      "DATABASE_URL",
      { DATABASE_URL: "mysql://x" },
      "DATABASE_URL must be an address like postgres://user:password@host:5432/database.",
    ],
    [
      "PILOTHOUSE_DATA",
      { PILOTHOUSE_DATA: NOT_A_FOLDER },
      `PILOTHOUSE_DATA: ${NOT_A_FOLDER} cannot be used (ENOTDIR).`,
    ],
  ])("a wrong %s", async (_name, env, sentence) => {
    const { code, said } = await mistake(env);
    expect(code).toBe(1);
    if (typeof sentence === "string") expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
    expect(said.split("\n")).toHaveLength(1);
  });

  test("a taken port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const { port } = server.address() as AddressInfo;
    const found = await mistake({ PORT: String(port) });
    server.close();
    expect(found).toEqual({
      code: 1,
      said: `PORT ${port} is already taken on 127.0.0.1: stop what uses it, or set PORT to a free one.`,
    });
  });

  test("an unreachable database", async () => {
    const port = await freePort();
    expect(await mistake(onDatabase(`postgres://me:secret@127.0.0.1:${port}/db`))).toEqual({
      code: 1,
      said: `DATABASE_URL: the database at 127.0.0.1:${port} cannot be reached (ECONNREFUSED): start it, or correct the address.`,
    });
  });

  test("a data folder of a newer version", async () => {
    const newer = join(folder, "newer");
    await mkdir(newer);
    await writeFile(join(newer, "format"), "99\n");
    expect(await mistake({}, newer)).toEqual({
      code: 1,
      said: `PILOTHOUSE_DATA: ${newer} was written by a newer version of Pilothouse (format 99, this one knows 1): start that version, or choose another folder.`,
    });
  });

  test.each([
    [{ PILOTHOUSE_ROLE: "web" }, "PILOTHOUSE_ROLE=web needs UPSTREAM_URL, the root of the backend it shows."],
    [
      { UPSTREAM_URL: "http://h", DATABASE_URL: "postgres://h/d", ...NOBODY },
      "DATABASE_URL makes no sense with UPSTREAM_URL: unset one of them, since the web reads everything from its upstream.",
    ],
    [
      { UPSTREAM_URL: "http://h", PILOTHOUSE_ROLE: "control-plane" },
      "UPSTREAM_URL makes no sense with PILOTHOUSE_ROLE=control-plane: unset one of them, since a backend elsewhere needs only the web here.",
    ],
    [
      { PILOTHOUSE_ADMIN_PASSWORD: undefined },
      "PILOTHOUSE_ADMIN_EMAIL and PILOTHOUSE_ADMIN_PASSWORD go together: set both or none.",
    ],
    [
      { ORY_KRATOS_URL: "https://auth.example.com" },
      "PILOTHOUSE_ADMIN_PASSWORD makes no sense with ORY_KRATOS_URL: unset it, since passwords belong to Kratos.",
    ],
    [
      { ORY_KRATOS_URL: "https://auth.example.com", PILOTHOUSE_MODE: "standalone", ...NOBODY },
      "ORY_KRATOS_URL makes no sense with PILOTHOUSE_MODE=standalone: unset one of them, since nobody signs in there.",
    ],
    [
      { DATABASE_URL: "postgres://h/d" },
      "PILOTHOUSE_KEY must be set when DATABASE_URL is, to at least 32 characters that all control planes share.",
    ],
  ])("a combination that makes no sense: %o", async (env, sentence) => {
    expect(await mistake(env)).toEqual({ code: 1, said: sentence });
  });
});

describe("a database that is not as it must be", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const plain = { name: "", url: "" };
  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    plain.name = `${database.name}_plain`;
    admin = new pg.Client({ connectionString: inject("postgres") });
    await admin.connect();
    await admin.query(`create role ${plain.name} login password 'plain'`);
    await admin.query(`create database ${plain.name} owner ${plain.name}`);
    plain.url = as(plain.name, "plain", plain.name);
  });
  afterAll(async () => {
    await admin.query(`drop database ${plain.name} with (force)`);
    await admin.query(`drop role ${plain.name}`);
    await admin.end();
    await database.drop();
  });
  const as = (user: string, password: string, name: string) => {
    const url = new URL(database.url);
    [url.username, url.password, url.pathname] = [user, password, `/${name}`];
    return url.toString();
  };

  test("its user must own it", async () => {
    expect(await mistake(onDatabase(as(plain.name, "plain", database.name)))).toEqual({
      code: 1,
      said: `DATABASE_URL: the user ${plain.name} must own the database it connects to.`,
    });
  });

  test("its user needs CREATEROLE", async () => {
    expect(await mistake(onDatabase(plain.url))).toEqual({
      code: 1,
      said: `DATABASE_URL: the user ${plain.name} needs CREATEROLE, since each role of the product is one of the database.`,
    });
  });

  test("a wrong password, and a name that is not there", async () => {
    const { host } = new URL(database.url);
    expect(await mistake(onDatabase(as(plain.name, "wrong", plain.name)))).toEqual({
      code: 1,
      said: `DATABASE_URL: the database at ${host} refused the user or the password.`,
    });
    expect(await mistake(onDatabase(as(plain.name, "plain", "nowhere")))).toEqual({
      code: 1,
      said: `DATABASE_URL: the database at ${host} has no database of that name: create it first.`,
    });
  });

  test("one of a newer version", async () => {
    const newer = await createDatabase();
    await newer.pool.query("insert into internal.migrations (name, hash) values ('9999_later', 'x')");
    const { code, said } = await mistake(onDatabase(newer.url));
    await newer.drop();
    expect(code).toBe(1);
    expect(said).toBe(
      "The database was made by a newer version of Pilothouse (it knows migration 9999_later): start that version, or point PILOTHOUSE_DATA or DATABASE_URL elsewhere.",
    );
  });
});

describe("stopping", () => {
  let slow: Server;
  let asked = 0;
  beforeAll(async () => {
    slow = createServer((_, response) => {
      asked++;
      setTimeout(() => response.end("late"), 20_000);
    }).listen(0, "127.0.0.1");
    await new Promise((done) => slow.once("listening", done));
  });
  afterAll(() => slow.closeAllConnections());

  /** Sends a request and reads nothing of the answer. */
  async function lazy(product: Product, head: string): Promise<Socket> {
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(`${head}\r\nhost: ${new URL(product.url).host}\r\n\r\n`);
    return socket;
  }

  test(
    "SIGTERM with a check, a slow reader and a slow writer under way: exit 0 within 10 s, the check is written down as interrupted",
    { timeout: 60_000 },
    async () => {
      const database = await createDatabase({ migrated: false });
      const product = await start({ env: onDatabase(database.url) });
      const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
      const spec = { schedule: "@every 1h", http: [{ name: "slow", url }] };
      await aCanary(database.pool, { name: "slow", spec });
      await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
      await database.pool.query(
        `insert into config_items (name, type, config_class, config)
         select 'big ' || n, 'Big::Row', 'Big', to_jsonb(repeat(md5(n::text), 8000)) from generate_series(1, 80) as n`,
      );
      const cookie = await signIn(product.url, ADMIN);
      const reader = await lazy(
        product,
        `GET /api/db/config_items?select=name,config&type=eq.Big::Row HTTP/1.1\r\ncookie: ${cookie}`,
      );
      const writer = await lazy(
        product,
        `POST /api/db/config_items HTTP/1.1\r\ncookie: ${cookie}\r\norigin: ${product.url}\r\ncontent-type: application/json\r\ncontent-length: 1000`,
      );
      await new Promise((done) => setTimeout(done, 500));

      const family = familyOf(product.pid);
      const from = performance.now();
      expect(await product.stop()).toBe(0);
      expect(performance.now() - from).toBeLessThan(10_000);
      expect(stillThere(family)).toEqual([]);
      for (const socket of [reader, writer]) socket.destroy();

      const { rows } = await database.pool.query(
        "select status, details->'errors'->>0 as error from job_history where name = 'Canary'",
      );
      expect(rows).toEqual([
        { status: "STOPPED", error: "http check slow was interrupted: the control plane stopped" },
      ]);
      const planes = await database.pool.query("select from internal.control_planes");
      expect(planes.rowCount).toBe(0);
      await database.drop();
    },
  );

  test(
    "a signal during the start: exit 0, nothing left running, and the next start is fine",
    { timeout: 60_000 },
    async () => {
      const data = join(folder, "early");
      for (const [signal, moment] of [
        ["SIGTERM", "bin/initdb "],
        ["SIGINT", "bin/postgres "],
        ["SIGTERM", "control-plane.js"],
        ["SIGINT", "database: "], // said, when the control plane is about to be told its settings
      ] as const) {
        const product = await start({ dataDir: data, wait: false });
        let family: Process[] = [];
        const hasCome = () => {
          family = familyOf(product.pid);
          return family.some(({ command }) => command.includes(moment)) || product.said().includes(moment);
        };
        await expect.poll(hasCome, { timeout: 20_000, interval: 5 }).toBe(true);
        expect([moment, await product.stop(signal), product.said()]).toEqual([
          moment,
          0,
          expect.stringContaining(`stop reason=${signal}`),
        ]);
        expect(stillThere(family)).toEqual([]);
      }
      const product = await start({ dataDir: data });
      const response = await fetch(`${product.url}/login`);
      expect(response.status).toBe(200);
    },
  );
});

describe("running", () => {
  test(
    "a first start watches itself, refuses a second one on its folder, and brings killed children back within 2 s",
    { timeout: 60_000 },
    async () => {
      const data = join(folder, "whole");
      const product = await start({ dataDir: data });
      expect(product.said()).toContain(`Sign in at ${product.url}/login`);
      const cookie = await signIn(product.url, ADMIN);
      const healthy = async () => {
        const response = await fetch(`${product.url}/api/db/checks?select=status&status=eq.healthy`, {
          headers: { cookie },
        });
        return ((await response.json()) as unknown[]).length;
      };
      await expect.poll(healthy, { timeout: 15_000, interval: 200 }).toBe(6);

      expect(await mistakeOn(data)).toMatch(
        /^PILOTHOUSE_DATA: Pilothouse already runs on .* \(process \d+\): stop it, or choose another folder\.$/,
      );

      for (const file of ["control-plane.js", "web.js", "control-plane.js", "control-plane.js"]) {
        const find = () => familyOf(product.pid).find(({ command }) => command.includes(file))?.pid;
        const before = find()!;
        process.kill(before, "SIGKILL");
        await expect.poll(() => find() ?? before, { timeout: 2000, interval: 20 }).not.toBe(before);
      }
      const pauses = [...product.said().matchAll(/child=control plane .*restartInMs=(\d+)/g)].map(([, ms]) =>
        Number(ms),
      );
      expect(pauses).toEqual([0, 100, 250]);
      await expect
        .poll(async () => (await fetch(`${product.url}/login`)).status, { timeout: 5000 })
        .toBe(200);

      const from = performance.now();
      expect(await product.stop("SIGINT")).toBe(0);
      expect(performance.now() - from).toBeLessThan(10_000);
      expect(runningOn(data)).toEqual([]);
    },
  );

  /** A start on a folder that is in use: the sentence. */
  async function mistakeOn(data: string): Promise<string> {
    const second = await start({ dataDir: data, wait: false });
    expect(await second.ended).toBe(1);
    return second.said().trim();
  }

  test(
    "the first start prints a one-time link; a recovery link is printed while the product runs and while it does not",
    { timeout: 60_000 },
    async () => {
      const data = join(folder, "first");
      const bare = await start({ dataDir: data, env: NOBODY });
      const [link = ""] = /http\S+\/registration\?setup=\S+/.exec(bare.said()) ?? [];
      expect(link).toContain(bare.url);
      expect(await (await fetch(link)).text()).toContain("traits.email");
      expect(await (await fetch(`${bare.url}/registration`)).text()).not.toContain("traits.email");
      await bare.stop();

      const reset = async (email: string) => {
        const command = [process.execPath, "build/reset-password.js", email];
        const run = await start({ dataDir: data, command, wait: false });
        return { code: await run.ended, said: run.said() };
      };
      const product = await start({ dataDir: data });
      expect(product.said()).not.toContain("setup=");
      const printed = await reset(ADMIN.email);
      expect(printed).toEqual({ code: 0, said: expect.stringContaining(`account of ${ADMIN.email} once`) });
      const [recovery = ""] = /http\S+/.exec(printed.said) ?? [];
      expect(recovery).toContain(product.url); // not of the environment of the command, which has another PORT
      const init = { method: "POST", redirect: "manual", headers: { origin: product.url } } as const;
      const spent = await fetch(recovery, init);
      expect(spent.headers.get("location")).toMatch(/^\/profile-settings\?flow=/);
      expect(spent.headers.getSetCookie().join()).toContain("ory_kratos_session=");
      expect((await fetch(recovery, init)).headers.get("location")).toBeNull();
      await product.stop();

      expect(await reset("nobody@example.com")).toEqual({
        code: 1,
        said: expect.stringMatching(/nobody@example\.com/),
      });
      expect(await reset(ADMIN.email)).toEqual({
        code: 0,
        said: expect.stringContaining("/recovery?"),
      });
      expect(runningOn(data)).toEqual([]);
    },
  );

  test("a web without a reachable backend starts, and says what is away", async () => {
    const env = { UPSTREAM_URL: `http://127.0.0.1:${await freePort()}`, SESSION_SECRET: SECRET, ...NOBODY };
    const product = await start({ env });
    const response = await fetch(`${product.url}/login`);
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining("Upstream is away"),
    ]);
    expect(await product.stop()).toBe(0);
  });

  test("a control plane alone needs no data folder", async () => {
    const database = await createDatabase({ migrated: false });
    const env = { DATABASE_URL: database.url, PILOTHOUSE_KEY: KEY, PILOTHOUSE_ROLE: "control-plane" };
    const product = await start({ env, dataDir: NOT_A_FOLDER });
    expect((await fetch(`${product.url}/health`)).status).toBe(200);
    expect(await product.stop()).toBe(0);
    await database.drop();
  });
});
