import { randomUUID } from "node:crypto";
import { createAccount, PASSWORD, PEOPLE } from "#tests/support/people.ts";
import { expect, fillSignIn, rowOf, test } from "./fixtures.ts";

test("signing in leads back to the deep link, with its filters", async ({ page }) => {
  const link = "/health?query=accept&status=unhealthy&sortBy=last_transition_time&sortDesc=true";
  await page.goto(link);
  await expect(page).toHaveURL(`/login?return_to=${encodeURIComponent(link)}`);
  await expect(page.getByRole("heading", { level: 1, name: "Sign In to your account" })).toBeVisible();
  await fillSignIn(page, PEOPLE.viewer);
  await expect(page).toHaveURL(link);
  await expect(page).toHaveTitle("Health | Pilothouse");
  await expect(page.getByRole("searchbox")).toHaveValue("accept");
  await expect(page.getByRole("link", { name: "Health: Unhealthy, remove this filter" })).toBeVisible();
  await expect(rowOf(page, "Replica accepts connections")).toBeVisible();
  await expect(rowOf(page, "Primary accepts connections")).toHaveCount(0);
});

test("a wrong password says so, keeps the e-mail and the way back, and a second try works", async ({
  page,
  database,
}) => {
  const email = `typo-${randomUUID().slice(0, 8)}@example.com`;
  await createAccount(database, email, ["viewer"]);
  await page.goto("/health?query=Cart");
  await fillSignIn(page, { email, password: "not the password" });
  await expect(page.getByRole("alert").filter({ hasText: "credentials are invalid" })).toBeVisible();
  await expect(page.getByLabel("E-Mail")).toHaveValue(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/health?query=Cart");
  await expect(rowOf(page, "Cart")).toBeVisible();
});

test("signing out ends the session, and Back does not bring it back", async ({ page }) => {
  await page.goto("/health?query=Cart");
  await fillSignIn(page, PEOPLE.viewer);
  await expect(rowOf(page, "Cart")).toBeVisible();
  await page.getByTitle("User menu").click();
  await expect(page.getByText("Hi Viewer Example")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/login");
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await page.goto("/health?query=Cart");
  await expect(page).toHaveURL(/\/login\?return_to=/);
});

test("a link to /logout asks before it signs anybody out @desk", async ({ page }) => {
  await page.goto("/health?query=Cart");
  await fillSignIn(page, PEOPLE.viewer);
  await expect(rowOf(page, "Cart")).toBeVisible();
  await page.goto("/logout");
  await expect(page.getByText("You are signed in as Viewer Example.")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/login");
});

test("whoever is signed in is sent home from the sign-in page @desk", async ({ page, as }) => {
  await as("viewer");
  await page.goto("/login");
  await expect(page).toHaveURL("/health");
  await page.goto("/");
  await expect(page).toHaveURL("/health");
});

test("a forgotten password: who can help, and the way back @desk", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("link", { name: "Reset password" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Recover account" })).toBeVisible();
  await expect(page.getByText("npm run reset-password -- EMAIL")).toBeVisible();
  await page.getByRole("link", { name: "Go back" }).click();
  await expect(page).toHaveURL("/login");
});

test("a return address of another site is named on the error page and not followed @desk", async ({
  page,
}) => {
  await page.goto("/api/.ory/self-service/login/browser?return_to=https://evil.example/");
  await expect(page).toHaveURL(/\/error\?id=/);
  await expect(page.getByRole("heading", { level: 1, name: "An error occurred" })).toBeVisible();
  await expect(page.getByText("self_service_flow_return_to_forbidden")).toBeVisible();
  await page.getByRole("link", { name: "Go back" }).click();
  await expect(page).toHaveURL(/\/login/);
});
