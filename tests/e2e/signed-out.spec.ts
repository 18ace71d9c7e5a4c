/** A session that ends under a form (issue 5, deliver 10): sign in on that page, see it filled, send it oneself. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { PASSWORD, PEOPLE } from "#tests/support/people.ts";
import { expectAccessible } from "./axe.ts";
import { anEditor, expect, fillSignIn, sideways, test } from "./fixtures.ts";

const unused = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;
const countOf = async (database: pg.Pool, name: string) =>
  (await database.query("select from canaries where name = $1", [name])).rowCount;

test("a form is kept over the end of the session, shown again filled, and sent only by hand", async ({
  page,
  database,
}) => {
  const { email, endSessions } = await anEditor(database);
  const name = unused("kept");
  await page.goto("/settings/canaries/new?type=tcp");
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { name: "TCP check" })).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill(name);
  await page.getByRole("textbox", { name: "Endpoint" }).fill("127.0.0.1:1");
  await page.getByRole("button", { name: "Add to Labels" }).first().click();
  await page.getByLabel("Labels 1: key").first().fill("kept");
  await page.getByLabel("Labels 1: value").first().fill('<b>over</b> the "end" & more');

  await endSessions();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.getByRole("button", { name: "Save" }).click(),
  ]);
  expect(answer.status()).toBe(401);
  await expect(page).toHaveURL("/settings/canaries/new?type=tcp");
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  expect(await countOf(database, name)).toBe(0);

  await fillSignIn(page, { email, password: "mistyped" });
  await expect(page.getByText("credentials are invalid")).toBeVisible();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  await fillSignIn(page, { email });

  await expect(page.getByText("nothing of it has been saved yet")).toBeVisible();
  await expect(page).toHaveURL("/settings/canaries/new?type=tcp");
  await expect(page.getByRole("textbox", { name: "Name", exact: true }).first()).toHaveValue(name);
  await expect(page.getByRole("textbox", { name: "Endpoint" })).toHaveValue("127.0.0.1:1");
  await expect(page.getByLabel("Labels 1: value").first()).toHaveValue('<b>over</b> the "end" & more');
  expect(await countOf(database, name)).toBe(0);

  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} added successfully`)).toBeVisible();
  expect(await countOf(database, name)).toBe(1);
});

test("a form of the library comes back as it was, with what it asks @desk", async ({ page, database }) => {
  const { email, endSessions } = await anEditor(database);
  await page.goto("/settings/canaries/import");
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { name: "File" })).toBeVisible();
  const text = page.locator("#text, [aria-labelledby=text]").last();
  await text.fill("canaries: [broken");
  await endSessions();
  await page.getByRole("button", { name: "Check only" }).click();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  await fillSignIn(page, { email });
  await expect(page.getByText("nothing of it has been saved yet")).toBeVisible();
  await expect(page.getByText("canaries: [broken").last()).toBeVisible();
});

test("what somebody typed is not shown to somebody else who signs in there @desk", async ({
  page,
  database,
}) => {
  const { email, endSessions } = await anEditor(database);
  const name = unused("private");
  await page.goto("/settings/canaries/new?type=tcp");
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { name: "TCP check" })).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill(name);
  await endSessions();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  await fillSignIn(page, PEOPLE.editor);
  await expect(page.getByText("could not be kept")).toBeVisible();
  await expect(page).toHaveURL("/settings/canaries/new?type=tcp");
  await expect(page.getByRole("textbox", { name: "Name", exact: true }).first()).not.toHaveValue(name);
});

test("no password goes into what is carried along @desk", async ({ page, database }) => {
  const { email, endSessions } = await anEditor(database);
  await page.goto("/settings/canaries/new?type=http");
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { name: "HTTP check" })).toBeVisible();
  await endSessions();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  expect(await page.content()).not.toContain(PASSWORD);
});

test("the page that asks to sign in fits a phone @desk", async ({ page, database }) => {
  const { email, endSessions } = await anEditor(database);
  await page.goto("/settings/canaries/new?type=tcp");
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { name: "TCP check" })).toBeVisible();
  await endSessions();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await sideways(page)).toBe(0);
});

test("what is typed stays when the page is read anew after the end of the session @js @desk", async ({
  page,
  context,
  database,
  tolerated,
}) => {
  tolerated.push(/status of 401/);
  const { email, endSessions } = await anEditor(database);
  const name = unused("typing");
  await page.goto("/settings/canaries/new?type=tcp");
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { name: "TCP check" })).toBeVisible();
  const named = page.getByRole("textbox", { name: "Name", exact: true }).first();
  await named.fill(name);
  await page.getByRole("textbox", { name: "Endpoint" }).fill("127.0.0.1:1");
  await endSessions();
  const readAnew = () => page.evaluate(() => window.dispatchEvent(new Event("online")));
  await readAnew();

  const bar = page.locator("[data-connection=ended]");
  await expect(bar).toContainText(
    "Your session has ended. What you entered is kept: sign in again and come back.",
  );
  await expect(named).toHaveValue(name);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const [elsewhere] = await Promise.all([context.waitForEvent("page"), bar.getByRole("link").click()]);
  await fillSignIn(elsewhere, { email });
  await expect(elsewhere.getByRole("heading", { name: "TCP check" })).toBeVisible();
  await elsewhere.close();
  await bar
    .getByRole("button", { name: "Retry" })
    .click({ timeout: 2_000 })
    .catch(() => undefined); // or it has asked by itself
  await expect(bar).toHaveCount(0);
  await expect(named).toHaveValue(name);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${name} added successfully`)).toBeVisible();

  // Nothing is typed any more: there is nothing to stay for.
  await page.goto("/settings/canaries/new?type=tcp");
  await expect(page.getByRole("heading", { name: "TCP check" })).toBeVisible();
  await endSessions();
  await expect(async () => {
    await readAnew(); // heard once the script has begun
    await expect(page).toHaveURL(/\/login\?/, { timeout: 500 });
  }).toPass();
});
