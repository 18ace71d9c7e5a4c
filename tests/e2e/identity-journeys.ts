import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { register, sectionOf, signIn, signOut, somebody, startPlace, type Place } from "./identity-place.ts";

/** What people do with their own account, the same whoever signs them in. */
export function identityJourneys(kind: "built-in" | "kratos", more?: (place: () => Place) => void): void {
  let place: Place;
  test.describe.configure({ mode: "default" });
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    place = await startPlace(kind);
  });
  test.afterAll(() => place?.stop());

  test("a new account: refused, made, its address verified, and into the product @desk", async ({ page }) => {
    const ada = somebody();
    await page.goto(`${place.url}/login`);
    await expect(page.getByRole("heading", { level: 1, name: "Sign In to your account" })).toBeVisible();
    await page.goto(`${place.url}/registration`);
    await expect(page.getByRole("heading", { level: 1, name: "Create account" })).toBeVisible();
    await page.getByLabel("E-Mail").fill(ada.email);
    await page.getByLabel("Last name").fill("Lovelace");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByRole("alert").filter({ hasText: /at least 8 characters/ })).toBeVisible();
    await expect(page.getByLabel("E-Mail")).toHaveValue(ada.email);
    await expect(page.getByLabel("Last name")).toHaveValue("Lovelace");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");

    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Verify your account" })).toBeVisible();
    const code = await place.mail.code(ada.email);
    await page.getByLabel(/code/i).fill(code === "000000" ? "111111" : "000000");
    await page.getByRole("button", { name: /^(Continue|Verify|Submit)/ }).click();
    await expect(page.getByRole("alert").filter({ hasText: /invalid/ })).toBeVisible();
    await page.getByLabel(/code/i).fill(code);
    await page.getByRole("button", { name: /^(Continue|Verify|Submit)/ }).click();
    await expect(page.getByText(/successfully verified/)).toBeVisible();
    await page.goto(`${place.url}/health`);
    await page.getByTitle("User menu").click();
    await expect(page.getByText("Hi Ada Lovelace")).toBeVisible();
  });

  test("in and out: a wrong password, the way back, and out @desk", async ({ page }) => {
    const ada = somebody();
    await register(page, place, ada);
    await signOut(page, place);
    await page.goto(`${place.url}/health?page=2`);
    await expect(page).toHaveURL(/\/login\?return_to=%2Fhealth%3Fpage%3D2/);
    await signIn(page, { ...ada, password: "not the password" });
    await expect(page.getByRole("alert").filter({ hasText: "credentials are invalid" })).toBeVisible();
    await expect(page.getByLabel(/^(E-Mail|ID)$/)).toHaveValue(ada.email);
    await signIn(page, ada);
    await expect(page).toHaveURL(`${place.url}/health?page=2`);
    await signOut(page, place);
    await page.goto(`${place.url}/health`);
    await expect(page).toHaveURL(/\/login/);
  });

  test("a forgotten password: a code by mail, a new password, the old one is worth nothing @desk", async ({
    page,
  }) => {
    const ada = somebody();
    await register(page, place, ada);
    await signOut(page, place);
    await page.getByRole("link", { name: "Reset password" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Recover account" })).toBeVisible();
    const seen = place.mail.letters.filter(({ to }) => to.includes(ada.email)).length;
    await page.getByLabel(/e-?mail/i).fill(ada.email);
    await page.getByRole("button", { name: /^(Continue|Submit)/ }).click();
    await page.getByLabel(/code/i).fill(await place.mail.code(ada.email, seen));
    await page.getByRole("button", { name: /^(Continue|Submit)/ }).click();
    await expect(page).toHaveURL(/\/profile-settings\?flow=/);
    await expect(page.getByText(/successfully recovered your account/)).toBeVisible();

    const changed = { ...ada, password: `${ada.password} anew` };
    await changePassword(page, "short");
    await expect(page.getByRole("alert").filter({ hasText: /at least 8 characters/ })).toBeVisible();
    await changePassword(page, changed.password);
    await expect(page.getByText("Your changes have been saved!")).toBeVisible();
    await expect(sectionOf(page, "Change Password").getByLabel("Password")).toHaveValue("");
    await signOut(page, place);
    await signIn(page, ada);
    await expect(page.getByText("credentials are invalid")).toBeVisible();
    await signIn(page, changed);
    await expect(page).toHaveURL(`${place.url}/health`);
  });

  test("nobody learns from a recovery who has an account @desk", async ({ page }) => {
    const ada = somebody();
    await register(page, place, ada);
    await signOut(page, place);
    const words = [];
    for (const email of [ada.email, somebody().email]) {
      await page.goto(`${place.url}/recovery`);
      await page.getByLabel(/e-?mail/i).fill(email);
      await page.getByRole("button", { name: /^(Continue|Submit)/ }).click();
      await expect(page.getByLabel(/code/i)).toBeVisible();
      words.push((await page.locator("main").innerText()).replaceAll(email, "…"));
    }
    expect(words[1]).toBe(words[0]);
  });

  test("one's own profile: another name, another address @desk", async ({ page }) => {
    const ada = somebody();
    await register(page, place, ada);
    await page.goto(`${place.url}/health?page=2`);
    await page.getByTitle("User menu").click();
    await page.getByRole("link", { name: "Your Profile" }).click();
    await expect(page).toHaveURL(/\/profile-settings/);
    const profile = sectionOf(page, "Profile Settings");
    await profile.getByLabel("First name").fill("Augusta");
    await profile.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Your changes have been saved!")).toBeVisible();
    await expect(profile.getByLabel("First name")).toHaveValue("Augusta");
    await page.getByRole("link", { name: "Go back" }).click();
    await expect(page).toHaveURL(`${place.url}/health?page=2`);
    await expect(async () => {
      await page.goto(`${place.url}/health`);
      await page.getByTitle("User menu").click();
      await expect(page.getByText("Hi Augusta Lovelace")).toBeVisible({ timeout: 500 });
    }).toPass();

    const other = somebody();
    await page.goto(`${place.url}/profile-settings`);
    await profile.getByLabel("E-Mail").fill("nonsense@");
    await profile.getByLabel("E-Mail").fill(other.email);
    await profile.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Verify your account" })).toBeVisible();
    await page.getByLabel(/code/i).fill(await place.mail.code(other.email));
    await page.getByRole("button", { name: /^(Continue|Verify|Submit)/ }).click();
    await expect(page.getByText(/successfully verified/)).toBeVisible();
    await signOut(page, place);
    await signIn(page, { ...ada, email: other.email });
    await expect(page).toHaveURL(`${place.url}/health`);
  });

  test("a change that matters asks who it is, and nothing that was typed is lost but the password @desk", async ({
    page,
  }) => {
    test.skip(place.identities === null, "a real Kratos keeps its clock to itself");
    const ada = somebody();
    await register(page, place, ada);
    await page.goto(`${place.url}/profile-settings`);
    await place.identities!.query(
      `update internal.sessions set authenticated_at = now() - interval '20 minutes'
       where identity_id in (select id from identities where traits ->> 'email' = $1)`,
      [ada.email],
    );
    const changed = { ...ada, password: `${ada.password} anew` };
    await changePassword(page, changed.password);
    await expect(page.getByRole("heading", { level: 1, name: "Confirm Action" })).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: /^(Sign in|Confirm|Continue)/ }).click();
    await expect(page).toHaveURL(/\/profile-settings\?flow=/);
    await changePassword(page, changed.password);
    await expect(page.getByText("Your changes have been saved!")).toBeVisible();
    await signOut(page, place);
    await signIn(page, changed);
    await expect(page).toHaveURL(`${place.url}/health`);
  });

  test("a form that waited too long begins anew, and says so @desk", async ({ page }) => {
    test.skip(place.identities === null, "a real Kratos keeps its clock to itself");
    await page.goto(`${place.url}/login`);
    await place.identities!.query("update internal.flows set expires_at = now() - interval '1 minute'");
    await signIn(page, somebody());
    await expect(page.getByText("Your interaction expired, please fill out the form again.")).toBeVisible();
    await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
  });

  test("one's sessions: where one is signed in, and the way to end it @desk", async ({ page, browser }) => {
    const ada = somebody();
    await register(page, place, ada);
    const elsewhere = await browser.newContext({ userAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0" });
    const other = await elsewhere.newPage();
    await other.goto(`${place.url}/login`);
    await signIn(other, ada);
    await expect(other).toHaveURL(`${place.url}/health`);

    await page.goto(`${place.url}/profile-settings`);
    const sessions = sectionOf(page, "Sessions");
    await expect(sessions.getByText("This browser")).toHaveCount(1);
    await sessions.getByRole("button", { name: /^End the session/ }).click();
    await expect(page.getByRole("status").filter({ hasText: "The session has ended" })).toBeVisible();
    await expect(sessions.getByRole("button", { name: /^End the session/ })).toHaveCount(0);
    await expect(async () => {
      await other.goto(`${place.url}/health`);
      await expect(other).toHaveURL(/\/login/, { timeout: 500 });
    }).toPass();
    await elsewhere.close();
  });

  more?.(() => place);
}

async function changePassword(page: Page, password: string): Promise<void> {
  const section = sectionOf(page, "Change Password");
  await section.getByLabel("Password").fill(password);
  await section.getByRole("button", { name: "Save" }).click();
}
