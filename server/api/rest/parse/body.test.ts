import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RestError } from "../errors.ts";
import { parseBody, parseCsv } from "./body.ts";

const json = (text: string) => parseBody(text, null, { isCall: false, hasColumns: false });

describe("JSON", () => {
  test("is read for its keys only", () => {
    expect(json('{"b":1,"a":{"x":[1]}}')).toMatchObject({
      keys: ["a", "b"],
      isArray: false,
      text: '{"b":1,"a":{"x":[1]}}',
    });
    expect(json('[{"a":1,"b":2},{"b":1,"a":2}]')).toMatchObject({ keys: ["a", "b"], isArray: true });
  });
  test.each(["5", '"x"', "null", "[]"])("%s writes nothing", (text) => {
    expect(json(text)).toMatchObject({ text: "[]", keys: [], isArray: true });
  });
  test.each(["", "{bad", '[{"a":1},{"b":1}]', '[{"a":1},5]', "[5]"])("%s is refused", (text) => {
    expect(() => json(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST102" }) as Error);
  });
  test("an empty body of a call has no arguments", () => {
    expect(parseBody("", null, { isCall: true, hasColumns: false })).toMatchObject({ text: "{}", keys: [] });
  });
});

describe("other bodies", () => {
  test("a form is one object of texts", () => {
    const payload = parseBody("a=1&b=x+y&__proto__=z", "application/x-www-form-urlencoded", {
      isCall: false,
      hasColumns: false,
    });
    expect(payload.text).toBe('{"__proto__":"z","a":"1","b":"x y"}');
  });
  test("CSV is a list of objects, NULL is null", () => {
    const payload = parseBody('a,b\n1,"x,""y"""\nNULL,', "text/csv", { isCall: false, hasColumns: false });
    expect(JSON.parse(payload.text)).toEqual([
      { a: "1", b: 'x,"y"' },
      { a: null, b: "" },
    ]);
  });
  test("lines of other lengths are refused", () => {
    expect(() => parseBody("a,b\n1", "text/csv", { isCall: false, hasColumns: false })).toThrow(RestError);
  });
  test("text is for a function's only parameter", () => {
    expect(parseBody("x", "text/plain", { isCall: true, hasColumns: false })).toEqual({
      kind: "raw",
      text: "x",
      type: "text",
    });
    expect(() => parseBody("x", "text/plain", { isCall: false, hasColumns: false })).toThrow(RestError);
  });
  test("CSV comes back as it was written", () => {
    const cell = fc.string();
    const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        expect(parseCsv(rows.map((row) => row.map(quote).join(",")).join("\r\n"))).toEqual(rows);
      }),
    );
  });
});
