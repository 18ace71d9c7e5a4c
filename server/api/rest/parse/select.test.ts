import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RestError } from "../errors.ts";
import type { SelectItem } from "./ast.ts";
import { parseSelect } from "./select.ts";

const field = (name: string, more: object = {}) => ({ kind: "field", field: { name, path: [] }, ...more });
const embed = (name: string, select: unknown[], more: object = {}) => ({
  kind: "embed",
  name,
  isSpread: false,
  select,
  ...more,
});

describe("select", () => {
  test.each<[string, unknown[]]>([
    ["", [field("*")]],
    ["*,id", [field("*"), field("id")]],
    ["id, name ,a-b", [field("id"), field("name"), field("a-b")]],
    ["n:name::text", [field("name", { alias: "n", cast: "text" })]],
    ['"odd, name"', [field("odd, name")]],
    ["amount.sum()::int", [field("amount", { aggregate: "sum", aggregateCast: "int" })]],
    ["c:count()", [field("*", { aggregate: "count", alias: "c" })]],
    ["clients(id)", [embed("clients", [field("id")])]],
    ["clients()", [embed("clients", [])]],
    [
      "a:clients!inner!fk( id, name )",
      [embed("clients", [field("id"), field("name")], { alias: "a", join: "inner", hint: "fk" })],
    ],
    ["...clients(x:id)", [embed("clients", [field("id", { alias: "x" })], { isSpread: true })]],
    ["id,person(id))", [field("id"), embed("person", [field("id")])]],
    [",id", [field("*")]],
  ])("%s", (text, expected) => {
    expect(parseSelect(text)).toEqual(expected);
  });

  test("a JSON path has keys and indexes", () => {
    expect(parseSelect("data->a->>0,data->1a,data->-2->x")).toEqual([
      {
        kind: "field",
        field: {
          name: "data",
          path: [
            { arrow: "->", key: "a", isIndex: false },
            { arrow: "->>", key: "0", isIndex: true },
          ],
        },
      },
      { kind: "field", field: { name: "data", path: [{ arrow: "->", key: "1a", isIndex: false }] } },
      {
        kind: "field",
        field: {
          name: "data",
          path: [
            { arrow: "->", key: "-2", isIndex: true },
            { arrow: "->", key: "x", isIndex: false },
          ],
        },
      },
    ]);
  });

  test.each(["id,", "id,,name", "clients(id", "id(", "id::", "id.foo", "a:"])("%s is refused", (text) => {
    expect(() => parseSelect(text)).toThrow(RestError);
  });

  test("nothing but a RestError is ever thrown", () => {
    const piece = fc.constantFrom(
      "a",
      "b c",
      "(",
      ")",
      ",",
      ":",
      "::",
      ".",
      "->",
      "->>",
      "*",
      "!",
      "...",
      '"',
      "\\",
      "1",
      "-",
      "count()",
      "é",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        try {
          parseSelect(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(RestError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("what is written is what is read", () => {
    const name = fc
      .stringMatching(/^[a-z_][a-z0-9_]{0,8}$/)
      .filter((word) => word !== "inner" && word !== "left");
    const write = (items: SelectItem[]): string =>
      items
        .map((item) => {
          const alias = item.alias === undefined ? "" : `${item.alias}:`;
          if (item.kind === "embed") {
            const hint = item.hint === undefined ? "" : `!${item.hint}`;
            const join = item.join === undefined ? "" : `!${item.join}`;
            return `${alias}${item.name}${hint}${join}(${write(item.select)})`;
          }
          return `${alias}${item.field.name}${item.cast === undefined ? "" : `::${item.cast}`}`;
        })
        .join(",");
    const { items } = fc.letrec<{ items: SelectItem[]; item: SelectItem }>((tie) => ({
      items: fc.array(tie("item"), { minLength: 1, maxLength: 3 }),
      item: fc.oneof(
        { maxDepth: 3 },
        fc.record(
          {
            kind: fc.constant("field" as const),
            field: name.map((word) => ({ name: word, path: [] })),
            alias: name,
            cast: name,
          },
          { requiredKeys: ["kind", "field"] },
        ),
        fc.record(
          {
            kind: fc.constant("embed" as const),
            name,
            isSpread: fc.constant(false),
            select: tie("items"),
            alias: name,
            hint: name,
            join: fc.constantFrom("inner" as const, "left" as const),
          },
          { requiredKeys: ["kind", "name", "isSpread", "select"] },
        ),
      ),
    }));
    fc.assert(
      fc.property(items, (list) => {
        expect(parseSelect(write(list))).toEqual(list);
      }),
    );
  });
});
