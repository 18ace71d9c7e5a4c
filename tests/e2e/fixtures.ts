import { randomUUID } from "node:crypto";
import {
  test as base,
  type BrowserContext,
  type ConsoleMessage,
  type Locator,
  type Page,
  type WebError,
} from "@playwright/test";
import pg from "pg";
import type { Role } from "#app/contract/access.ts";
import { createAccount, PASSWORD, PEOPLE } from "#tests/support/people.ts";
import { signIn as signInByApi } from "#tests/support/product.ts";

export { expect } from "@playwright/test";

/** The product of this run; `global-setup.ts` has started it. */
export const productUrl = () => process.env["PRODUCT_URL"]!;

interface Fixtures {
  /** What the browser may complain about in this journey, besides refused documents and forms (4xx). */
  tolerated: RegExp[];
  /** Signed in already: this worker's session of somebody with that role. Do not sign it out. */
  as(role: Role | "nobody"): Promise<void>;
  /** Presses the button of a filter form, which is there only where no script makes it unnecessary. */
  press(name: string | RegExp, within?: Locator): Promise<void>;
}
interface WorkerFixtures {
  /** The product's database, as its owner. */
  database: pg.Pool;
  /** The cookies of this worker's session of each role. */
  sessionOf(role: Role | "nobody"): Promise<string>;
}

/** A journey fails when the browser reports an error that nobody expected. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  baseURL: async ({}, use) => use(productUrl()),
  tolerated: async ({}, use) => use([/the server responded with a status of 4/]),
  context: async ({ context, tolerated }, use) => {
    const { errors, stop } = errorsOf(context);
    await use(context);
    stop(); // the context goes on to the next journey
    const unexpected = errors.filter((words) => !tolerated.some((pattern) => pattern.test(words)));
    if (unexpected.length > 0) throw new Error(`the browser reported: ${unexpected.join("\n")}`);
  },
  as: async ({ context, sessionOf }, use) =>
    use(async (role) => {
      const pairs = (await sessionOf(role)).split("; ");
      await context.addCookies(
        pairs.map((pair) => {
          const at = pair.indexOf("=");
          return { name: pair.slice(0, at), value: pair.slice(at + 1), url: productUrl() };
        }),
      );
    }),
  press: async ({ page, javaScriptEnabled }, use) =>
    use(async (name, within) => {
      if (javaScriptEnabled === false)
        await (within ?? page).getByRole("button", { name, exact: true }).click();
    }),
  database: [
    async ({}, use) => {
      const pool = new pg.Pool({ connectionString: process.env["PRODUCT_DATABASE"], max: 2 });
      pool.on("error", () => undefined);
      await use(pool);
      await pool.end();
    },
    { scope: "worker" },
  ],
  sessionOf: [
    async ({}, use) => {
      const sessions = new Map<string, Promise<string>>();
      await use((role) => {
        const session = sessions.get(role) ?? signInByApi(productUrl(), PEOPLE[role]);
        sessions.set(role, session);
        return session;
      });
    },
    { scope: "worker" },
  ],
});

/** Everything the browser complains about in any page of the context, until `stop`. */
function errorsOf(context: BrowserContext) {
  const errors: string[] = [];
  const threw = (error: WebError) => void errors.push(String(error.error()));
  const said = (message: ConsoleMessage) => {
    if (message.type() === "error") errors.push(message.text());
  };
  context.on("weberror", threw).on("console", said);
  return { errors, stop: () => context.off("weberror", threw).off("console", said) };
}

/** An editor of one's own, whose sessions can be ended without harm to others. */
export async function anEditor(database: pg.Pool) {
  const email = `editor-${randomUUID().slice(0, 8)}@example.com`;
  const id = await createAccount(database, email, ["editor"]);
  const endSessions = () => database.query("delete from internal.sessions where identity_id = $1", [id]);
  return { email, endSessions };
}

export async function fillSignIn(
  page: Page,
  { email, password = PASSWORD }: { email: string; password?: string },
) {
  await page.getByLabel("E-Mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** For `toHaveURL`: this path and query, whatever the order of its parameters. */
export const at = (address: string) => (url: URL) => {
  const asked = new URL(address, url);
  const parts = ({ searchParams }: URL) => [...searchParams].map(String).sort().join();
  return (
    url.origin + url.pathname + url.hash === asked.origin + asked.pathname + asked.hash &&
    parts(url) === parts(asked)
  );
};

/** How far the page can be scrolled sideways, pixels; 0 where nothing sticks out. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The row of a check in the list, and its link. */
export const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
export const drawerOf = (page: Page, name: string) => page.getByRole("dialog", { name });

/** The list with what passes in it, each check a line of its own. */
export const EVERY_CHECK = "hidePassing=false&groupBy=no-group";
