import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalQuery, decode, escapeComponent, headerPath, splitQuery } from "./query-string.ts";

describe("splitting a query", () => {
  test("a key without = has no value, an empty value is one", () => {
    expect(splitQuery("a&b=&c=1=2")).toEqual([
      ["a", null],
      ["b", ""],
      ["c", "1=2"],
    ]);
  });
  test("empty pairs are kept as such, but nothing comes after a last separator", () => {
    expect(splitQuery("&&a=1&")).toEqual([
      ["", null],
      ["", null],
      ["a", "1"],
    ]);
    expect(splitQuery("")).toEqual([]);
  });
  test("plus is a blank and a stray percent itself", () => {
    expect(splitQuery("a+b=100%&c=%zz%20d")).toEqual([
      ["a b", "100%"],
      ["c", "%zz d"],
    ]);
  });
  test("raw bytes beyond ASCII are UTF-8, however the server read them", () => {
    expect(decode(Buffer.from("größe").toString("latin1"))).toBe("größe");
    expect(decode("gr%C3%B6ße")).toBe("größe");
  });
  test("any text comes back from its percent-encoded form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decode(encodeURIComponent(text))).toBe(text);
        expect(decode(escapeComponent(text))).toBe(text);
      }),
    );
  });
  test("no bytes make it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(Array.isArray(splitQuery(text))).toBe(true);
      }),
    );
  });
});

describe("the canonical query", () => {
  test("is sorted by key, with repeated keys joined and everything escaped", () => {
    expect(canonicalQuery(splitQuery("select=a,b(*)&limit=2&limit=1&&z"))).toBe(
      "=&limit=2,1&select=a%2Cb%28%2A%29&z=",
    );
  });
});

test("a header holds any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      expect(() => new Headers({ "Content-Location": headerPath(name) })).not.toThrow();
      expect(() => new Headers({ Location: escapeComponent(Buffer.from(name).toString()) })).not.toThrow();
    }),
  );
});
