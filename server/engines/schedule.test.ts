import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationMs, lastInstant, nextInstant, parseSchedule, phase } from "./schedule.ts";

const at = (text: string) => new Date(text);
const ids = fc.uuid();
const moments = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }).map((ms) => new Date(ms));

describe("@every", () => {
  test("instants are the phase of the id plus whole periods, whenever one asks", () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 200_000 }), moments, (id, seconds, now) => {
        const schedule = parseSchedule(`@every ${seconds}s`);
        const next = nextInstant(schedule, id, now)!;
        const last = lastInstant(schedule, id, now)!;
        expect(next.getTime()).toBeGreaterThan(now.getTime());
        expect(last.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(next.getTime() - last.getTime()).toBe(seconds * 1000);
        expect(next.getTime() % (seconds * 1000)).toBe(phase(id, seconds * 1000));
      }),
    );
  });

  test("a thousand runs later nothing has drifted, however late each run was", () => {
    const schedule = parseSchedule("@every 10s");
    let instant = nextInstant(schedule, "a", at("2026-01-01T00:00:00Z"))!;
    const first = instant;
    for (let run = 0; run < 1000; run++)
      instant = nextInstant(schedule, "a", new Date(instant.getTime() + (run % 9) * 1000))!;
    expect(instant.getTime() - first.getTime()).toBe(10_000 * 1000);
  });

  test("checks of one schedule are spread over its period", () => {
    const tenths = new Array<number>(10).fill(0);
    for (let n = 0; n < 2000; n++) tenths[Math.floor(phase(`check ${n}`, 60_000) / 6000)]! += 1;
    for (const count of tenths) expect(count).toBeGreaterThan(140);
  });

  test("never more often than allowed", () => {
    const now = at("2026-01-01T00:00:00Z");
    const fast = nextInstant(parseSchedule("@every 100ms"), "a", now)!;
    expect(nextInstant(parseSchedule("@every 100ms"), "a", fast)!.getTime() - fast.getTime()).toBe(1000);
    const slow = nextInstant(parseSchedule("@every 1s"), "a", now, 5000)!;
    expect(nextInstant(parseSchedule("@every 1s"), "a", slow, 5000)!.getTime() - slow.getTime()).toBe(5000);
  });
});

describe("cron", () => {
  const next = (text: string, from: string, count = 1) => {
    const found: string[] = [];
    let now = at(from);
    for (let n = 0; n < count; n++) {
      now = nextInstant(parseSchedule(text), "any", now)!;
      found.push(now.toISOString());
    }
    return found;
  };

  test.each([
    ["*/5 * * * *", "2026-01-01T00:01:00Z", "2026-01-01T00:05:00.000Z"],
    ["30 */5 * * * *", "2026-01-01T00:01:00Z", "2026-01-01T00:05:30.000Z"],
    ["@hourly", "2026-01-01T00:01:00Z", "2026-01-01T01:00:00.000Z"],
    ["@daily", "2026-01-01T00:01:00Z", "2026-01-02T00:00:00.000Z"],
    ["0 9 * * MON-FRI", "2026-01-02T10:00:00Z", "2026-01-05T09:00:00.000Z"],
    ["TZ=Asia/Tokyo 0 9 * * *", "2026-01-01T00:01:00Z", "2026-01-02T00:00:00.000Z"],
    ["CRON_TZ=America/New_York 0 9 * * *", "2026-07-01T00:00:00Z", "2026-07-01T13:00:00.000Z"],
  ])("%s after %s is %s", (text, from, expected) => {
    expect(next(text, from)).toEqual([expected]);
  });

  test("summer time: an hour that does not exist runs right after, one that exists twice runs once", () => {
    expect(next("TZ=Europe/Berlin 30 2 * * *", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
    expect(next("TZ=Europe/Berlin 30 2 * * *", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  test("summer time: every quarter of an hour goes on through both", () => {
    for (const day of ["2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z"]) {
      const instants = next("TZ=Europe/Berlin */15 * * * *", day, 20).map((text) => at(text).getTime());
      expect(instants).toEqual(instants.map((_, n) => at(day).getTime() + (n + 1) * 900_000));
    }
  });

  test("the last instant at or before now", () => {
    const schedule = parseSchedule("*/15 * * * *");
    expect(lastInstant(schedule, "a", at("2026-01-01T00:15:00Z"))).toEqual(at("2026-01-01T00:15:00Z"));
    expect(lastInstant(schedule, "a", at("2026-01-01T00:29:59.999Z"))).toEqual(at("2026-01-01T00:15:00Z"));
  });

  test("a date that never comes has no instant", () => {
    expect(nextInstant(parseSchedule("0 0 30 2 *"), "a", at("2026-01-01T00:00:00Z"))).toBeNull();
    expect(nextInstant(parseSchedule("@never"), "a", at("2026-01-01T00:00:00Z"))).toBeNull();
  });
});

test.each([
  ["@every", 'schedule "@every": '],
  ["@every fast", "wants a duration"],
  ["@every 0s", "wants a duration"],
  ["every minute", 'schedule "every minute": '],
  ["* * * *", 'schedule "* * * *": '],
  ["61 * * * *", "Invalid value for minute: 61"],
  ["* * * * * * 2027", 'schedule "* * * * * * 2027": '],
  ["TZ=Middle/Earth * * * * *", "the time zone is unknown"],
  ["", 'schedule "": '],
])("%j is refused with a sentence", (text, words) => {
  expect(() => parseSchedule(text)).toThrow(words);
});

test("durations are Go's, with days, weeks and years", () => {
  expect([
    durationMs("1h30m"),
    durationMs("1.5s"),
    durationMs("250ms"),
    durationMs("2d"),
    durationMs("1w"),
  ]).toEqual([5_400_000, 1500, 250, 172_800_000, 604_800_000]);
  expect([durationMs(""), durationMs("5"), durationMs("-1s"), durationMs("1s x")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
