/** Second factors and passkeys as somebody uses them; keys by the browser's virtual authenticator. */
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { appCode } from "#tests/support/factors.ts";
import { createAccount } from "#tests/support/people.ts";
import { expect, fillSignIn, productUrl, test } from "./fixtures.ts";

/** Browsers have keys for names only, not for bare addresses. */
const site = () => productUrl().replace("127.0.0.1", "localhost");
const sectionOf = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const KEYS = "Manage Hardware Tokens and Biometrics";
const APP = "Manage 2FA TOTP Authenticator App";
const CODES = "Manage 2FA Backup Recovery Codes";
const saved = (page: Page) => page.getByText("Your changes have been saved!");

const newEmail = () => `factor-${randomUUID().slice(0, 8)}@example.com`;

async function toProfile(page: Page, email: string) {
  await page.goto(`${site()}/login?return_to=%2Fprofile-settings`);
  await fillSignIn(page, { email });
  await expect(page).toHaveURL(/\/profile-settings/);
}

/** Forgets the session as a closed browser does; the person signs in again. */
const leave = (page: Page) => page.context().clearCookies();

/** A key that is touched whenever it is asked; it knows its owner. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("a passkey is made in the profile, and signs in alone @js @desk", async ({ page, database }) => {
  const email = newEmail();
  await createAccount(database, email, ["viewer"]);
  await plugIn(page);
  await toProfile(page, email);
  await sectionOf(page, KEYS).getByRole("button", { name: "Add passkey" }).click();
  await expect(saved(page)).toBeVisible();
  await expect(page.getByRole("button", { name: `Remove passkey "${email}"` })).toBeVisible();

  await leave(page);
  await page.goto(`${site()}/login?return_to=%2Fhealth%3Fquery%3DCart`);
  await page.getByRole("button", { name: "Sign in with passkey" }).click();
  await expect(page).toHaveURL(/\/health\?query=Cart/);
});

test("a security key is asked for after the password @js @desk", async ({ page, database }) => {
  const email = newEmail();
  await createAccount(database, email, ["viewer"]);
  await plugIn(page);
  await toProfile(page, email);
  const keys = sectionOf(page, KEYS);
  await keys.getByLabel("Name of the security key").fill("Blue one");
  await keys.getByRole("button", { name: "Add security key" }).click();
  await expect(saved(page)).toBeVisible();

  await leave(page);
  await page.goto(`${site()}/login?return_to=%2Fprofile-settings`);
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { level: 1, name: "Two-Factor Authentication" })).toBeVisible();
  await page.goto(`${site()}/health`);
  await expect(page.getByRole("heading", { level: 1, name: "Two-Factor Authentication" })).toBeVisible();
  await page.getByRole("button", { name: "Sign in with hardware key" }).click();
  await expect(page).toHaveURL(/\/health/);
  await page.goto(`${site()}/profile-settings`);
  await page.getByRole("button", { name: 'Remove security key "Blue one"' }).click();
  await expect(saved(page)).toBeVisible();
  await leave(page);
  await page.goto(`${site()}/login`);
  await fillSignIn(page, { email });
  await expect(page).toHaveURL(/\/health|\/topology/);
});

test("an app is paired, and its code is asked for after the password @desk", async ({ page, database }) => {
  const email = newEmail();
  await createAccount(database, email, ["viewer"]);
  await toProfile(page, email);
  const app = sectionOf(page, APP);
  await expect(app.getByRole("img", { name: "Authenticator app QR code" })).toBeVisible();
  const secret = (await app.locator("code").innerText()).trim();
  await app.getByLabel("Verify code").fill("000000");
  await app.getByRole("button", { name: "Save" }).click();
  await expect(app.getByText("The provided authentication code is invalid")).toBeVisible();
  await app.getByLabel("Verify code").fill(appCode(secret, new Date(Date.now() - 30_000)));
  await app.getByRole("button", { name: "Save" }).click();
  await expect(saved(page)).toBeVisible();
  await expect(app.getByRole("button", { name: "Unlink TOTP Authenticator App" })).toBeVisible();

  await leave(page);
  await page.goto(`${site()}/login?return_to=%2Fhealth%3Fquery%3DCart`);
  await fillSignIn(page, { email });
  await expect(page.getByRole("heading", { level: 1, name: "Two-Factor Authentication" })).toBeVisible();
  await page.getByLabel("Authentication code").fill("12");
  await page.getByRole("button", { name: "Use Authenticator" }).click();
  await expect(page.getByText("The provided authentication code is invalid")).toBeVisible();
  await page.getByLabel("Authentication code").fill(appCode(secret, new Date()));
  await page.getByRole("button", { name: "Use Authenticator" }).click();
  await expect(page).toHaveURL(/\/health\?query=Cart/);
});

test("backup codes are written down, confirmed, and each opens once @desk", async ({ page, database }) => {
  const email = newEmail();
  await createAccount(database, email, ["viewer"]);
  await toProfile(page, email);
  const codes = sectionOf(page, CODES);
  await codes.getByRole("button", { name: "Generate new backup recovery codes" }).click();
  await expect(codes.getByRole("listitem")).toHaveCount(12);
  const first = (await codes.getByRole("listitem").first().innerText()).trim();
  await codes.getByRole("button", { name: "Confirm backup recovery codes" }).click();
  await expect(saved(page)).toBeVisible();

  await leave(page);
  await page.goto(`${site()}/login`);
  await fillSignIn(page, { email });
  await page.getByLabel("Backup recovery code").fill(first);
  await page.getByRole("button", { name: "Use backup recovery code" }).click();
  await expect(page).toHaveURL(/\/health|\/topology/);
  await page.goto(`${site()}/profile-settings`);
  await codes.getByRole("button", { name: "Reveal backup recovery codes" }).click();
  await expect(codes.getByText("Code 2 has not been used")).toBeVisible();
  await expect(codes.getByText("Code 1 has not been used")).toBeHidden();
});
