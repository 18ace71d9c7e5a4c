/** The identity service as a script speaks to it: `@ory/client` over HTTP, real PostgreSQL. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LoginFlow, SettingsFlow } from "@ory/client";
import {
  messagesOf,
  startIdentity,
  valueOf,
  type TestBrowser,
  type TestIdentity,
} from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
let database: TestDatabase;
let service: TestIdentity;

beforeAll(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool);
  await service.identity.createAdmin(EMAIL, PASSWORD);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
afterEach(async () => {
  await database.pool.query("delete from internal.limits");
  await database.pool.query("delete from public.properties");
});

type Options = Parameters<Parameters<TestBrowser["call"]>[0]>[0];
const beginLogin = (
  browser: TestBrowser,
  query: { refresh?: boolean; aal?: string; returnTo?: string } = {},
) => browser.call((api: Options, cookie) => api.createBrowserLoginFlow({ ...query, cookie }));

async function sendLogin(
  browser: TestBrowser,
  flow: LoginFlow,
  { identifier = EMAIL, password = PASSWORD, csrf = valueOf(flow, "csrf_token"), client = "" } = {},
) {
  return browser.call((api, cookie) =>
    api.updateLoginFlow(
      {
        flow: flow.id,
        cookie,
        updateLoginFlowBody: { method: "password", identifier, password, csrf_token: csrf },
      },
      client ? { headers: { "x-ph-client": client } } : undefined,
    ),
  );
}

async function signIn(
  browser: TestBrowser,
  as: { identifier?: string; password?: string; client?: string } = {},
) {
  const { data } = await beginLogin(browser);
  return sendLogin(browser, data, as);
}

const whoami = (browser: TestBrowser) => browser.call((api, cookie) => api.toSession({ cookie }));
const errorOf = (answer: { data: unknown }) =>
  (answer.data as { error: { id: string; reason: string; code: number; status: string; message: string } })
    .error;

describe("signing in", () => {
  it("begins a flow with the public API's nodes, groups and labels", async () => {
    const browser = service.browser();
    const { status, data, headers } = await beginLogin(browser, { returnTo: "/health?status=unhealthy" });
    expect(status).toBe(200);
    expect(headers["cache-control"]).toContain("no-store");
    expect(data).toMatchObject({
      type: "browser",
      refresh: false,
      requested_aal: "aal1",
      return_to: "/health?status=unhealthy",
      state: "choose_method",
      ui: { action: `/api/.ory/self-service/login?flow=${data.id}`, method: "POST" },
    });
    const minutes = (Date.parse(data.expires_at) - Date.parse(data.issued_at)) / 60_000;
    expect(minutes).toBe(10);
    expect(data.ui.nodes.map((node) => [node.group, node.attributes])).toEqual([
      [
        "default",
        expect.objectContaining({ name: "csrf_token", type: "hidden", node_type: "input", required: true }),
      ],
      ["default", expect.objectContaining({ name: "identifier", type: "text", value: "", required: true })],
      ["password", expect.objectContaining({ name: "password", type: "password", required: true })],
      ["password", expect.objectContaining({ name: "method", type: "submit", value: "password" })],
    ]);
    expect(data.ui.nodes.map((node) => node.meta.label?.id)).toEqual([undefined, 1070002, 1070001, 1010001]);
    const again = await browser.call((api, cookie) => api.getLoginFlow({ id: data.id, cookie }));
    expect(again.data.id).toBe(data.id);
    expect(valueOf(again.data, "csrf_token")).not.toBe(valueOf(data, "csrf_token"));
  });

  it("answers the session, sets a strict cookie and knows the session afterwards", async () => {
    const browser = service.browser();
    const { status, data } = await signIn(browser, { identifier: " Ada@Example.ORG " });
    expect(status).toBe(200);
    expect(data.session).toMatchObject({
      active: true,
      authenticator_assurance_level: "aal1",
      identity: { schema_id: "default", state: "active", traits: { email: EMAIL } },
    });
    const cookie = browser.setCookies().find((line) => line.startsWith("ory_kratos_session="));
    expect(cookie).toMatch(
      /^ory_kratos_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const session = await whoami(browser);
    expect(session.status).toBe(200);
    expect(session.data).toMatchObject({ id: data.session.id, active: true });
    expect(session.headers["x-kratos-authenticated-identity-id"]).toBe(session.data.identity?.id);
    const person = await service.identity.sessionOf(browser.jar.get("ory_kratos_session") ?? "");
    expect(person).toEqual({
      personId: session.data.identity?.id,
      name: "Admin",
      email: EMAIL,
      avatar: null,
      roles: ["admin"],
      isAgent: false,
    });
    const { rows } = await database.pool.query("select last_login from people where id = $1", [
      person?.personId,
    ]);
    expect(Date.now() - Number(rows[0]?.last_login)).toBeLessThan(60_000);
  });

  it("refuses a wrong password and an unknown account with the same words, keeping only the e-mail", async () => {
    for (const as of [{ password: "not this one" }, { identifier: "nobody@example.org" }]) {
      const { status, data } = await signIn(service.browser(), as);
      expect(status).toBe(400);
      const flow = data as unknown as LoginFlow;
      expect(messagesOf(flow)).toEqual({ "": [4000006] });
      expect(valueOf(flow, "identifier")).toBe(as.identifier ?? EMAIL);
      expect(valueOf(flow, "password")).toBe("");
    }
    expect(service.observed).toContainEqual({ kind: "identity.refused", reason: "credentials" });
  });

  it("takes about as long for an unknown account as for a wrong password", async () => {
    const time = async (identifier: string) => {
      const browser = service.browser();
      const { data } = await beginLogin(browser);
      const start = performance.now();
      await sendLogin(browser, data, { identifier, password: "wrong password" });
      return performance.now() - start;
    };
    await time(EMAIL);
    const known = Math.min(await time(EMAIL), await time(EMAIL), await time(EMAIL));
    const unknown = Math.min(await time("x1@y.z"), await time("x2@y.z"), await time("x3@y.z"));
    expect(unknown).toBeGreaterThan(known / 3);
  });

  it("names what is missing", async () => {
    const browser = service.browser();
    const { data } = await beginLogin(browser);
    const empty = await sendLogin(browser, data, { identifier: "", password: "" });
    expect(empty.status).toBe(400);
    expect(messagesOf(empty.data as unknown as LoginFlow)).toEqual({
      identifier: [4000002],
      password: [4000002],
    });
    const other = await browser.call((api, cookie) =>
      api.updateLoginFlow({
        flow: data.id,
        cookie,
        updateLoginFlowBody: { method: "totp", totp_code: "1", csrf_token: valueOf(data, "csrf_token") },
      }),
    );
    expect(messagesOf(other.data as unknown as LoginFlow)).toEqual({ "": [4010002] });
  });

  it("says so when there is a session already, and needs one for a second factor", async () => {
    const browser = service.browser();
    const early = await beginLogin(browser, { aal: "aal2" });
    expect([early.status, errorOf(early).id]).toEqual([400, "session_aal1_required"]);
    await signIn(browser);
    const again = await beginLogin(browser);
    expect(again.status).toBe(400);
    expect(errorOf(again)).toMatchObject({
      id: "session_already_available",
      code: 400,
      status: "Bad Request",
    });
    const second = await beginLogin(browser, { aal: "aal2" });
    expect(second.data.requested_aal).toBe("aal2");
    expect(messagesOf(second.data)).toEqual({ "": [5000002] });
    const odd = await beginLogin(browser, { aal: "aal9" });
    expect(odd.status).toBe(400);
  });

  it("confirms who it is with refresh: same person only, a new token, the old one dead", async () => {
    await service.identity.createAdmin("other@example.org", PASSWORD);
    const browser = service.browser();
    await signIn(browser);
    const before = browser.jar.get("ory_kratos_session") ?? "";
    const { data } = await beginLogin(browser, { refresh: true });
    expect(data.refresh).toBe(true);
    expect(messagesOf(data)).toEqual({ "": [1010003] });
    expect(valueOf(data, "identifier")).toBe(EMAIL);
    const mismatch = await sendLogin(browser, data, { identifier: "other@example.org" });
    expect([mismatch.status, errorOf(mismatch).id]).toEqual([403, "security_identity_mismatch"]);
    expect((await sendLogin(browser, data)).status).toBe(200);
    expect(browser.jar.get("ory_kratos_session")).not.toBe(before);
    expect(await service.identity.sessionOf(before)).toBeNull();
    expect((await whoami(browser)).status).toBe(200);
  });

  it("does not pretend to refresh where there is no session", async () => {
    const { data } = await beginLogin(service.browser(), { refresh: true });
    expect(data.refresh).toBe(false);
  });
});

describe("what protects a flow", () => {
  it("is a CSRF violation without the value, with a wrong one, and from another browser", async () => {
    const browser = service.browser();
    const { data } = await beginLogin(browser);
    for (const csrf of ["", "AAAA", Buffer.alloc(64).toString("base64")]) {
      const answer = await sendLogin(browser, data, { csrf });
      expect(answer.status).toBe(403);
      expect(errorOf(answer).id).toBe("security_csrf_violation");
    }
    const stranger = service.browser();
    await beginLogin(stranger);
    expect((await sendLogin(stranger, data)).status).toBe(403);
    const peek = await stranger.call((api, cookie) => api.getLoginFlow({ id: data.id, cookie }));
    expect([peek.status, errorOf(peek).id]).toEqual([403, "security_csrf_violation"]);
    expect((await sendLogin(browser, data)).status).toBe(200);
  });

  it("answers 410 with the flow to use once it is too old, and 410 to a look-up", async () => {
    const browser = service.browser();
    const { data } = await beginLogin(browser, { returnTo: "/health" });
    await database.pool.query(
      "update internal.flows set expires_at = now() - interval '90 seconds' where id = $1",
      [data.id],
    );
    const late = await browser.call((api, cookie) => api.getLoginFlow({ id: data.id, cookie }));
    expect(late.status).toBe(410);
    expect(errorOf(late)).toMatchObject({
      id: "self_service_flow_expired",
      details: { redirect_to: "/api/.ory/self-service/login/browser?return_to=%2Fhealth" },
    });
    const sent = await sendLogin(browser, data);
    expect(sent.status).toBe(410);
    expect(errorOf(sent)).toMatchObject({ id: "self_service_flow_expired", code: 410, status: "Gone" });
    const { use_flow_id } = sent.data as unknown as { use_flow_id: string };
    const fresh = await browser.call((api, cookie) => api.getLoginFlow({ id: use_flow_id, cookie }));
    expect(fresh.status).toBe(200);
    expect(messagesOf(fresh.data)).toEqual({ "": [4010001] });
    expect(fresh.data.return_to).toBe("/health");
    expect((await sendLogin(browser, fresh.data)).status).toBe(200);
  });

  it("does not know flows of another kind, of no form, or never begun", async () => {
    const browser = service.browser();
    const { data } = await beginLogin(browser);
    for (const id of ["00000000-0000-4000-8000-000000000000", "x", "' or true --"]) {
      const answer = await browser.call((api, cookie) => api.getLoginFlow({ id, cookie }));
      expect(answer.status).toBe(404);
    }
    const other = await browser.call((api, cookie) => api.getRegistrationFlow({ id: data.id, cookie }));
    expect(other.status).toBe(404);
  });

  it.each([
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "/..//evil.example",
    "http:/evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "http://127.0.0.1@evil.example/",
  ])("forbids the return_to %j", async (returnTo) => {
    const answer = await beginLogin(service.browser(), { returnTo });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).id).toBe("self_service_flow_return_to_forbidden");
  });

  it("slows guessing down per account and client, says how long, and lets others in", async () => {
    const client = "192.0.2.7";
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(
        messagesOf((await signIn(service.browser(), { password: "guess", client })).data as never),
      ).toEqual({
        "": [4000006],
      });
    const sixth = (await signIn(service.browser(), { client })).data as unknown as LoginFlow;
    expect(messagesOf(sixth)).toEqual({ "": [4000001] });
    expect(sixth.ui.messages?.[0]?.text).toMatch(/^Too many attempts\. Please try again in 1[45] minutes\.$/);
    expect((await signIn(service.browser(), { client: "192.0.2.8" })).status).toBe(200);
    const elsewhere = await startIdentity(database.pool);
    try {
      const other = elsewhere.browser();
      const held = await signIn(other, { client });
      expect(messagesOf(held.data as never)).toEqual({ "": [4000001] });
    } finally {
      await elsewhere.close();
    }
  });

  it("judges no more than the limit of a burst that comes at once", async () => {
    const client = "192.0.2.9";
    const burst = await Promise.all(
      Array.from({ length: 12 }, () => signIn(service.browser(), { password: "guess", client })),
    );
    const judged = burst.filter(({ data }) => messagesOf(data as never)[""]?.[0] === 4000006);
    expect(judged.length).toBeLessThanOrEqual(5);
  });

  it("stops one client that tries many accounts", async () => {
    const client = "192.0.2.10";
    for (let n = 0; n < 50; n += 1)
      expect(await service.identity.passwordLogin(`nobody${n}@example.org`, "guess", client)).toEqual({
        refused: "credentials",
      });
    const { data } = await signIn(service.browser(), { client });
    expect(messagesOf(data as never)).toEqual({ "": [4000001] });
  });
});

describe("leaving", () => {
  it("ends the session by its own token only", async () => {
    const browser = service.browser();
    await signIn(browser);
    const begun = await browser.call((api, cookie) =>
      api.createBrowserLogoutFlow({ cookie, returnTo: "/health" }),
    );
    expect(begun.data.logout_url).toBe(
      `/api/.ory/self-service/logout?token=${begun.data.logout_token}&return_to=%2Fhealth`,
    );
    const wrong = await browser.call((api, cookie) => api.updateLogoutFlow({ token: "guess", cookie }));
    expect(wrong.status).toBe(403);
    expect((await whoami(browser)).status).toBe(200);
    const token = browser.jar.get("ory_kratos_session") ?? "";
    const done = await browser.call((api, cookie) =>
      api.updateLogoutFlow({ token: begun.data.logout_token, cookie }),
    );
    expect(done.status).toBe(204);
    expect(browser.jar.has("ory_kratos_session")).toBe(false);
    expect(await service.identity.sessionOf(token)).toBeNull();
    const nobody = await browser.call((api, cookie) => api.createBrowserLogoutFlow({ cookie }));
    expect([nobody.status, errorOf(nobody).id]).toEqual([401, "session_inactive"]);
    const session = await whoami(browser);
    expect(session.status).toBe(401);
    expect(errorOf(session)).toEqual({
      id: "session_inactive",
      code: 401,
      status: "Unauthorized",
      reason: "No valid session cookie found.",
      message: "The request could not be authorized",
    });
  });

  it("ends with the identity: inactive cannot stay nor come back, deleted is gone with its roles", async () => {
    await service.identity.createAdmin("leaver@example.org", PASSWORD);
    const as = { identifier: "leaver@example.org" };
    const browser = service.browser();
    await signIn(browser, as);
    const { data } = await whoami(browser);
    const id = data.identity?.id;
    await database.pool.query("update identities set state = 'inactive' where id = $1", [id]);
    expect((await whoami(browser)).status).toBe(401);
    const refused = await signIn(service.browser(), as);
    expect(messagesOf(refused.data as never)).toEqual({ "": [4000001] });
    await database.pool.query("update identities set state = 'active' where id = $1", [id]);
    expect((await whoami(browser)).status).toBe(401);
    const back = service.browser();
    expect((await signIn(back, as)).status).toBe(200);
    await database.pool.query("delete from identities where id = $1", [id]);
    expect((await whoami(back)).status).toBe(401);
    const { rows } = await database.pool.query(
      `select deleted_at is not null as gone, (select count(*)::int from internal.role_grants where person_id = p.id) as roles
       from people p where id = $1`,
      [id],
    );
    expect(rows).toEqual([{ gone: true, roles: 0 }]);
  });
});

describe("settings", () => {
  const begin = (browser: TestBrowser) =>
    browser.call((api, cookie) => api.createBrowserSettingsFlow({ cookie, returnTo: "/health" }));
  const send = (browser: TestBrowser, flow: SettingsFlow, password: string) =>
    browser.call((api, cookie) =>
      api.updateSettingsFlow({
        flow: flow.id,
        cookie,
        updateSettingsFlowBody: { method: "password", password, csrf_token: valueOf(flow, "csrf_token") },
      }),
    );

  it("changes the password, ends the other sessions and needs a recent sign-in", async () => {
    const email = "changer@example.org";
    await service.identity.createAdmin(email, PASSWORD);
    const nobody = await begin(service.browser());
    expect([nobody.status, errorOf(nobody).id]).toEqual([401, "session_inactive"]);

    const [here, there] = [service.browser(), service.browser()];
    await signIn(here, { identifier: email });
    await signIn(there, { identifier: email });
    const { data: flow } = await begin(here);
    expect(flow.identity.traits).toMatchObject({ email });
    const foreign = await there.call((api) => api.getSettingsFlow({ id: flow.id, cookie: there.cookie() }));
    expect(foreign.status).toBe(403);
    expect(messagesOf((await send(here, flow, "short")).data)).toEqual({ password: [4000032] });

    const id = flow.identity.id;
    const age =
      "update internal.sessions set authenticated_at = now() - interval '16 minutes' where identity_id = $1";
    await database.pool.query(age, [id]);
    const old = await send(here, flow, "a better password");
    expect(old.status).toBe(403);
    expect(errorOf(old).id).toBe("session_refresh_required");
    expect((old.data as unknown as { redirect_browser_to: string }).redirect_browser_to).toBe(
      `/api/.ory/self-service/login/browser?refresh=true&return_to=${encodeURIComponent(`/profile-settings?flow=${flow.id}`)}`,
    );
    const { data: confirm } = await beginLogin(here, { refresh: true });
    await sendLogin(here, confirm, { identifier: email });

    const saved = await send(here, flow, "a better password");
    expect(saved.status).toBe(200);
    expect(saved.data.state).toBe("success");
    expect(messagesOf(saved.data)).toEqual({ "": [1050001] });
    expect((await whoami(here)).status).toBe(200);
    expect((await whoami(there)).status).toBe(401);
    expect((await signIn(service.browser(), { identifier: email })).status).toBe(400);
    expect(
      (await signIn(service.browser(), { identifier: email, password: "a better password" })).status,
    ).toBe(200);
  });

  it("is not for another identity", async () => {
    const [mine, theirs] = [service.browser(), service.browser()];
    await service.identity.createAdmin("second@example.org", PASSWORD);
    await signIn(mine);
    const { data: flow } = await begin(mine);
    await signIn(theirs, { identifier: "second@example.org" });
    for (const [name, value] of mine.jar) if (name.startsWith("csrf_token_")) theirs.jar.set(name, value);
    const look = await theirs.call((api, cookie) => api.getSettingsFlow({ id: flow.id, cookie }));
    expect([look.status, errorOf(look).id]).toEqual([403, "security_identity_mismatch"]);
    const sent = await send(theirs, flow, "a better password");
    expect([sent.status, errorOf(sent).id]).toEqual([403, "security_identity_mismatch"]);
  });
});
