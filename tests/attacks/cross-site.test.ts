/** Forms from another site, at every address that takes one: the list is the table of routes itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSite, type Site } from "#tests/support/site.ts";
import { actionModules } from "./addresses.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());

const EVIL = "https://evil.example";
const ELSEWHERE: [name: string, headers: () => Record<string, string>][] = [
  ["another site", () => ({ origin: EVIL })],
  ["a page without an address", () => ({ origin: "null" })],
  ["nowhere", () => ({})],
  ["a link elsewhere", () => ({ "sec-fetch-site": "cross-site" })],
  ["a neighbour", () => ({ "sec-fetch-site": "same-site" })],
  ["this host under another port", () => ({ origin: "http://127.0.0.1:1" })],
  ["a name that begins like ours", () => ({ origin: `${site.url}.evil.example` })],
  ["ours as a user name", () => ({ origin: `http://${new URL(site.url).host}@evil.example` })],
  ["one that forges what our preload says", () => ({ origin: EVIL, "x-ph-origin": site.url })],
  ["one that forges the host", () => ({ origin: EVIL, "x-forwarded-host": "evil.example" })],
];

const modules = await actionModules();

test("the table of routes has its actions", () => {
  expect(modules.length).toBeGreaterThan(8);
  expect(modules.map(({ path }) => path)).toContain("/login");
});

test("every action reads what was posted by the functions that know forms which came back", () => {
  const careless = modules.filter(
    ({ source }) =>
      /\bauthorize\(/.test(source) && !/\b(submit|postedForm|typedForm|editSpec|relayed)\(/.test(source),
  );
  expect(careless.map(({ file }) => file)).toEqual([]);
});

describe.each(modules.map(({ path, file }) => [path, file] as const))("a form to %s", (path) => {
  test.each(ELSEWHERE)(
    "from %s is refused, as a page and as data, and nothing is written",
    async (_name, headers) => {
      const cookie = await site.as("admin");
      site.recorder.take();
      const suffixes = path.startsWith("/api/") ? [""] : ["", ".data"];
      for (const suffix of suffixes)
        for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
          const response = await fetch(site.url + path + suffix, {
            method: "POST",
            redirect: "manual",
            headers: { cookie, "content-type": type, ...headers() },
            body: "intent=run&id=x&theme=dark",
          });
          expect([403, 404, 405, 415], `${path}${suffix} as ${type}`).toContain(response.status);
          expect(response.headers.getSetCookie().filter((line) => line.startsWith("ory_"))).toEqual([]);
        }
      expect(site.recorder.take().filter(({ method }) => method !== "GET")).toEqual([]);
    },
  );
});

describe("a call of the API with the cookie of somebody signed in", () => {
  const CALLS: [method: string, path: string][] = [
    ["POST", "/api/db/canaries"],
    ["PATCH", "/api/db/canaries?id=eq.x"],
    ["DELETE", "/api/db/canaries?id=eq.x"],
    ["POST", "/api/db/rpc/whatever"],
    ["POST", "/api/canary/api/summary"],
    ["POST", "/api/.ory/self-service/login?flow=x"],
    ["POST", "/api/.ory/self-service/settings?flow=x"],
    ["POST", "/api/.ory/self-service/registration?flow=x"],
    ["POST", "/api/.ory/self-service/recovery?flow=x"],
    ["DELETE", "/api/.ory/sessions"],
  ];
  test.each(CALLS)("%s %s from another site stops at the web", async (method, path) => {
    const cookie = await site.as("admin");
    for (const [, headers] of ELSEWHERE) {
      site.recorder.take();
      const response = await fetch(site.url + path, {
        method,
        redirect: "manual",
        headers: { cookie, "content-type": "application/json", ...headers() },
        body: method === "DELETE" ? null : "{}",
      });
      expect(response.status).toBe(403);
      expect(site.recorder.take().filter((call) => call.method !== "GET")).toEqual([]);
    }
  });

  test("answers no other site's script: no CORS for it", async () => {
    const cookie = await site.as("admin");
    for (const path of ["/api/auth/whoami", "/api/db/canaries?select=id", "/api/.ory/sessions/whoami"]) {
      const response = await fetch(site.url + path, { headers: { cookie, origin: EVIL } });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      const preflight = await fetch(site.url + path, {
        method: "OPTIONS",
        headers: { origin: EVIL, "access-control-request-method": "PATCH" },
      });
      expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});
