import { randomUUID } from "node:crypto";
import { createAccount, PEOPLE, setRoles } from "#tests/support/people.ts";
import { SECRET, startProduct } from "#tests/support/product.ts";
import { startRecorder } from "#tests/support/recording-upstream.ts";
import { createRestingCheck } from "./estate.ts";
import { drawerOf, expect, fillSignIn, productUrl, rowOf, sideways, test } from "./fixtures.ts";

test("an address that leads nowhere says so and leads home", async ({ page, as }) => {
  await as("viewer");
  const response = await page.goto("/nothing-here?x=1");
  expect(response!.status()).toBe(404);
  await expect(page).toHaveTitle("Not found | Pilothouse");
  await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
  await page.getByRole("link", { name: "Go back" }).click();
  await expect(page).toHaveURL("/health");
});

test("a right that was taken away meanwhile is refused in the page's own frame @desk", async ({
  page,
  database,
}) => {
  const email = `fleeting-${randomUUID().slice(0, 8)}@example.com`;
  const person = await createAccount(database, email, ["responder"]);
  const { id, name } = await createRestingCheck(database);
  await page.goto(`/health?query=Cart&checkId=${id}`);
  await fillSignIn(page, { email });
  await expect(drawerOf(page, name).getByRole("button", { name: "Run now" })).toBeVisible();
  await setRoles(database, person, []);
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Unauthorized" })).toBeVisible();
  await expect(page.getByText("You do not have permission to access this page")).toBeVisible();
  await expect(page.getByTitle("User menu")).toBeVisible();
  await page.getByRole("link", { name: "Go back" }).click();
  await expect(page).toHaveURL("/health");
  await page.goto(`/health?query=Cart&checkId=${id}`);
  await expect(drawerOf(page, name)).toBeVisible();
  await expect(page.getByRole("button", { name: "Run now" })).toHaveCount(0);
});

test("a backend that went away is said, and the page comes back @desk", async ({
  page,
  tolerated,
  javaScriptEnabled,
}) => {
  tolerated.push(/the server responded with a status of 503/);
  const recorder = await startRecorder(productUrl());
  const web = await startProduct({
    env: {
      UPSTREAM_URL: `${recorder.url}/api`,
      SESSION_SECRET: SECRET,
      PILOTHOUSE_ADMIN_EMAIL: undefined,
      PILOTHOUSE_ADMIN_PASSWORD: undefined,
    },
  });
  try {
    const address = `${web.url}/health?query=Cart&status=unhealthy`;
    await page.goto(address);
    await fillSignIn(page, PEOPLE.viewer); // through two webs: the upstream of this one is the other's /api
    await expect(rowOf(page, "Cart")).toBeVisible();

    await recorder.leave();
    const away = await page.goto(address);
    expect(away!.status()).toBe(503);
    expect(away!.headers()["content-type"]).toContain("text/html");
    await expect(page.getByRole("heading", { level: 1, name: "Upstream is away" })).toBeVisible();
    expect(await sideways(page)).toBe(0);
    await page.getByRole("link", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Upstream is away" })).toBeVisible();
    expect((await page.goto(`${web.url}/login`))!.status()).toBe(503);
    for (const kind of ["teams", "canaries"]) {
      expect((await page.goto(`${web.url}/settings/${kind}/${randomUUID()}`))!.status()).toBe(503);
      expect(await page.title(), "nobody knows whether it is there").not.toContain("No resources found");
    }
    await page.goto(address);

    await recorder.comeBack();
    if (javaScriptEnabled === false) await page.getByRole("link", { name: "Retry" }).click(); // else by itself
    await expect(page).toHaveURL(address);
    await expect(rowOf(page, "Cart")).toBeVisible();

    if (javaScriptEnabled !== false) {
      await recorder.leave();
      await page.getByRole("link", { name: "Refresh" }).click();
      const bar = page.locator("[data-connection=away]");
      await expect(bar).toContainText("Upstream is away. Shown is the state of ");
      await expect(rowOf(page, "Cart"), "the page stays").toBeVisible();
      expect(await sideways(page)).toBe(0);
      await recorder.comeBack();
      await expect(bar).toHaveCount(0);
      await expect(rowOf(page, "Cart")).toBeVisible();
    }

    await recorder.leave();
    await rowOf(page, "Cart").click();
    await expect(page.getByRole("heading", { level: 1, name: "Upstream is away" })).toBeVisible();
  } finally {
    await web.stop();
    await recorder.close();
  }
});
