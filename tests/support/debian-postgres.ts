import { spawn } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { databaseAccount } from "#server/db/binaries.ts";
import { ENVIRONMENT } from "#server/db/cluster.ts";
import { freePort } from "#server/db/ports.ts";

/** The folder of Debian's PostgreSQL 15 programs, or null where it is not installed. */
export function debianPostgres(): string | null {
  const folder = "/usr/lib/postgresql/15/bin";
  return existsSync(`${folder}/postgres`) ? folder : null;
}

/** A PostgreSQL 15 of its own in a temporary folder: a superuser's address, and how to end it. */
export async function startDebianPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const programs = debianPostgres();
  if (!programs) throw new Error("needs PostgreSQL 15 (Debian's package postgresql-15)");
  const account = await databaseAccount();
  const folder = await mkdtemp(join(tmpdir(), "pilothouse-debian-"));
  const password = join(folder, "password");
  await writeFile(password, "dev", { mode: 0o600 });
  if (account) for (const path of [folder, password]) chownSync(path, account.uid, account.gid);
  const data = join(folder, "data");
  const options = { cwd: "/", env: ENVIRONMENT, ...(account ?? {}) };

  const initdb = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${password}`, "-E", "UTF8"];
  const made = spawn(join(programs, "initdb"), initdb, {
    ...options,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((done) => made.once("exit", done));
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`);

  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `port=${port}`,
    "fsync=off",
    "max_connections=200",
  ];
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: "ignore" },
  );
  const ended = new Promise((done) => server.once("exit", done));
  const url = `postgres://postgres:dev@127.0.0.1:${port}/postgres`;
  await untilUp(url);
  return {
    url,
    async stop() {
      server.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilUp(url: string): Promise<void> {
  for (const until = Date.now() + 30_000; ;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
