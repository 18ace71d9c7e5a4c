/**
 * Real servers for tests: Debian's packages, each program from a folder of its own on a free port, as an unprivileged
 * user. As root `installServers()` installs what is missing; elsewhere a test asks `available()` and is skipped.
 *
 *     describe.skipIf(!available("redis"))(named("redis"), () => {
 *       const server = started("redis");   // runs before the tests, stops after them
 *       test("…", () => ask(server.url));
 *     });
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { databaseAccount, type Account } from "#server/db/binaries.ts";
import { freePort } from "#server/db/ports.ts";
import { RECIPES, type Place, type ServerName } from "./server-recipes.ts";

export type { ServerName } from "./server-recipes.ts";

export interface TestServer {
  host: string;
  port: number;
  /** Where it answers, with credentials where it wants some. */
  url: string;
  username: string;
  password: string;
  /** Its folder: what it serves or keeps. Removed by stop(). */
  folder: string;
  stop(): Promise<void>;
}

interface Options {
  /** More lines of the program's configuration; for dnsmasq more of its options, one per line. */
  settings?: string;
  /** Files that should be in its folder before it starts, by name. */
  files?: Record<string, string | Buffer>;
}

/** How long a server may take to answer, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Where programs of servers lie that an ordinary user's PATH leaves out. */
const PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

const found = (program: string) => PATH.some((folder) => existsSync(join(folder, program)));

/** Whether all programs of the server are installed here. */
export const available = (name: ServerName): boolean => RECIPES[name].programs.every(found);

/** The name of a test that needs the server: it says what is missing when it is skipped. */
export const named = (name: ServerName, words: string = name): string =>
  available(name) ? words : `${words} (skipped: needs Debian's ${RECIPES[name].packages.join(" and ")})`;

/**
 * Installs what is missing, as root with one call of apt; no service of them is started (policy-rc.d). Takes 20 s once,
 * without holding anything else up. Returns the packages that are missing then.
 */
export async function installServers(): Promise<string[]> {
  const missing = () => [
    ...new Set([
      ...(Object.keys(RECIPES) as ServerName[])
        .filter((name) => !available(name))
        .flatMap((name) => RECIPES[name].packages),
      ...Object.entries(PROGRAMS).flatMap(([program, name]) => (found(program) ? [] : [name])),
    ]),
  ];
  if (missing().length === 0 || process.getuid?.() !== 0) return missing();
  const policy = "/usr/sbin/policy-rc.d";
  const isOurs = !existsSync(policy);
  if (isOurs) await writeFile(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const install = () => apt("install", "-y", "--no-install-recommends", ...missing());
  if (!(await install()) && (await apt("update"))) await install();
  if (isOurs) await rm(policy, { force: true });
  return missing();
}

/** What checks call that is no server, and the package that has it. */
const PROGRAMS = { git: "git", ping: "iputils-ping" };

/** Waits its turn when something else is being installed. */
function apt(...args: string[]): Promise<boolean> {
  return new Promise((done) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const options = ["-qq", "-o", "DPkg::Lock::Timeout=300", ...args];
    const child = spawn("apt-get", options, { env, stdio: "ignore" });
    child.once("error", () => done(false));
    child.once("exit", (code) => done(code === 0));
  });
}

/** Starts the server and waits until it answers. Throws with the end of its log when it does not. */
export async function startServer(name: ServerName, options: Options = {}): Promise<TestServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(name, options);
    } catch (error) {
      if (attempt === 3) throw error; // somebody else may have taken the port first
    }
  }
}

/** The same for all tests of a file or a `describe`: what it returns is filled before they run. */
export function started(name: ServerName, options: Options = {}): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => void Object.assign(server, await startServer(name, options)));
  afterAll(() => server.stop?.());
  return server;
}

async function start(name: ServerName, { settings = "", files = {} }: Options): Promise<TestServer> {
  const recipe = RECIPES[name];
  if (!available(name)) throw new Error(`needs Debian's ${recipe.packages.join(" and ")}`);
  const account = await databaseAccount();
  const folder = await mkdtemp(join(tmpdir(), `pilothouse-${name}-`));
  chmodSync(folder, 0o755);
  const { uid, gid } = account ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const place: Place = { folder, port: await freePort(), uid, gid, settings };
  const login = { username: "", password: "", ...recipe.login };
  const env: Record<string, string> = {
    PATH: PATH.join(":"),
    HOME: folder,
    LANG: "C.UTF-8",
    ...recipe.env?.(place),
  };

  const prepared = { ...(await recipe.files?.(place)), ...files };
  for (const [file, text] of Object.entries(prepared)) await writeFile(join(folder, file), text);
  handOver(folder, account);
  for (const [program = "", ...args] of recipe.before?.(place) ?? []) {
    const { status, stderr } = spawnSync(program, args, {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      ...account,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  }
  const child = run(recipe.command(place), { cwd: folder, env, account });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const stop = async () => {
    child.stdio[3]?.destroy();
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await untilReady(child, place.port, recipe.ready ?? null);
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start: ${String(error)}\n${log}`);
  }
  return { host: "127.0.0.1", port: place.port, url: recipe.url(place), ...login, folder, stop };
}

/** Everything in the folder belongs to whom the program runs as. */
function handOver(folder: string, account: Account | null): void {
  if (!account) return;
  chownSync(folder, account.uid, account.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
}

/** In a process group of its own, which ends when our end of a pipe does: also when this process is killed. */
function run(
  [program = "", ...args]: string[],
  { cwd, env, account }: { cwd: string; env: Record<string, string>; account: Account | null },
): ChildProcess {
  const watched = `{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec 3<&-; exec "$@"`;
  return spawn("/bin/sh", ["-c", watched, "sh", program, ...args], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    ...account,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
}

/** Until the port accepts, or says something first (`greeting`), or answers a path with 200. */
async function untilReady(child: ChildProcess, port: number, how: string | null): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const answers = how?.startsWith("/") ? await says200(port, how) : await accepts(port, how === "greeting");
    if (answers) return;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("it ended");
    if (Date.now() > until) throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

const says200 = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status === 200,
    () => false,
  );

function accepts(port: number, greeting: boolean): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1000 });
    const answer = (is: boolean) => {
      socket.destroy();
      done(is);
    };
    socket.once(greeting ? "data" : "connect", () => answer(true));
    for (const event of ["error", "timeout", "close"]) socket.once(event, () => answer(false));
  });
}
