/**
 * The whole of `npm test`: what is missing is installed, then check, build, every Vitest layer and every journey.
 * Says each step with its time and ends with one line of counts. On CI a skipped test is a failure.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aptInstall, findBrowser } from "#tests/support/browser.ts";
import { debianPostgres } from "#tests/support/debian-postgres.ts";
import { ofPlaywright, ofVitest, type Summary } from "#tests/support/reports.ts";
import { installServers } from "#tests/support/servers.ts";

const CI = process.env["CI"] !== undefined && process.env["CI"] !== "false";
const began = performance.now();
const counts = { passed: 0, failed: 0, skipped: 0 };
const skips: string[] = [];
/** Tests by name, for the end of the output: of a long one only that is kept. */
const said: string[] = [];

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  const result = await work();
  process.stdout.write(`== ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
  return result;
}

function run(program: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
    });
    child.once("exit", (code) => done(code ?? 1));
  });
}

/** Ends the steps of all lanes when one failed. */
const halt = new AbortController();

/** Steps one after the other, beside those of other lanes: what each printed is shown when it ends. */
async function lane(steps: readonly (readonly [name: string, program: string, ...args: string[]])[]) {
  for (const [name, program, ...args] of steps) {
    const from = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], signal: halt.signal });
    child.on("error", () => undefined); // it was ended, or is not there: it closes with a code
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise<number>((done) => child.once("close", (status) => done(status ?? 1)));
    if (halt.signal.aborted) return;
    process.stdout.write(`\n== ${name}\n${said}`);
    process.stdout.write(`== ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
    if (code === 0) continue;
    halt.abort();
    finish(`${name} failed`);
  }
}

/** Adds what a report says to the counts, and names what failed or was unsteady at the end. */
function add({ passed, failed, skipped, failures, flaky }: Summary): void {
  counts.passed += passed;
  counts.failed += failed;
  counts.skipped += skipped;
  said.push(
    ...failures.map((name) => `failed: ${name}`),
    ...flaky.map((name) => `passed when run again: ${name}`),
  );
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pilothouse-run-"));
  const browser = await step("browser", () => install());
  const servers = installServers(); // while the code is checked and built
  const check = (part: string) => [part, "npm", "run", "--silent", part] as const;
  await Promise.all([
    lane(["format", "types", "boundaries", "unused"].map(check)),
    lane([check("lint"), ["build", process.execPath, "server/start.js", "build"]]),
  ]);

  const missing = await step("servers", () => servers);
  if (missing.length > 0) skips.push(`checks of real servers skipped: needs ${missing.join(", ")}`);

  const vitest = join(folder, "vitest.json");
  const vitestArgs = [
    "vitest",
    "run",
    "--config",
    "tests/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
  ];
  const unit = await step("unit, engine, contract, route and access tests", () =>
    run("npx", [...vitestArgs, `--outputFile.json=${vitest}`], browser ? { CHROMIUM_PATH: browser } : {}),
  );
  add(ofVitest(await readFile(vitest, "utf8"), process.cwd()));

  let journeys = 0;
  if (browser) {
    const output = join(folder, "journeys.json");
    const args = ["playwright", "test", "--config", "tests/e2e/playwright.config.ts", "--reporter=list,json"];
    journeys = await step("journeys", () =>
      run("npx", args, { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: output }),
    );
    add(ofPlaywright(await readFile(output, "utf8")));
  } else skips.push("journeys skipped: needs Chromium");
  // Nothing lost, doubled or left; how fast it is back is measured by a run of its own, on a machine that does nothing else.
  const chaos = await step("chaos: one kill of each process", () =>
    run(process.execPath, ["server/start.js", "chaos", "--kills", "4", "--limit", "20000"]),
  );
  counts[chaos === 0 ? "passed" : "failed"] += 1;
  if (chaos !== 0) said.push("failed: chaos: one kill of each process");
  await rm(folder, { recursive: true, force: true });
  finish(unit !== 0 || journeys !== 0 || chaos !== 0 ? "some tests failed" : null);
}

/** As root what Debian has is installed; as an ordinary user what cannot be had is named and skipped. */
async function install(): Promise<string | null> {
  const browser = await findBrowser({ install: true });
  if (!debianPostgres() && process.getuid?.() === 0) aptInstall(["postgresql-15"]);
  if (!debianPostgres())
    skips.push(
      "what runs on PostgreSQL 15 (two control planes, restoring, carrying over) skipped: needs PostgreSQL 15",
    );
  process.stdout.write(`browser: ${browser ?? "none"}\n`);
  return browser;
}

function finish(failure: string | null): never {
  const tooMuch = CI && (counts.skipped > 0 || skips.length > 0);
  for (const words of [...said, ...skips]) process.stdout.write(`${words}\n`);
  if (failure) process.stdout.write(`FAILED: ${failure}\n`);
  if (tooMuch) process.stdout.write("FAILED: on CI nothing may be skipped\n");
  process.stdout.write(`total ${((performance.now() - began) / 60_000).toFixed(1)} min\n`);
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  process.exit(failure || tooMuch ? 1 : 0);
}

await main();
