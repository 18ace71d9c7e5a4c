import { expect, test } from "vitest";
import { longerThan } from "./history-filter.ts";

test.each([
  ["", null],
  ["none", null],
  ["500ms", 500],
  ["0ms", 0],
  [" 1.5 S ", 1500],
  ["30s", 30_000],
])("%j is at least %s ms", (typed, ms) => {
  expect(longerThan(typed)).toEqual({ ms, error: null });
});

test.each(["5", "5m", "1h", "-1s", "1s500ms", "fast", "1e3ms", "٣s"])(
  "%j is refused in the specification's words",
  (typed) => {
    expect(longerThan(typed)).toEqual({
      ms: null,
      error: "duration is allowed only in milli seconds & seconds",
    });
  },
);
