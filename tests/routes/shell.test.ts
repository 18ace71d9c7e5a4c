/** The frame's own addresses and what it says: the state checker, kubeconfig, help, flags that cannot be read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FLAGS_UNKNOWN, NO_KUBECONFIG } from "#app/contract/words/platform.ts";
import { PEOPLE } from "#tests/support/people.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
let cookie: string;
beforeAll(async () => {
  site = await startSite();
  cookie = await site.as("viewer");
}, 120_000);
afterAll(() => site?.stop());

const wordsOf = async (response: Response) =>
  (await response.text()).replace(/<script\b.*?<\/script>|<!--.*?-->|<[^>]+>/gs, " ").replace(/\s+/g, " ");

describe("/auth-state-checker", () => {
  const check = async (returnTo: string, as?: string) => {
    const path = `/auth-state-checker?${new URLSearchParams({ return_to: returnTo })}`;
    const { status, headers } = await site.visit(path, as ? { cookie: as } : {});
    return `${status} ${headers.get("location")}`;
  };

  test("sends whoever is signed out to sign in, and back to where they were", async () => {
    const back = encodeURIComponent("/health?query=a").replaceAll("%20", "+");
    expect(await check("/health?query=a")).toBe(`302 /login?return_to=${back}`);
    expect(await check("/health", "ory_kratos_session=gone")).toBe("302 /login?return_to=%2Fhealth");
    expect(await check("https://evil.example/")).toBe("302 /login?return_to=%2F");
  });

  test("tells whoever is signed in that the session does not hold", async () => {
    expect(await check("/health", cookie)).toBe("302 /error?error_code=BAD_SESSION");
    const page = await wordsOf(await site.visit("/error?error_code=BAD_SESSION", { cookie }));
    expect(page).toContain("Bad Session. Please try logging out and logging in again");
    expect(page).toContain("Sign out");
  });
});

describe("/api/kubeconfig", () => {
  test("tells programs in JSON that there is none, and people in the product", async () => {
    const program = await site.visit("/api/kubeconfig", { cookie });
    expect([program.status, await program.json()]).toEqual([404, { error: NO_KUBECONFIG }]);
    const person = await site.visit("/api/kubeconfig", { cookie, headers: { accept: "text/html" } });
    expect([person.status, person.headers.get("location")]).toEqual([302, "/"]);
    const toast = person.headers.getSetCookie().find((line) => line.startsWith("toast="))!;
    const page = await site.visit("/health", { cookie: `${cookie}; ${toast.split(";")[0]}` });
    expect(await wordsOf(page)).toContain(NO_KUBECONFIG);
    const forged = toast.split(";")[0]!.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    expect(await wordsOf(await site.visit("/health", { cookie: `${cookie}; ${forged}` }))).not.toContain(
      NO_KUBECONFIG,
    );
  });

  test("is refused to strangers", async () => {
    expect((await site.visit("/api/kubeconfig")).status).toBe(401);
  });
});

test("flags that cannot be read switch nothing off, and the page says so", async () => {
  const { pool } = site.database;
  await pool.query("insert into properties (name, value) values ('health.disable', 'true')");
  await pool.query("alter table properties rename to properties_gone");
  try {
    const page = await site.visit("/health", { cookie });
    expect(page.status).toBe(200);
    expect(await wordsOf(page)).toContain(FLAGS_UNKNOWN);
  } finally {
    await pool.query("alter table properties_gone rename to properties");
  }
  expect((await site.visit("/health", { cookie })).status, "and counts again when it can be").toBe(404);
  await pool.query("delete from properties where name = 'health.disable'");
  expect(await wordsOf(await site.visit("/health", { cookie }))).not.toContain(FLAGS_UNKNOWN);
});

test("a page whose data cannot be read fails inside the frame", async () => {
  const { pool } = site.database;
  await pool.query("alter table canaries rename to canaries_gone");
  try {
    const page = await site.visit("/health?query=asked-by-nobody-before", { cookie });
    expect(page.status).toBe(500);
    const words = await wordsOf(page);
    expect(words).toContain("Sorry.. there was an error");
    expect(words, "the frame is there").toContain("Skip to content");
  } finally {
    await pool.query("alter table canaries_gone rename to canaries");
  }
});

test("the user menu shows who is signed in: a picture of our own, never one from elsewhere", async () => {
  const { pool } = site.database;
  const menu = async () => {
    const page = await (await site.visit("/health", { cookie })).text();
    return /<summary aria-label="User menu".*?<\/summary>/s.exec(page)?.[0] ?? "";
  };
  const show = (avatar: string | null) =>
    pool.query("update people set avatar = $1 where email = $2", [avatar, PEOPLE.viewer.email]);
  expect(await menu()).toContain(">VE<");
  await show("/icons/group.svg");
  expect(await menu()).toContain('<img src="/icons/group.svg"');
  await show("https://elsewhere.example/me.png");
  expect(await menu()).toContain(">VE<");
  await show(null);
});

test("help asks nothing of upstream, and is there when upstream is not", async () => {
  site.recorder.take();
  const pages = [await site.visit("/help", { cookie }), await site.visit("/help/checks")];
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  await Promise.all(pages.map((page) => page.text()));
  expect(site.recorder.take()).toEqual([]);
  await site.recorder.leave();
  try {
    expect((await site.visit("/help/running", { cookie })).status).toBe(200);
    const away = await site.visit("/health", { cookie });
    expect(away.status).toBe(503);
    expect(await wordsOf(away)).toContain("Upstream is away");
  } finally {
    await site.recorder.comeBack();
  }
});
