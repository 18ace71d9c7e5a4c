/** How long a fresh clone takes to its first executed check, a warm start to its first page, and SIGTERM to the exit. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ADMIN, signIn, startProduct, type Product } from "#tests/support/product.ts";
import { describeMachine, table } from "./machine.ts";

/** All in seconds. */
export interface StartFigures {
  /** `npm start` in a copy without packages, build and data, until the product shows its first page. */
  freshPage: number;
  /** The same until its first check has run. */
  freshCheck: number;
  /** `npm start` of what is installed, built and initialised, until /login answers 200; one per start. */
  warmPage: number[];
  /** SIGTERM to npm until it has ended; one per stop. */
  stop: number[];
}

const WARM_STARTS = 5;
const LIMIT_S = 600;
const LEFT_OUT = new Set(["node_modules", "build", ".pilothouse", ".git"]);

/** Measures with a real `npm start` on a copy of this folder. npm's cache is as it is. Throws when an exit code is not 0. */
export async function measureStart({ warmStarts = WARM_STARTS } = {}): Promise<StartFigures> {
  const folder = await mkdtemp(join(tmpdir(), "pilothouse-bench-"));
  const clone = join(folder, "pilothouse");
  await cp(process.cwd(), clone, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  const options = { cwd: clone, dataDir: join(clone, ".pilothouse"), command: ["npm", "start"], wait: false };
  const warmPage: number[] = [];
  const stop: number[] = [];
  try {
    let from = performance.now();
    let product = await startProduct(options);
    await firstPage(product);
    const freshPage = since(from);
    await firstCheck(product);
    const freshCheck = since(from);
    stop.push(await timedStop(product));
    for (let n = 0; n < warmStarts; n++) {
      from = performance.now();
      product = await startProduct(options);
      await firstPage(product);
      warmPage.push(since(from));
      stop.push(await timedStop(product));
    }
    return { freshPage, freshCheck, warmPage, stop };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The section of docs/benchmarks.md. */
export async function benchStart({ quick }: { quick: boolean }): Promise<string> {
  const { freshPage, freshCheck, warmPage, stop } = await measureStart({
    warmStarts: quick ? 1 : WARM_STARTS,
  });
  const row = (what: string, limit: string, values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const [median = 0, max = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
    return [what, values.length, median.toFixed(1), max.toFixed(1), limit];
  };
  return [
    table([
      ["what", "times", "median, s", "max, s", "limit, s"],
      row("fresh clone: `npm start` → first page", "", [freshPage]),
      row("fresh clone: `npm start` → first executed check", "120", [freshCheck]),
      row("warm `npm start` → first page", "4", warmPage),
      row("SIGTERM → exit 0", "10", stop),
    ]),
    "",
    `${describeMachine()}.`,
  ].join("\n");
}

const since = (from: number) => (performance.now() - from) / 1000;

async function firstPage(product: Product): Promise<void> {
  await until(product, async () => {
    const response = await fetch(`${product.url}/login`, { signal: AbortSignal.timeout(5000) });
    await response.arrayBuffer();
    return response.status === 200;
  });
}

async function firstCheck(product: Product): Promise<void> {
  const cookie = await signIn(product.url, ADMIN);
  await until(product, async () => {
    const response = await fetch(`${product.url}/api/db/check_statuses?select=check_id&limit=1`, {
      headers: { cookie },
    });
    return response.ok && ((await response.json()) as unknown[]).length > 0;
  });
}

async function until(product: Product, isSo: () => Promise<boolean>): Promise<void> {
  const from = performance.now();
  let hasEnded = false;
  void product.ended.then(() => (hasEnded = true));
  while (!(await isSo().catch(() => false))) {
    if (hasEnded || since(from) > LIMIT_S) throw new Error(`it did not come up:\n${product.said()}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function timedStop(product: Product): Promise<number> {
  const from = performance.now();
  const code = await product.stop();
  if (code !== 0) throw new Error(`SIGTERM ended in exit code ${code}:\n${product.said()}`);
  return since(from);
}
