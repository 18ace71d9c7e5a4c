import { describe, expect, test } from "vitest";
import { TIME_RANGES, type TimeRange } from "#app/contract/words/checks.ts";
import {
  axisLabel,
  chartPoints,
  failedSpans,
  runsOf,
  summaryOf,
  toneOf,
  widthOf,
  windowOf,
} from "./chart-points.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 9, 14, 9);
const lengthOf = (range: TimeRange) => TIME_RANGES.find(({ value }) => value === range)!.minutes * MINUTE;
const at = (minutes: number) => new Date(START + minutes * MINUTE);

test("windows are the graph call's: 1 min to 2 h, 15 min to 24 h, 1 h to 7 d, else 4 h", () => {
  expect(
    (["15m", "2h", "3h", "1d", "2d", "1w", "2w", "5y"] as const).map(
      (range) => windowOf(lengthOf(range)) / MINUTE,
    ),
  ).toEqual([1, 1, 15, 15, 60, 60, 240, 240]);
});

test("a range that begins with a whole minute is up to one longer, and has the same windows", () => {
  expect(windowOf(2 * HOUR + 59_999)).toBe(MINUTE);
  expect(windowOf(24 * HOUR + 59_999)).toBe(15 * MINUTE);
});

test("no range has more marks than can be told apart, and none has fewer than it must", () => {
  for (const { value, minutes } of TIME_RANGES) {
    const marks = (minutes * MINUTE) / widthOf(lengthOf(value));
    expect(marks).toBeLessThanOrEqual(120);
    expect(widthOf(lengthOf(value)) === windowOf(lengthOf(value)) || marks > 59).toBe(true);
  }
});

describe("points", () => {
  test("a short range keeps every point as it is, zero milliseconds too", () => {
    const graph = [
      { time: at(0), duration: 0, passed: 2 },
      { time: at(1), duration: 40, passed: 1, failed: 1 },
    ];
    expect(chartPoints(graph, lengthOf("1h"))).toEqual([
      { time: START, duration: 0, passed: 2, failed: 0 },
      { time: START + MINUTE, duration: 40, passed: 1, failed: 1 },
    ]);
  });

  test("a long range merges neighbours: sums add up, durations are weighted by runs", () => {
    const graph = [0, 4, 8, 12].map((hours) => ({
      time: new Date(START + hours * HOUR),
      duration: hours === 0 ? 100 : 10,
      passed: hours === 0 ? 3 : 1,
      failed: hours === 12 ? 1 : 0,
    }));
    const points = chartPoints(graph, lengthOf("1y"));
    expect(points.length).toBeLessThan(4);
    expect(points.reduce((sum, { passed }) => sum + passed, 0)).toBe(6);
    expect(points.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
    const whole = points.reduce((sum, { duration, passed, failed }) => sum + duration * (passed + failed), 0);
    expect(Math.abs(whole - 340)).toBeLessThanOrEqual(7); // rounded once per mark
  });

  test("a failure among passes is a failure; no answer is neither", () => {
    const point = { time: START, duration: 1, passed: 5, failed: 1 };
    expect(toneOf(point)).toBe("unhealthy");
    expect(toneOf({ ...point, failed: 0 })).toBe("healthy");
    expect(toneOf({ ...point, passed: 0, failed: 0 })).toBe("unknown");
    expect(runsOf(point)).toBe("5 passed, 1 failed");
    expect(runsOf({ passed: 0, failed: 0 })).toBe("no result");
  });
});

test("spans reach from the first to the last of neighbouring failures", () => {
  const points = [0, 1, 1, 0, 1].map((failed, minute) => ({
    time: minute * MINUTE,
    duration: 1,
    passed: 0,
    failed,
  }));
  expect(failedSpans(points, MINUTE)).toEqual([
    { from: 0.5 * MINUTE, to: 2.5 * MINUTE },
    { from: 3.5 * MINUTE, to: 4.5 * MINUTE },
  ]);
});

test("one sentence says what the chart shows", () => {
  const points = [
    { time: START, duration: 200, passed: 1, failed: 0 },
    { time: START + MINUTE, duration: 210, passed: 1, failed: 0 },
    { time: START + 2 * MINUTE, duration: 2800, passed: 0, failed: 1 },
  ];
  expect(summaryOf(points, "in the last 1 hour")).toBe(
    "Latency in the last 1 hour: usually 210 ms, at most 2.8 s; 1 of 3 runs failed, the last of them about 2026-10-14 09:02:00 UTC.",
  );
  expect(summaryOf(points.slice(0, 1), "in the last 1 hour")).toContain("none of 1 run failed");
  expect(summaryOf([], "in the last 1 hour")).toBe("No run in the last 1 hour.");
});

test("the longer the range, the coarser its labels, always in UTC", () => {
  const time = new Date("2026-10-14T09:05:00Z");
  expect(
    (["1h", "1d", "2d", "1mo", "2mo", "1y", "2y"] as const).map((range) => axisLabel(lengthOf(range))(time)),
  ).toEqual(["09:05", "09:05", "Oct 14, 09:05", "Oct 14, 09:05", "October 14", "October 14", "2026"]);
});
