import { randomUUID } from "node:crypto";
import { drawerOf, expect, sideways, test } from "./fixtures.ts";

/** A name nobody else has. */
const unused = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;

test("a health check is added by its form, tested first, and is watched", async ({ page, as, database }) => {
  await as("editor");
  const name = unused("by-form");
  await page.goto("/settings/canaries");
  await page.getByRole("link", { name: "Add Health Check" }).click();
  await page.getByRole("link", { name: "TCP", exact: true }).click();
  await expect(page.getByRole("heading", { name: "TCP check" })).toBeVisible();

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/Not saved: .* need a look/)).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill(name);
  await page.getByRole("textbox", { name: "Endpoint" }).fill("127.0.0.1:1");

  await page.getByRole("button", { name: "Add to Labels" }).first().click();
  await page.getByLabel("Labels 1: key").first().fill("journey");
  await page.getByLabel("Labels 1: value").first().fill("by form");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The test failed: 1 of 1" })).toBeVisible();
  await expect(page.getByLabel("Labels 1: key").first()).toHaveValue("journey");

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} added successfully`)).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/canaries$/);
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(async () => {
    const { rows } = await database.query(
      "select status from checks where name = $1 and deleted_at is null",
      [name],
    );
    expect(rows).toEqual([{ status: "unhealthy" }]);
  }).toPass({ timeout: 15_000 });
});

test("code and form say the same; what cannot be read is refused at its line @desk", async ({
  page,
  as,
  javaScriptEnabled,
}) => {
  await as("editor");
  const name = unused("by-code");
  await page.goto("/settings/canaries/new?type=http");
  await page.getByRole("textbox", { name: "URL", exact: true }).fill("http://127.0.0.1:1/");
  await page.getByRole("button", { name: "Code" }).click();
  const editor = page.getByLabel(/^Spec/).last();
  const says = async (text: string) =>
    javaScriptEnabled === false
      ? expect(editor).toHaveValue(new RegExp(text))
      : expect(editor).toContainText(text);
  await says("http://127.0.0.1:1/");
  await editor.fill("schedule: '@every 1h'\nhttp:\n  - name: [\n");
  await page.getByRole("button", { name: "Form" }).click();
  await expect(page.getByText("The code cannot be read")).toBeVisible();
  await expect(page.getByRole("link", { name: "Line 4" }).first()).toBeVisible();
  const marked = page.getByLabel(/^Spec/).last();
  await expect(async () => {
    // While the editor draws its marks it may lose what was selected to be replaced.
    await marked.fill("schedule: '@every 1h'\nhttp:\n  - name: front\n    url: http://127.0.0.1:2/\n");
    if (javaScriptEnabled !== false) await expect(marked).not.toContainText("name: [", { timeout: 1_000 });
  }).toPass();
  await page.getByRole("button", { name: "Form" }).click();
  await expect(page.getByRole("textbox", { name: "URL", exact: true })).toHaveValue("http://127.0.0.1:2/");
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill(name);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} added successfully`)).toBeVisible();
});

test("it is changed, deleted after a question, and had back", async ({ page, as, database }) => {
  await as("editor");
  const name = unused("changed");
  const { rows } = await database.query(
    "insert into canaries (name, namespace, spec, source) values ($1, 'journeys', $2, 'UI') returning id",
    [name, { schedule: "0 0 1 1 *", tcp: [{ name: "port", endpoint: "127.0.0.1:1" }] }],
  );
  await page.goto(`/settings/canaries?query=${name}`);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByLabel("Namespace").first()).toHaveJSProperty("readOnly", true);
  await page.getByRole("textbox", { name: "Endpoint" }).fill("127.0.0.1:2");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText(`${name} updated successfully`)).toBeVisible();

  await page.goto(`/settings/canaries/${rows[0].id}`);
  await expect(page.getByRole("textbox", { name: "Endpoint" })).toHaveValue("127.0.0.1:2");
  await page.getByRole("link", { name: "Delete" }).click();
  const dialog = drawerOf(page, "Delete resource");
  await expect(dialog).toContainText("Are you sure you want to delete this resource?");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Health Check deleted successfully")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`${name} is back`)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Endpoint" })).toHaveValue("127.0.0.1:2");
});

test("a name that is typed is the check's too, until that is edited @js @desk", async ({ page, as }) => {
  await as("editor");
  await page.goto("/settings/canaries/new?type=tcp");
  const [own, entry] = [
    page.getByRole("textbox", { name: "Name", exact: true }).first(),
    page.getByRole("textbox", { name: "Name", exact: true }).nth(1),
  ];
  await expect(async () => {
    await own.fill("");
    await own.pressSequentially("shop");
    await expect(entry).toHaveValue("shop", { timeout: 500 });
  }).toPass();
  await entry.fill("front door");
  await own.pressSequentially("-two");
  await expect(entry).toHaveValue("front door");
});

test("what is not saved is not left without a question @js @desk", async ({ page, as }) => {
  await as("editor");
  await expect(async () => {
    await page.goto("/settings/canaries/new?type=tcp"); // before the script is there a link is just followed
    await page.getByRole("textbox", { name: "Endpoint" }).fill("somewhere:1");
    const asked = async () => {
      const dialog = await page.waitForEvent("dialog", { timeout: 1000 });
      await dialog.dismiss();
      return dialog.message();
    };
    const [question] = await Promise.all([asked(), page.getByRole("link", { name: "Back" }).click()]);
    expect(question).toMatch(/not saved/);
  }).toPass();
  await expect(page.getByRole("textbox", { name: "Endpoint" })).toHaveValue("somewhere:1");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("link", { name: "TCP", exact: true })).toBeVisible();
});

test("one that comes from a file is for looking at @desk", async ({ page, as }) => {
  await as("editor");
  await page.goto("/settings/canaries?query=pilothouse-api");
  await page.getByRole("link", { name: "pilothouse-api" }).click();
  await expect(page.getByText("Linked to local file")).toBeVisible();
  await expect(page.getByRole("button", { name: "Update" })).toHaveCount(0);
});

test("all of it fits a phone @desk", async ({ page, as }) => {
  await as("editor");
  await page.setViewportSize({ width: 360, height: 780 });
  for (const path of ["/settings/canaries", "/settings/canaries/new", "/settings/canaries/new?type=http"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await sideways(page), path).toBe(0);
  }
});

test("a viewer finds no settings, and nothing to change where they are @desk", async ({ page, as }) => {
  await as("viewer");
  await page.goto("/settings/canaries");
  await expect(page.getByText("Settings", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Add Health Check" })).toHaveCount(0);
});
