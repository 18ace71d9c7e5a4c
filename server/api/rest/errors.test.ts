import { describe, expect, test } from "vitest";
import { fromFailure, fromPgError, nothingHere, refuse } from "./errors.ts";

describe("an error of PostgreSQL", () => {
  test.each([
    ["08006", 503],
    ["22P02", 400],
    ["23503", 409],
    ["23505", 409],
    ["25006", 405],
    ["28P01", 403],
    ["40001", 500],
    ["42501", 403],
    ["42883", 404],
    ["42P01", 404],
    ["53300", 503],
    ["54001", 413],
    ["57014", 500],
    ["57P01", 503],
    ["P0001", 400],
    ["P0002", 500],
    ["PT418", 418],
    ["PTabc", 500],
    ["XX000", 500],
  ])("%s answers %i", (code, status) => {
    expect(fromPgError({ code, message: "m" }, true).status).toBe(status);
  });

  test("a stranger without rights is asked to sign in", () => {
    expect(fromPgError({ code: "42501", message: "m" }, false)).toMatchObject({
      status: 401,
      headers: { "WWW-Authenticate": "Bearer" },
    });
  });

  test("the words of the server about itself are not passed on", () => {
    const error = { code: "53300", message: "too many connections for role x", detail: "d" };
    expect(fromPgError(error, true).body).not.toContain("role x");
    expect(fromPgError({ ...error, routine: "exec_stmt_raise" }, true).message).toBe(error.message);
  });

  test("the row in a broken constraint is shown to known callers only", () => {
    const error = { code: "23505", message: "m", detail: "Key (email)=(a@b) already exists." };
    expect(fromPgError(error, true).details).toBe(error.detail);
    expect(fromPgError(error, false).details).toBeNull();
  });

  test("PGRST raises a whole answer", () => {
    const message = '{"code":"A1","message":"own","hint":"h"}';
    const raised = fromPgError(
      { code: "PGRST", message, detail: '{"status":432,"headers":{"X-Own":"yes"}}' },
      true,
    );
    expect(raised).toMatchObject({ status: 432, code: "A1", hint: "h", headers: { "X-Own": "yes" } });
    for (const detail of ['{"status":432,"headers":{"X\\r\\nY":"a"}}', '{"status":99,"headers":{}}', "no"])
      expect(fromPgError({ code: "PGRST", message, detail }, true)).toMatchObject({
        status: 500,
        code: "PGRST121",
      });
  });
});

test("waiting too long for a connection and having none are told apart", () => {
  expect(fromFailure(new Error("timeout exceeded when trying to connect"), true)).toMatchObject({
    status: 504,
    code: "PGRST003",
  });
  expect(fromFailure(new Error("connect ECONNREFUSED"), true)).toMatchObject({
    status: 503,
    code: "PGRST000",
    headers: { "Retry-After": "1" },
  });
});

test("a body has all four keys, and an unknown path none", () => {
  expect(JSON.parse(refuse(400, "100", "m").body)).toEqual({
    code: "PGRST100",
    message: "m",
    details: null,
    hint: null,
  });
  expect(nothingHere()).toMatchObject({ status: 404, body: "{}" });
});
