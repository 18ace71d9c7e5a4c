/** The identity service as a browser without scripts uses it: navigations, plain form posts, redirects. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { LoginFlow } from "@ory/client";
import {
  messagesOf,
  startIdentity,
  valueOf,
  type TestBrowser,
  type TestIdentity,
} from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const SITE = "https://pilothouse.example";
const SELF = `${SITE}/api/.ory/self-service`;
const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
let database: TestDatabase;
let service: TestIdentity;

beforeAll(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool, { publicUrl: `${SITE}/` });
  await service.identity.createAdmin(EMAIL, PASSWORD);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
afterEach(() => database.pool.query("delete from internal.limits"));

const location = (response: Response) => response.headers.get("location") ?? "";
const flowId = (response: Response) => new URL(location(response)).searchParams.get("flow") ?? "";

async function lookUp<T>(browser: TestBrowser, kind: string, id: string): Promise<T> {
  const response = await browser.visit(`/self-service/${kind}/flows?id=${id}`, undefined, {
    accept: "application/json",
  });
  return (await response.json()) as T;
}

async function signIn(browser: TestBrowser, query = "", password = PASSWORD) {
  const begun = await browser.visit(`/self-service/login/browser${query}`);
  const id = flowId(begun);
  const flow = await lookUp<LoginFlow>(browser, "login", id);
  const csrf_token = valueOf(flow, "csrf_token");
  const form = { method: "password", identifier: EMAIL, password, csrf_token };
  return browser.visit(`/self-service/login?flow=${id}`, form);
}

it("leads to the sign-in page, and from its form to return_to", async () => {
  const browser = service.browser();
  const begun = await browser.visit("/self-service/login/browser");
  expect(begun.status).toBe(303);
  expect(location(begun)).toMatch(new RegExp(`^${SITE}/login\\?flow=[0-9a-f-]{36}$`));
  const flow = await lookUp<LoginFlow>(browser, "login", flowId(begun));
  expect(flow.ui.action).toBe(`${SELF}/login?flow=${flow.id}`);
  expect(flow.request_url).toBe(`${SELF}/login/browser`);

  const done = await signIn(browser, `?return_to=${encodeURIComponent("/health?checkId=1#x")}`);
  expect([done.status, location(done)]).toEqual([303, `${SITE}/health?checkId=1#x`]);
  expect(done.headers.getSetCookie().every((line) => line.includes("; Secure"))).toBe(true);
  const home = await signIn(service.browser(), `?return_to=${encodeURIComponent(`${SITE}/health`)}`);
  expect(location(home)).toBe(`${SITE}/health`);
  expect(location(await signIn(service.browser()))).toBe(`${SITE}/`);
});

it("goes back to the page with what is wrong", async () => {
  const browser = service.browser();
  const refused = await signIn(browser, "", "not this one");
  expect(refused.status).toBe(303);
  expect(location(refused)).toMatch(new RegExp(`^${SITE}/login\\?flow=`));
  const flow = await lookUp<LoginFlow>(browser, "login", flowId(refused));
  expect(messagesOf(flow)).toEqual({ "": [4000006] });
  expect(valueOf(flow, "identifier")).toBe(EMAIL);
});

it("goes home when there is a session already", async () => {
  const browser = service.browser();
  await signIn(browser);
  expect(location(await browser.visit("/self-service/login/browser?return_to=/health"))).toBe(
    `${SITE}/health`,
  );
  expect(location(await browser.visit("/self-service/registration/browser"))).toBe(`${SITE}/`);
});

it("leads to the error page, which can be read by its id", async () => {
  const browser = service.browser();
  const answer = await browser.visit("/self-service/login/browser?return_to=https://evil.example/");
  expect(answer.status).toBe(303);
  const id = new URL(location(answer)).searchParams.get("id");
  expect(location(answer)).toBe(`${SITE}/error?id=${id}`);
  const { data, status } = await browser.call((api) => api.getFlowError({ id: id ?? "" }));
  expect(status).toBe(200);
  expect(data).toMatchObject({ id, error: { id: "self_service_flow_return_to_forbidden", code: 400 } });
  for (const unknown of ["00000000-0000-4000-8000-000000000000", "stub:500"])
    expect((await browser.call((api) => api.getFlowError({ id: unknown }))).status).toBe(404);
});

it("refuses a form from elsewhere", async () => {
  const browser = service.browser();
  const id = flowId(await browser.visit("/self-service/login/browser"));
  const form = { method: "password", identifier: EMAIL, password: PASSWORD };
  const answer = await browser.visit(`/self-service/login?flow=${id}`, form);
  expect(location(answer)).toMatch(new RegExp(`^${SITE}/error\\?id=`));
  expect(browser.jar.has("ory_kratos_session")).toBe(false);
});

it("replaces an expired flow and shows its page", async () => {
  const browser = service.browser();
  const id = flowId(await browser.visit("/self-service/login/browser"));
  const csrf_token = valueOf(await lookUp<LoginFlow>(browser, "login", id), "csrf_token");
  service.later(11);
  try {
    const form = { method: "password", identifier: EMAIL, password: PASSWORD, csrf_token };
    const answer = await browser.visit(`/self-service/login?flow=${id}`, form);
    expect(answer.status).toBe(303);
    expect(flowId(answer)).not.toBe(id);
    expect(messagesOf(await lookUp<LoginFlow>(browser, "login", flowId(answer)))).toEqual({ "": [4010001] });
  } finally {
    service.later(-11);
  }
});

it("signs out by a link, to the sign-in page or return_to", async () => {
  const browser = service.browser();
  await signIn(browser);
  const begun = await browser.visit("/self-service/logout/browser", undefined, {
    accept: "application/json",
  });
  const { logout_token, logout_url } = (await begun.json()) as { logout_token: string; logout_url: string };
  expect(logout_url).toBe(`${SELF}/logout?token=${logout_token}`);
  const done = await browser.visit(`/self-service/logout?token=${logout_token}`);
  expect([done.status, location(done)]).toEqual([303, `${SITE}/login`]);
  expect(browser.jar.has("ory_kratos_session")).toBe(false);
  const again = await browser.visit(`/self-service/logout?token=${logout_token}&return_to=/health`);
  expect(location(again)).toBe(`${SITE}/health`);
});

it("asks for a sign-in before settings and comes back there", async () => {
  const answer = await service.browser().visit("/self-service/settings/browser?return_to=/health");
  const back = `${SELF}/settings/browser?return_to=%2Fhealth`;
  expect(location(answer)).toBe(`${SELF}/login/browser?return_to=${encodeURIComponent(back)}`);
});

it("reads no form larger than 64 kB and knows no other address", async () => {
  const browser = service.browser();
  const id = flowId(await browser.visit("/self-service/login/browser"));
  const large = await browser.visit(
    `/self-service/login?flow=${id}`,
    { password: "x".repeat(70_000) },
    { accept: "application/json" },
  );
  expect(large.status).toBe(413);
  expect((await browser.visit("/self-service/nowhere")).status).toBe(404);
});

it("reports a fault under an id and says nothing of it", async () => {
  const broken = await createDatabase({ migrated: false });
  const away = await startIdentity(broken.pool);
  try {
    const answer = await away.browser().call((api) => api.createBrowserLoginFlow());
    expect(answer.status).toBe(500);
    const failed = away.observed.find((observation) => observation.kind === "http.failed");
    const { reason } = (answer.data as unknown as { error: { reason: string } }).error;
    expect(reason).toBe(`Please quote ${failed && "id" in failed ? failed.id : "?"}.`);
    const page = await away.browser().visit("/self-service/login/browser");
    expect(page.status).toBe(500);
  } finally {
    await away.close();
    await broken.drop();
  }
});
