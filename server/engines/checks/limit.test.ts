import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { limited } from "./limit.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("the time is up, also when nobody but the waiting work holds the signal", async () => {
  const late = new Promise<string>((done) => {
    const limit = limited(new AbortController().signal, 60);
    limit.signal.addEventListener("abort", () => done(limit.isLate() ? "late" : "ended"));
  });
  collectGarbage();
  await sleep(10);
  collectGarbage();
  expect(await Promise.race([late, sleep(2000, "forgotten")])).toBe("late");
});

test("the parent ends it with its reason, before and after it began, and that is not late", async () => {
  const parent = new AbortController();
  const limit = limited(parent.signal, 20);
  parent.abort(new Error("stopped"));
  expect([limit.signal.reason.message, limit.isLate()]).toEqual(["stopped", false]);
  await sleep(40);
  expect(limit.isLate()).toBe(false);
  expect(limited(parent.signal, 0).signal.aborted).toBe(true);
});

test("work that is done is not late afterwards, and no limit is none", async () => {
  const done = limited(new AbortController().signal, 10);
  done.end();
  const none = limited(new AbortController().signal, 0);
  await sleep(40);
  expect([done.signal.aborted, none.signal.aborted]).toEqual([false, false]);
});
