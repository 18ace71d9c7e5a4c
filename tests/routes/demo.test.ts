/** The demo as a person meets it: started, signed in to with one click, removed. */
import { mkdtemp, chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_PASSWORD, DEMO_PEOPLE } from "#app/contract/words/demo.ts";
import { familyOf, stillThere } from "#tests/support/processes.ts";
import { signIn, startProduct } from "#tests/support/product.ts";

const NOBODY = { PILOTHOUSE_ADMIN_EMAIL: undefined, PILOTHOUSE_ADMIN_PASSWORD: undefined };
const DEMO = { ...NOBODY, PILOTHOUSE_DEMO: "1" };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-demo-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The hidden fields of a person's form on the sign-in page, and where it goes. */
function formOf(page: string, email: string): { action: string; body: URLSearchParams } {
  const form = page.split("<form").find((part) => part.includes(`value="${email}"`)) ?? "";
  const text = (words: string) => words.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");
  const body = new URLSearchParams({ method: "password" });
  for (const [, name = "", value = ""] of form.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  ))
    body.append(name, text(value));
  return { action: text(/action="([^"]+)"/.exec(form)?.[1] ?? ""), body };
}

test(
  "the demo starts, lists its people, lets them in with a click, and goes",
  { timeout: 120_000 },
  async () => {
    const dataDir = join(folder, "estate");
    const product = await startProduct({ dataDir, env: DEMO });
    expect(product.said()).not.toContain("No account yet");
    const login = await fetch(`${product.url}/login`);
    const page = await login.text();
    for (const { email, first, last } of DEMO_PEOPLE)
      for (const words of [email, `Sign in as ${first} ${last}`]) expect(page).toContain(words);
    expect(page).toContain(DEMO_PASSWORD);

    const { action, body } = formOf(page, DEMO_PEOPLE[1]!.email);
    const cookies = login.headers.getSetCookie().map((line) => line.split(";")[0]);
    const entered = await fetch(product.url + action, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: cookies.join("; "), origin: product.url },
      body,
    });
    expect([entered.status, entered.headers.get("location")]).toEqual([302, "/"]);
    expect(entered.headers.getSetCookie().join()).toContain("ory_kratos_session=");

    // A name and a password in the address: the demo's own people get in, and nobody keeps the address.
    const given = (username: string, password: string) =>
      fetch(
        `${product.url}/login?${new URLSearchParams({ username, password, return_to: "/health?page=2" })}`,
        {
          redirect: "manual",
        },
      );
    const inside = await given(DEMO_PEOPLE[0]!.email, DEMO_PASSWORD);
    expect([inside.status, inside.headers.get("location")]).toEqual([302, "/health?page=2"]);
    expect(inside.headers.getSetCookie().join()).toContain("ory_kratos_session=");
    const wrong = await given(DEMO_PEOPLE[0]!.email, "not it");
    expect(wrong.headers.get("location")).toMatch(/^\/login\?flow=[\w-]+&return_to=%2Fhealth%3Fpage%3D2$/);
    const stranger = await given("stranger@example.com", DEMO_PASSWORD);
    expect(stranger.headers.get("location")).toBe("/login?return_to=%2Fhealth%3Fpage%3D2");
    expect(product.said()).not.toContain("password=");

    const cookie = await signIn(product.url, { email: DEMO_PEOPLE[0]!.email, password: DEMO_PASSWORD });
    const read = async <T>(path: string): Promise<T> =>
      (await (await fetch(`${product.url}/api/db/${path}`, { headers: { cookie } })).json()) as T;
    // They run: what its targets answer is what the history says.
    const ran = async () => {
      const rows = await read<{ name: string; status: string }[]>(
        `checks?select=name,status&last_runtime=gt.${new Date(Date.now() - 15_000).toISOString()}&agent_id=eq.00000000-0000-0000-0000-000000000000`,
      );
      return new Map(rows.map(({ name, status }) => [name, status]));
    };
    await expect
      .poll(async () => (await ran()).get("partners.harborline.example"), { timeout: 20_000 })
      .toBe("unhealthy");
    await expect
      .poll(async () => (await ran()).get("Replica 2 keeps up"), { timeout: 20_000 })
      .toBe("unhealthy");
    await expect.poll(async () => (await ran()).get("Checkout"), { timeout: 20_000 }).toBe("healthy");

    const removed = await startProduct({
      dataDir,
      env: DEMO,
      wait: false,
      command: [process.execPath, "build/demo.js", "--remove"],
    });
    expect([await removed.ended, removed.said().trim()]).toEqual([
      0,
      `The demo is gone: 42 canaries with their checks and history, ${DEMO_PEOPLE.length} people.`,
    ]);
    expect((await fetch(`${product.url}/api/db/checks`, { headers: { cookie } })).status).toBe(401);
    const family = familyOf(product.pid);
    expect(await product.stop()).toBe(0);
    expect(stillThere(family)).toEqual([]);

    const plain = await startProduct({ dataDir, env: NOBODY });
    expect(plain.said()).toContain("No account yet");
    expect(await (await fetch(`${plain.url}/login`)).text()).not.toContain(DEMO_PASSWORD);
    await plain.stop();
  },
);

test(
  "a signal while its past is being made: exit 0 within 10 s, and the next start makes it",
  { timeout: 120_000 },
  async () => {
    const dataDir = join(folder, "early");
    const early = await startProduct({ dataDir, env: DEMO, wait: false });
    await expect.poll(() => early.said(), { timeout: 30_000, interval: 20 }).toContain("database: ");
    const family = familyOf(early.pid);
    const from = performance.now();
    expect([await early.stop(), early.said()]).toEqual([0, expect.stringContaining("stop reason=SIGTERM")]);
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(stillThere(family)).toEqual([]);
    const product = await startProduct({ dataDir, env: DEMO });
    await signIn(product.url, { email: DEMO_PEOPLE[4]!.email, password: DEMO_PASSWORD });
    expect(await product.stop()).toBe(0);
  },
);

test("it does not run beside real data", { timeout: 60_000 }, async () => {
  const dataDir = join(folder, "real");
  const product = await startProduct({ dataDir });
  await product.stop();
  const demo = await startProduct({ dataDir, env: DEMO, wait: false });
  expect(await demo.ended).toBe(1);
  expect(demo.said()).toContain(
    "The demo does not run beside real data (1 people are here): name an empty folder, such as PILOTHOUSE_DATA=.pilothouse-demo npm run demo.",
  );
  const both = await startProduct({ env: { PILOTHOUSE_DEMO: "1" }, wait: false });
  expect([await both.ended, both.said().trim()]).toEqual([
    1,
    `PILOTHOUSE_ADMIN_EMAIL makes no sense with PILOTHOUSE_DEMO: unset it, since the demo brings its own people and runs beside nobody else.`,
  ]);
});
