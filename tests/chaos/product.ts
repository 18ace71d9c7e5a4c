import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKeys } from "#server/data-folder.ts";
import { ownerUrl } from "#server/db/cluster.ts";
import { freePort } from "#server/db/ports.ts";
import { familyOf, processes, type Process } from "#tests/support/processes.ts";
import { ADMIN } from "#tests/support/product.ts";
import { ask, sleep } from "./http.ts";

export const TARGETS = ["postmaster", "control plane", "web", "supervisor"] as const;
export type Target = (typeof TARGETS)[number];

const FILES = { "control plane": "control-plane.js", web: "build/web.js", supervisor: "server/start.js" };

/** The product started by a plain `npm start` on a folder of its own, again and again. */
export async function createProduct() {
  const data = await mkdtemp(join(tmpdir(), "pilothouse-chaos-"));
  await chmod(data, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const seen = new Map<number, Process>();
  let npm: ChildProcess | undefined;
  let said = "";

  const postmaster = async () => (await readFile(join(data, "postgres/postmaster.pid"), "utf8")).split("\n");

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
      if (target === "postmaster") return Number((await postmaster())[0]);
      const found = family.find(
        ({ command }) => command.includes(FILES[target]) && !command.startsWith("npm"),
      );
      if (!found) throw new Error(`no ${target} among ${family.map(({ command }) => command).join(" | ")}`);
      return found.pid;
    },
    /** The bundled database as its owner, to look at what no API shows. */
    async databaseUrl(): Promise<string> {
      return ownerUrl((await readKeys(data)).database, Number((await postmaster())[3]));
    },
    /** Milliseconds until the page answers 200, or what it answered instead when it did not within the limit. */
    async answers(path: string, cookie: string, limitMs: number): Promise<number | string> {
      const from = performance.now();
      const tries = new Map<string, { count: number; ms: number }>();
      for (let now = from; now - from < limitMs; now = performance.now()) {
        const answer = await ask(url + path, { headers: { cookie } }, limitMs - (now - from));
        if (answer?.status === 200) return performance.now() - from;
        const seen = `${answer?.status ?? "no answer"}`;
        const { count, ms } = tries.get(seen) ?? { count: 0, ms: 0 };
        tries.set(seen, { count: count + 1, ms: ms + performance.now() - now });
        await sleep(25);
      }
      return [...tries]
        .map(([seen, { count, ms }]) => `${seen} ${count} times in ${Math.round(ms)} ms`)
        .join(", ");
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
