import { describe, expect, test } from "vitest";
import { chosenOf, readOrganizations, upstreamOf, withoutUpstreams } from "./organizations.ts";

describe("organisations as providers write them", () => {
  test.each([
    ["a name", "acme", [{ id: "acme", name: "acme" }]],
    [
      "names",
      ["acme", "globex"],
      [
        { id: "acme", name: "acme" },
        { id: "globex", name: "globex" },
      ],
    ],
    ["objects", [{ id: "1", name: "Acme" }], [{ id: "1", name: "Acme" }]],
    ["objects with slugs", [{ slug: "acme", display_name: "Acme" }], [{ id: "acme", name: "Acme" }]],
    ["objects by name", { acme: { id: "42" } }, [{ id: "acme", name: "acme" }]],
    ["a page of them", { data: [{ id: "1", name: "Acme" }] }, [{ id: "1", name: "Acme" }]],
    ["one", { id: "1", name: "Acme" }, [{ id: "1", name: "Acme" }]],
    ["the same twice", ["acme", "acme"], [{ id: "acme", name: "acme" }]],
    [
      "with a backend",
      [{ id: "1", backend_url: "https://a.example" }],
      [{ id: "1", name: "1", upstream: "https://a.example" }],
    ],
    ["rubbish", [null, 3, "", {}, { id: "" }, { id: "a\nb" }], []],
    ["nothing", undefined, []],
  ])("%s", (_, value, expected) => {
    expect(readOrganizations(value)).toEqual(expected);
  });

  test("a claim names no backend, and nobody gets more than can be chosen from", () => {
    expect(withoutUpstreams([{ id: "1", name: "A", upstream: "https://a.example" }])).toEqual([
      { id: "1", name: "A" },
    ]);
    expect(readOrganizations(Array.from({ length: 500 }, (_, n) => `org-${n}`))).toHaveLength(100);
  });

  test("the one that was chosen stays while it is there, else the first", () => {
    const all = [
      { id: "a", name: "A" },
      { id: "b", name: "B" },
    ];
    expect([chosenOf(all, "b"), chosenOf(all, "c"), chosenOf(all, null), chosenOf([], "a")]).toEqual([
      "b",
      "a",
      "a",
      null,
    ]);
  });
});

describe("the backend of an organisation", () => {
  const template = { template: "https://{org}.example.com/api" };
  test.each([
    ["by a template", "acme", template, "https://acme.example.com/api"],
    ["never by a name that is no label", "evil.com/", template, null],
    ["nor one that leaves the host", "a@evil", template, null],
    ["nor one with dots", "a.evil", template, null],
    ["by a table", "acme", { table: { acme: "https://one.example" } }, "https://one.example"],
    ["none without a line", "globex", { table: { acme: "https://one.example" } }, null],
    ["none by a name every object has", "constructor", { table: {} }, null],
  ])("%s", (_, id, upstreams, expected) => {
    expect(upstreamOf({ id, name: id }, upstreams)).toBe(expected);
  });

  test("as its own endpoint says, when that is an address", () => {
    expect(upstreamOf({ id: "a", name: "A", upstream: "https://a.example/api/" }, template)).toBe(
      "https://a.example/api",
    );
    for (const upstream of ["file:///etc/passwd", "https://u:p@a.example", "nonsense"])
      expect(upstreamOf({ id: "a", name: "A", upstream }, template)).toBeNull();
  });
});
