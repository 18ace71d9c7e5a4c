import { describe, expect, test } from "vitest";
import { intersectRange, negotiate, parsePrefer, preferenceApplied } from "./headers.ts";

const zones = (name: string) => name === "Europe/Berlin";

describe("Prefer", () => {
  test("the first of a kind counts, the unknown are kept apart", () => {
    const preferences = parsePrefer(
      "count=planned, count=exact,foo=bar, return=everything, timezone=Europe/Berlin",
      zones,
    );
    expect(preferences).toEqual({
      count: "planned",
      timezone: "Europe/Berlin",
      invalid: ["foo=bar", "return=everything"],
    });
  });
  test("Preference-Applied has its own order", () => {
    const preferences = parsePrefer("count=exact, return=minimal, resolution=merge-duplicates", zones);
    expect(preferenceApplied(preferences, ["count", "return", "resolution"])).toBe(
      "resolution=merge-duplicates, return=minimal, count=exact",
    );
    expect(preferenceApplied(preferences, ["tx"])).toBeUndefined();
  });
});

describe("the range", () => {
  test.each<[number | null, number, string | null, object]>([
    [null, 0, null, { offset: 0, limit: null }],
    [3, 0, "1-10", { offset: 1, limit: 2 }],
    [2, 1, "0-1", { offset: 1, limit: 1 }],
    [null, -5, "1-", { offset: 1, limit: null }],
    [0, 0, "0-5", { offset: 0, limit: 0 }],
    [5, 0, "nonsense", { offset: 0, limit: 5 }],
  ])("limit %s offset %s range %s", (limit, offset, header, expected) => {
    expect(intersectRange({ limit, offset }, header)).toEqual(expected);
  });
  test.each<[number | null, string | null]>([
    [-1, null],
    [null, "3-1"],
    [2, "5-9"],
  ])("limit %s range %s is out of range", (limit, header) => {
    expect(() => intersectRange({ limit, offset: 0 }, header)).toThrow(
      expect.objectContaining({ status: 416 }) as Error,
    );
  });
});

describe("Accept", () => {
  test.each([
    [null, "json"],
    ["*/*", "json"],
    ["text/html, */*", "json"],
    ["text/csv;q=0.1, application/json", "json"],
    ["text/csv", "csv"],
    ["application/vnd.pgrst.object+json", "object"],
  ])("%s", (accept, format) => {
    expect(negotiate(accept).format).toBe(format);
  });
  test("nulls may be stripped", () => {
    expect(negotiate("application/vnd.pgrst.array+json;nulls=stripped")).toMatchObject({
      format: "json",
      isStripped: true,
    });
  });
  test("an unknown type is refused", () => {
    expect(() => negotiate("image/png")).toThrow(
      expect.objectContaining({ status: 415, code: "PGRST107" }) as Error,
    );
  });
});
