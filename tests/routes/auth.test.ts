/** Who gets in, from where, and how long a right lasts: the Origin rule, return_to, roles read anew, first run. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { SESSION_ENDED } from "#app/contract/words/platform.ts";
import { TYPED_HEADER } from "#app/lib/signed-out.ts";
import { createAccount, PASSWORD, PEOPLE, setRoles } from "#tests/support/people.ts";
import { signIn } from "#tests/support/product.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());

const EVIL = "https://evil.example";
const run = { intent: "run", id: "00000000-0000-4000-8000-000000000000" };
/** Every address that changes something, and a form it would take. */
const ACTIONS: [path: string, form: Record<string, string>][] = [
  ["/health", run],
  ["/login?flow=00000000-0000-4000-8000-000000000000", { method: "password" }],
  ["/registration?flow=00000000-0000-4000-8000-000000000000", { method: "password" }],
  ["/recovery?flow=x&token=y", {}],
  ["/recovery?flow=00000000-0000-4000-8000-000000000000", { method: "code", email: "a@example.com" }],
  ["/verification?flow=00000000-0000-4000-8000-000000000000", { method: "code", email: "a@example.com" }],
  ["/profile-settings?flow=00000000-0000-4000-8000-000000000000", { method: "password", password: "x" }],
  ["/profile-settings", { intent: "end-other-sessions" }],
  ["/logout", {}],
  ["/preferences", { theme: "dark" }],
];

describe.each(ACTIONS)("a form posted to %s", (path, form) => {
  const post = async (headers: Record<string, string>, suffix = "") => {
    const [name = "", query] = path.split("?");
    const address = `${name}${suffix}${query ? `?${query}` : ""}`;
    const cookie = await site.as("editor");
    const response = await fetch(site.url + address, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, ...headers },
      body: new URLSearchParams(form),
    });
    return { status: response.status, text: await response.text() };
  };

  test.each([
    ["another site", { origin: EVIL }],
    ["a page without an address", { origin: "null" }],
    ["nowhere", {}],
    ["nowhere, by a link elsewhere", { "sec-fetch-site": "cross-site" }],
    ["a neighbour", { "sec-fetch-site": "same-site" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["a look-alike host", { origin: `${EVIL}#` }],
  ])("from %s is refused before anything is sent upstream", async (_name, headers) => {
    await site.as("editor");
    site.recorder.take();
    for (const suffix of ["", ".data"]) {
      const { status, text } = await post(headers as Record<string, string>, suffix);
      expect(status).toBe(403);
      expect(text).toContain("another site");
    }
    const calls = site.recorder.take().filter(({ method }) => method !== "GET");
    expect(calls).toEqual([]);
  });

  test.each([
    ["its Origin", () => ({ origin: site.url })],
    [
      "its Origin by https, behind a proxy that ends TLS",
      () => ({ origin: site.url.replace("http:", "https:") }),
    ],
    ["the browser's word, without an Origin", () => ({ "sec-fetch-site": "same-origin" })],
  ])("from this site by %s is judged by what it says", async (_name, headers) => {
    if (path === "/logout") return; // it would end the session of the other tests; its journey is in the browser
    expect((await post(headers())).text).not.toContain("another site");
  });
});

describe("return_to", () => {
  const PATHS: [asked: string, goes: string][] = [
    ["/health?status=unhealthy&query=a%26b", "/health?status=unhealthy&query=a%26b"],
    ["/health?page=2#top", "/health?page=2#top"],
    ["", "/"],
    ["https://evil.example/", "/"],
    ["//evil.example/", "/"],
    ["/\\evil.example/", "/"],
    ["/\t/evil.example/", "/"],
    ["/.//evil.example/", "/"],
    ["javascript:alert(1)", "/"],
    ["health", "/"],
  ];

  test.each(PATHS)("%j of whoever is signed in already leads to %s", async (asked, goes) => {
    const cookie = await site.as("viewer");
    const response = await site.visit(`/login?return_to=${encodeURIComponent(asked)}`, { cookie });
    expect([response.status, response.headers.get("location")]).toEqual([302, goes]);
  });

  test.each(PATHS)("%j of a preference leads to %s", async (asked, goes) => {
    const response = await site.visit("/preferences", { form: { theme: "dark", return_to: asked } });
    expect([response.status, response.headers.get("location")]).toEqual([302, goes]);
  });

  test.each(PATHS)("%j of a sign-in leads to %s", async (asked, goes) => {
    const page = await site.visit(`/login?return_to=${encodeURIComponent(asked)}`);
    expect(page.status).toBe(200);
    const html = await page.text();
    const action = /<form method="post" action="([^"]+)"/.exec(html)![1]!.replaceAll("&amp;", "&");
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(html)![1]!;
    const cookie = page.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const form = {
      method: "password",
      identifier: PEOPLE.viewer.email,
      password: PASSWORD,
      csrf_token: csrf.replaceAll("&amp;", "&").replaceAll("&#x27;", "'"),
    };
    const response = await site.visit(action, { cookie, form });
    expect([response.status, response.headers.get("location")]).toEqual([302, goes]);
    expect(response.headers.getSetCookie().some((line) => line.startsWith("ory_kratos_session="))).toBe(true);
  });

  test("a page asked for as data comes back as a page", async () => {
    const response = await site.visit("/health.data?status=unhealthy&_routes=routes%2Fhealth%2Flist");
    expect(response.status).toBe(202);
    expect(await response.text()).toContain("/login?return_to=%2Fhealth%3Fstatus%3Dunhealthy");
  });

  test("whose page holds typed text is told that the session has ended, and who typed it stays known", async () => {
    const path = "/settings/canaries/new.data?type=tcp";
    const cookie = "pilothouse=who-it-was";
    const plain = await site.visit(path, { cookie });
    expect([plain.status, plain.headers.getSetCookie().join()]).toEqual([
      202,
      expect.stringMatching(/^pilothouse=;/),
    ]);
    const typed = await site.visit(path, { cookie, headers: { [TYPED_HEADER]: "1" } });
    expect([typed.status, typed.headers.getSetCookie()]).toEqual([401, []]);
    expect(await typed.text()).toContain(SESSION_ENDED);
  });
});

describe("roles are read anew for every request", () => {
  test("a role that was taken away counts at once, whatever the browser's cookie remembers", async () => {
    const email = "mover@example.com";
    const { pool } = site.database;
    const person = await createAccount(pool, email, ["editor"]);
    const session = await signIn(site.url, { email, password: PASSWORD });
    const first = await site.visit("/health", { cookie: session });
    const remembered = first.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    expect(remembered).toMatch(/^pilothouse=/);
    const cookie = `${session}; ${remembered}`;
    expect((await site.visit("/health", { cookie, form: run })).status).not.toBe(403);

    await setRoles(pool, person, []);
    const refused = await site.visit("/health", { cookie, form: run });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(UNAUTHORIZED);
    const page = await site.visit("/health", { cookie });
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie().some((line) => line.startsWith("pilothouse="))).toBe(true);

    await setRoles(pool, person, ["responder"]);
    expect((await site.visit("/health", { cookie, form: run })).status).not.toBe(403);
  });

  test("a session that was ended elsewhere leads to the sign-in page and is forgotten", async () => {
    const email = "leaver@example.com";
    const { pool } = site.database;
    await createAccount(pool, email, ["editor"]);
    const cookie = await signIn(site.url, { email, password: PASSWORD });
    const before = await site.visit("/health", { cookie });
    const ours = before.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    await pool.query(
      "delete from internal.sessions where identity_id in (select id from identities where traits->>'email' = $1)",
      [email],
    );
    const response = await site.visit("/health?page=2", { cookie: `${cookie}; ${ours}` });
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "/login?return_to=%2Fhealth%3Fpage%3D2",
    ]);
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^pilothouse=;.*Max-Age=0/));
  });

  test("a made-up session is nobody's", async () => {
    const response = await site.visit("/health", { cookie: "ory_kratos_session=made-up" });
    expect(response.status).toBe(302);
  });
});

describe("a name and a password in the address of the sign-in page", () => {
  test("are ignored outside the demo, and leave the address before there is a page", async () => {
    const { email } = PEOPLE.viewer;
    const query = new URLSearchParams({ username: email, password: PASSWORD, return_to: "/health" });
    site.recorder.take();
    const response = await site.visit(`/login?${query}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, "/login?return_to=%2Fhealth"]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(site.recorder.take()).toEqual([]);
    const data = await site.visit(`/login.data?${query}`);
    expect(await data.text()).not.toContain(PASSWORD.split(" ")[0]);
  });
});

describe("the way to a provider elsewhere", () => {
  test.each(["", "https://evil.example/", "AAAA"])("is not opened by %j", async (to) => {
    const response = await site.visit(`/leaving?${new URLSearchParams({ to })}`);
    expect(response.status).toBe(410);
    expect(await response.text()).not.toContain("evil.example");
  });
});

describe("one's sessions", () => {
  test("are one's own: another's is not ended", async () => {
    const email = "sessions@example.com";
    const { pool } = site.database;
    await createAccount(pool, email, []);
    const [mine, other] = [
      await signIn(site.url, { email, password: PASSWORD }),
      await signIn(site.url, { email, password: PASSWORD }),
    ];
    const theirs = await site.as("viewer");
    const { rows } = await pool.query<{ id: string }>(
      "select s.id from internal.sessions s join identities i on i.id = s.identity_id where i.traits ->> 'email' = $1",
      [PEOPLE.viewer.email],
    );
    for (const { id } of rows)
      await site.visit("/profile-settings", { cookie: mine, form: { intent: "end-session", session: id } });
    expect((await site.visit("/health", { cookie: theirs })).status).toBe(200);
    const ended = await site.visit("/profile-settings", {
      cookie: mine,
      form: { intent: "end-other-sessions" },
    });
    expect([ended.status, ended.headers.get("location")]).toEqual([302, "/profile-settings"]);
    expect((await site.visit("/health", { cookie: other })).status).toBe(302);
    expect((await site.visit("/health", { cookie: mine })).status).toBe(200);
  });
});
