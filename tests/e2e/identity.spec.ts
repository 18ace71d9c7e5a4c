import { expect, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { createIdentity } from "#server/identity/index.ts";
import { expectAccessible } from "./axe.ts";
import { test } from "./fixtures.ts";
import { identityJourneys } from "./identity-journeys.ts";
import { register, sectionOf, signIn, signOut, somebody, type Place } from "./identity-place.ts";

/** Codes are taken a step of 30 s late at most: one of the step before has to arrive in this one. */
const earlyInStep = async (page: Page) => {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 8_000) await page.waitForTimeout(left);
};

/** The six digits of now, or of a step that was not used yet. */
const digits = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });

/** Signing in by the built-in identity service. */
identityJourneys("built-in", (placeOf: () => Place) => {
  test("nobody learns from a registration who has an account; whoever has it is told by mail @desk", async ({
    page,
  }) => {
    const place = placeOf();
    const ada = somebody();
    await register(page, place, ada);
    await signOut(page, place);
    const words = [];
    for (const email of [ada.email, somebody().email]) {
      await page.goto(`${place.url}/registration`);
      await page.getByLabel("E-Mail").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(`${ada.password} or another`);
      await page.getByRole("button", { name: "Sign up" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Verify your account" })).toBeVisible();
      const asked = await page.locator("main").innerText();
      await page.getByLabel(/code/i).fill("000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("alert").filter({ hasText: /invalid/ })).toBeVisible();
      words.push([asked, await page.locator("main").innerText()].join().replaceAll(email, "…"));
    }
    expect(words[1]).toBe(words[0]);
    await page.goto(`${place.url}/health`);
    await expect(page).toHaveURL(/\/login/);
    const { raw } = await place.mail.next(ada.email, 1);
    expect(raw).toContain(`${place.url}/recovery`);
    await page.goto(await place.mail.link(ada.email, 1));
    await signIn(page, ada);
    await expect(page).toHaveURL(`${place.url}/health`);
  });

  test("registering, without a violation @js @desk", async ({ page }) => {
    const place = placeOf();
    const ada = somebody();
    await page.goto(`${place.url}/registration`);
    await expectAccessible(page);
    await page.getByLabel("E-Mail").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByText(/at least 8 characters/)).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Verify your account" })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel(/code/i).fill("000000");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("alert").filter({ hasText: /invalid/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel(/code/i).fill(await place.mail.code(ada.email));
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText(/successfully verified/)).toBeVisible();
    await expectAccessible(page);
  });

  test("an invitation: a link by mail, a password, and in @desk", async ({ page }) => {
    const place = placeOf();
    const ada = somebody();
    const identity = createIdentity({
      pool: place.database,
      publicUrl: place.url,
      secureCookies: false,
      smtp: place.mail.smtp,
      observe: () => undefined,
    });
    const invited = await identity.invite({
      email: ada.email,
      first: "Ada",
      last: "Lovelace",
      invitedBy: null,
    });
    if ("refused" in invited) throw new Error(invited.refused);
    await page.goto(await place.mail.link(ada.email));
    await expect(page.getByLabel("First name")).toHaveValue("Ada");
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page).toHaveURL(`${place.url}/health`);
    await signOut(page, place);
    await signIn(page, ada);
    await expect(page).toHaveURL(`${place.url}/health`);
    await identity.stop();
  });

  test("a second factor: an authenticator app, and backup codes for when it is lost @desk", async ({
    page,
  }) => {
    const place = placeOf();
    const ada = somebody();
    await register(page, place, ada);
    await page.goto(`${place.url}/profile-settings`);
    const app = sectionOf(page, "Manage 2FA TOTP Authenticator App");
    await expect(app.getByRole("img", { name: "Authenticator app QR code" })).toBeVisible();
    const secret = await app.locator("code").innerText();
    await app.getByLabel("Verify code").fill("000000");
    await app.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "authentication code is invalid" })).toBeVisible();
    await earlyInStep(page);
    await app.getByLabel("Verify code").fill(digits(await app.locator("code").innerText(), -1));
    await app.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Your changes have been saved!")).toBeVisible();
    await expect(app.getByRole("button", { name: "Unlink TOTP Authenticator App" })).toBeVisible();

    const backup = sectionOf(page, "Manage 2FA Backup Recovery Codes");
    await backup.getByRole("button", { name: "Generate new backup recovery codes" }).click();
    await expect(backup.getByRole("listitem")).toHaveCount(12);
    const codes = await backup.getByRole("listitem").allInnerTexts();
    await backup.getByRole("button", { name: "Confirm backup recovery codes" }).click();
    await expect(page.getByText("Your changes have been saved!")).toBeVisible();
    await signOut(page, place);

    await page.goto(`${place.url}/health?page=2`);
    await signIn(page, ada);
    await expect(page.getByRole("heading", { level: 1, name: "Two-Factor Authentication" })).toBeVisible();
    await page.getByLabel("Authentication code").fill("000000");
    await page.getByRole("button", { name: "Use Authenticator" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "authentication code is invalid" })).toBeVisible();
    await page.getByLabel("Authentication code").fill(digits(secret));
    await page.getByRole("button", { name: "Use Authenticator" }).click();
    await expect(page).toHaveURL(`${place.url}/health?page=2`);
    await signOut(page, place);

    await signIn(page, ada);
    await page.getByLabel("Backup recovery code").fill(codes[0]!);
    await page.getByRole("button", { name: "Use backup recovery code" }).click();
    await expect(page).toHaveURL(`${place.url}/health`);
    await page.goto(`${place.url}/profile-settings`);
    await backup.getByRole("button", { name: "Reveal backup recovery codes" }).click();
    await expect(backup.getByText("Used", { exact: true })).toHaveCount(1);
  });
});

test("a place that sends no mail says so, and who can help", async ({ page }) => {
  await page.goto("/recovery");
  await expect(page.getByRole("alert").filter({ hasText: "cannot send e-mail" })).toBeVisible();
  await expect(page.getByText("npm run reset-password -- EMAIL")).toBeVisible();
});
