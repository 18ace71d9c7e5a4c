/** Security keys and passkeys as somebody uses them, by the browser's virtual authenticator. */
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createAccount } from "#tests/support/people.ts";
import { expect, fillSignIn, productUrl, test } from "./fixtures.ts";
import { sectionOf } from "./identity-place.ts";

test.use({ reuseContext: false }); // what is plugged in stays with the page

/** Browsers have keys for names only, not for bare addresses. */
const site = () => productUrl().replace("127.0.0.1", "localhost");
const KEYS = "Manage Hardware Tokens and Biometrics";
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
  await expect(saved(page), "also where somebody has scrolled down to the keys").toBeInViewport();
  const keys = sectionOf(page, KEYS);
  await expect(keys.getByText(/^Passkey, added 20\d\d-.* UTC$/)).toBeVisible();
  await expect(keys.getByRole("button", { name: `Remove passkey "${email}"` })).toBeVisible();

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
  await expect(saved(page)).toBeInViewport();
  await leave(page);
  await page.goto(`${site()}/login`);
  await fillSignIn(page, { email });
  await expect(page).toHaveURL(/\/health|\/topology/);
});
