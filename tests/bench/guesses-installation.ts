/** Two control planes on one database with many accounts, and a mail server that takes everything. */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { startEmbedded } from "#server/db/postgres.ts";
import { hashPassword } from "#server/identity/passwords.ts";
import { onDatabase, startProduct, type Product } from "#tests/support/product.ts";

/** Accounts, each with the same password: hashing thousands would take longer than the bench. */
const ACCOUNTS = 600;

export interface Installation {
  planes: Product[];
  /** What a web in front of them needs besides UPSTREAM_URL. */
  webEnv: Record<string, string | undefined>;
  password: string;
  emailOf(account: number): string;
  pool: pg.Pool;
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-bench-guesses-"));
  await chmod(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    password: "only-for-this-run",
    observe: () => undefined,
    settings: [],
  });
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done());
    },
  });
  await new Promise<void>((ready) => mail.listen(0, "127.0.0.1", ready));
  const name = `bench_${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server.superuserUrl });
  await admin.connect();
  await admin.query(`create role ${name} login createrole password 'only-for-this-run'`);
  await admin.query(`create database ${name} owner ${name} template template0 encoding 'UTF8'`);
  await admin.end();
  const url = new URL(server.superuserUrl);
  Object.assign(url, { pathname: `/${name}`, username: name, password: "only-for-this-run" });
  const settings = onDatabase(url.toString());
  const env = {
    ...settings,
    PILOTHOUSE_ROLE: "control-plane",
    SMTP_HOST: "127.0.0.1",
    SMTP_PORT: String((mail.server.address() as AddressInfo).port),
    SMTP_FROM: "ops@example.com",
  };
  const planes = [await startProduct({ env })];
  planes.push(await startProduct({ env }));
  const pool = new pg.Pool({ connectionString: url.toString(), max: 2 });
  const password = "correct horse battery";
  await insertAccounts(pool, await hashPassword(password));
  return {
    planes,
    webEnv: {
      SESSION_SECRET: settings["SESSION_SECRET"],
      PILOTHOUSE_ADMIN_EMAIL: undefined,
      PILOTHOUSE_ADMIN_PASSWORD: undefined,
    },
    password,
    emailOf: (account) => `person${account}@example.com`,
    pool,
    async stop() {
      for (const plane of planes) await plane.stop();
      await pool.end();
      await new Promise<void>((closed) => mail.close(() => closed()));
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function insertAccounts(pool: pg.Pool, passwordHash: string): Promise<void> {
  await pool.query(
    `with made as (
       insert into public.identities (id, schema_id, traits, state, created_at, updated_at)
       select gen_random_uuid(), 'default', jsonb_build_object('email', 'person' || n || '@example.com'), 'active',
         now(), now()
       from generate_series(0, $1::int - 1) n returning id)
     insert into internal.credentials (identity_id, password_hash) select id, $2 from made`,
    [ACCOUNTS, passwordHash],
  );
}
