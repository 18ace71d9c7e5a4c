import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLoop, type Loop } from "./loop.ts";

const PAUSE_MS = 60_000;
let turns: number[];
let loop: Loop | undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  turns = [];
});
afterEach(async () => {
  await loop?.stop();
  vi.useRealTimers();
});

function aLoop(restMs?: number): Loop {
  loop = createLoop({
    name: "test",
    observe: () => undefined,
    ...(restMs === undefined ? {} : { restMs }),
    async turn() {
      turns.push(Date.now());
      return PAUSE_MS;
    },
  });
  loop.start();
  return loop;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("whoever wakes it has a turn at once", async () => {
  const woken = aLoop();
  await pass(10);
  woken.wake();
  await pass(10);
  woken.wake();
  await pass(PAUSE_MS);
  expect(turns).toEqual([0, 10, 20, 20 + PAUSE_MS]);
});

test("with a rest, the first has its turn at once and all who come within it have one together", async () => {
  const woken = aLoop(100);
  await pass(500);
  woken.wake();
  await pass(10);
  for (let times = 0; times < 9; times++) {
    woken.wake();
    await pass(10);
  }
  await pass(1000);
  expect(turns).toEqual([0, 500, 600]);
});

test("the rest is part of the pause, and a stop does not wait for it", async () => {
  const resting = aLoop(100);
  await pass(PAUSE_MS + 10);
  expect(turns).toEqual([0, PAUSE_MS]);
  await resting.stop(); // no timer moves here
  await pass(PAUSE_MS);
  expect(turns).toHaveLength(2);
});
