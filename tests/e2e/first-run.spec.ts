import { execFile } from "node:child_process";
import { mkdtemp, chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { startProduct, type Product } from "#tests/support/product.ts";
import { expect, fillSignIn, test } from "./fixtures.ts";
import { sectionOf } from "./identity-place.ts";

const ADA = { email: "ada@example.com", password: "a lantern in the fog" };

/** A product nobody has an account on, with its own bundled database, as the first `npm start` leaves it. */
async function withNewProduct(work: (product: Product, dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-first-"));
  await chmod(dataDir, 0o755);
  const env = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
  const product = await startProduct({ dataDir, env });
  try {
    await work(product, dataDir);
  } finally {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** `npm run reset-password -- EMAIL` on the machine of the product. */
async function recoveryLink({ url }: Product, dataDir: string, email: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["build/reset-password.js", email], {
    env: {
      NODE_ENV: "production",
      PATH: process.env["PATH"],
      PILOTHOUSE_DATA: dataDir,
      PORT: new URL(url).port,
    },
  });
  return /http\S+/.exec(stdout)![0];
}

async function register(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Admin");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign up" }).click();
}

test("from the set-up link to the first page, and back in after a forgotten password @desk", async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  await withNewProduct(async (product, dataDir) => {
    const link = /http\S+\/registration\?setup=\S+/.exec(product.said())![0];

    await test.step("without the link nobody can claim the product", async () => {
      await page.goto(`${product.url}/registration`);
      await expect(page.getByText(/Registration is not open/)).toBeVisible();
      await expect(page.getByLabel("E-Mail")).toHaveCount(0);
      await page.goto(`${product.url}/registration?setup=guessed`);
      await expect(page.getByText(/set-up link is not valid/)).toBeVisible();
      await expect(page.getByLabel("E-Mail")).toHaveCount(0);
    });

    await test.step("a password that is too easy is named, and what was typed stays", async () => {
      await page.goto(link);
      await register(page, { ...ADA, password: "short" });
      await expect(page.getByText(/at least 8 characters/)).toBeVisible();
      await expect(page.getByLabel("E-Mail")).toHaveValue(ADA.email);
      await expect(page.getByLabel("Last name")).toHaveValue("Admin");
    });

    await test.step("the registration signs its admin in, and real results are there", async () => {
      await register(page, ADA);
      await expect(page).toHaveURL(`${product.url}/health`);
      await page.getByTitle("User menu").click();
      await expect(page.getByText("Hi Ada Admin")).toBeVisible();
      await expect(async () => {
        await page.goto(`${product.url}/health?query=database-query&hidePassing=false`);
        await expect(page.getByText("1–1 of 1")).toBeVisible({ timeout: 500 });
        await expect(page.getByRole("cell", { name: "Healthy" })).toBeVisible({ timeout: 500 });
      }).toPass({ timeout: 15_000 });
      await page.getByRole("link", { name: "database-query" }).click();
      await expect(page.getByRole("button", { name: "Run now" })).toBeVisible();
    });

    await test.step("the link works once", async () => {
      const stranger = await browser.newPage();
      await stranger.goto(link);
      await expect(stranger.getByText(/set-up link is not valid any more/)).toBeVisible();
      await expect(stranger.getByLabel("E-Mail")).toHaveCount(0);
      await stranger.close();
    });

    const recovery = await recoveryLink(product, dataDir, ADA.email);
    const changed = { ...ADA, password: "another lantern in the fog" };
    await test.step("a recovery link leads to a new password", async () => {
      await page.context().clearCookies();
      await page.goto(recovery);
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByText(/successfully recovered your account/)).toBeVisible();
      const section = sectionOf(page, "Change Password");
      await section.getByLabel("Password", { exact: true }).fill("short");
      await section.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/at least 8 characters/)).toBeVisible();
      await section.getByLabel("Password", { exact: true }).fill(changed.password);
      await section.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Your changes have been saved!")).toBeVisible();
    });

    await test.step("only the new password opens the account, and the link is spent", async () => {
      await page.context().clearCookies();
      await page.goto(`${product.url}/health?query=api`);
      await fillSignIn(page, ADA);
      await expect(page.getByText("credentials are invalid")).toBeVisible();
      await fillSignIn(page, changed);
      await expect(page).toHaveURL(`${product.url}/health?query=api`);
      await page.context().clearCookies();
      await page.goto(recovery);
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByText(/recovery (token|link)|expired|invalid/i).first()).toBeVisible();
      await page.goto(`${product.url}/health`);
      await expect(page).toHaveURL(/\/login/);
    });
  });
});
