import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RestError } from "../errors.ts";
import type { Logic } from "./ast.ts";
import { parseQuery } from "./query.ts";

const options = { isCallByGet: false, maxLogicNodes: 200, now: new Date("2024-05-15T12:34:56Z") };
const parse = (text: string) => parseQuery(text, options);
const logic = (text: string): Logic[] => parse(text).logic.map(({ value }) => value);
const filter = (name: string, operation: object, isNegated = false) => ({
  kind: "filter",
  field: { name, path: [] },
  isNegated,
  operation,
});
const simple = (operator: string, value: string, more: object = {}) => ({
  kind: "simple",
  operator,
  value,
  ...more,
});

describe("filters", () => {
  test.each<[string, object[]]>([
    ["id=eq.1", [filter("id", simple("eq", "1"))]],
    ["id=not.gte.1", [filter("id", simple("gte", "1"), true)]],
    ['name=eq."x"', [filter("name", simple("eq", '"x"'))]],
    ["name=ilike.*a*", [filter("name", simple("ilike", "%a%"))]],
    ["id=eq(any).{1,2}", [filter("id", simple("eq", "{1,2}", { quantifier: "any" }))]],
    ['t=in.(a::b,"c,d", e)', [filter("t", { kind: "in", values: ["a::b", "c,d", " e"] })]],
    ["t=in.()", [filter("t", { kind: "in", values: [""] })]],
    ["t=is.NULL", [filter("t", { kind: "is", value: "null" })]],
    ["t=isdistinct.1", [filter("t", { kind: "isdistinct", value: "1" })]],
    [
      "t=fts(english).a b",
      [filter("t", { kind: "fts", operator: "fts", language: "english", value: "a b" })],
    ],
    ["a=eq.1&a=eq.2", [filter("a", simple("eq", "1")), filter("a", simple("eq", "2"))]],
    ["select(*)&&id=eq.1&", [filter("id", simple("eq", "1"))]],
  ])("%s", (text, expected) => {
    expect(logic(text)).toEqual(expected);
  });

  test.each([
    "id=",
    "id= eq.1",
    "id=foo.1",
    "id=eq",
    "id=in.(1,2",
    "id=is.what",
    "=eq.1",
    "a..b=eq.1",
    "id->=eq.1",
  ])("%s is refused", (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST100" }) as Error);
  });

  test("the path before the column names an embed", () => {
    expect(parse("a.b.c=eq.1").logic[0]).toMatchObject({ path: ["a", "b"], value: { field: { name: "c" } } });
  });

  test("on a call by GET, what is no expression is an argument", () => {
    const query = parseQuery("a=1&b=eq.2&c=", { ...options, isCallByGet: true });
    expect(query.parameters).toEqual([
      ["a", "1"],
      ["c", ""],
    ]);
    expect(query.logic).toHaveLength(1);
  });
});

describe("logic trees", () => {
  test("nest, negate and may stand at an embed", () => {
    const [tree] = parse("t.not.or=(a.eq.1, not.and(b.gt.2.5,c.in.(1,2)) )").logic;
    expect(tree).toEqual({
      path: ["t"],
      value: {
        kind: "group",
        isNegated: true,
        operator: "or",
        items: [
          filter("a", simple("eq", "1")),
          {
            kind: "group",
            isNegated: true,
            operator: "and",
            items: [filter("b", simple("gt", "2.5")), filter("c", { kind: "in", values: ["1", "2"] })],
          },
        ],
      },
    });
  });
  test("values may be quoted, arrays, or have dots", () => {
    const [tree] = logic('or=(a.eq."x,y)",b.cs.{1,2},c.gte.2024-09-01T00:00:00.000Z)');
    expect(tree).toMatchObject({
      items: [
        { operation: { value: "x,y)" } },
        { operation: { value: "{1,2}" } },
        { operation: { value: "2024-09-01T00:00:00.000Z" } },
      ],
    });
  });
  test.each(["or=()", "or=(a.eq.1", "or=(a.foo.1)", "and=(a)"])("%s is refused", (text) => {
    expect(() => parse(text)).toThrow(RestError);
  });
  test("more conditions than the limit are refused", () => {
    expect(() => parseQuery("or=(a.eq.1,b.eq.2,c.eq.3)", { ...options, maxLogicNodes: 3 })).toThrow(
      RestError,
    );
  });
});

describe("repeated keys", () => {
  test("the first order and select, the last limit and offset", () => {
    const query = parse("order=a&order=b&limit=1&limit=2&offset=3&offset=x&select=a&select=b");
    expect(query.orders).toMatchObject([{ value: [{ field: { name: "a" } }] }]);
    expect(query.limits).toEqual([{ path: [], value: 2 }]);
    expect(query.offsets).toEqual([{ path: [], value: null }]);
    expect(query.select).toMatchObject([{ field: { name: "a" } }]);
  });
  test("limits are numbers as PostgREST reads them", () => {
    for (const [text, value] of [
      ["5", 5],
      [" 5 ", 5],
      ["-1", -1],
      ["0x10", 16],
      ["(2)", 2],
      ["1.5", null],
      ["", null],
    ])
      expect(parse(`limit=${String(text)}`).limits[0]?.value).toBe(value);
  });
});

describe("order", () => {
  test("has directions, nulls, JSON and embeds", () => {
    expect(parse("order=a.desc.nullslast, b->>c,rel(d).asc,e.nullsfirst").orders[0]?.value).toEqual(
      [
        { field: { name: "a", path: [] }, direction: "desc", nulls: "last" },
        { field: { name: "b", path: [{ arrow: "->>", key: "c", isIndex: false }] } },
        { relation: "rel", field: { name: "d", path: [] }, direction: "asc" },
        { field: { name: "e", path: [] }, nulls: "first" },
      ].map((term) => expect.objectContaining(term) as object),
    );
  });
  test.each(["order=", "order=a.up", "order=a.desc.nullsx", "order=a.desc ,b"])("%s is refused", (text) => {
    expect(() => parse(text)).toThrow(RestError);
  });
});

test("any list of values comes back from its quoted form", () => {
  const quote = (value: string) => `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 }), (values) => {
      const list = values.map(quote).join(",");
      const [one] = logic(`a=in.(${encodeURIComponent(list)})`);
      expect(one).toMatchObject({ operation: { kind: "in", values } });
      const [tree] = logic(
        `or=(${values.map((value) => `a.eq.${encodeURIComponent(quote(value))}`).join(",")})`,
      );
      expect(tree).toMatchObject({ items: values.map((value) => ({ operation: { value } })) });
    }),
  );
});

test("no query makes it throw anything but a RestError", () => {
  const piece = fc.constantFrom(
    "a",
    "=",
    "&",
    ".",
    "or",
    "and",
    "not",
    "(",
    ")",
    ",",
    "eq.",
    "in.",
    "is.null",
    "order",
    "limit",
    "filter",
    "->",
    "%",
    "%00",
    "+",
    '"',
    "{",
    "}",
    "select",
    "columns",
    "1",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, isCallByGet) => {
      try {
        parseQuery(pieces.join(""), { ...options, isCallByGet });
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
      }
    }),
    { numRuns: 3000 },
  );
});
