import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  flag,
  groupings,
  int,
  manyOf,
  markFields,
  marks,
  oneOf,
  search,
  sort,
  tags,
  text,
  timeRange,
  type Marks,
  type TimeRange,
} from "./search.ts";

const COLORS = ["red", "green", "blue"] as const;
const everything = search({
  query: text(),
  page: int(1, { min: 1 }),
  color: oneOf(COLORS, "red"),
  colors: manyOf(COLORS),
  hidePassing: flag(true),
  labels: marks(),
  kinds: markFields("kinds"),
  tags: tags(),
  groupBy: groupings("config_class,type"),
  range: timeRange({ type: "relative", range: "now-2d", display: "2 days" }),
  sort: sort(["name", "age"], { by: "name", desc: false }),
});

const awkward = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .array(fc.constantFrom("_", "|", ":", ",", "%", "25", "5F", "7C", "a", "é", "&", "=", "+", '"', "\\"), {
      maxLength: 14,
    })
    .map((parts) => parts.join("")),
);
const mark = fc.constantFrom<1 | -1>(1, -1);
const values = {
  query: awkward,
  page: fc.integer({ min: 1, max: 1e9 }),
  color: fc.constantFrom(...COLORS),
  colors: fc.subarray([...COLORS]),
  hidePassing: fc.boolean(),
  labels: fc.dictionary(awkward, mark) as fc.Arbitrary<Marks>,
  kinds: fc.dictionary(awkward, mark) as fc.Arbitrary<Marks>,
  tags: fc.uniqueArray(
    fc.record({ key: awkward.map((key) => `k${key.replaceAll(":", "")}`), value: awkward, mark }),
    { selector: (tag) => `${tag.key}:${tag.value}` },
  ),
  groupBy: fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), tag: fc.boolean() }), {
    minLength: 1,
  }),
  range: fc.oneof<fc.Arbitrary<TimeRange>[]>(
    fc.constant({ type: "none" }),
    fc.record({
      type: fc.constantFrom("relative" as const, "mapped" as const),
      range: fc.constantFrom("now-5m", "now-2d", "now-1d/d"),
      display: awkward,
    }),
    fc.record({
      type: fc.constant("absolute" as const),
      from: fc.date({ noInvalidDate: true }).map(String),
      to: fc.date({ noInvalidDate: true }).map(String),
      display: awkward,
    }),
  ),
  sort: fc.record({ by: fc.constantFrom("name" as const, "age" as const), desc: fc.boolean() }),
};

describe("what is written is what is read", () => {
  test.each(Object.keys(values))("%s", (name) => {
    const arbitrary: fc.Arbitrary<unknown> = values[name as keyof typeof values];
    fc.assert(
      fc.property(arbitrary, (value) => {
        const url = new URL(everything.href("/page", { [name]: value }), "http://host");
        expect(everything.read(url.searchParams)[name as keyof typeof values]).toEqual(value);
      }),
    );
  });
});

test("what was read is written in its shortest form, and reading that changes nothing", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(values), "sortBy", "sortDesc"), awkward),
      (raw) => {
        const once = everything.read(new URLSearchParams(raw));
        const written = new URL(everything.href("/", once), "http://host").searchParams;
        expect(everything.read(written)).toEqual(once);
      },
    ),
  );
});

test("defaults never appear in the URL", () => {
  expect(everything.href("/page", everything.read(new URLSearchParams()))).toBe("/page");
});

test("garbage falls back", () => {
  const read = everything.read(new URLSearchParams("page=-1&color=mauve&colors=x,blue&sortBy=constructor"));
  expect(read).toMatchObject({ page: 1, color: "red", colors: ["blue"], sort: { by: "name", desc: false } });
});

test("legacy spellings of include and exclude are read as specified", () => {
  expect(marks().read(["Kubernetes____Pod:1,a||||b:-1", "c"])).toEqual({
    "Kubernetes:Pod": 1,
    "a,b": -1,
    c: 1,
  });
  expect(tags().read(["namespace____default:-1"])).toEqual([
    { key: "namespace", value: "default", mark: -1 },
  ]);
  expect(groupings("type").read(["type,account__tag"])).toEqual([
    { name: "type", tag: false },
    { name: "account", tag: true },
  ]);
});

test("radios of a form without script are marks, and nothing chosen is none", () => {
  const sent = new URLSearchParams([
    ["kinds.team:web", "1"],
    ["kinds.region", "-1"],
    ["kinds.tier", ""],
    ["kinds.odd", "2"],
    ["kinds", "pci:1"],
  ]);
  const { kinds } = everything.read(sent);
  expect(kinds).toEqual({ "team:web": 1, region: -1, pci: 1 });
  expect(everything.href("/page", { kinds })).toBe("/page?kinds=pci%3A1%2Cteam____web%3A1%2Cregion%3A-1");
});

test("agents spell the direction sortOrder", () => {
  const agents = search({
    sort: sort(["name", "age"], { by: "name", desc: false }, { spelling: "sortOrder" }),
  });
  expect(agents.href("/agents", { sort: { by: "age", desc: true } })).toBe(
    "/agents?sortBy=age&sortOrder=desc",
  );
});
