import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStatementNames } from "../pipeline.ts";
import { keyOf, type Routine, type Schema } from "../schema/schema.ts";
import { requestSettings } from "../settings.ts";
import { callSql, chooseRoutine, type Arguments } from "./call.ts";
import { negotiate } from "../parse/headers.ts";
import { resultSql } from "./result.ts";
import { arrayLiteral, ident, Parameters, typeName } from "./sql.ts";

const routine = (
  name: string,
  parameters: [string, string, boolean][],
  more: Partial<Routine> = {},
): Routine => ({
  schema: "api",
  name,
  parameters: parameters.map(([own, type, isRequired]) => ({
    name: own,
    type,
    isJson: type === "json",
    isRequired,
    isVariadic: false,
  })),
  isUnnamed: parameters.length === 1 && parameters[0]?.[0] === "",
  volatility: "stable",
  returnsSet: false,
  returns: "scalar",
  relation: null,
  settings: [],
  isolation: null,
  ...more,
});
const schemaOf = (...routines: Routine[]): Schema => ({
  relations: new Map(),
  relationships: new Map(),
  routines: new Map([[keyOf("api", "f"), routines]]),
  roles: new Map(),
});
const target = { schema: "api", name: "f" };
const query = (...values: [string, string][]): Arguments => ({ kind: "query", values });
const body = (text: string, names: string[]): Arguments => ({
  kind: "json",
  names,
  payload: { kind: "json", text, keys: names, isArray: false, isRaw: false },
});

describe("choosing a function", () => {
  const schema = schemaOf(
    routine("f", [["a", "integer", true]]),
    routine("f", [
      ["a", "integer", true],
      ["b", "text", true],
    ]),
  );
  test("by the names of its arguments", () => {
    expect(
      chooseRoutine(target, query(["a", "1"], ["b", "2"]), false, schema).routine.parameters,
    ).toHaveLength(2);
    expect(chooseRoutine(target, query(["a", "1"]), false, schema).routine.parameters).toHaveLength(1);
  });
  test("none and several are refused", () => {
    expect(() => chooseRoutine(target, query(["c", "1"]), false, schema)).toThrow(
      expect.objectContaining({ status: 404, code: "PGRST202" }) as Error,
    );
    const twice = schemaOf(routine("f", [["a", "integer", true]]), routine("f", [["a", "text", true]]));
    expect(() => chooseRoutine(target, query(["a", "1"]), false, twice)).toThrow(
      expect.objectContaining({ status: 300, code: "PGRST203" }) as Error,
    );
  });
  test("a body may be the only parameter", () => {
    const whole = chooseRoutine(
      target,
      body('{"x":1}', ["x"]),
      false,
      schemaOf(routine("f", [["", "json", true]])),
    );
    const parameters = new Parameters();
    expect(whole.isWhole).toBe(true);
    expect(callSql(whole, body('{"x":1}', ["x"]), "", parameters)).toContain('"api"."f"($1::json)');
    expect(parameters.values).toEqual(['{"x":1}']);
  });
  test("arguments of a query are texts of their type", () => {
    const one = routine(
      "f",
      [
        ["a", "integer", true],
        ["j", "json", false],
      ],
      { returns: "row" },
    );
    const given = query(["a", "1"], ["j", "{}"]);
    expect(callSql({ routine: one, isWhole: false }, given, "*", new Parameters())).toBe(
      'SELECT * FROM "api"."f"("a" := $1::integer, "j" := to_json($2::text)::json) AS pgrst_call',
    );
  });
});

describe("the answer's row", () => {
  const rows = "SELECT 1";
  test.each([
    [null, "rows", "coalesce(json_agg(pgrst_row), '[]')::text"],
    ["application/vnd.pgrst.object+json", "rows", "coalesce((json_agg(pgrst_row)->0)::text, 'null')"],
    ["application/vnd.pgrst.array+json;nulls=stripped", "rows", "json_strip_nulls(json_agg(pgrst_row))"],
    [null, "value", `json_agg(pgrst_row."pgrst_scalar")->0`],
    ["text/csv", "rows", "substring(pgrst_row::text"],
  ] as const)("%s %s", (accept, shape, text) => {
    expect(resultSql({ rows, media: negotiate(accept), shape })).toContain(text);
  });
});

describe("text that goes into SQL", () => {
  test("names cannot end their quotes", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(ident(name)).toMatch(/^"(?:[^"\0]|"")*"$/);
      }),
    );
  });
  test("types are words", () => {
    expect(typeName("double precision")).toBe("double precision");
    for (const text of ["int)", "a$b", "1a", "int --", "", 'x"'])
      expect(() => typeName(text)).toThrow(expect.objectContaining({ code: "42704" }) as Error);
  });
  test("array elements are quoted", () => {
    expect(arrayLiteral(["a,b", 'c"d', "e\\f", ""])).toBe('{"a,b","c\\"d","e\\\\f",""}');
  });
  test("a NUL cuts a value", () => {
    const parameters = new Parameters();
    parameters.add("a\0b");
    expect(parameters.values).toEqual(["a"]);
  });
});

test("a statement is prepared from the second time on, and no more than 300 are", () => {
  const nameOf = createStatementNames();
  expect(nameOf("select 1")).toBeNull();
  const name = nameOf("select 1");
  expect(name).toMatch(/^rest_[0-9a-f]{32}$/);
  expect(nameOf("select 1")).toBe(name);
  for (let at = 0; at < 400; at++) nameOf(`select ${at + 2}`);
  const names = Array.from({ length: 400 }, (_, at) => nameOf(`select ${at + 2}`)).filter(Boolean);
  expect(new Set(names).size).toBe(299);
});

test("the settings of a transaction come in order, the role's own before it", () => {
  const list = requestSettings(
    {
      options: { pool: undefined as never, schema: "api", settings: { key: "v" } },
      schema: "api",
      caller: { dbRole: "reader", claims: { role: "reader" }, authenticated: true },
      role: { settings: [["statement_timeout", "5s"]], isolation: null },
      method: "GET",
      path: "/t",
      headers: new Headers({ "X-A": "b", cookie: "c=d; e=f" }),
      timezone: "Europe/Berlin",
    },
    true,
    [],
  );
  expect(list).toEqual([
    ["search_path", '"api", "public"'],
    ["statement_timeout", "5s"],
    ["role", "reader"],
    ["request.jwt.claims", '{"role":"reader"}'],
    ["request.method", "GET"],
    ["request.path", "/t"],
    ["request.headers", '{"x-a":"b"}'],
    ["request.cookies", '{"c":"d","e":"f"}'],
    ["timezone", "Europe/Berlin"],
    ["app.settings.key", "v"],
    ["transaction_read_only", "on"],
  ]);
});
