/**
 * `npm run faults [-- --seed N] [--times N]`: kills (kill -9) postmaster, control plane, web and supervisor in an order
 * drawn from the seed while clients write through `/api/db`. Afterwards every write that was answered 2xx must be there
 * once, `/health` must have answered 200 within 5 s of each kill (supervisor: of the next start), and no process may be
 * left. Prints each kill and a summary; exits 1 when any of it is not so.
 */
import { parseArgs } from "node:util";
import { ADMIN, signIn } from "#tests/support/product.ts";
import { createProduct, sleep, TARGETS, type Target } from "./product.ts";
import { countRows, startWriters } from "./writers.ts";

const LIMIT_MS = 5000;

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, times: { type: "string", default: "5" } },
});
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

function drawOrder(times: number): Target[] {
  return Array.from({ length: times }, () => TARGETS)
    .flat()
    .map((target) => ({ target, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ target }) => target);
}

/** One kill; false when the product did not come back at all. */
async function kill(n: number, target: Target, cookie: string): Promise<boolean> {
  await sleep(300 + random() * 1500);
  const pid = await product.pidOf(target);
  const heard = product.said().length;
  process.kill(pid, "SIGKILL");
  if (target === "supervisor") {
    await sleep(random() * 200);
    product.start();
  }
  await sleep(5); // so that the answer is not one of before the kill
  const ms = await product.answers("/health", cookie, LIMIT_MS);
  say(
    `${String(n).padStart(3)} kill -9 ${target} (${pid}): ${ms === null ? "not back" : `${Math.round(ms)} ms`}`,
  );
  if (ms !== null) {
    recovered.get(target)!.push(ms);
    return true;
  }
  problems.push(`/health was not back ${LIMIT_MS} ms after kill ${n} (${target})`);
  say(product.said().slice(heard));
  return (await product.answers("/health", cookie, 60_000)) !== null;
}

async function run(): Promise<void> {
  product.start();
  if ((await product.answers("/login", "", 180_000)) === null) throw new Error("the product did not start");
  const cookie = await signIn(product.url, ADMIN);
  const writers = startWriters(product, cookie, values.seed);
  const order = drawOrder(Number(values.times));
  for (const [index, target] of order.entries()) if (!(await kill(index + 1, target, cookie))) break;
  await sleep(1000);
  await writers.stop();

  const counts = await countRows(product, cookie);
  const wrong = [
    ...writers.acknowledged.filter((name) => counts.get(name) !== 1),
    ...writers.refused.filter((name) => (counts.get(name) ?? 0) > 1),
  ];
  if (wrong.length > 0)
    problems.push(`${wrong.length} writes are not there once: ${wrong.slice(0, 5).join(", ")}`);
  say(
    `seed ${values.seed}: ${order.length} kills, ${writers.acknowledged.length} writes acknowledged, ${writers.refused.length} refused, ${wrong.length} lost or doubled`,
  );
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
  say(`  ${target}: median ${sorted[sorted.length >> 1]} ms, max ${sorted.at(-1)} ms`);
}
for (const problem of problems) say(`PROBLEM: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
