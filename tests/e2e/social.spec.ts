/** Accounts elsewhere, with a real provider beside the product (issue 5, deliver 1): the same with and without scripts. */
import { expect, type Page } from "@playwright/test";
import { CLIENT_ID, CLIENT_SECRET, startOidc, type TestProvider } from "#tests/support/oidc.ts";
import { expectNoViolation } from "./axe.ts";
import { sideways, test } from "./fixtures.ts";
import { register, sectionOf, signIn, signOut, somebody, startPlace, type Place } from "./identity-place.ts";

let place: Place;
let provider: TestProvider;
const LABEL = "Harbour ID";

test.describe.configure({ mode: "default" });
test.beforeAll(async () => {
  test.setTimeout(120_000);
  place = await startPlace("built-in", async (url) => {
    const redirectUris = [`${url}/api/.ory/self-service/methods/oidc/callback/harbour`];
    provider = await startOidc({ publicUrl: url, people: {}, redirectUris });
    const { issuer } = provider;
    const secrets = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
    const away = { id: "away", label: "Away", issuer: "http://127.0.0.1:1", clientId: "here" };
    return {
      PUBLIC_URL: url,
      SOCIAL_PROVIDERS: JSON.stringify([{ id: "harbour", label: LABEL, issuer, ...secrets }, away]),
    };
  });
});
test.afterAll(async () => {
  await place?.stop();
  await provider?.stop();
});

/** Somebody the provider knows, and vouches for. */
async function known() {
  const one = somebody();
  const [account = ""] = one.email.split("@");
  const claims = { given_name: "Ada", family_name: "Lovelace", email: one.email, email_verified: true };
  await provider.setPeople({ [account]: claims });
  return { ...one, account };
}
/** At the provider: in as this account, or not. */
async function answer(page: Page, account: string, how: "Sign in" | "Cancel" = "Sign in") {
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: how }).click();
}

test("a new account without a password, out, and in again @desk", async ({ page }) => {
  const { account } = await known();
  await page.goto(`${place.url}/registration`);
  await page.getByRole("button", { name: `Sign up with ${LABEL}` }).click();
  await answer(page, account);
  await expect(page).toHaveURL(`${place.url}/health`);
  await signOut(page, place);
  await page.goto(`${place.url}/health?page=2`);
  await page.getByRole("button", { name: `Sign in with ${LABEL}` }).click();
  await expect(page).toHaveURL(`${place.url}/health?page=2`); // the provider knew them still
  await page.goto(`${place.url}/profile-settings`);
  const section = sectionOf(page, "Manage Social Sign In");
  await expect(section.getByRole("button", { name: `Unlink ${LABEL}` })).toBeDisabled(); // the only way in
});

test("cancelled, or the provider is away: said on the page, and everything else still works @desk", async ({
  page,
}) => {
  const { account, ...ada } = await known();
  await register(page, place, ada);
  await signOut(page, place);
  await page.goto(`${place.url}/health?page=2`);
  await page.getByRole("button", { name: `Sign in with ${LABEL}` }).click();
  await answer(page, account, "Cancel");
  await expect(page.getByRole("heading", { level: 1, name: "Sign In to your account" })).toBeVisible();
  await expect(
    page.getByRole("alert").filter({ hasText: `sign-in with ${LABEL} was cancelled` }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Sign in with Away" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Away does not answer" })).toBeVisible();
  await signIn(page, ada);
  await expect(page).toHaveURL(`${place.url}/health?page=2`);
});

test("an e-mail that somebody has: their own sign-in first, then both; unlinked and linked again @desk", async ({
  page,
}) => {
  const { account, ...ada } = await known();
  await register(page, place, ada);
  await signOut(page, place);
  await page.goto(`${place.url}/login`);
  await page.getByRole("button", { name: `Sign in with ${LABEL}` }).click();
  await answer(page, account);
  await expect(page.getByText(`You tried to sign in with "${ada.email}"`)).toBeVisible();
  await signIn(page, ada);
  await expect(page).toHaveURL(`${place.url}/health`);
  await signOut(page, place);
  await page.getByRole("button", { name: `Sign in with ${LABEL}` }).click();
  await expect(page).toHaveURL(`${place.url}/health`);

  await page.goto(`${place.url}/profile-settings`);
  const section = sectionOf(page, "Manage Social Sign In");
  await section.getByRole("button", { name: `Unlink ${LABEL}` }).click();
  await expect(page.getByText("Your changes have been saved!")).toBeVisible();
  await section.getByRole("button", { name: `Link ${LABEL}`, exact: true }).click();
  await expect(section.getByRole("button", { name: `Unlink ${LABEL}` })).toBeVisible();
  await expect(page.getByText("Your changes have been saved!")).toBeVisible();
  await expect(page).toHaveURL(/\/profile-settings\?flow=/);
});

test("a form over an ended session offers a tab instead of the way through the provider @desk", async ({
  page,
}) => {
  const { account } = await known();
  await page.goto(`${place.url}/registration`);
  await page.getByRole("button", { name: `Sign up with ${LABEL}` }).click();
  await answer(page, account);
  await expect(page).toHaveURL(`${place.url}/health`);
  await place.database.query(
    "insert into internal.role_grants (person_id, role) select id, 'editor' from people on conflict do nothing",
  );
  await page.goto(`${place.url}/settings/canaries/new?type=tcp`);
  await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("kept over it");
  await page.getByRole("textbox", { name: "Endpoint" }).fill("127.0.0.1:1");
  await place.database.query("delete from internal.sessions");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("What you typed is kept")).toBeVisible();
  await expect(page.getByRole("button", { name: `Sign in with ${LABEL}` })).toHaveCount(0);
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Sign in in a new tab" }).click(),
  ]);
  await tab.getByRole("button", { name: `Sign in with ${LABEL}` }).click();
  await expect(tab).toHaveURL(`${place.url}/health`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("nothing of it has been saved yet")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name", exact: true }).first()).toHaveValue("kept over it");
});

test("axe finds nothing, and nothing is wider than the screen @js @desk", async ({ page }) => {
  const { account } = await known();
  const scan = async () => {
    for (const [colorScheme, width] of [
      ["light", 1440],
      ["dark", 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await expectNoViolation(page, `${width} px, ${colorScheme}`);
      expect(await sideways(page)).toBe(0);
    }
  };
  await page.goto(`${place.url}/login`);
  await scan();
  await page.getByRole("button", { name: `Sign in with ${LABEL}` }).click();
  await answer(page, account, "Cancel");
  await expect(page.getByText("was cancelled")).toBeVisible();
  await scan();
  await page.goto(`${place.url}/registration`);
  await scan();
  await page.getByRole("button", { name: `Sign up with ${LABEL}` }).click();
  await answer(page, account);
  await expect(page).toHaveURL(`${place.url}/health`);
  await page.goto(`${place.url}/profile-settings`);
  await expect(sectionOf(page, "Manage Social Sign In")).toBeVisible();
  await scan();
});
