/** What every answer of the web carries, whoever asks for whatever: headers, timing, cookies, and no secrets. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { aCanary, aConnection } from "#tests/support/builders.ts";
import { PEOPLE } from "#tests/support/people.ts";
import { KEY, SECRET } from "#tests/support/product.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
let cookie: string;
beforeAll(async () => {
  site = await startSite();
  cookie = await site.as("editor");
}, 120_000);
afterAll(() => site?.stop());

const PAGES = [
  "/health",
  "/login",
  "/registration",
  "/recovery",
  "/verification",
  "/profile-settings",
  "/logout",
  "/error",
  "/help",
  "/help/checks",
  "/nothing-here",
];
const SIGNED_OUT = new Set(["/login", "/registration", "/recovery"]); // whoever is signed in is sent on from there
const DATA = PAGES.filter((path) => path !== "/nothing-here").map((path) => `${path}.data`);
const RESOURCES = ["/api/_health", "/api/auth/whoami", "/api/nothing"];
const FILES = ["/favicon.svg", "/robots.txt"];

const visit = (path: string) => site.visit(path, SIGNED_OUT.has(path.replace(".data", "")) ? {} : { cookie });

describe.each([...PAGES, ...DATA, ...RESOURCES, ...FILES])("%s", (path) => {
  test("carries the security headers", async () => {
    const { headers } = await visit(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.has("strict-transport-security"), "only by https").toBe(false);
    expect(headers.has("x-powered-by")).toBe(false);
  });
});

describe.each(PAGES)("the page %s", (path) => {
  test("runs no script but its own, under a nonce that is never used twice", async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await visit(path);
        const policy = response.headers.get("content-security-policy") ?? "";
        const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
        for (const rule of ["default-src 'self'", "object-src 'none'", "frame-ancestors 'none'"])
          expect(policy).toContain(rule);
        expect(policy).not.toContain("unsafe-eval");
        expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
        const html = await response.text();
        const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
        expect(scripts.length).toBeGreaterThan(0);
        for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
        expect(html, "no inline handlers").not.toMatch(/<[^>]+\son\w+=/);
        return nonce;
      }),
    );
    expect(nonces[0]).toHaveLength(24);
    expect(nonces[0]).not.toBe(nonces[1]);
  });
});

test.each([...PAGES, ...DATA])("%s says how long it took and is kept by no cache", async (path) => {
  const { headers } = await visit(path);
  expect(headers.get("server-timing")).toMatch(/^total;dur=[\d.]+, upstream;dur=[\d.]+;desc="\d+ calls"$/);
  expect(headers.get("cache-control")).toBe("private, no-store");
});

test("what is relayed may do nothing when it is opened as a page", async () => {
  const { headers } = await site.visit("/api/auth/whoami", { cookie });
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
});

test("scripts and styles have names of their own and are kept for a year", async () => {
  const html = await (await visit("/login")).text();
  const assets = [...html.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([path]) => path);
  expect(assets.length).toBeGreaterThan(2);
  for (const path of new Set(assets))
    expect((await site.visit(path)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
});

test.each([
  "/health",
  "/login?flow=x",
  "/registration?flow=x",
  "/recovery?flow=x",
  "/verification?flow=x",
  "/profile-settings?flow=x",
  "/preferences",
])("%s refuses what is no form, without a stack", async (path) => {
  for (const [method, type, body] of [
    ["PUT", null, null],
    ["DELETE", null, null],
    ["PATCH", "application/json", "{}"],
    ["POST", "application/json", "{}"],
    ["POST", "text/plain", "intent=run"],
    ["POST", "multipart/form-data; boundary=x", "nonsense"],
    ["POST", "multipart/form-data", "nonsense"],
  ] as const) {
    const headers = { cookie, origin: site.url, ...(type ? { "content-type": type } : {}) };
    const response = await fetch(site.url + path, { method, headers, body, redirect: "manual" });
    expect(response.status, `${method} ${type}`).toBeGreaterThanOrEqual(400);
    expect(response.status, `${method} ${type}`).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/\bat [\w.]+ \(|node_modules/);
  }
});

describe("cookies", () => {
  test("are for this site and not for scripts", async () => {
    const lines = (await site.visit("/health", { cookie })).headers.getSetCookie();
    expect(lines.map((line) => line.split("=")[0])).toEqual(["pilothouse"]);
    for (const line of lines) {
      expect(line).toContain("; HttpOnly");
      expect(line).toContain("; SameSite=Lax");
      expect(line).toContain("; Path=/");
      expect(line).not.toContain("; Secure");
    }
  });

  test("of ours can be read by nobody but us, and are set only when they differ", async () => {
    const [line = ""] = (await site.visit("/health", { cookie })).headers.getSetCookie();
    const [pair = ""] = line.split(";");
    const value = pair.slice("pilothouse=".length);
    const bytes = Buffer.from(value, "base64url").toString("latin1");
    for (const word of ["editor", "roles", "@example.com"]) expect(bytes).not.toContain(word);
    const again = await site.visit("/health", { cookie: `${cookie}; ${pair}` });
    expect(again.headers.getSetCookie()).toEqual([]);
    const forged = `${value.slice(0, -4)}AAAA`;
    const repaired = await site.visit("/health", { cookie: `${cookie}; pilothouse=${forged}` });
    expect(repaired.headers.getSetCookie()).toHaveLength(1);
  });

  test("of the identity service are relayed as they come", async () => {
    const lines = (await site.visit("/login")).headers.getSetCookie();
    expect(lines.some((line) => line.startsWith("csrf_token_"))).toBe(true);
    for (const line of lines) expect(line).toMatch(/; HttpOnly/i);
  });
});

test("no page, data or address tells a secret", async () => {
  const secrets = {
    connection: "connection-secret-4711",
    canary: "canary-secret-4711",
  };
  await aConnection(site.database.pool, { url: "https://example.org" });
  const canary = await aCanary(site.database.pool, {
    spec: {
      schedule: "@every 1h",
      http: [
        {
          name: "guarded",
          url: `http://user:${secrets.canary}@127.0.0.1:1/?token=${secrets.connection}`,
        },
      ],
    },
  });
  const id = await vi.waitFor(async () => {
    const find = "select id from checks where canary_id = $1";
    const { rows } = await site.database.pool.query<{ id: string }>(find, [canary]);
    if (!rows[0]) throw new Error("the check is not there yet");
    return rows[0].id;
  });
  const session = /ory_kratos_session=([^;]+)/.exec(cookie)![1]!;
  const known = [session, SECRET, KEY, PEOPLE.editor.password, ...Object.values(secrets), site.recorder.url];
  for (const path of ["/health", `/health?checkId=${id}`, "/nothing-here", "/logout", "/recovery"])
    for (const address of [path, path.replace(/^(\/[^?]+)/, "$1.data")]) {
      const response = await site.visit(address, { cookie });
      const said = `${await response.text()} ${JSON.stringify([...response.headers])}`;
      for (const secret of known) expect(said.includes(secret), `${address} tells ${secret}`).toBe(false);
    }
});

describe("behind https", () => {
  const address = "https://pilothouse.example.com";
  let secure: Site;
  beforeAll(async () => {
    secure = await startSite({ publicUrl: address });
  }, 120_000);
  afterAll(() => secure?.stop());

  test("every cookie is Secure and browsers are told to stay", async () => {
    const login = await secure.visit("/login");
    const page = await secure.visit("/health", { cookie: await secure.as("viewer") });
    const lines = [...login.headers.getSetCookie(), ...page.headers.getSetCookie()];
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).toContain("; Secure");
    expect(page.headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  test("only forms from that address count, whatever the Host says", async () => {
    const post = (headers: Record<string, string>) =>
      secure.visit("/preferences", { form: { theme: "dark" }, headers });
    expect((await post({ origin: address })).status).toBe(302);
    expect((await post({ origin: secure.url })).status).toBe(403);
    expect((await post({ origin: "http://pilothouse.example.com" })).status).toBe(403);
    const kept = (await post({ origin: address })).headers.getSetCookie();
    expect(kept[0]).toMatch(/^preferences=.*; Secure/);
  });
});
