/** What is carried along over a sign-in cannot be made up, read, moved, replayed elsewhere or made to do something. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "#tests/support/people.ts";
import { signIn } from "#tests/support/product.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());

const NEW = "/settings/canaries/new?type=tcp";
const keptIn = (html: string) => /name="_kept" value="([^"]+)"/.exec(html)?.[1] ?? null;

/** Somebody whose browser still has the cookies of a session that has ended. */
async function leaver() {
  const email = `leaver-${randomUUID().slice(0, 8)}@example.com`;
  const { pool } = site.database;
  const id = await createAccount(pool, email, ["editor"]);
  const session = await signIn(site.url, { email, password: PASSWORD });
  const page = await site.visit("/health", { cookie: session });
  const ours = page.headers.getSetCookie().map((line) => line.split(";")[0]);
  await pool.query("delete from internal.sessions where identity_id = $1", [id]);
  return { email, cookie: [session, ...ours].join("; ") };
}
const formOf = (name: string) => ({
  intent: "save",
  as: "form",
  at: "tcp.0",
  base: '{"schedule":"@every 1m","tcp":[{}]}',
  "r.name": name,
  "f.endpoint": "127.0.0.1:1",
  "f.password": "typed secret 1",
});

describe("a form of somebody whose session has ended", () => {
  test("is answered 401 on its own address with the fields sealed, and nothing of it is sent upstream", async () => {
    const { cookie } = await leaver();
    site.recorder.take();
    const response = await site.visit(NEW, { cookie, form: formOf("secret-plan") });
    expect(response.status).toBe(401);
    expect(response.headers.get("location")).toBeNull();
    const html = await response.text();
    const kept = keptIn(html);
    expect(kept).toMatch(/^[\w-]{100,}$/);
    for (const typed of ["secret-plan", "typed secret 1"]) {
      expect(html).not.toContain(typed);
      expect(Buffer.from(kept ?? "", "base64url").toString("latin1")).not.toContain(typed);
    }
    expect(html).toContain('action="/login/again?');
    const writes = site.recorder
      .take()
      .filter(({ method, path }) => method !== "GET" && !path.startsWith("/kratos/"));
    expect(writes).toEqual([]);
  });

  test("is shown again to the same person, without its password, and nothing is done", async () => {
    const { email, cookie } = await leaver();
    const kept = keptIn(await (await site.visit(NEW, { cookie, form: formOf("shown-again") })).text()) ?? "";
    const again = await signIn(site.url, { email, password: PASSWORD });
    site.recorder.take();
    const response = await site.visit(NEW, {
      cookie: again,
      form: { _kept: kept, intent: "save", password: PASSWORD },
    });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('value="shown-again"');
    expect(html).not.toContain("typed secret 1");
    expect(html).not.toContain(PASSWORD);
    expect(site.recorder.take().filter(({ method }) => method !== "GET")).toEqual([]);
    const { rowCount } = await site.database.pool.query("select from canaries where name = 'shown-again'");
    expect(rowCount).toBe(0);
  });

  test("is no form of another page, of another person, or of anybody who changed it", async () => {
    const { email, cookie } = await leaver();
    const kept = keptIn(await (await site.visit(NEW, { cookie, form: formOf("not-here") })).text()) ?? "";
    const own = await signIn(site.url, { email, password: PASSWORD });
    const other = await site.as("admin");
    const flipped = kept.slice(0, 40) + (kept[40] === "A" ? "B" : "A") + kept.slice(41);
    for (const [path, who, sealed] of [
      ["/settings/canaries/new?type=http", own, kept],
      ["/settings/canaries/import", own, kept],
      [NEW, other, kept],
      [NEW, own, flipped],
      [NEW, own, ""],
      [NEW, own, "made-up"],
    ] as const) {
      const response = await site.visit(path, { cookie: who, form: { _kept: sealed } });
      expect(response.status, path).toBe(302);
      expect(response.headers.get("location")).toBe(path);
      const { rowCount } = await site.database.pool.query("select from canaries where name = 'not-here'");
      expect(rowCount).toBe(0);
    }
  });

  test("that does without fields does nothing when it comes back", async () => {
    const { email, cookie } = await leaver();
    const path = "/health?index";
    const refused = await site.visit(path, { cookie, form: { intent: "run", id: randomUUID() } });
    expect(refused.status).toBe(401);
    const kept = keptIn(await refused.text()) ?? "";
    const own = await signIn(site.url, { email, password: PASSWORD });
    site.recorder.take();
    const back = await site.visit(path, { cookie: own, form: { _kept: kept } });
    expect([200, 302]).toContain(back.status);
    expect(site.recorder.take().filter((call) => call.path.startsWith("/canary/run"))).toEqual([]);
  });

  test("is carried up to 64 kB, and says so beyond; files are not", async () => {
    const { cookie } = await leaver();
    const large = await site.visit(NEW, { cookie, form: { ...formOf("x"), code: "y".repeat(60_000) } });
    expect(keptIn(await large.text())).not.toBeNull();
    const tooLarge = await site.visit(NEW, { cookie, form: { ...formOf("x"), code: "y".repeat(70_000) } });
    const html = await tooLarge.text();
    expect([tooLarge.status, keptIn(html)]).toEqual([401, null]);
    expect(html).toContain("too long to be kept");
    const files = new FormData();
    files.set("file", new File(["contents of the file"], "canaries.yaml"));
    files.set("text", "typed");
    const response = await fetch(`${site.url}/settings/canaries/import`, {
      method: "POST",
      headers: { cookie, origin: site.url },
      body: files,
    });
    expect(response.status).toBe(401);
    expect(keptIn(await response.text())).not.toBeNull();
  });

  test("as data is 401 too, with the same page", async () => {
    const { cookie } = await leaver();
    const response = await site.visit("/settings/canaries/new.data?type=tcp", {
      cookie,
      form: formOf("as-data"),
    });
    expect(response.status).toBe(401);
    const text = await response.text();
    expect(text).toContain("signedOut");
    expect(text).not.toContain("as-data");
  });

  test("a page of its own for it cannot be used to lead elsewhere, nor from elsewhere", async () => {
    const response = await site.visit("/login/again");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/login"]);
    const crossed = await site.visit("/login/again?return_to=/health", {
      headers: { origin: "https://evil.example" },
      form: { _kept: "x" },
    });
    expect(crossed.status).toBe(403);
  });
});
