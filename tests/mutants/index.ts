/**
 * `npm run mutants [-- NAME…]`: applies each way of breaking the product to a scratch copy, one at a time, runs the tests
 * that must notice, and prints which did. Exits 1 when one survives or no longer fits the source.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile, chmod } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MUTANTS, type Mutant, type Suite } from "./mutants.ts";

const PARTS = [
  "app",
  "server",
  "tests",
  "public",
  "docs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const CONFIG = ["remix.config.js", "eslint.config.js", ".npmrc"];
const root = process.cwd();

async function copy(): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "pilothouse-mutant-"));
  await chmod(scratch, 0o755);
  for (const part of [...PARTS, ...CONFIG])
    await cp(join(root, part), join(scratch, part), { recursive: true, preserveTimestamps: true });
  await symlink(join(root, "node_modules"), join(scratch, "node_modules"));
  return scratch;
}

/** Applies the change and returns how to undo it. */
async function apply(scratch: string, { file, find, replace }: Mutant["changes"][number]) {
  const path = join(scratch, file);
  const before = existsSync(path) ? await readFile(path, "utf8") : null;
  if (before === null && find !== "") throw new Error(`${file} does not exist`);
  if (before !== null && before.split(find).length !== 2) throw new Error(`"${find}" is not once in ${file}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, before === null ? replace : before.replace(find, () => replace));
  return () => (before === null ? rm(path) : writeFile(path, before));
}

function run(scratch: string, program: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: scratch, env: { ...process.env, NO_COLOR: "1", CI: "" } });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("exit", (code) => done({ code: code ?? 1, output }));
  });
}

/** The name of the first test that failed, or the line that says what is wrong. */
function firstFailure(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const named =
    lines.find((line) => /^(FAIL|×|✘|error )/.test(line)) ?? lines.find((line) => line !== "") ?? "";
  return named.replace(/^(FAIL|×|✘|error)\s+/, "").slice(0, 150);
}

async function caughtBy(scratch: string, suite: Suite): Promise<string | null> {
  if (suite.run !== "script" && suite.build) {
    const built = await run(scratch, process.execPath, ["server/start.js", "build"]);
    if (built.code !== 0) return `build: ${firstFailure(built.output)}`;
  }
  const commands: Record<Suite["run"], string[]> = {
    vitest: ["npx", "vitest", "run", "--config", "tests/vitest.config.ts", suite.file],
    journeys: ["npx", "playwright", "test", "--config", "tests/e2e/playwright.config.ts", suite.file],
    script: ["npm", "run", "--silent", suite.file],
  };
  const [program = "", ...args] = commands[suite.run];
  const { code, output } = await run(scratch, program, args);
  return code === 0 ? null : `${suite.file}: ${firstFailure(output)}`;
}

const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
const scratch = await copy();
let survived = 0;
for (const { name, changes, suites } of chosen) {
  const undo: (() => Promise<void>)[] = [];
  let catcher: string | null = null;
  try {
    for (const change of changes) undo.push(await apply(scratch, change));
    for (const suite of suites) catcher ??= await caughtBy(scratch, suite);
  } catch (error) {
    process.stdout.write(`DOES NOT FIT  ${name}: ${String(error)}\n`);
    survived++;
    continue;
  } finally {
    for (const back of undo.reverse()) await back();
  }
  if (catcher === null) survived++;
  process.stdout.write(
    catcher === null ? `SURVIVED      ${name}\n` : `caught        ${name}\n              by ${catcher}\n`,
  );
}
await rm(scratch, { recursive: true, force: true });
process.stdout.write(`${chosen.length - survived} of ${chosen.length} mutants caught\n`);
process.exit(survived > 0 ? 1 : 0);
