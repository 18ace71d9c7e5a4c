import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Page } from "@playwright/test";
import { PEOPLE } from "#tests/support/people.ts";
import { drawerOf, expect, sideways, test } from "./fixtures.ts";

const unused = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;

/** A canary with one check that never runs by itself. */
async function aCanary(database: pg.Pool, name: string) {
  const { rows } = await database.query<{ id: string }>(
    "insert into canaries (name, namespace, spec, source) values ($1, 'journeys', $2, 'UI') returning id",
    [name, { schedule: "0 0 1 1 *", tcp: [{ name: `${name}-port`, endpoint: "127.0.0.1:1" }] }],
  );
  const id = rows[0]!.id;
  await expect(async () => {
    const checks = await database.query("select from checks where canary_id = $1", [id]);
    expect(checks.rowCount).toBe(1);
  }).toPass({ timeout: 15_000 });
  const { rows: checks } = await database.query<{ id: string }>(
    "select id from checks where canary_id = $1",
    [id],
  );
  return { id, check: checks[0]!.id };
}

const record = (database: pg.Pool, row: { canary_id: string; action: string; deny: boolean }) =>
  database.query(
    `insert into permissions (canary_id, action, deny, person_id, created_by)
     select $1, $2, $3, id, id from people where email = $4`,
    [row.canary_id, row.action, row.deny, PEOPLE.viewer.email],
  );

const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();

test("a permission is added, changed and deleted; what was typed is kept on the way", async ({
  page,
  as,
  database,
}) => {
  await as("editor");
  const name = unused("about");
  await aCanary(database, name);
  await page.goto("/settings/permissions");
  await page.getByRole("link", { name: "Add Permission" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add Permission");
  await page.getByLabel("Description").fill("for the night shift");
  await save(page);
  await expect(page.getByText("This field is required").first()).toBeVisible();
  await expect(page.getByText("This field is required")).toHaveCount(3);

  const choose = async (kind: string) => {
    await page.getByRole("button", { name: kind, exact: true }).click();
    await expect(page.locator("[aria-pressed=true]", { hasText: kind })).toBeVisible();
  };
  await choose("Canary");
  await choose("Person");
  await expect(page.getByLabel("Description")).toHaveValue("for the night shift");
  await page.locator("#permission-resource").selectOption({ label: name });
  await page.locator("#permission-who").selectOption({ label: "Viewer Example" });
  await page.locator("#permission-action").selectOption("update");
  await save(page);
  await expect(page.getByText("Permission added")).toBeVisible();

  await page.getByRole("link", { name }).click();
  await page.getByRole("checkbox", { name: "Deny" }).check();
  await page.getByLabel("Until (UTC)").fill("2031-01-31T18:00");
  await save(page);
  await expect(page.getByText("Permission updated")).toBeVisible();
  const { rows } = await database.query(
    `select deny, description, until, action from permissions
     join canaries on canaries.id = canary_id where canaries.name = $1`,
    [name],
  );
  expect(rows).toEqual([
    {
      deny: true,
      description: "for the night shift",
      until: new Date("2031-01-31T18:00:00Z"),
      action: "update",
    },
  ]);

  await page.getByRole("link", { name }).click();
  await page.getByRole("link", { name: "Delete" }).click();
  const dialog = drawerOf(page, "Delete Permission");
  await expect(dialog).toContainText("Are you sure you want to delete this permission?");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Permission deleted")).toBeVisible();
  await expect(page.getByRole("link", { name })).toBeHidden();
});

test("changing the kind clears the other id, and the list is narrowed to one kind @desk", async ({
  page,
  as,
  database,
  press,
}) => {
  await as("admin");
  const name = unused("kind");
  const { id } = await aCanary(database, name);
  await page.goto(`/settings/permissions/new?canary_id=${id}`);
  await expect(page.locator("#permission-resource")).toHaveValue(id);
  for (const kind of ["Connection", "Canary"]) {
    await page.getByRole("button", { name: kind, exact: true }).click();
    await expect(page.locator("[aria-pressed=true]", { hasText: kind })).toBeVisible(); // answered, before what is next
    await expect(page.locator("#permission-resource")).toHaveValue("");
  }

  await record(database, { canary_id: id, action: "run", deny: false });
  await page.goto("/settings/permissions");
  await page.locator("select[name=kind]").selectOption("canary");
  await press("Apply filters");
  await expect(page).toHaveURL(/kind=canary/);
  await expect(page.getByRole("link", { name })).toBeVisible();
  await page.goto(`/settings/permissions?canary_id=${randomUUID()}`);
  await expect(page.getByText("No permission matches this.")).toBeVisible();
});

test("two people save the same permission: the second is told and sees the first's @desk", async ({
  page,
  as,
  database,
}) => {
  await as("editor");
  const name = unused("both");
  const { id } = await aCanary(database, name);
  await record(database, { canary_id: id, action: "update", deny: false });
  await page.goto("/settings/permissions");
  await page.getByRole("link", { name }).click();
  await page.getByLabel("Description").fill("mine");
  await database.query("update permissions set description = 'theirs' where canary_id = $1", [id]);
  await save(page);
  await expect(page.getByText("Somebody else has changed this in the meantime.")).toBeVisible();
  await expect(page.getByText("theirs")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("mine");
  await save(page);
  await expect(page.getByText("Permission updated")).toBeVisible();
});

test("what somebody is denied is not there; what they are allowed has its button @desk", async ({
  page,
  as,
  database,
}) => {
  const [hidden, open] = [unused("hidden"), unused("open")];
  const first = await aCanary(database, hidden);
  const second = await aCanary(database, open);
  await record(database, { canary_id: first.id, action: "read", deny: true });
  await record(database, { canary_id: second.id, action: "run", deny: false });
  await as("viewer");
  await page.goto(`/health?query=${hidden}`);
  await expect(page.getByText(`${hidden}-port`)).toBeHidden();
  await page.goto(`/health?checkId=${first.check}`);
  await expect(page.getByRole("button", { name: "Run Now" })).toBeHidden();
  const response = await page.goto(`/settings/canaries/${first.id}`);
  expect(response?.status()).toBe(404);
  await page.goto(`/health?query=${open}&checkId=${second.check}`);
  await page.getByRole("button", { name: "Run Now" }).click();
  await expect(async () => {
    const { rows } = await database.query("select status from checks where id = $1", [second.check]);
    expect(rows).toEqual([{ status: "unhealthy" }]);
  }).toPass({ timeout: 15_000 });
});

test("the page that explains says what decided", async ({ page, as, database }) => {
  const name = unused("why");
  const { id } = await aCanary(database, name);
  await as("admin");
  await page.goto("/settings/permissions");
  await page.getByRole("link", { name: "Why?" }).click();
  await page.getByLabel("Person").selectOption({ label: "Viewer Example" });
  await page.getByLabel("Action").selectOption("update");
  await page.getByLabel("Find by name").fill(name);
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page).toHaveURL(new RegExp(`find=${name}`)); // a choice made before the answer would go with it
  await page.locator("#why-resource").selectOption({ label: name });
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(
    page.getByText(`Viewer Example may not update ${name}: neither the role nor a permission allows it.`),
  ).toBeVisible();
  await record(database, { canary_id: id, action: "update", deny: false });
  await page.reload();
  await expect(page.getByText("a permission allows what the role does not.")).toBeVisible();
  await record(database, { canary_id: id, action: "*", deny: true });
  await page.reload();
  await expect(page.getByText("a permission hides it from them.")).toBeVisible();
  expect(await sideways(page)).toBe(0);
});

test("the way back is written out above a page with a short name", async ({ page, as }) => {
  await as("admin");
  await page.goto("/settings/permissions/why");
  const back = page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Permissions" });
  const cut = await back.evaluate((link) =>
    [link, link.parentElement!].map((box) => box.scrollWidth - box.clientWidth),
  );
  expect(cut).toEqual([0, 0]);
});

test.describe("somebody quick", () => {
  // Remix gives up the first call when the second button is pressed, and the network says so.
  test.use({ tolerated: async ({}, use) => use([/ERR_ABORTED/]) });

  test("presses a second choice before the first is answered, and both are kept @js @desk", async ({
    page,
    as,
  }) => {
    await as("editor");
    await page.goto("/settings/permissions/new");
    await page.getByLabel("Description").fill("quick");
    const pressed = (kind: string) => page.locator("[aria-pressed=true]", { hasText: kind });
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await expect(pressed("Check")).toBeVisible(); // the scripts are there
    let isHeld = true;
    await page.route("**/*.data*", async (route) => {
      const isFirst = isHeld && route.request().method() === "POST";
      if (isFirst) isHeld = false;
      else await route.continue();
    });
    await page.getByRole("button", { name: "Canary", exact: true }).click();
    await expect.poll(() => isHeld).toBe(false);
    await page.getByRole("button", { name: "Person", exact: true }).click();
    await expect(pressed("Person")).toBeVisible();
    await expect(pressed("Canary")).toBeVisible();
    await expect(page.getByLabel("Description")).toHaveValue("quick");
  });
});
