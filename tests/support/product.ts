import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#server/db/ports.ts";

export const ADMIN = { email: "ada.admin@example.com", password: "correct horse battery" };

export interface Product {
  /** Where people type: the web's origin. */
  url: string;
  pid: number;
  /** Everything the start printed. */
  said(): string;
  /** SIGTERM unless said, and the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves with the exit code when the process ends by itself. */
  ended: Promise<number | null>;
}

interface Options {
  env?: Record<string, string | undefined>;
  /** Resolve at once instead of waiting for the banner. */
  wait?: boolean;
  dataDir?: string;
  port?: number;
  /** Program and arguments; what `npm start` leads to unless given. */
  command?: readonly string[];
  cwd?: string;
}

/** The built product as its own process, as `npm start` runs it once it is installed and built. */
export async function startProduct(options: Options = {}): Promise<Product> {
  const {
    env = {},
    wait = true,
    dataDir,
    command = [process.execPath, "build/supervisor.js"],
    cwd,
  } = options;
  const data = dataDir ?? (await mkdtemp(join(tmpdir(), "pilothouse-product-")));
  const chosen = options.port ?? (await freePort());
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PILOTHOUSE_DATA: data,
      PORT: String(chosen),
      PILOTHOUSE_ADMIN_EMAIL: ADMIN.email,
      PILOTHOUSE_ADMIN_PASSWORD: ADMIN.password,
      ...env,
    },
  });
  let text = "";
  const hear = (chunk: Buffer) => (text += chunk.toString());
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = new Promise<number | null>((done) => {
    child.once("close", (code) => done(code));
    child.once("exit", (code) => setTimeout(() => done(code), 1000)); // somebody it left behind holds its output open
  });
  if (!dataDir) void ended.then(() => rm(data, { recursive: true, force: true }));
  if (wait) await untilReady(child, () => text);
  return {
    url: `http://127.0.0.1:${env["PORT"] ?? chosen}`,
    pid: child.pid!,
    said: () => text,
    ended,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

async function untilReady(child: ChildProcess, said: () => string): Promise<void> {
  const until = Date.now() + 60_000;
  while (!/ready at|control plane answers/.test(said())) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the product did not start:\n${said()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The settings of a product on a database that is already there. */
export function onDatabase(url: string): Record<string, string> {
  return { DATABASE_URL: url, PILOTHOUSE_KEY: KEY, SESSION_SECRET: SECRET };
}
export const KEY = randomBytes(32).toString("hex");
export const SECRET = randomBytes(32).toString("hex");

/** Signs in through the identity service as a browser's script at `origin` would; returns the Cookie header. */
export async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
  origin = url,
): Promise<string> {
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const accept = { accept: "application/json" };
  const first = await fetch(`${url}/api/.ory/self-service/login/browser`, { headers: accept });
  keep(first);
  const flow = (await first.json()) as {
    id: string;
    ui: { nodes: { attributes: { name: string; value?: string } }[] };
  };
  const csrf = flow.ui.nodes.find((node) => node.attributes.name === "csrf_token")?.attributes.value;
  const answer = await fetch(`${url}/api/.ory/self-service/login?flow=${flow.id}`, {
    method: "POST",
    headers: { ...accept, "content-type": "application/json", cookie: cookie(), origin },
    body: JSON.stringify({ method: "password", identifier: email, password, csrf_token: csrf }),
  });
  if (!answer.ok) throw new Error(`sign-in as ${email} was refused: ${answer.status} ${await answer.text()}`);
  keep(answer);
  return cookie();
}
