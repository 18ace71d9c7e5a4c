/** Threads for expressions: started late, killed at their limit, gone when idle; what waits goes on. */
import { afterEach, expect, test } from "vitest";
import { createPool, isJson, type Pool } from "./index.ts";

let pool: Pool;
afterEach(() => pool.close());

const ask = (expr: string, values: Record<string, unknown> = {}) =>
  pool.run({ kind: "evaluate", environment: { values }, questions: { it: { expr, as: "value" } } });
const ENDLESS = "lists.range(90000).map(x, lists.range(90000).map(y, x * y)).size()";

test("there is no thread before the first expression, and none a while after the last", async () => {
  pool = createPool({ idleMs: 200 });
  expect(pool.size()).toBe(0);
  expect(await ask("1 + a", { a: 2 })).toEqual({ it: { value: 3 } });
  expect(pool.size()).toBe(1);
  await expect.poll(() => pool.size(), { timeout: 5000 }).toBe(0);
  expect(await ask("2")).toEqual({ it: { value: 2 } });
});

test("an endless expression is killed at its limit, and the others go on", async () => {
  pool = createPool({ limitMs: 300, threads: 2 });
  await ask("1");
  let turns = 0;
  const beat = setInterval(() => (turns += 1), 10);
  const started = performance.now();
  const hostile = ask(ENDLESS).then(
    () => "answered",
    (error: Error) => error.message,
  );
  const rest = await Promise.all([1, 2, 3].map((n) => ask("n * 2", { n })));
  expect(rest).toEqual([2, 4, 6].map((value) => ({ it: { value } })));
  expect(await hostile).toBe("the expression took more than 300 ms");
  expect(performance.now() - started).toBeLessThan(5000);
  clearInterval(beat);
  expect(turns).toBeGreaterThan(10); // the process itself was never held up
  expect(await ask("3")).toEqual({ it: { value: 3 } });
});

test("one that wants all the memory ends its thread and nothing else", async () => {
  pool = createPool({ limitMs: 60_000, threads: 1 });
  const greedy = "lists.range(100000).map(x, lists.range(3000)).size()";
  await expect(ask(greedy)).rejects.toThrow("the expression used too much memory");
  expect(await ask("3")).toEqual({ it: { value: 3 } });
}, 60_000);

test("a regular expression made to hang is killed too", async () => {
  pool = createPool({ limitMs: 300 });
  await expect(ask("regexp.Match('^(a+)+$', text)", { text: `${"a".repeat(60)}!` })).rejects.toThrow(
    "more than 300 ms",
  );
});

test("questions are answered each for itself, in the shape that was asked for", async () => {
  pool = createPool();
  const answers = await pool.run({
    kind: "evaluate",
    environment: { values: { a: [1, { b: new Date(0) }] }, durations: { took: 90_000 }, json: '{"n": 1}' },
    questions: {
      text: { expr: "a", as: "text" },
      truth: { expr: "took == duration('90s')", as: "truth" },
      noTruth: { expr: "json.n", as: "truth" },
      json: { expr: `"[{\\"name\\": \\"x\\"}]"`, as: "json" },
      noJson: { expr: "'['", as: "json" },
      wrong: { expr: "b", as: "text" },
    },
  });
  expect(answers).toEqual({
    text: { value: '[1,{"b":"1970-01-01T00:00:00Z"}]' },
    truth: { value: true },
    noTruth: { error: "the expression must be true or false, not 1" },
    json: { value: [{ name: "x" }] },
    noJson: { error: "the expression must come to an object, a list or JSON" },
    wrong: { error: "unknown name b" },
  });
});

test("closing fails what waits", async () => {
  pool = createPool({ threads: 1 });
  const asked = [ask("1"), ask("2")].map((work) => work.then(String, (error: Error) => error.message));
  await pool.close();
  expect(await Promise.all(asked)).toEqual(["the control plane stopped", "the control plane stopped"]);
});

test("texts that say they are JSON are read, big ones in a thread", async () => {
  pool = createPool();
  expect(await isJson('{"a": 1}')).toBe(true);
  expect(await isJson("{")).toBe(false);
  const big = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ n })));
  expect(await isJson(big)).toBe(true);
  expect(await isJson(big.slice(0, -1))).toBe(false);
});
