import { expect, test } from "vitest";
import type { IdentityRow, RolesRow } from "#app/contract/rows/users.ts";
import { usersOf, usersPage } from "./model.ts";
import { usersSearch } from "./paths.ts";

const anIdentity = (
  id: string,
  first: string,
  last: string,
  more: Partial<IdentityRow> = {},
): IdentityRow => ({
  id,
  traits: { email: `${first || id}@example.com`.toLowerCase(), name: { first, last } },
  state: "active",
  created_at: "2026-01-02T03:04:05.123456",
  updated_at: "2026-01-02T03:04:05.123456",
  ...more,
});
const roles: RolesRow[] = [
  { id: "1", name: "Ada Byron", roles: ["viewer", "editor"] },
  { id: "2", name: "Grace Hopper", roles: ["admin"] },
];
const users = usersOf(
  [
    anIdentity("1", "Ada", "Byron"),
    anIdentity("2", "Grace", "Hopper", { state: "inactive" }),
    anIdentity("3", "", ""),
    anIdentity("4", "Bo", "", { traits: null }),
  ],
  roles,
);
const page = (query: string) =>
  usersPage(users, usersSearch.read(new URLSearchParams(query))).rows.map(({ id }) => id);

test("the contract's two answers make one row, whose time is UTC and whose highest role counts", () => {
  expect(users[0]).toMatchObject({
    name: "Ada Byron",
    email: "ada@example.com",
    roles: ["editor", "viewer"],
    role: "editor",
    created_at: new Date("2026-01-02T03:04:05.123Z"),
  });
  expect(users[2]).toMatchObject({ name: "3@example.com", roles: [], role: "viewer" });
  expect(users[3]).toMatchObject({ name: "", email: "" });
});

test("they are searched, narrowed, sorted and paged", () => {
  expect(page("query=BYRON")).toEqual(["1"]);
  expect(page("query=grace%40")).toEqual(["2"]);
  expect(page("role=viewer")).toEqual(["4", "3"]);
  expect(page("state=inactive")).toEqual(["2"]);
  expect(page("sortBy=email&sortDesc=true").slice(0, 3)).toEqual(["2", "1", "3"]);
  expect(page("pageSize=5&page=2")).toEqual([]);
});

test("what is missing is last, whichever way round", () => {
  expect(page("sortBy=last_login")).toEqual(["1", "2", "3", "4"]);
});
