import { describe, expect, test } from "vitest";
import { age, ago, epoch, iso, utc } from "./age.ts";
import { bytes } from "./bytes.ts";
import { count, counted, shortCount } from "./count.ts";
import { duration, longDuration, measureDuration } from "./duration.ts";
import { initials } from "./initials.ts";
import { percent, percentFigure, share, uptime } from "./percent.ts";

const NOW = Date.UTC(2026, 9, 14, 10, 12, 0);
const before = (seconds: number) => new Date(NOW - seconds * 1000);
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

describe("age", () => {
  test.each([
    [0, "0s"],
    [44, "44s"],
    [45, "1m"],
    [31 * MINUTE, "31m"],
    [44 * MINUTE, "44m"],
    [45 * MINUTE, "1h"],
    [21 * HOUR, "21h"],
    [22 * HOUR, "1d"],
    [4 * DAY, "4d"],
    [25 * DAY, "25d"],
    [26 * DAY, "1mo"],
    [90 * DAY, "3mo"],
    [330 * DAY, "1y"],
    [800 * DAY, "2y"],
  ])("%i seconds back reads %s", (seconds, expected) => {
    expect(age(before(seconds), NOW)).toBe(expected);
  });

  test("says which way time runs", () => {
    expect(ago(before(14), NOW)).toBe("14s ago");
    expect(ago(before(-46), NOW)).toBe("in 1m");
    expect(ago(null, NOW)).toBe("");
  });

  test("no time, an unreadable time and Go's zero time are nothing", () => {
    for (const nothing of [null, undefined, "", "soon", "0001-01-01T00:00:00Z"]) {
      expect(epoch(nothing)).toBeNull();
      expect(age(nothing, NOW)).toBe("");
      expect(utc(nothing)).toBe("");
      expect(iso(nothing)).toBeUndefined();
    }
  });

  test("the full moment names its zone", () => {
    expect(utc("2026-10-14T09:41:00+02:00")).toBe("2026-10-14 07:41:00 UTC");
    expect(iso(0)).toBe("1970-01-01T00:00:00.000Z");
  });
});

describe("duration", () => {
  test.each([
    [0, "0 ms"],
    [84, "84 ms"],
    [999.4, "999 ms"],
    [999.6, "1 s"],
    [1_240, "1.2 s"],
    [9_960, "10 s"],
    [59_000, "59 s"],
    [90_000, "1.5 m"],
    [7_200_000, "2 h"],
    [108_000_000, "30 h"],
  ])("%d ms reads %s", (ms, expected) => expect(duration(ms)).toBe(expected));

  test.each([
    [934, "934ms"],
    [2_000, "2s"],
    [150_000, "2m30s"],
    [3_600_000, "1h"],
    [100_800_000, "1d4h"],
  ])("%d ms in the longer form reads %s", (ms, expected) => expect(longDuration(ms)).toBe(expected));

  test("none is blank, and the unit can be drawn apart", () => {
    expect([duration(null), duration(-1), longDuration(Number.NaN)]).toEqual(["", "", ""]);
    expect(measureDuration(2_140)).toEqual({ figure: "2.1", unit: "s" });
  });
});

describe("percent", () => {
  test("shows one decimal, and none for a whole number", () => {
    expect([percent(0.91388), percent(1), percent(0), percent(null)]).toEqual(["91.4%", "100%", "0%", ""]);
  });

  test("one failure in ten thousand is not 100%, one pass is not 0%", () => {
    expect(percentFigure(9_999 / 10_000)).toBe("99.9");
    expect(percentFigure(1 / 10_000)).toBe("0.1");
  });

  test("uptime is passed by passed plus failed; a check that never ran has none", () => {
    expect(uptime({ passed: 3, failed: 1 })).toBe(0.75);
    expect(uptime({ passed: 0, failed: 0 })).toBeNull();
    expect(share(1, 0)).toBeNull();
  });
});

test("sizes have a decimal from a gigabyte up", () => {
  expect([0, 512, 1_536, 1024 ** 2 - 1, 1.5 * 1024 ** 3, -1, null].map(bytes)).toEqual([
    "0B",
    "512B",
    "2KB",
    "1MB",
    "1.5GB",
    "",
    "",
  ]);
});

test("counts", () => {
  expect([0, 999, 2_431, 1_000_000, -1_200].map(count)).toEqual(["0", "999", "2,431", "1,000,000", "-1,200"]);
  expect([999, 1_000, 1_900].map(shortCount)).toEqual(["999", "1k+", "1k+"]);
  expect([counted(1, "check"), counted(2_431, "check"), counted(0, "entry", "entries")]).toEqual([
    "1 check",
    "2,431 checks",
    "0 entries",
  ]);
});

test("an avatar has at most two letters", () => {
  expect(["Mei Castellanos", "ada", "Jan van der Berg", "  ", "Łukasz Żak"].map(initials)).toEqual([
    "MC",
    "A",
    "JB",
    "",
    "ŁŻ",
  ]);
});
