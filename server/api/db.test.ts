import { expect, test } from "vitest";
import { ROLES } from "#app/contract/access.ts";
import { mayUse } from "./db.ts";
import type { Use } from "./rest/index.ts";

const use = (name: string, action: Use["action"], kind: Use["kind"] = "relation"): Use => ({
  kind,
  name,
  action,
  embedded: true,
});

test("what no table of access names does not exist, for administrators too", () => {
  for (const role of ROLES) {
    expect(mayUse(use("credentials", "read"), role)).toBe("unknown");
    expect(mayUse(use("constructor", "read"), role)).toBe("unknown");
    expect(mayUse(use("delete_person", "call", "rpc"), role)).toBe("unknown");
  }
});

test("an embed is judged as its own page would be", () => {
  expect(mayUse(use("connections", "read"), "viewer")).toBe("no");
  expect(mayUse(use("connections", "read"), "editor")).toBe("yes");
  expect(mayUse(use("people", "update"), "editor")).toBe("no");
  expect(mayUse(use("people", "update"), "admin")).toBe("yes");
});

test("what only shows is written by nobody", () => {
  expect(mayUse(use("check_statuses", "insert"), "admin")).toBe("no");
  expect(mayUse(use("people_roles", "delete"), "admin")).toBe("no");
});
