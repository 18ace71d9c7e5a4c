import { expect, test } from "vitest";
import { highestRole, isRole, may, RESOURCES, ROLES, type Resource } from "./access.ts";
import { RELATIONS } from "./relations.ts";

const PRIVATE: Resource[] = ["rbac", "identities", "connections"];

test("an admin reads and writes all; an editor writes all but connections, identities and rbac", () => {
  for (const resource of RESOURCES) {
    expect(may(["admin"], `write:${resource}`)).toBe(true);
    expect(may(["editor"], `read:${resource}`)).toBe(true);
    expect(may(["editor"], `write:${resource}`)).toBe(!PRIVATE.includes(resource));
  }
});

test.each(["commander", "responder"] as const)(
  "a %s writes the response only and reads all but the private",
  (role) => {
    const writes = RESOURCES.filter((resource) => may([role], `write:${resource}`));
    expect(writes.sort()).toEqual(["comments", "evidences", "incident", "responder"]);
    expect(RESOURCES.filter((resource) => !may([role], `read:${resource}`)).sort()).toEqual(
      [...PRIVATE].sort(),
    );
  },
);

test("a viewer, and a person without a role, writes nothing", () => {
  for (const roles of [["viewer"], []] as const) {
    expect(RESOURCES.filter((resource) => may(roles, `write:${resource}`))).toEqual([]);
    expect(RESOURCES.filter((resource) => !may(roles, `read:${resource}`)).sort()).toEqual(
      [...PRIVATE].sort(),
    );
  }
});

test("a check is run by all but viewers", () => {
  expect(ROLES.filter((role) => may([role], "run:check")).sort()).toEqual([
    "admin",
    "commander",
    "editor",
    "responder",
  ]);
});

test("the highest of several roles counts", () => {
  expect(highestRole([])).toBe("viewer");
  expect(highestRole(["viewer", "responder"])).toBe("responder");
  expect(highestRole(["commander", "editor", "viewer"])).toBe("editor");
  expect(highestRole(["editor", "admin"])).toBe("admin");
  expect(isRole("constructor")).toBe(false);
});

test("whoever could change a person's e-mail could recover the account, so writing people is writing identities", () => {
  expect(RELATIONS.get("people")).toEqual({ read: "database", write: "identities" });
  expect(RELATIONS.get("people_roles")?.write).toBeNull();
});
