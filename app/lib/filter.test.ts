import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dsl,
  encodePairs,
  eq,
  gt,
  gte,
  ilike,
  inList,
  is,
  isNull,
  lt,
  lte,
  marked,
  narrows,
  neq,
  notInList,
  notNull,
  or,
  orderBy,
  pairs,
  type Query,
} from "./filter.ts";

const awkward = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc
    .array(
      fc.constantFrom(
        ",",
        '"',
        "\\",
        "(",
        ")",
        "*",
        "%",
        "_",
        "&",
        "+",
        ".",
        ":",
        " ",
        "=",
        "#",
        "é",
        "日",
        "null",
      ),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((parts) => parts.join("")),
);
/** What a server reads: split on `&`, first `=`, `+` is a space, percent-decoded. */
const decoded = (query: Query) =>
  encodePairs(pairs(query))
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, equals), pair.slice(equals + 1)].map((part) =>
        decodeURIComponent(part.replaceAll("+", " ")),
      );
    });

/** The elements of a list of quoted texts, read by the grammar of facts: quoted = DQUOTE *( any / "\" any ) DQUOTE. */
function readQuoted(list: string): string[] {
  const elements: string[] = [];
  let at = 0;
  while (at < list.length) {
    expect(list[at]).toBe('"');
    let element = "";
    for (at += 1; list[at] !== '"'; at += 1) element += list[at] === "\\" ? list[(at += 1)] : list[at];
    elements.push(element);
    at += 1;
    if (at < list.length) expect(list[at++]).toBe(",");
  }
  return elements;
}

describe("every character of a value stands for itself", () => {
  test("in a plain filter, which the server takes raw", () => {
    fc.assert(
      fc.property(awkward, (value) => {
        fc.pre(value !== "all");
        expect(decoded({ name: eq(value) })).toEqual([["name", `eq.${value}`]]);
      }),
    );
  });

  test("in a list", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(awkward, fc.constant(""))), (values) => {
        const [[, value = ""] = []] = decoded({ name: inList(values) });
        expect(value).toMatch(/^in\.\(.*\)$/su);
        expect(readQuoted(value.slice(4, -1))).toEqual(values);
      }),
    );
  });

  test("among alternatives", () => {
    fc.assert(
      fc.property(awkward, awkward, (a, b) => {
        fc.pre(a !== "all" && b !== "all");
        const [[key, value = ""] = []] = decoded({
          or: or([
            ["a", eq(a)],
            ["b", inList([b])],
          ]),
        });
        expect(key).toBe("or");
        const split = value.lastIndexOf(",b.in.(");
        expect(readQuoted(value.slice("(a.eq.".length, split))).toEqual([a]);
        expect(readQuoted(value.slice(split + ",b.in.(".length, -2))).toEqual([b]);
      }),
    );
  });

  test("in a search for a part of a text: a pattern that matches it literally", () => {
    fc.assert(
      fc.property(awkward, (value) => {
        const filter = ilike(value);
        fc.pre(filter !== undefined && value !== "all");
        const pattern = String(filter?.value);
        if (filter?.op === "imatch") {
          expect(pattern.replace(/\\(.)/gsu, "$1")).toBe(value.trim());
          expect(pattern.replace(/\\./gsu, "")).not.toMatch(/[!-/:-@[-^`{-~]/);
        } else {
          expect(pattern.slice(1, -1).replace(/\\(.)/gsu, "$1")).toBe(value.trim());
          expect(pattern.slice(1, -1).replace(/\\./gsu, "")).not.toMatch(/[%_*]/);
        }
      }),
    );
  });
});

test("blank filters are not sent", () => {
  const query = {
    a: eq(""),
    b: eq(undefined),
    c: eq("all"),
    d: ilike("  "),
    e: inList(undefined),
    f: or([["x", eq("")]]),
  };
  expect(pairs(query)).toEqual([]);
  expect(narrows({ ...query, limit: 1, order: orderBy("name") })).toBe(false);
  expect(narrows({ id: eq("1") })).toBe(true);
});

test("every comparison is spelled as the API spells it", () => {
  const now = "2024-09-24T10:00:00Z";
  expect(
    pairs({ a: neq("b"), time: [gt(now), lt(now), gte(now), lte(now)], b: is("true"), c: notNull, d: eq(0) }),
  ).toEqual([
    ["a", "neq.b"],
    ["time", `gt.${now}`],
    ["time", `lt.${now}`],
    ["time", `gte.${now}`],
    ["time", `lte.${now}`],
    ["b", "is.true"],
    ["c", "not.is.null"],
    ["d", "eq.0"],
  ]);
});

test("an empty list of ids matches nothing; nothing to leave out leaves nothing out", () => {
  expect(pairs({ id: inList([]) })).toEqual([["id", "in.()"]]);
  expect(pairs({ id: notInList([]) })).toEqual([]);
});

test("marks become what to include and what to leave out", () => {
  expect(pairs({ type: marked({ "Kubernetes::Pod": 1, b: 1, "c,d": -1 }) })).toEqual([
    ["type", 'in.("Kubernetes::Pod","b")'],
    ["type", 'not.in.("c,d")'],
  ]);
});

test("the words of the API pass as they are", () => {
  expect(
    pairs({
      deleted_at: isNull,
      "created_at.filter": dsl(">now-2d"),
      order: orderBy("severity.desc", "name"),
      limit: 50,
    }),
  ).toEqual([
    ["deleted_at", "is.null"],
    ["created_at.filter", ">now-2d"],
    ["order", "severity.desc,name"],
    ["limit", "50"],
  ]);
  expect(
    pairs({
      or: or([
        ["deleted_at", isNull],
        ["labels->>app", eq("a.b")],
      ]),
    }),
  ).toEqual([["or", '(deleted_at.is.null,labels->>app.eq."a.b")']]);
});
