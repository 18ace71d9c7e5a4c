import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RestError } from "../errors.ts";
import { dateMath, parseFilterList } from "./filter-dsl.ts";

const now = new Date("2024-05-15T12:34:56Z"); // a Wednesday
const name = { name: "name", path: [] };

describe("a list", () => {
  test("positive items are alternatives, negative ones all hold", () => {
    expect(parseFilterList(name, "a,!b,c*,*d,!e*", now)).toMatchObject([
      {
        operator: "or",
        items: [
          { operation: { kind: "in", values: ["a"] } },
          { operation: { operator: "like", value: "c%" } },
          { operation: { operator: "like", value: "%d" } },
        ],
      },
      { isNegated: true, operation: { kind: "in", values: ["b"] } },
      { isNegated: true, operation: { operator: "like", value: "e%" } },
    ]);
  });
  test("wildcards of SQL in a value are themselves", () => {
    expect(parseFilterList(name, "50%_\\*", now)).toMatchObject([{ operation: { value: "50\\%\\_\\\\%" } }]);
  });
  test("blank asks for nothing", () => {
    expect(parseFilterList(name, " ", now)).toEqual([]);
    expect(parseFilterList(name, ",!,", now)).toEqual([]);
  });
});

describe("a time column", () => {
  const at = { name: "created_at", path: [] };
  test.each([
    [">now-2d", "gt", "2024-05-13T12:34:56.000Z"],
    ["<now", "lt", "2024-05-15T12:34:56.000Z"],
    ["now+1h/d", "lt", "2024-05-15T00:00:00.000Z"],
    ["=2024-01-31", "eq", "2024-01-31T00:00:00.000Z"],
  ])("%s", (text, operator, value) => {
    expect(parseFilterList(at, text, now)).toMatchObject([{ operation: { operator, value } }]);
  });
  test("what is no time is refused", () => {
    expect(() => parseFilterList(at, ">soon", now)).toThrow(RestError);
  });
});

describe("date mathematics", () => {
  test.each([
    ["now/w", "2024-05-13T00:00:00.000Z"],
    ["now/M", "2024-05-01T00:00:00.000Z"],
    ["now/y", "2024-01-01T00:00:00.000Z"],
    ["now-1y+1M", "2023-06-15T12:34:56.000Z"],
    ["now-90m/h", "2024-05-15T11:00:00.000Z"],
    ["2024-01-01||+1w", "2024-01-08T00:00:00.000Z"],
  ])("%s", (text, expected) => {
    expect(dateMath(text, now)?.toISOString()).toBe(expected);
  });
  test.each(["now-", "now-2", "now-2x", "then", "", "now||/q"])("%s is none", (text) => {
    expect(dateMath(text, now)).toBeNull();
  });
  test("never throws", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("now", "-", "+", "9", "999999999", "d", "y", "M", "/", "||", "2024-01-01"), {
          maxLength: 8,
        }),
        (parts) => {
          const date = dateMath(parts.join(""), now);
          expect(date === null || !Number.isNaN(date.getTime())).toBe(true);
        },
      ),
    );
  });
});
