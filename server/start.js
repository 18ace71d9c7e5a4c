// @ts-check
/**
 * The one plain-JavaScript file without dependencies: what `npm start`, `npm test` and the other commands begin with.
 * It checks Node, installs and builds when needed, says what it does and how long it took, and goes on in this process.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const started = performance.now();
/** What the build is made from; a change in any of it makes the next start build again. */
const SOURCES = [
  "app",
  "server",
  "public",
  "docs/help",
  "remix.config.js",
  "tsconfig.json",
  "package-lock.json",
];
/** Our own processes, bundled so that production needs no TypeScript runtime. */
const BUNDLES = {
  supervisor: "server/index.ts",
  "control-plane": "server/control-plane.ts",
  web: "server/web.ts",
  "reset-password": "server/reset-password.ts",
  backup: "server/backup.ts",
  restore: "server/restore.ts",
  import: "server/import-files.ts",
  export: "server/export.ts",
  demo: "server/demo.ts",
  "demo-estate": "server/demo/index.ts",
  "expressions-worker": "server/engines/expressions/worker.ts",
  "import-worker": "server/import/worker.ts",
};
/** A file named on the command line is meant from where the person stands, who need not be in our folder. */
const standing = process.env["INIT_CWD"] ?? process.cwd();

const COMMANDS = {
  start: () => go("supervisor"),
  build: prepare,
  "reset-password": () => go("reset-password"),
  backup: () => go("backup", { file: true }),
  restore: () => go("restore", { file: true }),
  import: () => go("import", { files: true }),
  export: () => go("export", { file: true }),
  demo: () => {
    process.env["PILOTHOUSE_DEMO"] = "1";
    return go(process.argv.includes("--remove") ? "demo" : "supervisor");
  },
  dev: async () => {
    await install();
    await tsx("server/dev.ts");
  },
  test: async () => {
    await install();
    await tsx("tests/run.ts");
  },
  bench: async () => {
    await prepare();
    await tsx("tests/bench/index.ts");
  },
  mutants: async () => {
    await prepare();
    await tsx("tests/mutants/index.ts");
  },
  chaos: async () => {
    await prepare();
    await tsx("tests/chaos/index.ts");
  },
};

/** The program that runs at the moment, and whether we were asked to stop. @type {import("node:child_process").ChildProcess | undefined} */
let current;
let stopped = false;
/** A signal ends what runs, then us. The supervisor, which goes on in this process, puts its own listeners in place. */
for (const signal of /** @type {NodeJS.Signals[]} */ (["SIGTERM", "SIGINT", "SIGHUP"]))
  process.on(signal, () => {
    if (!current) process.exit(0);
    stopped = true;
    current.kill(signal);
  });

async function main() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Pilothouse needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.chdir(root);
  const [, , first = "start"] = process.argv;
  const name = first.startsWith("--") ? "start" : first;
  const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1];
  if (!command) fail(`Unknown command ${name}: it must be one of ${Object.keys(COMMANDS).join(", ")}.`);
  await command();
}

/**
 * Goes on as one of our bundles, in this process.
 * @param {keyof typeof BUNDLES} bundle
 * @param {{ file?: boolean, files?: boolean }} [options] file: the first word names one; files: all of them do
 */
async function go(bundle, { file = false, files = false } = {}) {
  const words = [...process.argv.keys()].filter((at) => at > 2 && !process.argv[at]?.startsWith("--"));
  for (const at of files ? words : file ? words.slice(0, 1) : [])
    process.argv[at] = resolve(standing, process.argv[at] ?? "");
  await prepare();
  await import(pathToFileURL(join(root, `build/${bundle}.js`)).href);
}

async function prepare() {
  await install();
  await build();
}

/** `npm ci` when there is no node_modules or the lock file is newer than it. */
async function install() {
  const mark = join(root, "node_modules/.package-lock.json");
  const lock = join(root, "package-lock.json");
  if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs) return;
  await step("installing packages", () => run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"]));
}

/** Bundles the server and the web when the sources differ from those of the last complete build. */
async function build() {
  const stamp = join(root, "build/stamp");
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  await step("building", async () => {
    rmSync(stamp, { force: true });
    const cli = join("node_modules", "@remix-run", "dev", "dist", "cli.js");
    await run(process.execPath, [cli, "vite:build", "--config", "remix.config.js", "--logLevel", "warn"]);
    await bundle();
    writeFileSync(stamp, wanted);
  });
}

async function bundle() {
  const esbuild = createRequire(join(root, "package.json"))("esbuild");
  await esbuild.build({
    entryPoints: Object.entries(BUNDLES).map(([out, source]) => ({ in: join(root, source), out })),
    outdir: join(root, "build"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias: { "#app": join(root, "app"), "#server": join(root, "server") },
    sourcemap: "linked",
    logLevel: "warning",
  });
}

/** A hash over the names and contents of all sources. */
function fingerprint() {
  const hash = createHash("sha256");
  /** @param {string} path */
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const entry of readdirSync(full).sort()) add(join(path, entry));
    } else if (!/\.test\.tsx?$/.test(path))
      hash.update(path).update("\0").update(readFileSync(full)).update("\0");
  };
  SOURCES.forEach(add);
  return hash.digest("hex");
}

/** @param {string} file */
async function tsx(file) {
  const code = await run(process.execPath, ["--import", "tsx", file, ...process.argv.slice(3)], {
    through: true,
  });
  process.exitCode = code;
}

/**
 * Says what is being done and how long it took.
 * @param {string} what @param {() => Promise<unknown>} work
 */
async function step(what, work) {
  const from = performance.now();
  process.stderr.write(`  ${what} …\n`);
  await work();
  process.stderr.write(`  ${what}: ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
}

/**
 * Runs a program. Its words are shown only when it fails, or as they come with `through`.
 * @param {string} program @param {string[]} args @param {{ through?: boolean }} [options]
 * @returns {Promise<number>} the exit code, which is 0 unless `through`
 */
function run(program, args, { through = false } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: through ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stdout?.on("data", (chunk) => (said += chunk));
    child.stderr?.on("data", (chunk) => (said += chunk));
    current = child;
    child.once("error", (error) => fail(`${program} cannot be run: ${error.message}`));
    child.once("exit", (code, signal) => {
      current = undefined;
      if (through) return done(code ?? 1);
      if (stopped) process.exit(0);
      if (code === 0) return done(0);
      process.stderr.write(said);
      fail(`${program} ${args[0]} ended with ${signal ?? code}.`);
    });
  });
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** For the supervisor, which tells how long the whole start took. */
Object.assign(globalThis, { [Symbol.for("pilothouse.started")]: started });
await main();
