import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#server/db/ports.ts";
import { familyOf, processes, type Process } from "#tests/support/processes.ts";
import { ADMIN } from "#tests/support/product.ts";

export const TARGETS = ["postmaster", "control plane", "web", "supervisor"] as const;
export type Target = (typeof TARGETS)[number];

const FILES = { "control plane": "control-plane.js", web: "build/web.js", supervisor: "server/start.js" };

export const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Call {
  method?: string;
  headers: Record<string, string>;
  body?: string;
}
const agent = new Agent({ keepAlive: true });

/** The status of an answer that came whole within the limit, else null. Sends once: a lost request stays lost. */
export function statusOf(url: string, { method = "GET", headers, body }: Call, limitMs: number) {
  return new Promise<number | null>((done) => {
    const call = request(url, { method, headers, agent }, (response) => {
      response.once("end", () => finish(response.statusCode ?? null)).once("close", () => finish(null));
      response.resume();
    });
    const timer = setTimeout(() => finish(null), limitMs);
    let isDone = false;
    function finish(status: number | null): void {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      if (status === null) call.destroy();
      done(status);
    }
    call.once("error", () => finish(null)).end(body);
  });
}

/** The product started by a plain `npm start` on a folder of its own, again and again. */
export async function createProduct() {
  const data = await mkdtemp(join(tmpdir(), "pilothouse-faults-"));
  await chmod(data, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const seen = new Map<number, Process>();
  let npm: ChildProcess | undefined;
  let said = "";

  /** Remembers whoever belongs to us, so that a process that was left behind is found whatever its parent is now. */
  function remember(): Process[] {
    const family = npm?.pid ? familyOf(npm.pid) : [];
    for (const one of family) seen.set(one.pid, one);
    return family;
  }

  return {
    url,
    said: () => said,
    remember,
    start() {
      const env = {
        ...process.env,
        PILOTHOUSE_DATA: data,
        PORT: String(port),
        PILOTHOUSE_ADMIN_EMAIL: ADMIN.email,
        PILOTHOUSE_ADMIN_PASSWORD: ADMIN.password,
      };
      npm = spawn("npm", ["start", "--silent"], { env, stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [npm.stdout, npm.stderr])
        stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    },
    async pidOf(target: Target): Promise<number> {
      const family = remember();
      if (target === "postmaster")
        return Number((await readFile(join(data, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
      const found = family.find(
        ({ command }) => command.includes(FILES[target]) && !command.startsWith("npm"),
      );
      if (!found) throw new Error(`no ${target} among ${family.map(({ command }) => command).join(" | ")}`);
      return found.pid;
    },
    /** Milliseconds until the page answers 200, or null when it did not within the limit. */
    async answers(path: string, cookie: string, limitMs: number): Promise<number | null> {
      const from = performance.now();
      for (let now = from; now - from < limitMs; now = performance.now()) {
        const status = await statusOf(url + path, { headers: { cookie } }, limitMs - (now - from));
        if (status === 200) return performance.now() - from;
        await sleep(25);
      }
      return null;
    },
    /** SIGTERM to npm, as a service manager sends it; the exit code. */
    async stop(): Promise<number | null> {
      const child = npm!;
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = new Promise<number | null>((done) => child.once("exit", done));
      child.kill("SIGTERM");
      return ended;
    },
    /** Processes of any of our starts that still run. */
    left(): Process[] {
      const all = processes();
      return all.filter(
        ({ pid, command, born }) => seen.get(pid)?.born === born || command.includes(`${data}/`),
      );
    },
    remove: () => rm(data, { recursive: true, force: true }),
  };
}
export type Product = Awaited<ReturnType<typeof createProduct>>;
