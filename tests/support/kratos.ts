import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import pg from "pg";

/** An identity service elsewhere, as the product sees it by ORY_KRATOS_URL. */
export interface TestKratos {
  /** The root of its public API. */
  url: string;
  /** Its own database, as the owner; null where it is a real Kratos. */
  database: pg.Pool | null;
  stop(): Promise<void>;
}

interface Options {
  /** A server on which a database may be made, as one who may; or `database`, an empty one. */
  server?: string;
  database?: string;
  /** Where people reach the product that signs them in here. */
  site: string;
  /** The port of a mail server on this machine. */
  smtpPort?: number;
}

/**
 * A second instance of the identity service: another process, port, base path and database, with cookies of another
 * domain. Where ORY_KRATOS_URL is set in the environment of the run, it is that Kratos instead.
 */
export async function startKratos({ server, database: given, site, smtpPort }: Options): Promise<TestKratos> {
  const real = process.env["ORY_KRATOS_URL"];
  if (real) return { url: real.replace(/\/+$/, ""), database: null, stop: async () => undefined };
  const address = given ?? (await createEmpty(server!));
  const child = spawn(process.execPath, ["--import", "tsx", "tests/support/kratos-process.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      NODE_ENV: "test",
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      KRATOS_DATABASE: address,
      KRATOS_SITE: site,
      KRATOS_SMTP_PORT: String(smtpPort ?? ""),
    },
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const port = await new Promise<string>((done, fail) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const said = /listens at (\d+)/.exec(chunk.toString())?.[1];
      if (said) done(said);
    });
    void ended.then(() => fail(new Error("the second identity service did not start")));
  });
  const database = new pg.Pool({ connectionString: address, max: 2 });
  database.on("error", () => undefined);
  return {
    url: `http://127.0.0.1:${port}/auth/public`,
    database,
    async stop() {
      await database.end();
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function createEmpty(server: string): Promise<string> {
  const name = `kratos_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template template0 encoding 'UTF8'`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
