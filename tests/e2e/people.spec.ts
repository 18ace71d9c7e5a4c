import { randomUUID } from "node:crypto";
import { drawerOf, expect, productUrl, rowOf, sideways, test } from "./fixtures.ts";
import { PEOPLE } from "#tests/support/people.ts";

const unique = (word: string) => `${word}${randomUUID().slice(0, 6)}`;

test.describe("users", () => {
  test.beforeEach(({ as }) => as("admin"));

  test("somebody is invited, found, changed, deactivated and deleted", async ({ page, press }) => {
    const last = unique("Marin");
    await page.goto("/settings/users");
    await page.getByRole("link", { name: "Invite User" }).click();
    const invite = drawerOf(page, "Invite User");
    await invite.locator("form").evaluate((form: HTMLFormElement) => form.setAttribute("novalidate", ""));
    await invite.getByLabel("Email").fill("rosa at example");
    await invite.getByRole("button", { name: "Invite user" }).click();
    for (const words of [
      "Please provide valid first name",
      "Please provide valid last name",
      "Entered value does not match email format",
      "Please select any role",
    ])
      await expect(invite.getByText(words)).toBeVisible();
    await expect(invite.getByLabel("Email")).toHaveValue("rosa at example");

    await invite.getByLabel("First name").fill("Rosa");
    await invite.getByLabel("Last name").fill(last);
    await invite.getByLabel("Email").fill(`${last}@example.org`);
    await invite.getByLabel("Role").selectOption("responder");
    await invite.getByRole("button", { name: "Invite user" }).click();
    const shown = drawerOf(page, `Rosa ${last} invited successfully`);
    const link = await shown.getByRole("textbox", { name: "Invitation link" }).inputValue();
    expect(link).toMatch(new RegExp(`^${productUrl()}/registration\\?`));
    const room = await shown
      .getByRole("textbox", { name: "Invitation link" })
      .evaluate(({ clientWidth, clientHeight, scrollWidth, scrollHeight }) => ({
        across: clientWidth - scrollWidth,
        down: clientHeight - scrollHeight,
      }));
    expect(room, "the link is seen whole").toEqual({ across: 0, down: 0 });
    await shown.getByRole("link", { name: "Done" }).click();
    await expect(shown).toHaveCount(0);

    await page.getByLabel("Search users").fill(last);
    await press("Search");
    await expect(page).toHaveURL(/query=/);
    const row = rowOf(page, last);
    await expect(row).toContainText("responder");
    await expect(row).toContainText("Invited");
    expect(await sideways(page)).toBe(0);

    await row.getByRole("link", { name: `Rosa ${last}`, exact: true }).click();
    const edit = drawerOf(page, "Edit User");
    await expect(edit.getByLabel("Role")).toHaveValue("responder");
    await edit.getByLabel("First name").fill("Roza");
    await edit.getByLabel("Role").selectOption("editor");
    await edit.getByRole("switch", { name: "Active" }).uncheck();
    await edit.getByRole("button", { name: "Update" }).click();
    await expect(page.getByText(`Roza ${last} updated successfully`)).toBeVisible();
    await expect(row).toContainText("editor");
    await expect(row).toContainText("Inactive");

    await row.getByRole("link", { name: `Delete Roza ${last}` }).click();
    const question = drawerOf(page, "Delete User ?");
    await expect(question.getByText("Are you sure you want to delete this user ?")).toBeVisible();
    await question.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("user deleted successfully")).toBeVisible();
    await expect(rowOf(page, last)).toHaveCount(0);
  });

  test("an invitation is sent again with another link, and taken back @desk", async ({ page }) => {
    const last = unique("Okoro");
    await page.goto("/settings/users?invite=true");
    const invite = drawerOf(page, "Invite User");
    await invite.getByLabel("First name").fill("Sam");
    await invite.getByLabel("Last name").fill(last);
    await invite.getByLabel("Email").fill(`${last}@example.org`);
    await invite.getByLabel("Role").selectOption("viewer");
    await invite.getByRole("button", { name: "Invite user" }).click();
    const first = await page.getByRole("textbox", { name: "Invitation link" }).inputValue();

    await page.goto(`/settings/users?query=${last}&state=invited`);
    await rowOf(page, last)
      .getByRole("link", { name: /^Invitation of/ })
      .click();
    const dialog = drawerOf(page, `Invitation of Sam ${last}`);
    await dialog.getByRole("button", { name: "New link" }).click();
    await expect(drawerOf(page, `New link for Sam ${last}`)).toBeVisible();
    const second = page.getByRole("textbox", { name: "Invitation link" });
    await expect(second).toHaveValue(/registration/);
    expect(await second.inputValue()).not.toBe(first);
    await page.getByRole("link", { name: "Done" }).click();

    await rowOf(page, last)
      .getByRole("link", { name: /^Invitation of/ })
      .click();
    await drawerOf(page, `Invitation of Sam ${last}`).getByRole("button", { name: "Revoke" }).click();
    await expect(page.getByText("Invitation taken back")).toBeVisible();
    await expect(page.getByText("Nobody matches this search.")).toBeVisible();
  });

  test("nobody deletes or degrades himself, and an address is given once @desk", async ({ page }) => {
    await page.goto("/settings/users?query=admin%40example.com");
    const row = rowOf(page, "Admin Example");
    await expect(row.getByRole("link", { name: /^Delete/ })).toHaveCount(0);
    await row.getByRole("link", { name: "Admin Example" }).click();
    const edit = drawerOf(page, "Edit User");
    await expect(edit.getByLabel("Role")).toBeDisabled();
    await expect(edit.getByRole("switch")).toHaveCount(0);
    await edit.getByLabel("Email").fill(PEOPLE.viewer.email);
    await edit.getByRole("button", { name: "Update" }).click();
    await expect(edit.getByText("There is a user with this address already.")).toBeVisible();
    await expect(edit.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
    await expect(edit.getByLabel("Email")).toHaveValue(PEOPLE.viewer.email);
  });
});

test("an editor sees the users and changes none @desk", async ({ page, as }) => {
  await as("editor");
  await page.goto("/settings/users?sortBy=email&sortDesc=true&role=viewer");
  await expect(rowOf(page, PEOPLE.viewer.email)).toBeVisible();
  await expect(page.getByRole("link", { name: "Invite User" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^Delete/ })).toHaveCount(0);
  await page.goto("/settings/users?invite=true");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a team is added, gets members, loses one of them, and goes", async ({ page, as, press, database }) => {
  const name = unique("team ");
  await as("editor");
  await page.goto("/settings/teams");
  await page.getByRole("link", { name: "Add Team" }).first().click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} added successfully`)).toBeVisible();
  await expect(page.getByText("You haven't added any team members to the team yet.")).toBeVisible();

  await page.getByRole("link", { name: "Add Members" }).click();
  const dialog = drawerOf(page, "Add users to the team");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByText("Choose at least one user")).toBeVisible();
  await dialog.getByLabel("Search users").fill("er example");
  await press("Search", dialog);
  await expect(dialog.getByLabel(/Commander Example/)).toBeVisible();
  await expect(dialog.getByLabel(/Editor Example/)).toHaveCount(0);
  await dialog.getByLabel(/Viewer Example/).check();
  await dialog.getByLabel(/Commander Example/).check();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(
    page.getByText("Commander Example, Viewer Example added to the team successfully"),
  ).toBeVisible();

  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  const other = unique("other ");
  await database.query(
    `with made as (insert into teams (name, created_by) values ($1, '00000000-0000-0000-0000-000000000001') returning id)
     insert into team_members (team_id, person_id)
     select made.id, person_id from made, team_members where team_id = $2`,
    [other, id],
  );
  await page.getByTitle("Actions for Viewer Example").click();
  await page.getByRole("button", { name: "Remove user" }).first().click();
  await expect(page.getByText("Viewer Example removed from team successfully")).toBeVisible();
  const { rows } = await database.query(
    "select count(*)::int as left from team_members join teams on teams.id = team_id where teams.name = $1",
    [other],
  );
  expect(rows, "of that team only").toEqual([{ left: 2 }]);

  await page.getByRole("link", { name: "Spec", exact: true }).click();
  await page.getByRole("link", { name: "Delete" }).click();
  await drawerOf(page, "Delete resource").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Teams deleted successfully")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`${name} is back`)).toBeVisible();
});

test("a team's spec that cannot be read keeps what was typed @no-js", async ({ page, as }) => {
  await as("editor");
  await page.goto("/settings/teams/new");
  await page.getByLabel("Name").fill(unique("yaml "));
  await page.getByLabel("Spec").fill("components:\n  - name: [\n");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/Line \d+:/)).toBeVisible();
  await expect(page.getByLabel("Spec")).toHaveValue(/components:/);
});

test("a token is made, shown once, and revoked", async ({ page, as }) => {
  const name = unique("ci-");
  await as("responder");
  await page.goto("/settings/tokens");
  await page.getByRole("link", { name: "Create access token" }).click();
  const dialog = drawerOf(page, "Create access token");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Expires after").selectOption("7 days");
  await dialog.getByRole("button", { name: "Create" }).click();
  const created = drawerOf(page, "Access token created");
  await expect(
    created.getByText("Access token will be shown only once. Please copy it and store it securely."),
  ).toBeVisible();
  const token = await created.getByLabel(name).inputValue();
  const whoami = await fetch(`${productUrl()}/api/auth/whoami`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(whoami.status).toBe(200);
  await created.getByRole("link", { name: "I have copied it" }).click();
  await expect(created).toHaveCount(0);
  expect(await page.content()).not.toContain(token);

  const row = rowOf(page, name);
  await expect(row).toContainText("in 7d");
  await expect(row).toContainText(/\ds ago/);
  await row.getByRole("link", { name: `Revoke ${name}` }).click();
  await drawerOf(page, "Revoke access token").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(`${name} revoked`)).toBeVisible();
  await expect(rowOf(page, name)).toHaveCount(0);
  const gone = await fetch(`${productUrl()}/api/auth/whoami`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(gone.status).toBe(401);
});

test.describe("feature flags", () => {
  test("a property is added, changed by two people, and removed", async ({ page, as, database }) => {
    const name = unique("journey.");
    await as("editor");
    await page.goto("/settings/feature-flags");
    await page.getByRole("link", { name: "Add Feature Flag" }).click();
    const add = drawerOf(page, "Add Feature Flag");
    await add.locator("form").evaluate((form: HTMLFormElement) => form.setAttribute("novalidate", ""));
    await add.getByLabel("Feature flag").fill(name);
    await add.getByRole("button", { name: "Save" }).click();
    await expect(add.getByText("please provide all details")).toBeVisible();
    await expect(add.getByLabel("Feature flag")).toHaveValue(name);
    await add.getByLabel("Value").fill("one");
    await add.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Feature flag added successfully")).toBeVisible();

    await rowOf(page, name).getByRole("link", { name }).click();
    const edit = drawerOf(page, "Edit Feature Flag");
    await edit.getByLabel("Value").fill("mine");
    await database.query("update properties set value = 'theirs' where name = $1", [name]);
    await edit.getByRole("button", { name: "Update" }).click();
    await expect(edit.getByText("Somebody else has changed this in the meantime.")).toBeVisible();
    await expect(edit.getByLabel("Value")).toHaveValue("mine");
    await expect(edit.getByText("Saved is now: theirs")).toBeVisible();
    await edit.getByRole("button", { name: "Update" }).click();
    await expect(page.getByText("Feature flag updated successfully")).toBeVisible();
    await expect(rowOf(page, name)).toContainText("mine");

    await rowOf(page, name).getByRole("link", { name }).click();
    await edit.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Feature flag removed successfully")).toBeVisible();
    await expect(rowOf(page, name)).toHaveCount(0);
  });

  /** A feature without pages for each way this journey runs in: they run at the same time. */
  const FEATURES: Record<string, [label: string, name: string]> = {
    js: ["Event Queue", "settings.event_queue_status"],
    "no-js": ["Log backends", "settings.logging_backends"],
  };

  test("a feature is switched off and on again @desk", async ({ page, as, database }, { project }) => {
    const [label, name] = FEATURES[project.name]!;
    await as("editor");
    await page.goto("/settings/feature-flags");
    const toggle = page.getByRole("switch", { name: label });
    await expect(toggle).toBeChecked();
    await toggle.click();
    await expect(page.getByText("Feature flag added successfully")).toBeVisible();
    await expect(toggle).not.toBeChecked();
    const { rows } = await database.query("select value from properties where name = $1", [
      `${name}.disable`,
    ]);
    expect(rows).toEqual([{ value: "true" }]);
    await toggle.click();
    await expect(page.getByText("Feature flag removed successfully")).toBeVisible();
    await expect(toggle).toBeChecked();
  });

  test("a viewer reads them @desk", async ({ page, as }) => {
    await as("viewer");
    await page.goto("/settings/feature-flags");
    await expect(page.getByText("settings.job_history")).toBeVisible();
    await expect(page.getByRole("switch")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Add Feature Flag" })).toHaveCount(0);
  });
});
