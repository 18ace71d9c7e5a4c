import { describe as about, expect, test } from "vitest";
import { describe } from "#app/contract/fields.ts";
import { httpFields } from "#app/contract/specs/checks/http.ts";
import { readFields, type Where } from "./read-values.ts";
import { withoutRow, withRow } from "./rows.ts";
import { toValues, type Json, type Values } from "./values.ts";

const fields = describe(httpFields);
const draw = (spec: Json): Values => toValues(fields, spec, "f");
const read = (values: Values, base: Json, where: Where = new Map()): Json =>
  readFields(fields, values, base, { path: "f", at: "", where });

/** A spec with all that a form could spoil: unknown keys, other spellings, loose types. */
const RICH: Json = {
  name: "front page",
  url: { valueFrom: { secretKeyRef: { name: "site", key: "url" } } },
  method: "POST",
  body: "line one\n\n  line three\n",
  thresholdMillis: "250",
  templateBody: false,
  responseCodes: [200, "204"],
  username: { value: "ada" },
  password: { valueFrom: { configMapKeyRef: { name: "site", key: "pw" } } },
  headers: [
    { name: "X-One", value: "1" },
    { name: "X-Two", valueFrom: { secretKeyRef: { name: "a", key: "b" } } },
    { name: "X-Three", value: 3, note: "kept" },
  ],
  labels: { team: "web", tier: 1, live: true },
  test: { expr: "code == 200" },
  tlsConfig: { insecureSkipVerify: true, ciphers: "kept too" },
  futureField: { anything: [1, 2, 3] },
};

about("a form of what is there", () => {
  test("says the same when nobody touched it, whatever its fields cannot show", () => {
    expect(read(draw(RICH), RICH)).toEqual(RICH);
    expect(read(draw({}), {})).toEqual({});
  });

  test("keeps what it has no input for, and what it did not draw", () => {
    expect(read({ "f.name": "new" }, RICH)).toEqual({ ...RICH, name: "new" });
  });

  test("an emptied field goes, an emptied group with all its fields too", () => {
    const values = { ...draw(RICH), "f.thresholdMillis": "", "f.responseCodes": " ", "f.test": "" };
    const { thresholdMillis: _a, responseCodes: _b, test: _c, ...rest } = RICH;
    expect(read(values, RICH)).toEqual(rest);
  });

  test("numbers become numbers, and what is none stays for the schema to refuse", () => {
    const values = {
      ...draw({}),
      "f.thresholdMillis": " 300 ",
      "f.maxSSLExpiry": "soon",
      "f.responseCodes": "200, x 200",
    };
    expect(read(values, {})).toEqual({
      thresholdMillis: 300,
      maxSSLExpiry: "soon",
      responseCodes: [200, "x"],
    });
  });

  test("a secret changes its place, and what the other place said is not kept", () => {
    const values = { ...draw(RICH), "f.password@kind": "static", "f.password": "pw" };
    expect(read(values, RICH)["password"]).toBe("pw");
    const moved = {
      ...draw(RICH),
      "f.username@kind": "secret",
      "f.username@name": "site",
      "f.username@key": "user",
    };
    expect(read(moved, RICH)["username"]).toEqual({
      valueFrom: { secretKeyRef: { name: "site", key: "user" } },
    });
    expect(read({ ...draw(RICH), "f.username": "grace" }, RICH)["username"]).toEqual({ value: "grace" });
  });

  test("a script changes its language, and the old one goes", () => {
    const values = { ...draw(RICH), "f.test@kind": "javascript", "f.test": "code === 200" };
    expect(read(values, RICH)["test"]).toEqual({ javascript: "code === 200" });
    expect(read({ ...draw(RICH), "f.test@kind": "none" }, RICH)).not.toHaveProperty("test");
  });

  test("a flag that is unticked goes, one that is ticked is true", () => {
    expect(read({ ...draw({ templateBody: true }), "f.templateBody": "" }, { templateBody: true })).toEqual(
      {},
    );
    expect(read({ ...draw({}), "f.templateBody": "true" }, {})).toEqual({ templateBody: true });
  });
});

about("rows", () => {
  const names = (spec: Json) => (spec["headers"] as Json[] | undefined)?.map(({ name }) => name);

  test("a removed one goes with all that was in it, the others keep theirs", () => {
    const spec = read(withoutRow(draw(RICH), "f.headers", 1), RICH);
    expect(spec["headers"]).toEqual([
      { name: "X-One", value: "1" },
      { name: "X-Three", value: 3, note: "kept" },
    ]);
  });

  test("a new one is at the end, and none while it says nothing", () => {
    const values = withRow(draw(RICH), "f.headers");
    expect(names(read(values, RICH))).toEqual(["X-One", "X-Two", "X-Three"]);
    expect(names(read({ ...values, "f.headers.3.name": "X-Four" }, RICH))).toEqual([
      "X-One",
      "X-Two",
      "X-Three",
      "X-Four",
    ]);
  });

  test("the last one takes the list with it; a row that does not exist takes nothing", () => {
    const one = { headers: [{ name: "A", value: "1" }] };
    expect(read(withoutRow(draw(one), "f.headers", 0), one)).toEqual({});
    expect(withoutRow(draw(one), "f.headers", 7)).toEqual(draw(one));
  });

  test("a mistake is found again at its input, also behind an empty row", () => {
    const where: Where = new Map();
    const values = { ...withRow(withRow(draw({}), "f.headers"), "f.headers"), "f.headers.1.name": "X" };
    expect(read(values, {}, where)).toEqual({ headers: [{ name: "X" }] });
    expect(where.get("headers.0.value")).toEqual({ name: "f.headers.1.value", label: "Value" });
  });

  test("a number of rows that nobody typed makes no page of any size", () => {
    expect(read({ "f.headers@rows": "1e9", "f.headers.0.name": "A" }, {})).toEqual({
      headers: [{ name: "A" }],
    });
  });
});
