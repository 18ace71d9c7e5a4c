import { describe, expect, test } from "vitest";
import { applyResponseSettings, contentRange, preflight, rangeStatus, type Answer } from "./respond.ts";
import { checkMethod, chooseSchema, parsePath } from "./route.ts";

describe("the range of an answer", () => {
  test.each<[number, number, number | null, string, number]>([
    [0, 4, 15, "0-4/15", 206],
    [0, 14, null, "0-14/*", 200],
    [0, -1, 0, "*/0", 200],
    [0, -1, null, "*/*", 200],
    [5, 4, 5, "*/5", 206],
    [6, 5, 5, "*/5", 416],
    [0, 4, 5, "0-4/5", 200],
  ])("%i to %i of %s", (first, last, total, header, status) => {
    expect(contentRange(first, last, total)).toBe(header);
    expect(rangeStatus(first, last, total)).toBe(status);
  });
});

describe("settings of functions", () => {
  const answer = (): Answer => ({ status: 200, headers: { "Content-Type": "application/json" }, body: "1" });
  test("override status and headers", () => {
    const own = answer();
    applyResponseSettings(own, "299", '[{"content-type":"text/x"},{"X-A":"b"}]');
    expect(own).toEqual({ status: 299, headers: { "Content-Type": "text/x", "X-A": "b" }, body: "1" });
  });
  test.each<[string | null, string | null, string]>([
    [null, "no", "PGRST111"],
    [null, '[{"a":1}]', "PGRST111"],
    [null, '[{"a":"x\\r\\ny"}]', "PGRST111"],
    ["9999", null, "PGRST112"],
  ])("%s %s are refused", (status, headers, code) => {
    expect(() => {
      applyResponseSettings(answer(), status, headers);
    }).toThrow(expect.objectContaining({ status: 500, code }) as Error);
  });
});

test("a preflight lists the headers asked for, if they are names", () => {
  expect(preflight("foo, b ar").headers["Access-Control-Allow-Headers"]).toBe(
    "Authorization, foo, Accept, Accept-Language, Content-Language",
  );
});

describe("routes", () => {
  test.each([
    ["/", { kind: "root" }],
    ["/a%20b", { kind: "relation", name: "a b" }],
    ["/rpc/f", { kind: "rpc", name: "f" }],
    ["/rpc", { kind: "relation", name: "rpc" }],
  ])("%s", (path, resource) => {
    expect(parsePath(path)).toEqual(resource);
  });
  test.each(["/a/b", "/a/", "//a", "/rpc/f/g"])("%s is nothing", (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ status: 404, body: "{}" }) as Error);
  });
  test("methods", () => {
    expect(() => checkMethod("PUT", { kind: "rpc", name: "f" })).toThrow(
      expect.objectContaining({ code: "PGRST101" }) as Error,
    );
    expect(() => checkMethod("TRACE", { kind: "relation", name: "a" })).toThrow(
      expect.objectContaining({ code: "PGRST117" }) as Error,
    );
  });
  test("profiles choose among the exposed schemas", () => {
    const header = (name: string) => (name === "accept-profile" ? "b" : null);
    expect(chooseSchema("GET", ["a", "b"], header)).toBe("b");
    expect(chooseSchema("POST", ["a", "b"], header)).toBe("a");
    expect(() => chooseSchema("GET", ["a"], header)).toThrow(
      expect.objectContaining({ status: 406 }) as Error,
    );
  });
});
