import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { CHECK_TYPES } from "../../words/check-types.ts";
import { Reference } from "../../env-var.ts";
import { describe, problems } from "../../fields.ts";
import { HttpSpec, httpFields } from "./http.ts";
import { CanarySpec, checkKinds } from "./index.ts";
import { PostgresSpec } from "./postgres.ts";
import { TcpSpec } from "./tcp.ts";

const words = (schema: z.ZodType, spec: unknown) => {
  const parsed = schema.safeParse(spec);
  return parsed.success ? "fine" : problems(parsed.error);
};

test.each([
  [{ name: "a", url: "http://x" }, "fine"],
  [{ name: "a", endpoint: "http://x" }, "fine"],
  [{ name: "a", connection: "connection://x/y" }, "fine"],
  [{ url: "http://x" }, "name: This field is required"],
  [{ name: "a" }, "url: This field is required"],
  [{ name: "a", url: 7 }, "url: This field must be text"],
  [{ name: "a", url: "http://x", endpoint: "http://y" }, "url: url and endpoint cannot be given together"],
  [
    { name: "a", url: "http://x", connection: "connection://y" },
    "url: url and connection cannot be given together",
  ],
  [{ name: "a", url: "http://x", method: "BREW" }, /^method: This field must be one of GET, HEAD/],
  [{ name: "a", url: "http://x", pigeon: true, owl: [] }, "unknown fields pigeon, owl"],
  [{ name: "a", url: "http://x", metrics: [{ name: "n", type: "counter", value: 1 }] }, "fine"],
  [
    { name: "a", url: "http://x", metrics: [{ name: "1-x", type: "counter", value: "1" }] },
    /^metrics\.0\.name: This field must be a name of letters/,
  ],
  [
    { name: "a", url: "http://x", metrics: [{ name: "n", type: "sum", value: "1" }] },
    "metrics.0.type: This field must be one of counter, gauge, histogram",
  ],
  [{ name: "a", url: "http://x", relationships: { components: [{ name: { label: "pod" } }] } }, "fine"],
  [{ name: "a", url: "http://x", test: { expr: "true" }, display: { expr: "code" } }, "fine"],
  [{ name: "a", url: "http://x", method: "post" }, "fine"],
  [{ name: "a", url: "http://x", ntlm: true, ntlmv2: true, username: "u" }, "fine"],
  [{ name: "a", url: "http://x", ntlm: true, bearer: "t" }, "ntlm: bearer and ntlm cannot be given together"],
  [{ name: "a", url: "http://x", oauth2: { scope: ["a"] } }, "oauth2.tokenURL: This field is required"],
  [{ name: "a", url: "http://x", test: { expr: "" } }, "test.expr: This field is required"],
  [
    { name: "a", url: "http://x", test: "true" },
    "test: This field must be a map with one of expr, template, javascript, jsonPath",
  ],
  [
    { name: "a", url: "http://x", test: {} },
    "test: This field must be a map with one of expr, template, javascript, jsonPath",
  ],
  [{ name: "a", url: "http://x", display: { template: "{{.code}}" } }, "fine"],
  [{ name: "a", url: "http://x", test: { javascript: "true" }, transform: { jsonPath: "$.a" } }, "fine"],
  [
    { name: "a", url: "http://x", test: { expr: "true", template: "x" } },
    "test: expr and template cannot be given together",
  ],
  [
    { name: "a", url: "http://x", test: { lua: "true" } },
    "test: unknown field lua, this is one of expr, template, javascript, jsonPath",
  ],
  [{ name: "a", url: "http://x", tlsConfig: { verify: true } }, "tlsConfig: unknown field verify"],
  [
    { name: "a", url: "http://x", password: { valueFrom: {} } },
    /^password.valueFrom: This field must have one of/,
  ],
  [{ name: "a", url: "http://x", password: { secret: "x" } }, /^password: This field must be text, \{value/],
  [{ name: "a", url: "http://x", headers: [{ name: "X" }] }, "headers.0.value: This field is required"],
  [{ name: "a", url: { valueFrom: { secretKeyRef: { name: "a", key: "b" } } } }, "fine"],
  [{ name: "a", url: "http://x", responseCodes: [20] }, /^responseCodes\.0: /],
])("http %j: %s", (spec, expected) => {
  expect(words(HttpSpec, spec)).toMatch(expected);
});

test("what YAML writes loosely is taken: numbers in quotes, values of secrets, labels that are numbers", () => {
  expect(
    HttpSpec.parse({
      name: "a",
      url: "http://x",
      thresholdMillis: "250",
      responseCodes: ["200"],
      username: { value: "me" },
      password: "pass",
      labels: { tier: 1, live: true },
    }),
  ).toMatchObject({
    thresholdMillis: 250,
    responseCodes: [200],
    username: "me",
    password: "pass",
    labels: { tier: "1", live: "true" },
  });
});

test("a value may be kept elsewhere, in every way the contract writes it", () => {
  const spec = HttpSpec.parse({
    name: "a",
    url: { valueFrom: { secretKeyRef: { name: "site", key: "url" } } },
    username: "configmap://site/user",
    password: { valueFrom: { secretKeyRef: { name: "site", key: "password" } } },
    env: [
      { name: "A", value: "plain" },
      { name: "B", value: { value: 1 } },
      { name: "C", valueFrom: { configMapKeyRef: { name: "site", key: "c" } } },
      { name: "D", valueFrom: { helmRef: { name: "chart", key: "d" } } },
    ],
    headers: [{ name: "X", value: "http://no-reference/at-all" }],
  });
  expect(spec).toEqual({
    ...spec,
    url: new Reference("secret", "site", "url"),
    username: new Reference("configmap", "site", "user"),
    password: new Reference("secret", "site", "password"),
    env: [
      { name: "A", value: "plain" },
      { name: "B", value: "1" },
      { name: "C", value: new Reference("configmap", "site", "c") },
      { name: "D", value: new Reference("helm", "chart", "d") },
    ],
    headers: [{ name: "X", value: "http://no-reference/at-all" }],
  });
  expect(JSON.parse(JSON.stringify(spec))).toMatchObject({
    url: "secret://site/url",
    env: [{}, {}, { value: "configmap://site/c" }, { value: "helm://chart/d" }],
  });
});

test("the other names of the languages are taken", () => {
  const display = { gotemplate: "x", expr: " " }; // a form sends what is empty too
  const spec = { name: "a", url: "http://x", display, transform: { jsonpath: "{.a}" } };
  expect(HttpSpec.parse(spec)).toMatchObject({ display: { template: "x" }, transform: { jsonPath: "{.a}" } });
});

test("tcp and postgres say what they miss", () => {
  expect(words(TcpSpec, { name: "a" })).toBe("endpoint: This field is required");
  expect(words(PostgresSpec, { name: "a" })).toBe("url: This field is required");
  expect(words(PostgresSpec, { name: "a", url: "postgres://x", connection: "connection://y" })).toMatch(
    "cannot both",
  );
});

test("a canary keeps types that nobody here can run", () => {
  const spec = {
    schedule: "@hourly",
    carrierPigeon: [{ name: "bird" }],
    http: [{ name: "a", url: "http://x" }],
  };
  expect(CanarySpec.parse(spec)).toMatchObject(spec);
  expect(words(CanarySpec, { http: [{ name: "a" }] })).toBe("http.0.url: This field is required");
});

test("a form gets plain data: no validators, everything a field needs to be drawn", () => {
  const fields = describe(httpFields);
  expect(fields.find((field) => field.name === "name")).toEqual({
    name: "name",
    label: "Name",
    widget: "text",
    required: true,
  });
  expect(fields.find((field) => field.name === "tlsConfig")!.fields![0]).toMatchObject({
    name: "insecureSkipVerify",
    widget: "flag",
    required: false,
    default: false,
  });
  expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
});

test("the same table yields the JSON schema the YAML editor validates with", () => {
  const schema = z.toJSONSchema(HttpSpec, { target: "draft-7", io: "input" });
  expect(schema).toMatchObject({
    required: ["name"],
    additionalProperties: false,
    properties: {
      method: { enum: expect.arrayContaining(["GET"]), title: "Method" },
      url: { type: "string" },
    },
  });
});

test.each([...checkKinds])("%s has a JSON schema with every field", (_, { spec, fields }) => {
  const schema = z.toJSONSchema(spec, { target: "draft-7", io: "input" });
  expect(Object.keys(schema.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(fields)));
});

test("every type that is said to run has a table, and no other has one", () => {
  const running = [...CHECK_TYPES].flatMap(([type, { runs }]) => (runs ? [type] : []));
  expect([...checkKinds.keys(), "webhook"].sort()).toEqual(running.sort()); // a webhook is no list of checks
});

test("there is a runner for every type that has a table, and a table for every runner", () => {
  const runners = readdirSync(new URL("../../../../server/engines/checks/runners", import.meta.url));
  const heardOf = new Set(["heartbeat"]); // nobody runs them
  for (const type of checkKinds.keys()) if (!heardOf.has(type)) expect(runners).toContain(`${type}.ts`);
});
