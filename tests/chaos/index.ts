/**
 * `npm run chaos [-- --seed N] [--kills N] [--checks N] [--limit MS]`: kills (kill -9) postmaster, control plane, web and supervisor,
 * equally often and at random instants, while clients write through `/api/db`, post forms, and checks run (by default 100
 * a second). Afterwards every write that was acknowledged is there once, no instant of a check is written down twice,
 * nothing is half-written, `/health` answered 200 within the limit (5 s) of each kill (supervisor: of a plain `npm start`), and no
 * process is left. Prints each kill and a summary; exits 1 when any of it is not so.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ADMIN, signIn } from "#tests/support/product.ts";
import { makeChecks, startTarget } from "./checks.ts";
import { sleep } from "./http.ts";
import { judgeDatabase, judgeSessions } from "./judge.ts";
import { createProduct, TARGETS, type Target } from "./product.ts";
import { startWriters } from "./writers.ts";

/** Until what the last kill left is taken over and the last runs are stored. */
const SETTLE_MS = 6000;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    kills: { type: "string", default: "80" },
    checks: { type: "string", default: "1000" },
    limit: { type: "string", default: "5000" },
  },
});
const kills = Number(values.kills);
const limitMs = Number(values.limit);
const random = generator(Number(values.seed));
const product = await createProduct();
const problems: string[] = [];
const recovered = new Map<Target, number[]>(TARGETS.map((target) => [target, []]));
const say = (line: string) => process.stdout.write(`${line}\n`);

/** A small seeded generator (mulberry32): the same seed draws the same order and the same pauses. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** As many of each, in any order. */
function drawOrder(): Target[] {
  return Array.from({ length: kills }, (_, n) => TARGETS[n % TARGETS.length]!)
    .map((target) => ({ target, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ target }) => target);
}

/** One kill; false when the product did not come back at all. */
async function kill(n: number, target: Target, cookie: string): Promise<boolean> {
  await sleep(300 + random() * 2500);
  const pid = await product.pidOf(target);
  const heard = product.said().length;
  process.kill(pid, "SIGKILL");
  if (target === "supervisor") {
    await sleep(random() * 200);
    product.start();
  }
  await sleep(5); // so that the answer is not one of before the kill
  const answer = await product.answers("/health", cookie, limitMs);
  const isBack = typeof answer === "number";
  const outcome = isBack ? `${Math.round(answer)} ms` : `not back: ${answer}`;
  say(`${String(n).padStart(3)} kill -9 ${target} (${pid}): ${outcome}`);
  if (isBack) {
    recovered.get(target)!.push(answer);
    return true;
  }
  problems.push(`/health was not back ${limitMs} ms after kill ${n} (${target}): ${answer}`);
  say(product.said().slice(heard));
  return typeof (await product.answers("/health", cookie, 60_000)) === "number";
}

async function run(): Promise<void> {
  product.start();
  const started = await product.answers("/login", "", 180_000);
  if (typeof started !== "number") throw new Error(`the product did not start: ${started}`);
  const cookie = await signIn(product.url, ADMIN);
  const target = await startTarget();
  try {
    const amounts = { scheduled: Number(values.checks), byHand: 40 + kills * 16 };
    const byHand = await makeChecks(product, cookie, { ports: target.ports, ...amounts });
    const writers = startWriters(product, cookie, values.seed, byHand);
    for (const [index, one] of drawOrder().entries()) if (!(await kill(index + 1, one, cookie))) break;
    await sleep(1000);
    const written = await writers.stop();
    await sleep(SETTLE_MS);
    const database = await judgeDatabase(await product.databaseUrl(), written);
    problems.push(...database.problems, ...(await judgeSessions(product, writers.sessions)));
    say(`seed ${values.seed}, ${kills} kills, ${values.checks} checks, load ${loadavg()[0]!.toFixed(1)}`);
    for (const line of [...database.lines, `sign-ins: ${writers.sessions.length}`]) say(`  ${line}`);
  } finally {
    target.stop();
  }
}

async function finish(): Promise<void> {
  product.remember();
  const code = await product.stop();
  if (code !== 0) problems.push(`SIGTERM ended in exit code ${code}`);
  await sleep(500);
  const left = product.left();
  if (left.length > 0) problems.push(`left running: ${left.map((one) => one.command).join(" | ")}`);
  for (const { pid } of left) process.kill(pid, "SIGKILL");
  await product.remove();
}

await run().catch((error: unknown) => problems.push(String(error)));
await finish();
for (const [target, times] of recovered) {
  const sorted = times.toSorted((a, b) => a - b).map(Math.round);
  say(
    `  ${target}: ${sorted.length} kills, back after ${sorted[sorted.length >> 1]} ms (median), ${sorted.at(-1)} ms (most)`,
  );
}
for (const problem of problems) say(`PROBLEM: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
