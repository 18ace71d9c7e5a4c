import { describe, expect, test } from "vitest";
import { drawerRangeOf, instantText } from "./drawer-range.ts";

const NOW = Date.UTC(2026, 9, 14, 9, 41, 30);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOTHING = { drawerFrom: "", drawerTo: "", timeRange: "" } as const;
const of = (asked: Partial<Parameters<typeof drawerRangeOf>[0]>, last: number = NOW) =>
  drawerRangeOf({ ...NOTHING, ...asked }, last, NOW);

describe("the drawer's range", () => {
  test.each([
    [10_000, "1h"],
    [61 * MINUTE, "2h"],
    [25 * HOUR, "2d"],
    [40 * DAY, "2mo"],
    [1100 * DAY, "5y"],
    [9000 * DAY, "5y"],
  ] as const)("of a check that ran %i ms ago is %s", (age, value) => {
    expect(of({}, NOW - age).value).toBe(value);
  });

  test("is the address's before the check's", () => {
    expect(of({ timeRange: "1d" }, NOW - 40 * DAY)).toEqual({
      value: "1d",
      from: Date.UTC(2026, 9, 13, 9, 41),
      to: NOW,
      words: "in the last 1 day",
      error: null,
    });
  });

  test("is two instants when they are asked for, and never reaches into the future", () => {
    const asked = {
      drawerFrom: "2026-10-14T09:00",
      drawerTo: "2026-10-14T09:30",
      timeRange: "1d",
    } as const;
    expect(of(asked)).toEqual({
      value: null,
      from: Date.UTC(2026, 9, 14, 9),
      to: Date.UTC(2026, 9, 14, 9, 30),
      words: "from 2026-10-14 09:00:00 UTC to 2026-10-14 09:30:00 UTC",
      error: null,
    });
    expect(of({ drawerFrom: "2026-10-14T09:00" }).to).toBe(NOW);
    expect(of({ drawerFrom: "2026-10-14", drawerTo: "2027-01-01" })).toMatchObject({
      from: Date.UTC(2026, 9, 14),
      to: NOW,
    });
    expect(of({ drawerFrom: instantText(NOW - HOUR), drawerTo: "2026-10-14T09:00:30.5Z" }).from).toBe(
      Date.UTC(2026, 9, 14, 8, 41),
    );
  });

  test.each([
    [{ drawerFrom: "yesterday" }, "From must be a time like"],
    [{ drawerFrom: "2026-13-45T99:99" }, "From must be a time like"],
    [{ drawerTo: "2026-10-14T09:00" }, "From must be a time like"],
    [{ drawerFrom: "2026-10-14T09:00", drawerTo: "soon" }, "To must be a time like"],
    [{ drawerFrom: "2026-10-14T09:00", drawerTo: "2026-10-14T08:00" }, "must begin at least a minute before"],
    [{ drawerFrom: "2030-01-01T00:00" }, "must begin at least a minute before"],
  ] as const)("that cannot be read (%j) is said, and the usual one shown", (asked, words) => {
    const range = of(asked);
    expect(range.error).toContain(words);
    expect(range.value).toBe("1h");
  });
});
