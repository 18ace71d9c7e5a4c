/** The hosted provider in a browser, with and without scripts: in, between organisations, waiting for a backend, out. */
import AxeBuilder from "@axe-core/playwright";
import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import pg from "pg";
import { PROVISIONING_TITLE, SIGN_IN_CANCELLED, SIGNED_OUT } from "#app/contract/words/hosted.ts";
import { freePort } from "#server/db/ports.ts";
import { startBackend } from "#tests/support/backend.ts";
import { CLIENT_ID, CLIENT_SECRET, startOidc, type TestProvider } from "#tests/support/oidc.ts";
import { KEY, SECRET, startProduct, type Product } from "#tests/support/product.ts";
import { expect, sideways, test } from "./fixtures.ts";

const AUDIENCE = "https://pilothouse.example/api";
const ADA = {
  name: "Ada Admin",
  email: "ada@example.com",
  organizations: [
    { id: "acme", name: "Acme Anvils", role: "admin" },
    { id: "globex", name: "Globex Corporation of Cypress Creek" },
  ],
};

test.describe.configure({ mode: "default" });
let provider: TestProvider;
let globex: Awaited<ReturnType<typeof startBackend>>;
let plane: Product;
let web: Product;
let name: string;
let url: string;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const server = new URL(process.env["PRODUCT_DATABASE"]!);
  name = `hosted_${randomBytes(4).toString("hex")}`;
  await onServer(`create database ${name} template template0 encoding 'UTF8'`);
  server.pathname = `/${name}`;
  globex = await startBackend();
  const [port, planePort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  provider = await startOidc({ publicUrl: url, people: { ada: ADA } });
  const common = {
    PILOTHOUSE_ADMIN_EMAIL: undefined,
    PILOTHOUSE_ADMIN_PASSWORD: undefined,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_AUDIENCE: AUDIENCE,
  };
  const [backend, pages] = [
    {
      DATABASE_URL: server.href,
      PILOTHOUSE_KEY: KEY,
      PILOTHOUSE_ROLE: "control-plane",
      OIDC_ORGANIZATION: "acme",
    },
    {
      PUBLIC_URL: url,
      SESSION_SECRET: SECRET,
      OIDC_UPSTREAMS: JSON.stringify({ acme: `http://127.0.0.1:${planePort}`, globex: globex.url }),
    },
  ];
  plane = await startProduct({ port: planePort, env: { ...common, ...backend } });
  web = await startProduct({ port, env: { ...common, ...pages } });
});
test.afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop(), provider?.stop(), globex?.close()]);
  await onServer(`drop database if exists ${name} with (force)`);
});
test.beforeEach(() => globex.answer(200));

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env["PRODUCT_DATABASE"] });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function signIn(page: Page, path: string) {
  await page.goto(url + path);
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
  await page.getByLabel("Account").fill("ada");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(url + path);
}
async function choose(page: Page, organization: string) {
  await page.getByTitle(/^Organization: /).click();
  await page.getByRole("button", { name: organization }).click();
}
async function expectNoViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  expect(await sideways(page)).toBe(0);
}

test("in by a deep link, to another organisation and out again", async ({ page }) => {
  await signIn(page, "/health?query=Cart");
  await expect(page.getByTitle("Organization: Acme Anvils")).toBeVisible();
  await page.getByTitle("User menu").click();
  await expect(page.getByText("Hi Ada Admin")).toBeVisible();
  await page.keyboard.press("Escape");
  await expectNoViolations(page);

  await choose(page, "Globex");
  await expect(page).toHaveURL(`${url}/health`);
  await expect(page.getByTitle(/^Organization: Globex/)).toBeVisible();

  await page.getByTitle("User menu").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(page).toHaveURL(`${url}/logout`);
  await expect(page.getByRole("heading", { level: 1, name: SIGNED_OUT })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
  await page.goto(`${url}/health`);
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
});

test("a backend that is not there yet is waited for, and the page goes on by itself", async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 5/);
  await signIn(page, "/health");
  globex.answer(503);
  await choose(page, "Globex");
  await expect(page.getByRole("heading", { level: 1, name: PROVISIONING_TITLE })).toBeVisible();
  await expect(page.getByText("Globex Corporation of Cypress Creek", { exact: false }).first()).toBeVisible();
  await expectNoViolations(page);
  globex.answer(200);
  await expect(page).toHaveURL(`${url}/health`, { timeout: 25_000 });
  await expect(page.getByTitle("User menu")).toBeVisible();
});

test("a session that ended while a form was open leads to the provider and back", async ({ page }) => {
  await signIn(page, "/health");
  await page.context().clearCookies({ name: /^pilothouse/ });
  await page.getByTitle("Organization: Acme Anvils").click();
  await page.getByRole("button", { name: "Acme Anvils" }).last().click();
  // The provider still knows them: in again without a question.
  await expect(page).toHaveURL(`${url}/health`);
  await expect(page.getByTitle("User menu")).toBeVisible();
});

test("a session the backend does not accept says so, with the ways out", async ({ page }) => {
  await signIn(page, "/health");
  globex.answer(401, "Unauthorized: no");
  await choose(page, "Globex");
  await expect(page).toHaveURL(`${url}/error?error_code=BAD_SESSION`);
  await expect(page.getByText(/^Bad Session\./)).toBeVisible();
  await expectNoViolations(page);
  await choose(page, "Acme");
  await expect(page).toHaveURL(`${url}/health`);
});

test("a sign-in that was cancelled can be tried again", async ({ page }) => {
  await page.goto(`${url}/health`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toHaveText(SIGN_IN_CANCELLED);
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByLabel("Account").fill("ada");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${url}/health`);
});
