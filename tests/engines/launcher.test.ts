import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, chmod, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbedded } from "#server/db/postgres.ts";
import { processes } from "#tests/support/processes.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "pilothouse-launcher-"));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const start = () => startEmbedded({ dataDir, password: "secret", observe: () => undefined });

async function ask<T>(url: string, sql: string): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ answer: T }>(sql);
  await client.end();
  return rows[0]!.answer;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test("the cluster is UTF-8, the owner is no superuser, and a second start finds the data", async () => {
  const first = await start();
  expect(await ask(first.url, "select current_setting('server_encoding') as answer")).toBe("UTF8");
  expect(await ask(first.url, "select rolsuper as answer from pg_roles where rolname = current_user")).toBe(
    false,
  );
  await run(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await start();
  expect(await ask(second.url, "select answer from kept")).toBe(42);
  await second.stop();
});

test("a killed server comes back on the same port by itself", async () => {
  const server = await start();
  process.kill(server.pid()!, "SIGKILL");
  await expect.poll(() => ask(server.url, "select 1 as answer").catch(() => 0), { timeout: 10_000 }).toBe(1);
  await server.stop();
});

const isAlive = (pid: number) => processes().some((one) => one.pid === pid);

/** Starts the server in a process of its own and kills that: the server is left behind. Returns its pid. */
async function leaveBehind(): Promise<number> {
  const script = `
    import { startEmbedded } from "#server/db/postgres.ts";
    const needs = { dataDir: process.argv[1], password: "secret", observe: () => undefined };
    const server = await startEmbedded(needs);
    process.stdout.write(String(server.pid()));
    setInterval(() => undefined, 1000);`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script, dataDir];
  const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [pid] = (await once(parent.stdout, "data")) as [Buffer];
  parent.kill("SIGKILL");
  await once(parent, "exit");
  return Number(pid.toString());
}

test("a server left behind by a killed supervisor is taken over, watched and stopped", async () => {
  const left = await leaveBehind();
  const next = await start();
  expect(next.pid()).toBe(left);
  process.kill(left, "SIGKILL");
  await expect.poll(() => ask(next.url, "select 1 as answer").catch(() => 0), { timeout: 10_000 }).toBe(1);
  expect(next.pid()).not.toBe(left);
  await next.stop();
  await expect(readFile(join(dataDir, "postgres", "postmaster.pid"))).rejects.toThrow();

  const again = await leaveBehind();
  const last = await start();
  expect(last.pid()).toBe(again);
  await last.stop();
  expect(isAlive(again)).toBe(false);
});

test("one that was started with other settings is stopped and started anew", async () => {
  const left = await leaveBehind();
  const settings = ["max_connections=33"];
  const next = await startEmbedded({ dataDir, password: "secret", observe: () => undefined, settings });
  expect(next.pid()).not.toBe(left);
  expect(isAlive(left)).toBe(false);
  expect(await ask(next.url, "select current_setting('max_connections') as answer")).toBe("33");
  await next.stop();
});

test("a start that is called off leaves nothing running", async () => {
  const halt = new AbortController();
  const coming = startEmbedded({
    dataDir,
    password: "secret",
    observe: () => undefined,
    signal: halt.signal,
  });
  setTimeout(() => halt.abort(new Error("called off")), 30);
  await expect(coming).rejects.toThrow("called off");
  await expect(readFile(join(dataDir, "postgres", "postmaster.pid"))).rejects.toThrow();
});
