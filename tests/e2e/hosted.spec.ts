/** The hosted provider in a browser, with and without scripts: in, between organisations, waiting for a backend, out. */
import type { Page } from "@playwright/test";
import { decodeJwt } from "jose";
import {
  ACCOUNT_ELSEWHERE,
  PROVIDER_AWAY,
  PROVISIONING_TITLE,
  SIGN_IN_CANCELLED,
  SIGN_IN_STALE,
  SIGNED_OUT,
} from "#app/contract/words/hosted.ts";
import { freePort } from "#server/db/ports.ts";
import { startBackend } from "#tests/support/backend.ts";
import { clientOf, startHostedPlane, startOidc, type TestProvider } from "#tests/support/oidc.ts";
import { SECRET, startProduct, type Product } from "#tests/support/product.ts";
import { expectAccessible } from "./axe.ts";
import { expect, sideways, test } from "./fixtures.ts";
import { startDatabase } from "./identity-place.ts";

const ADA = {
  name: "Ada Admin",
  email: "ada@example.com",
  organizations: [
    { id: "acme", name: "Acme Anvils", role: "admin" },
    { id: "globex", name: "Globex Corporation of Cypress Creek" },
  ],
};

test.describe.configure({ mode: "default" }); // one place for all of them
let provider: TestProvider;
let database: Awaited<ReturnType<typeof startDatabase>>;
let globex: Awaited<ReturnType<typeof startBackend>>;
let plane: Product;
let web: Product;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const [port, planePort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  [database, globex, provider] = await Promise.all([
    startDatabase(),
    startBackend(),
    startOidc({ publicUrl: url, people: { ada: ADA } }),
  ]);
  [plane, web] = await Promise.all([
    startHostedPlane(provider, { port: planePort, databaseUrl: database.url }),
    startProduct({
      port,
      env: {
        ...clientOf(provider),
        PUBLIC_URL: url,
        SESSION_SECRET: SECRET,
        OIDC_UPSTREAMS: JSON.stringify({ acme: `http://127.0.0.1:${planePort}`, globex: globex.url }),
      },
    }),
  ]);
});
test.afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop(), provider?.stop(), globex?.close()]);
  await database?.stop();
});
test.beforeEach(() => {
  globex.answer(200);
  globex.take();
});

const theProvider = (page: Page) => page.getByRole("heading", { name: "The provider" });
async function fillAccount(page: Page) {
  await expect(theProvider(page)).toBeVisible();
  await page.getByLabel("Account").fill("ada");
  await page.getByRole("button", { name: "Sign in" }).click();
}
async function signIn(page: Page, path: string) {
  await page.goto(web.url + path);
  await fillAccount(page);
  await expect(page).toHaveURL(web.url + path);
}
async function choose(page: Page, organization: string) {
  await page.getByTitle(/^Organization: /).click();
  await page.getByRole("button", { name: organization }).click();
}
/** The provider forgets its own session in this browser: signing in asks again. */
const forgetAtProvider = (page: Page) => page.context().clearCookies({ name: /^_/ });

/** Without a violation, where scripts are on; nothing sticks out in any case. */
async function expectFine(page: Page, isScripted: boolean | undefined) {
  const size = page.viewportSize()!;
  if (isScripted !== false) await expectAccessible(page);
  else expect(await sideways(page)).toBe(0);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
}

test("a provider that is away is waited for, and the way to it goes on by itself @desk", async ({
  page,
  javaScriptEnabled,
  tolerated,
}) => {
  tolerated.push(/status of 503/);
  await provider.stop(); // before anybody asked what it is
  try {
    await page.goto(`${web.url}/health?query=Cart`);
    await expect(page.getByRole("heading", { level: 1, name: PROVIDER_AWAY })).toBeVisible();
    await expectFine(page, javaScriptEnabled);
  } finally {
    await provider.start();
  }
  await expect(theProvider(page)).toBeVisible({ timeout: 25_000 });
  await fillAccount(page);
  await expect(page).toHaveURL(`${web.url}/health?query=Cart`);
});

test("in by a deep link, to another organisation and out again @desk", async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, "/health?query=Cart");
  await expect(page.getByTitle("Organization: Acme Anvils")).toBeVisible();
  await page.getByTitle(/^Organization: /).click();
  await expect(page.getByRole("button", { name: "Acme Anvils" })).toHaveAttribute("aria-pressed", "true");
  await expectFine(page, javaScriptEnabled);
  await page.getByRole("button", { name: "Globex" }).click();
  await expect(page).toHaveURL(`${web.url}/health`);
  await expect(page.getByTitle(/^Organization: Globex/)).toBeVisible();
  await page.getByTitle("User menu").click();
  await expect(page.getByText("Hi Backend Person")).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(page).toHaveURL(`${web.url}/logout`);
  await expect(page.getByRole("heading", { level: 1, name: SIGNED_OUT })).toBeVisible();
  await expectFine(page, javaScriptEnabled);
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(theProvider(page)).toBeVisible();
  await page.goto(`${web.url}/health`);
  await expect(theProvider(page)).toBeVisible();
});

test("whoever chose an organisation at the provider goes on from there @desk", async ({ page }) => {
  await signIn(page, "/health");
  await page.goto(`${web.url}/organizations/orgs-switched`);
  await expect(page).toHaveURL(`${web.url}/health`);
});

test("accounts are the provider's: no users, no profile, nor the ways to them @desk", async ({ page }) => {
  await signIn(page, "/settings/teams");
  await expect(page.getByRole("link", { name: "Teams" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Users" })).toHaveCount(0);
  await page.getByTitle("User menu").click();
  await expect(page.getByRole("link", { name: "Access tokens" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Your Profile" })).toHaveCount(0);
  await page.goto(`${web.url}/settings/users`);
  await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible();
  await page.goto(`${web.url}/profile-settings`);
  await expect(page.getByText(ACCOUNT_ELSEWHERE)).toBeVisible();
});

test("a backend that is not there yet is waited for, and the page goes on by itself @desk", async ({
  page,
  javaScriptEnabled,
  tolerated,
}) => {
  tolerated.push(/status of 5/);
  await signIn(page, "/health");
  globex.answer(503);
  await choose(page, "Globex");
  await expect(page.getByRole("heading", { level: 1, name: PROVISIONING_TITLE })).toBeVisible();
  await expect(page.getByText("The backend of Globex Corporation")).toBeVisible();
  await page.getByTitle(/^Organization: Globex/).click();
  await expectFine(page, javaScriptEnabled);
  globex.answer(200);
  await expect(page).toHaveURL(`${web.url}/health`, { timeout: 25_000 });
  await expect(page.getByTitle("User menu")).toBeVisible();

  globex.answer(404);
  await page.goto(`${web.url}/health?query=Cart`);
  await expect(page.getByRole("heading", { level: 1, name: PROVISIONING_TITLE })).toBeVisible();
  await choose(page, "Acme");
  await expect(page).toHaveURL(`${web.url}/health`);
  await expect(page.getByTitle("Organization: Acme Anvils")).toBeVisible();
});

test("a session the backend does not accept says so, with the ways out @desk", async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, "/health");
  globex.answer(401, "Unauthorized: no");
  await choose(page, "Globex");
  await expect(page).toHaveURL(`${web.url}/error?error_code=BAD_SESSION`);
  await expect(page.getByText(/^Bad Session\./)).toBeVisible();
  await expectFine(page, javaScriptEnabled);
  await page.getByTitle("User menu").click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await choose(page, "Acme");
  await expect(page).toHaveURL(`${web.url}/health`);
});

test("a sign-in that came to nothing says why, and can be tried again @desk", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto(`${web.url}/health?query=Cart`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(SIGN_IN_CANCELLED)).toBeVisible();
  await expectFine(page, javaScriptEnabled);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(theProvider(page)).toBeVisible();
  // What the browser had to bring back is over after ten minutes.
  await page.context().clearCookies({ name: /^pilothouse/ });
  await fillAccount(page);
  await expect(page.getByText(SIGN_IN_STALE)).toBeVisible();
  await forgetAtProvider(page);
  await page.goto(`${web.url}/login/callback?state=made-up&code=made-up`);
  await expect(page.getByText(SIGN_IN_STALE)).toBeVisible();
  await page.getByRole("link", { name: "Try again" }).click();
  await fillAccount(page);
  await expect(page).toHaveURL(`${web.url}/health`);
});

test("a form is kept over the end of the session, which is begun anew in another tab @desk", async ({
  page,
  javaScriptEnabled,
}) => {
  await signIn(page, "/settings/teams/new");
  await page.getByLabel("Name").fill("Night shift");
  await page.context().clearCookies({ name: "pilothouse_hosted" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  await expectFine(page, javaScriptEnabled);
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Sign in in a new tab" }).click(),
  ]);
  await expect(tab).toHaveURL(`${web.url}/health`); // the provider had not forgotten them
  await page.getByRole("button", { name: "Continue here" }).click();
  await expect(page.getByText("nothing of it has been saved yet")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Night shift");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Night shift added successfully")).toBeVisible();
});

test("a session that the provider ends is over at the next step @desk", async ({ page }) => {
  await signIn(page, "/health");
  await choose(page, "Globex");
  await expect(page.getByTitle(/^Organization: Globex/)).toBeVisible();
  const bearer = globex.take()[0]!.headers.authorization!.replace("Bearer ", "");
  await provider.endSession("ada", String(decodeJwt(bearer)["sid"]));
  await forgetAtProvider(page);
  await page.getByRole("link", { name: "Health" }).first().click();
  await expect(theProvider(page)).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("pilothouse_hosted");
});
