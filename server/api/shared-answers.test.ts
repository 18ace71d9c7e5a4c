import { describe, expect, test } from "vitest";
import { createSharedAnswers } from "./shared-answers.ts";

/** A clock moved by hand, and work that counts itself and ends when it is told to. */
function setUp() {
  let time = 10_000;
  let count = 0;
  const ends: ((fail?: Error) => void)[] = [];
  const shared = createSharedAnswers({ now: () => time });
  const work = () => {
    const answer = ++count;
    return new Promise<number>((done, fail) =>
      ends.push((error?: Error) => (error ? fail(error) : done(answer))),
    );
  };
  const ask = (key = "a") => shared.ask(key, work);
  return {
    shared,
    ask,
    /** Asks as often as is not yet often. */
    warm: (key = "a") => Array.from({ length: 5 }, () => ask(key)),
    pass: (ms: number) => (time += ms),
    /** Ends the work begun as the n-th. */
    end: (n: number, fail?: Error) => ends[n - 1]!(fail),
    begun: () => count,
  };
}

/** As `setUp`, with an answer of this instant to `a`. */
async function hot() {
  const set = setUp();
  expect(set.warm()).toEqual(Array.from({ length: 5 }));
  const first = set.ask();
  set.end(1);
  expect(await first).toBe(1);
  return set;
}

describe("answers are shared", () => {
  test("only when the same is asked six times within two seconds", () => {
    const { ask, warm, pass, begun } = setUp();
    expect([...warm("a"), ...warm("b")]).toEqual(Array.from({ length: 10 }));
    pass(2_001);
    expect([ask("a"), ask("b")]).toEqual([undefined, undefined]);
    expect(begun()).toBe(0);
    pass(1_999);
    for (let n = 0; n < 4; n++) expect(ask("a")).toBeUndefined();
    expect(ask("a")).toBeInstanceOf(Promise);
    expect(begun()).toBe(1);
  });

  test("by all who ask while one is worked out", async () => {
    const { ask, warm, end, begun } = setUp();
    warm();
    const both = [ask(), ask()];
    end(1);
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(begun()).toBe(1);
  });

  test("for half a second as they are, then while a newer one is worked out, and never beyond a second", async () => {
    const { ask, pass, end, begun } = await hot();
    pass(500);
    expect(await ask()).toBe(1);
    expect(begun()).toBe(1);
    pass(1);
    expect(await ask()).toBe(1);
    expect(await ask()).toBe(1);
    expect(begun()).toBe(2);
    end(2);
    await Promise.resolve();
    expect(await ask()).toBe(2);
    pass(400); // of 2, which was begun 400 ms ago
    expect(await ask()).toBe(2);
    pass(500);
    expect(await ask()).toBe(2); // and 3 is begun
    pass(99);
    expect(await ask()).toBe(2);
    pass(1);
    const waits = ask();
    end(3);
    expect(await waits).toBe(3);
  });

  test("by nobody who comes a second after the work was begun", async () => {
    const { ask, warm, pass, end } = setUp();
    warm();
    const slow = ask();
    pass(1_000);
    const next = ask();
    end(2);
    end(1);
    expect(await Promise.all([slow, next])).toEqual([1, 2]);
    expect(await ask()).toBe(2);
  });

  test("not beyond a write, nor what was begun before it", async () => {
    const { shared, ask, warm, pass, end, begun } = await hot();
    shared.forget();
    warm();
    const before = ask();
    shared.forget();
    end(2);
    expect(await before).toBe(2); // it was asked before the write
    expect(warm()).toEqual(Array.from({ length: 5 }));
    const after = ask();
    expect(begun()).toBe(3);
    end(3);
    expect(await after).toBe(3);
    pass(10);
    expect(await ask()).toBe(3);
  });

  test("a failure reaches who waits for it and nobody else", async () => {
    const { ask, pass, end, begun } = await hot();
    pass(501);
    expect(await ask()).toBe(1);
    end(2, new Error("away"));
    await new Promise((done) => setTimeout(done));
    expect(await ask()).toBe(1);
    expect(begun()).toBe(3);
    pass(499);
    const waits = [ask(), ask()];
    end(3, new Error("still away"));
    await expect(Promise.all(waits)).rejects.toThrow("still away");
    const next = ask();
    end(4);
    expect(await next).toBe(4);
  });
});
