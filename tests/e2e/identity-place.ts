import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import pg from "pg";
import { freePort } from "#server/db/ports.ts";
import { startEmbedded } from "#server/db/postgres.ts";
import { startKratos } from "#tests/support/kratos.ts";
import { startMail, type TestMail } from "#tests/support/mail.ts";
import { onDatabase, startProduct } from "#tests/support/product.ts";

/** A product of its own, open for registration, whose mail can be read. */
export interface Place {
  url: string;
  mail: TestMail;
  /** The product's database. */
  database: pg.Pool;
  /** The database of whoever signs people in: the same, or the second instance's; null where it is a real Kratos. */
  identities: pg.Pool | null;
  stop(): Promise<void>;
}

/**
 * A product that signs people in by itself, or by a Kratos elsewhere: a second instance of our service, or the one that
 * ORY_KRATOS_URL names. A real one sends its mail to 127.0.0.1:KRATOS_SMTP_PORT and leads to PRODUCT_PORT. `more` says
 * what else its environment has, once its address is known.
 */
export async function startPlace(
  kind: "built-in" | "kratos",
  more: (url: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<Place> {
  const servers = await Promise.all((kind === "kratos" ? [1, 2] : [1]).map(startDatabase));
  const [{ url: address }, second] = [servers[0]!, servers[1]];
  const isReal = kind === "kratos" && process.env["ORY_KRATOS_URL"] !== undefined;
  const port = isReal ? Number(process.env["PRODUCT_PORT"] ?? 3000) : await freePort();
  const mail = await startMail(isReal ? Number(process.env["KRATOS_SMTP_PORT"] ?? 1025) : 0);
  const url = `http://127.0.0.1:${port}`;
  const kratos = second ? await startKratos({ database: second.url, site: url, smtpPort: mail.port }) : null;
  const product = await startProduct({
    port,
    env: {
      ...onDatabase(address),
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(mail.port),
      SMTP_FROM: "ops@example.org",
      ...(await more(url)),
      ...(kratos
        ? {
            ORY_KRATOS_URL: kratos.url,
            PILOTHOUSE_ADMIN_EMAIL: undefined,
            PILOTHOUSE_ADMIN_PASSWORD: undefined,
          }
        : {}),
    },
  });
  const database = new pg.Pool({ connectionString: address, max: 2 });
  database.on("error", () => undefined);
  if (!kratos)
    await database.query(
      "insert into properties (name, value) values ('identity.registration.open', 'true')",
    );
  return {
    url,
    mail,
    database,
    identities: kratos ? kratos.database : database,
    async stop() {
      await database.end();
      await product.stop();
      await kratos?.stop();
      await mail.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** An empty PostgreSQL server of its own, under a person who may do everything there. */
export async function startDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-place-"));
  await chmod(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    password: "only-for-this-run",
    observe: () => undefined,
    settings: ["fsync=off", "synchronous_commit=off"],
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Somebody new: nobody else has the address. */
export const somebody = () => ({
  email: `ada.${randomUUID().slice(0, 8)}@example.org`,
  password: `lantern in the fog ${randomUUID().slice(0, 8)}`,
});
export type Somebody = ReturnType<typeof somebody>;

/** A section of one's own profile. */
export const sectionOf = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** Registers and verifies the address, and is signed in then. */
export async function register(
  page: Page,
  { url, mail }: Place,
  { email, password }: Somebody,
): Promise<void> {
  await page.goto(`${url}/registration`);
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Verify your account" })).toBeVisible();
  await page.getByLabel(/code/i).fill(await mail.code(email));
  await page.getByRole("button", { name: /^(Continue|Verify|Submit)/ }).click();
  await expect(page.getByText(/successfully verified/)).toBeVisible();
}

export async function signIn(page: Page, { email, password }: Somebody): Promise<void> {
  await page.getByLabel(/^(E-Mail|ID)$/).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page
    .getByRole("button", { name: /^Sign in/ })
    .first()
    .click();
}

export async function signOut(page: Page, { url }: Place): Promise<void> {
  await page.goto(`${url}/logout`);
  await page.getByRole("button", { name: "Sign out" }).last().click();
  await expect(page).toHaveURL(/\/login/);
}
