/** Leading people away: return_to in all its disguises, and headers smuggled in by line ends, names and hosts. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, PEOPLE } from "#tests/support/people.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());

const DISGUISES = [
  "https://evil.example/",
  "HTTPS://evil.example",
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "/%2fevil.example",
  "/%2F%2Fevil.example",
  "%2f%2fevil.example",
  "/%5cevil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/health/..//evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "/\u0000/evil.example",
  "https:evil.example",
  "https:/evil.example",
  "http://127.0.0.1@evil.example/",
  "http://127.0.0.1:3000@evil.example/",
  "//127.0.0.1@evil.example",
  "http://127.0.0.1.evil.example/",
  "http://127.0.0.1#@evil.example/",
  "javascript:alert(document.domain)",
  "java\nscript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "ftp://evil.example/",
  "//evil%E3%80%82example",
  "/。evil.example",
  "/health\r\nLocation: https://evil.example/",
  "/health%0d%0aLocation:%20https://evil.example/",
  "/health\r\nSet-Cookie: ory_kratos_session=planted",
  "?return_to=//evil.example",
  "@evil.example",
  ".evil.example",
];

/** Where a browser at `from` would end up, when it is told to go to `location`. */
const isHere = (location: string | null, from: string) =>
  location === null || new URL(location, from).origin === new URL(site.url).origin;

function expectHere(response: Response, from: string) {
  const location = response.headers.get("location");
  expect(isHere(location, from), `${from} led to ${location}`).toBe(true);
  expect(response.headers.getSetCookie().join("\n")).not.toContain("planted");
  expect(response.headers.get("refresh")).toBeNull();
}

/** Everything that takes a return_to, for somebody signed in and for nobody. */
const TAKERS = [
  "/login",
  "/login?refresh=true",
  "/login?aal=aal2",
  "/login/again",
  "/registration",
  "/recovery",
  "/logout",
  "/auth-state-checker",
  "/preferences",
  "/api/.ory/self-service/login/browser",
  "/api/.ory/self-service/login/browser?refresh=true",
  "/api/.ory/self-service/registration/browser",
  "/api/.ory/self-service/settings/browser",
  "/api/.ory/self-service/recovery/browser",
  "/api/.ory/self-service/verification/browser",
  "/api/.ory/self-service/logout/browser",
  "/api/.ory/self-service/logout",
];
const withReturn = (path: string, to: string) =>
  `${path}${path.includes("?") ? "&" : "?"}return_to=${encodeURIComponent(to)}`;

describe.each(TAKERS)("%s", (taker) => {
  test("leads nowhere else, whatever its return_to", async () => {
    const signedIn = await site.as("viewer");
    for (const to of DISGUISES)
      for (const cookie of [signedIn, undefined]) {
        const path = withReturn(taker, to);
        const headers = { accept: "text/html", ...(cookie ? { cookie } : {}) };
        const response = await fetch(site.url + path, { redirect: "manual", headers });
        expect(response.status, path).toBeLessThan(500);
        expectHere(response, site.url + path);
        if (response.status >= 300) continue;
        // Links and forms of the page stay here too.
        const html = await response.text();
        for (const [, address = ""] of html.matchAll(/(?:href|action|formaction|src)="([^"]*)"/g))
          if (!address.startsWith("data:image/"))
            expect(isHere(address.replaceAll("&amp;", "&"), site.url + path), address).toBe(true);
      }
  });
});

describe("what comes after", () => {
  async function signInWith(to: string): Promise<Response> {
    const page = await site.visit(withReturn("/login", to));
    const html = await page.text();
    const action = /action="(\/login\?[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "/login";
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
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
    return site.visit(action, { cookie, form });
  }

  test("a sign-in leads nowhere else", async () => {
    for (const to of DISGUISES) {
      const response = await signInWith(to);
      expect([302, 303], to).toContain(response.status);
      expectHere(response, `${site.url}/login`);
    }
  });

  test("a preference and a sign-out lead nowhere else", async () => {
    for (const to of DISGUISES) {
      expectHere(
        await site.visit("/preferences", { form: { theme: "dark", return_to: to } }),
        `${site.url}/preferences`,
      );
      expectHere(await site.visit(withReturn("/logout", to), { form: {} }), `${site.url}/logout`);
    }
  });
});

describe("headers", () => {
  /** Written byte by byte: fetch would not send these. */
  function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(site.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let answer = "";
      socket.setTimeout(10_000, () => socket.destroy());
      socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
      socket.on("error", reject);
      socket.on("close", () => resolve(answer));
      socket.write(text.replace(/\n/g, "\r\n"));
    });
  }
  const head = (answer: string) => answer.split("\r\n\r\n")[0] ?? "";

  test.each([
    "/login?return_to=/health%0d%0aX-Injected:%20yes",
    "/login?return_to=/%0d%0a%0d%0a<script>",
    "/health%0d%0aX-Injected:%20yes",
    "/health?query=%0d%0aX-Injected:%20yes",
    "/health/checks/x%0d%0aX-Injected:%20yes/history.csv",
    "/badges/check/x%0d%0aX-Injected:%20yes.svg",
    "/api/kubeconfig?name=x%0d%0aX-Injected:%20yes",
    "/api/db/canaries?select=id%0d%0aX-Injected:yes",
    "/icons/x%0d%0aX-Injected:%20yes",
  ])("%s writes none of its own", async (path) => {
    const cookie = await site.as("admin");
    for (const who of [`Cookie: ${cookie}\n`, ""]) {
      const answer = await raw(
        `GET ${path} HTTP/1.1\nHost: ${new URL(site.url).host}\n${who}Connection: close\n\n`,
      );
      expect(head(answer)).toMatch(/^HTTP\/1\.1 \d{3}/);
      expect(head(answer)).not.toMatch(/\r\nX-Injected/i);
    }
  });

  test("file names and names of people with line ends stay inside their header", async () => {
    const { pool } = site.database;
    const name = 'evil"\r\nX-Injected: yes\r\n\r\n.csv';
    await pool.query("update people set name = $1 where email = $2", [name, PEOPLE.viewer.email]);
    const cookie = await site.as("viewer");
    for (const path of [
      "/health.csv",
      "/health.json",
      "/settings/canaries/export.yaml",
      "/api/kubeconfig",
      "/health",
    ]) {
      const response = await site.visit(path, { cookie });
      expect(response.headers.get("x-injected"), path).toBeNull();
      expect(response.status, path).toBeLessThan(500);
    }
    await pool.query("update people set name = 'Viewer Example' where email = $1", [PEOPLE.viewer.email]);
  });

  test.each(["evil.example", "evil.example:80", "127.0.0.1@evil.example", "127.0.0.1\tevil.example"])(
    "a made-up Host (%j) is nowhere in where we lead",
    async (host) => {
      for (const path of [
        "/login",
        "/health",
        "/api/.ory/self-service/login/browser",
        "/auth-state-checker",
      ]) {
        const answer = await raw(
          `GET ${path} HTTP/1.1\nHost: ${host}\nX-Forwarded-Host: evil.example\nAccept: text/html\nConnection: close\n\n`,
        );
        expect(head(answer)).not.toMatch(/\r\nlocation:[^\r]*evil\.example/i);
        expect(head(answer)).not.toMatch(/\r\nset-cookie:[^\r]*domain=/i);
      }
    },
  );

  test("two answers cannot be made of one request: lengths that disagree are refused", async () => {
    const { host } = new URL(site.url);
    const answer = await raw(
      `POST /preferences HTTP/1.1\nHost: ${host}\nContent-Type: application/x-www-form-urlencoded\n` +
        `Content-Length: 4\nTransfer-Encoding: chunked\nConnection: close\n\n0\n\nGET /smuggled HTTP/1.1\nHost: ${host}\n\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});
