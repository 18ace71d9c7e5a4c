import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROLES, type Role } from "#app/contract/access.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { onDatabase, signIn, startProduct, type Product } from "#tests/support/product.ts";
import { aCanary, aTeam, insert } from "#tests/support/builders.ts";
import { CANARY_ID, PAGES, PERMISSION_ID, TEAM_ID } from "./access.ts";

let database: TestDatabase;
let product: Product;
const cookies = new Map<Role | "nobody", string>();

beforeAll(async () => {
  database = await createDatabase();
  await createPeople(database.pool);
  await aCanary(database.pool, { id: CANARY_ID });
  await aTeam(database.pool, { id: TEAM_ID });
  await insert(database.pool, "permissions", {
    id: PERMISSION_ID,
    canary_id: CANARY_ID,
    team_id: TEAM_ID,
    action: "update",
    created_by: "00000000-0000-0000-0000-000000000001",
  });
  product = await startProduct({ env: onDatabase(database.url) });
  for (const [role, person] of Object.entries(PEOPLE))
    cookies.set(role as Role, await signIn(product.url, person));
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await database?.drop();
});

const visit = (path: string, cookie?: string) =>
  fetch(product.url + path, { redirect: "manual", headers: cookie ? { cookie } : {} });

describe.each(Object.entries(PAGES))("%s", (path, allowed) => {
  test.each(ROLES)("as %s, as a page and as data", async (role) => {
    const expected = allowed.includes(role) ? 200 : 403;
    expect((await visit(path, cookies.get(role))).status).toBe(expected);
    expect((await visit(`${path}.data`, cookies.get(role))).status).toBe(expected);
  });

  test("whoever has no role sees what a viewer sees", async () => {
    expect((await visit(path, cookies.get("nobody"))).status).toBe(allowed.includes("viewer") ? 200 : 403);
  });

  test("signed out goes to login and comes back", async () => {
    const response = await visit(path);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`/login?return_to=${encodeURIComponent(path)}`);
  });
});
