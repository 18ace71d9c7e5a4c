/** The supervisor: configuration → database → control plane → web → signals. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { carryOver } from "./carry-over.ts";
import { startChild, type Child } from "./children.ts";
import { inheritedEnvironment, readConfig, type Config } from "./config.ts";
import { leaveDataFolder, openDataFolder, readKeys, type Keys } from "./data-folder.ts";
import { prepareDatabase, type Database } from "./database.ts";
import { checkExternal } from "./db/external.ts";
import { freePort, portError } from "./db/ports.ts";
import { StartError } from "./db/start-error.ts";
import { createLogFile, type LogFile } from "./observe/log-file.ts";
import { createObserve, outliveReaders, type LoggedEvent } from "./observe/logger.ts";
import { banner, step } from "./words.ts";

/** SIGTERM to exit 0 must take at most 10 s: both children share this much of it, the database has the rest. */
const GRACE_MS = 6000;
/** What a killed supervisor left behind ends by itself and frees the port within this time. */
const PORT_PATIENCE_MS = 1500;
/**
 * Node lets its heap grow into all the memory there is before it looks for garbage. The lower the limit of the old
 * generation, the sooner it is tidied (docs/decisions/0061); the web's young one has room for a few pages, so that most
 * of a page is garbage when somebody looks (0108).
 */
const MEMORY = {
  plane: ["--max-semi-space-size=8", "--max-old-space-size=1024"],
  web: ["--max-semi-space-size=32", "--max-old-space-size=512"],
};

/** What a stop has to end, in the order of `stopAll`. */
const running: {
  children: Child[];
  carrying: Promise<void> | null;
  database: Promise<Database> | null;
  folder: string | null;
  log: LogFile | null;
} = { children: [], carrying: null, database: null, folder: null, log: null };
const keep = (from: string) => (event: LoggedEvent) => running.log?.write(from, event);
const observe = createObserve({ json: false, keep: keep("supervisor") });
const halt = new AbortController();

async function main(): Promise<void> {
  const config = readConfig();
  await checkPort(config);
  const web = webUrl(config);
  if (config.part === "web") {
    await step("web", () => startWeb(config, config.upstreamUrl ?? "", config.sessionSecret!));
    return banner({ config, web, setupLink: null, observe });
  }
  if (config.databaseUrl) await checkExternal(config.databaseUrl);
  const keys = config.databaseUrl ? null : await openFolder(config, web);
  const port = config.part === "control-plane" ? config.port : await freePort();

  // All at once: the children load their modules while the database starts, and the control plane waits for its settings.
  const needs = { config, folder: running.folder, keys, observe, signal: halt.signal };
  running.database = step("database", () => prepareDatabase(needs), observe);
  if (config.demo) running.database = withDemo(running.database);
  const plane = step("control plane", () => startPlane(config, keys, running.database!, port, web), observe);
  const secret = config.sessionSecret ?? keys?.session;
  const startPages = () => startWeb(config, `http://127.0.0.1:${port}`, secret!);
  const pages = config.part === "all" && step("web", startPages, observe);
  const [, setupLink] = await Promise.all([running.database, plane, pages]);
  banner({ config, web, setupLink, observe });
}

/** The demo's estate is there before anybody looks, and its targets end with the database. */
async function withDemo(preparing: Promise<Database>): Promise<Database> {
  const database = await preparing;
  try {
    // A bundle of its own: what it needs would stay in the memory of every start otherwise.
    const { startDemo } = (await import(
      pathToFileURL(built("demo-estate")).href
    )) as typeof import("./demo/index.ts");
    const demo = await step("demo", () => startDemo(database.url, { signal: halt.signal }), observe);
    return { ...database, stop: () => demo.stop().then(() => database.stop()) };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** The data folder for us alone, with its log; its database in the form this version reads. */
async function openFolder(config: Config, web: string): Promise<Keys> {
  const folder = await openDataFolder(config.dataDir, config.part === "all" ? web : undefined);
  running.folder = folder;
  running.log = createLogFile(join(folder, "logs"), {
    tell: (message) => process.stderr.write(`${message}\n`),
  });
  const keys = await readKeys(folder);
  const isAgreed = process.argv.includes("--carry-over");
  const key = config.key ?? keys.key;
  running.carrying = carryOver({ folder, keys, key, isAgreed, observe, signal: halt.signal });
  await running.carrying;
  return keys;
}

async function startPlane(
  config: Config,
  keys: Keys | null,
  database: Promise<Database>,
  port: number,
  web: string,
) {
  const version = await readVersion();
  const settings = database.then(({ url, apiPassword }) => ({
    version,
    databaseUrl: url,
    apiPassword,
    key: config.key ?? keys!.key,
    host: config.part === "control-plane" ? config.host : "127.0.0.1",
    port,
    publicUrl: config.publicUrl,
    webUrl: config.part === "all" ? web : null,
    webProbe: config.part === "all" ? localUrl(config) : null,
    dataFolder: running.folder,
    values: { folder: config.configDir, variables: config.values },
    admin: config.admin,
    kratos: config.kratosUrl ? { url: config.kratosUrl, admin: config.kratosAdmin } : null,
    social: config.social,
    smtp: config.smtp,
    kubernetes: config.kubernetes,
    standalone: config.standalone,
    hosted: config.hosted,
  }));
  const env = inheritedEnvironment("production");
  const plane = startChild({
    name: "control plane",
    file: built("control-plane"),
    env,
    flags: MEMORY.plane,
    settings,
    observe,
    keep: keep("control plane"),
  });
  running.children.push(plane);
  return (await plane.ready)?.setupLink ?? null;
}

async function startWeb(config: Config, upstream: string, sessionSecret: string): Promise<void> {
  const web = startChild({
    name: "web",
    file: built("web"),
    flags: MEMORY.web,
    env: {
      ...inheritedEnvironment("production"),
      HOST: config.host,
      PORT: String(config.port),
      UPSTREAM_URL: upstream,
      SESSION_SECRET: sessionSecret,
      TRUST_PROXY: String(config.trustProxy),
      ...(config.publicUrl ? { PUBLIC_URL: config.publicUrl } : {}),
      ...(config.kratosUrl ? { ORY_KRATOS_URL: config.kratosUrl } : {}),
      ...config.hostedVariables,
      ...(config.standalone ? { PILOTHOUSE_MODE: "standalone" } : {}),
      ...(config.demo ? { PILOTHOUSE_DEMO: "1" } : {}),
    },
    probe: `${localUrl(config)}/api/_health`,
    observe,
    keep: keep("web"),
  });
  running.children.push(web);
  await web.ready;
}

/** remix-serve would answer a busy port with a stack, so it is asked first. */
async function checkPort({ host, port }: Config): Promise<void> {
  let code = await portError(port, host);
  const until = Date.now() + PORT_PATIENCE_MS;
  while (code === "EADDRINUSE" && Date.now() < until) {
    await sleep(50);
    code = await portError(port, host);
  }
  if (code === "EADDRINUSE")
    throw new StartError(
      `PORT ${port} is already taken on ${host}: stop what uses it, or set PORT to a free one.`,
    );
  if (code === "EACCES")
    throw new StartError(`PORT ${port} needs rights this user does not have: set PORT to one above 1023.`);
  if (code)
    throw new StartError(
      `HOST ${host} is not an address of this machine (${code}): use 127.0.0.1, or 0.0.0.0 for all.`,
    );
}

/** The web as seen from this machine. */
function localUrl({ host, port }: Config): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

async function readVersion(): Promise<string> {
  return (JSON.parse(await readFile("package.json", "utf8")) as { version: string }).version;
}

const webUrl = (config: Config) => config.publicUrl ?? localUrl(config);
const built = (name: string) => join(process.cwd(), "build", `${name}.js`);

/** Ends what runs, in order: nothing new from outside, running work, then the database. */
async function stopAll(): Promise<void> {
  halt.abort();
  await running.carrying?.catch(() => undefined);
  await Promise.all(running.children.map((child) => child.stop(GRACE_MS)));
  const database = await running.database?.catch(() => null);
  await database?.stop();
  await running.log?.close();
  if (running.folder) await leaveDataFolder(running.folder);
}

let stopping = false;
function onSignal(reason: string): void {
  if (stopping) return; // npm passes on what the terminal sent to both of us
  stopping = true;
  observe({ kind: "stop", reason });
  void stopAll().finally(() => process.exit(0));
}
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.removeAllListeners(signal); // those of server/start.js, which led here in this process
  process.on(signal, () => onSignal(signal));
}

outliveReaders();
process.on("uncaughtException", (error) => void onFailure(error));
main().catch(onFailure);

/** The start failed, or something did that must not: nothing may be left running either way. */
async function onFailure(error: unknown): Promise<void> {
  if (stopping) return;
  stopping = true;
  const words = error instanceof StartError ? error.message : `Pilothouse stopped: ${stackOf(error)}`;
  observe({ kind: "start.failed", error: words });
  await stopAll().catch(() => undefined);
  process.stderr.write(`${words}\n`);
  process.exit(1);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
