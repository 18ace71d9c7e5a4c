/** Recovery, verification and invitations: `@ory/client` over HTTP, real PostgreSQL, a real mail server. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { RecoveryFlow, RegistrationFlow, SettingsFlow, VerificationFlow } from "@ory/client";
import type { IdentityEvent } from "#server/identity/index.ts";
import {
  messagesOf,
  startIdentity,
  valueOf,
  type TestBrowser,
  type TestIdentity,
} from "#tests/support/identity.ts";
import { allTried, startMail, type TestMail } from "#tests/support/mail.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
const SITE = "https://pilothouse.example";
let database: TestDatabase;
let mail: TestMail;
let service: TestIdentity;
const noted: IdentityEvent[] = [];

beforeAll(async () => {
  [database, mail] = await Promise.all([createDatabase(), startMail()]);
  service = await startIdentity(database.pool, {
    publicUrl: SITE,
    secureCookies: false,
    smtp: mail.smtp,
    key: "a key of at least thirty-two characters",
    noteEvent: async (event) => void noted.push(event),
  });
  await service.identity.createAdmin(EMAIL, PASSWORD);
});
afterEach(async () => {
  await allTried(database.pool);
  mail.letters.length = 0;
  noted.length = 0;
  mail.state.deaf = false;
});
afterAll(async () => {
  await service.close();
  await mail.close();
  await database.drop();
});

const errorOf = (answer: { data: unknown }) =>
  (answer.data as { error: { id?: string; reason: string } }).error;
const namesOf = ({ ui }: Pick<RecoveryFlow, "ui">) =>
  ui.nodes.map(({ attributes }) => ("name" in attributes ? attributes.name : attributes.id));
const whoami = (browser: TestBrowser) => browser.call((api, cookie) => api.toSession({ cookie }));

async function signIn(browser: TestBrowser, identifier: string, password: string) {
  const { data: flow } = await browser.call((api, cookie) => api.createBrowserLoginFlow({ cookie }));
  const csrf_token = valueOf(flow, "csrf_token");
  return browser.call((api, cookie) =>
    api.updateLoginFlow({
      flow: flow.id,
      cookie,
      updateLoginFlowBody: { method: "password", identifier, password, csrf_token },
    }),
  );
}

const beginRecovery = (browser: TestBrowser) =>
  browser.call((api, cookie) => api.createBrowserRecoveryFlow({}, { headers: { cookie } }));
const sendRecovery = (browser: TestBrowser, flow: RecoveryFlow, body: { email?: string; code?: string }) =>
  browser.call((api, cookie) =>
    api.updateRecoveryFlow({
      flow: flow.id,
      cookie,
      updateRecoveryFlowBody: { method: "code", csrf_token: valueOf(flow, "csrf_token"), ...body } as never,
    }),
  );
const beginVerification = (browser: TestBrowser) =>
  browser.call((api, cookie) => api.createBrowserVerificationFlow({}, { headers: { cookie } }));
const sendVerification = (
  browser: TestBrowser,
  flow: VerificationFlow,
  body: { email?: string; code?: string },
) =>
  browser.call((api, cookie) =>
    api.updateVerificationFlow({
      flow: flow.id,
      cookie,
      updateVerificationFlowBody: {
        method: "code",
        csrf_token: valueOf(flow, "csrf_token"),
        ...body,
      } as never,
    }),
  );
const sendSettings = (browser: TestBrowser, flow: SettingsFlow, body: Record<string, unknown>) =>
  browser.call((api, cookie) =>
    api.updateSettingsFlow({
      flow: flow.id,
      cookie,
      updateSettingsFlowBody: { csrf_token: valueOf(flow, "csrf_token"), ...body } as never,
    }),
  );

/** A person of one's own, with a password. */
async function somebody(email: string) {
  await service.identity.createAdmin(email, PASSWORD);
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from identities where traits->>'email' = $1",
    [email],
  );
  return rows[0]!.id;
}

describe("recovery by code", () => {
  it("mails a code, which opens a privileged session and a settings flow, once", async () => {
    const email = "grace@example.org";
    const id = await somebody(email);
    const browser = service.browser();
    const { status, data: begun } = await beginRecovery(browser);
    expect(status).toBe(200);
    expect([begun.state, namesOf(begun)]).toEqual(["choose_method", ["csrf_token", "email", "method"]]);
    const { data: sent } = await sendRecovery(browser, begun, { email: " Grace@Example.org " });
    expect(sent.state).toBe("sent_email");
    expect(messagesOf(sent)).toEqual({ "": [1060003] });
    expect(namesOf(sent)).toEqual(["csrf_token", "code", "method", "email"]);
    const { raw } = await mail.next(email);
    expect(raw).toContain("Subject: Recover access to your account");
    expect(raw).toContain("text/html");

    const code = await mail.code(email);
    await vi.waitFor(async () => {
      // The letter is here a moment before the courier has written down that it was sent.
      const { rows: kept } = await database.pool.query(
        "select t::text as row from internal.flow_codes t union all select t::text from internal.courier_messages t",
      );
      expect(kept).not.toEqual([]);
      expect(JSON.stringify(kept)).not.toContain(code);
    });

    const proved = await sendRecovery(browser, sent, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect([proved.status, errorOf(proved).id]).toEqual([422, "browser_location_change_required"]);
    const to = (proved.data as unknown as { redirect_browser_to: string }).redirect_browser_to;
    expect(to).toMatch(new RegExp(`^${SITE}/profile-settings\\?flow=`));
    const session = await whoami(browser);
    expect(session.data).toMatchObject({
      authenticator_assurance_level: "aal1",
      authentication_methods: [{ method: "code_recovery", aal: "aal1" }],
      identity: { id, verifiable_addresses: [{ value: email, verified: true, status: "completed" }] },
    });

    const { data: settings } = await browser.call((api, cookie) =>
      api.getSettingsFlow({ id: new URL(to).searchParams.get("flow") ?? "", cookie }),
    );
    expect(messagesOf(settings)).toEqual({ "": [1060001] });
    const saved = await sendSettings(browser, settings, {
      method: "password",
      password: "a better password",
    });
    expect(saved.data.state).toBe("success");
    expect((await signIn(service.browser(), email, "a better password")).status).toBe(200);
    expect(noted.filter(({ action }) => action !== "registration").map(({ action }) => action)).toEqual([
      "recovery",
      "sign-in",
      "settings-change",
      "sign-in",
    ]);

    const again = await sendRecovery(browser, sent, { code });
    expect(again.status).toBe(403); // another person's CSRF token by now
  });

  it("answers an unknown address like a known one, and sends it nothing", async () => {
    const answers = [];
    for (const email of [EMAIL, "nobody@example.org"]) {
      const browser = service.browser();
      const { data: begun } = await beginRecovery(browser);
      const { status, data } = await sendRecovery(browser, begun, { email });
      const wrong = await sendRecovery(browser, data, { code: "000000" });
      answers.push([
        status,
        JSON.stringify([data.ui.messages, namesOf(data), data.state]),
        wrong.status,
        messagesOf(wrong.data),
      ]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[3]).toEqual({ "": [4060006] });
    await mail.next(EMAIL);
    await service.identity.tendMail();
    expect(mail.letters.map(({ to }) => to)).toEqual([[EMAIL]]);
  });

  it("bears five wrong codes in a flow, also with a code sent again; then not even the right one", async () => {
    const email = "alan@example.org";
    await somebody(email);
    const browser = service.browser();
    const { data: begun } = await beginRecovery(browser);
    const { data: sent } = await sendRecovery(browser, begun, { email });
    const first = await mail.code(email);
    const wrong = first === "123456" ? "654321" : "123456";
    for (let tries = 0; tries < 4; tries += 1)
      expect(messagesOf((await sendRecovery(browser, sent, { code: wrong })).data)).toEqual({
        "": [4060006],
      });
    // The button says which address; what is posted in its place is not believed.
    await sendRecovery(browser, sent, { email: EMAIL });
    const second = await mail.code(email, 1);
    const old = await sendRecovery(browser, sent, { code: first === second ? wrong : first });
    expect(messagesOf(old.data)).toEqual({ "": [4060006] });
    const late = await sendRecovery(browser, sent, { code: second });
    expect(late.status).toBe(400);
    expect(late.data.ui.messages?.[0]?.text).toContain("too often");
    expect((await whoami(browser)).status).toBe(401);
  });

  it("spends a code once, however many come at once", async () => {
    const email = "kurt@example.org";
    await somebody(email);
    const browser = service.browser();
    const { data: begun } = await beginRecovery(browser);
    const { data: sent } = await sendRecovery(browser, begun, { email });
    const code = await mail.code(email);
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendRecovery(browser, sent, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 400, 400, 422]);
    const { rows } = await database.pool.query(
      "select count(*)::int as n from internal.sessions s join identities i on i.id = s.identity_id where i.traits->>'email' = $1",
      [email],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it("is over after a quarter of an hour, and nothing for who is inactive or signed in", async () => {
    const email = "emmy@example.org";
    const id = await somebody(email);
    const browser = service.browser();
    const { data: begun } = await beginRecovery(browser);
    const { data: sent } = await sendRecovery(browser, begun, { email });
    const code = await mail.code(email);
    await database.pool.query("update internal.flow_codes set expires_at = now() where flow_id = $1", [
      begun.id,
    ]);
    expect(messagesOf((await sendRecovery(browser, sent, { code })).data)).toEqual({ "": [4060006] });

    await service.identity.setState(id, "inactive", null);
    const { data: another } = await beginRecovery(browser);
    await sendRecovery(browser, another, { email });
    await service.identity.tendMail();
    expect(mail.letters).toHaveLength(1);

    const inside = service.browser();
    await signIn(inside, EMAIL, PASSWORD);
    const answer = await beginRecovery(inside);
    expect([answer.status, errorOf(answer).id]).toEqual([400, "session_already_available"]);
  });

  it("says what is wrong with what was typed", async () => {
    const browser = service.browser();
    const { data: flow } = await beginRecovery(browser);
    expect(messagesOf((await sendRecovery(browser, flow, { email: "no address" })).data)).toEqual({
      email: [4000040],
    });
    expect(messagesOf((await sendRecovery(browser, flow, {})).data)).toEqual({ email: [4000002] });
    const { data: sent } = await sendRecovery(browser, flow, { email: "somewhere@example.org" });
    expect(messagesOf((await sendRecovery(browser, sent, {})).data)).toEqual({ code: [4000002] });
    const late = await browser.call((api, cookie) => {
      service.later(11);
      return api.updateRecoveryFlow({
        flow: flow.id,
        cookie,
        updateRecoveryFlowBody: { method: "code", csrf_token: valueOf(flow, "csrf_token"), email: EMAIL },
      } as never);
    });
    service.later(-11);
    expect([late.status, errorOf(late).id]).toEqual([410, "self_service_flow_expired"]);
    const fresh = (late.data as unknown as { use_flow_id: string }).use_flow_id;
    const { data: replaced } = await browser.call((api, cookie) =>
      api.getRecoveryFlow({ id: fresh, cookie }),
    );
    expect(messagesOf(replaced)).toEqual({ "": [4060005] });
    expect(namesOf(replaced)).toEqual(["csrf_token", "email", "method"]);
  });

  it("is a redirect for a browser without scripts", async () => {
    const email = "sofia@example.org";
    await somebody(email);
    const browser = service.browser();
    const begun = await browser.visit("/self-service/recovery/browser");
    const id = new URL(begun.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const { data: flow } = await browser.call((api, cookie) => api.getRecoveryFlow({ id, cookie }));
    const path = `/self-service/recovery?flow=${id}`;
    const form = { method: "code", csrf_token: valueOf(flow, "csrf_token") };
    const sent = await browser.visit(path, { ...form, email });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `${SITE}/recovery?flow=${id}`]);
    const done = await browser.visit(path, { ...form, code: await mail.code(email) });
    expect(done.status).toBe(303);
    expect(done.headers.get("location")).toMatch(/\/profile-settings\?flow=/);
  });
});

describe("verification", () => {
  it("can be asked for by anybody, tells nobody who has an account, and needs the right code", async () => {
    const shown = [];
    for (const email of [EMAIL, "nobody@example.org"]) {
      const browser = service.browser();
      const { data: begun } = await beginVerification(browser);
      const { data: sent } = await sendVerification(browser, begun, { email });
      const wrong = await sendVerification(browser, sent, { code: "000000" });
      shown.push([messagesOf(sent), namesOf(sent), messagesOf(wrong.data)]);
    }
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]?.[2]).toEqual({ "": [4070006] });
  });
});

describe("the profile", () => {
  it("changes the name at any time and the address soon after signing in; then it is unverified", async () => {
    const [email, another] = ["emil@example.org", "emil.noether@example.org"];
    const id = await somebody(email);
    const browser = service.browser();
    await signIn(browser, email, PASSWORD);
    await database.pool.query(
      "insert into internal.verified_addresses (identity_id, address, verified_at) values ($1, $2, now())",
      [id, email],
    );
    const { data: flow } = await browser.call((api, cookie) => api.createBrowserSettingsFlow({ cookie }));
    expect([...new Set(flow.ui.nodes.map(({ group }) => group))].slice(0, 3)).toEqual([
      "default",
      "profile",
      "password",
    ]);
    await database.pool.query(
      "update internal.sessions set authenticated_at = now() - interval '16 minutes' where identity_id = $1",
      [id],
    );
    const name = { first: " Emil ", last: "Noether" };
    const named = await sendSettings(browser, flow, { method: "profile", traits: { email, name } });
    expect(named.status).toBe(200);
    expect(named.data.identity.traits).toEqual({ email, name: { first: "Emil", last: "Noether" } });

    const traits = { email: another, name: { first: "Emil", last: "" } };
    const late = await sendSettings(browser, flow, { method: "profile", traits });
    expect([late.status, errorOf(late).id]).toEqual([403, "session_refresh_required"]);
    const { data: kept } = await browser.call((api, cookie) => api.getSettingsFlow({ id: flow.id, cookie }));
    expect(valueOf(kept as never, "traits.email")).toBe(another);

    await database.pool.query(
      "update internal.sessions set authenticated_at = now() where identity_id = $1",
      [id],
    );
    const taken = await sendSettings(browser, flow, { method: "profile", traits: { email: EMAIL } });
    expect(messagesOf(taken.data)).toEqual({ "traits.email": [4000007] });
    const moved = await sendSettings(browser, flow, { method: "profile", traits });
    expect(moved.data.identity).toMatchObject({
      traits: { email: another, name: { first: "Emil" } },
      verifiable_addresses: [{ value: another, verified: false, status: "pending" }],
    });
    expect(moved.data.continue_with).toMatchObject([
      { action: "show_verification_ui", flow: { verifiable_address: another } },
    ]);
    expect(await mail.code(another)).toMatch(/^\d{6}$/);
    expect((await signIn(service.browser(), email, PASSWORD)).status).toBe(400);
    expect((await signIn(service.browser(), another, PASSWORD)).status).toBe(200);
    const { rows } = await database.pool.query("select name, email from people where id = $1", [id]);
    expect(rows).toEqual([{ name: "Emil", email: another }]);
  });
});

describe("invitations", () => {
  const open = (browser: TestBrowser, link: string) =>
    browser.call((api) =>
      api.createBrowserRegistrationFlow({}, { params: { setup: new URL(link).searchParams.get("setup") } }),
    );
  const register = (browser: TestBrowser, flow: RegistrationFlow, more: object = {}) =>
    browser.call((api, cookie) =>
      api.updateRegistrationFlow({
        flow: flow.id,
        cookie,
        updateRegistrationFlowBody: {
          method: "password",
          password: PASSWORD,
          traits: { name: { first: "Rosa", last: "Parks" } },
          csrf_token: valueOf(flow, "csrf_token"),
          ...more,
        },
      } as never),
    );

  it("mail a link that gives the account its password, once, with the address verified", async () => {
    const email = "rosa@example.org";
    const invited = await service.identity.invite({ email, first: "Rosa", role: "editor", invitedBy: null });
    if ("refused" in invited) throw new Error(invited.refused);
    expect(invited).toMatchObject({
      mailed: true,
      link: expect.stringMatching(`^${SITE}/registration\\?setup=`),
    });
    expect(await mail.link(email)).toBe(invited.link);
    expect((await mail.next(email)).raw).toContain("Subject: User Invite");
    expect(await service.identity.invite({ email: "ROSA@example.org", invitedBy: null })).toEqual({
      refused: "exists",
    });
    expect(await service.identity.invite({ email: "rosa", invitedBy: null })).toEqual({ refused: "email" });
    expect(await service.identity.pendingInvitations()).toMatchObject([
      { id: invited.id, email, first: "Rosa", mailed: true },
    ]);
    expect((await signIn(service.browser(), email, "")).status).toBe(400);

    const browser = service.browser();
    const { data: flow } = await open(browser, invited.link);
    expect(valueOf(flow as never, "traits.email")).toBe(email);
    expect(flow.ui.nodes[1]?.attributes).toMatchObject({ name: "traits.email", disabled: true });
    const { status, data } = await register(browser, flow, {
      traits: { email: "mallory@example.org", name: { first: "Rosa", last: "Parks" } },
    });
    expect(status).toBe(200);
    expect(data.identity).toMatchObject({
      id: invited.id,
      traits: { email, name: { first: "Rosa", last: "Parks" } },
      verifiable_addresses: [{ verified: true }],
    });
    expect(data.continue_with).toEqual([{ action: "redirect_browser_to", redirect_browser_to: `${SITE}/` }]);
    const person = await service.identity.sessionOf(browser.jar.get("ory_kratos_session") ?? "");
    expect(person).toMatchObject({ personId: invited.id, roles: ["editor"] });
    expect(await service.identity.pendingInvitations()).toEqual([]);
    const again = await open(service.browser(), invited.link);
    expect([again.status, errorOf(again).id]).toEqual([400, "self_service_flow_disabled"]);
  });

  it("are spent by one of two at once, voided by another link, taken back, and over after a week", async () => {
    const invited = await service.identity.invite({ email: "two@example.org", invitedBy: null });
    if ("refused" in invited) throw new Error(invited.refused);
    const resent = await service.identity.resendInvitation(invited.id, null);
    expect((await open(service.browser(), invited.link)).status).toBe(400);
    const browsers = [service.browser(), service.browser(), service.browser()];
    const flows = await Promise.all(browsers.map((browser) => open(browser, resent?.link ?? "")));
    const answers = await Promise.all(browsers.map((browser, n) => register(browser, flows[n]!.data)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await service.identity.resendInvitation(invited.id, null)).toBeNull();
    expect(await service.identity.revokeInvitation(invited.id, null)).toBe(false);

    const other = await service.identity.invite({ email: "three@example.org", invitedBy: null });
    if ("refused" in other) throw new Error(other.refused);
    service.later(8 * 1440);
    expect((await open(service.browser(), other.link)).status).toBe(400);
    service.later(-8 * 1440);
    expect((await open(service.browser(), other.link)).status).toBe(200);
    expect(await service.identity.revokeInvitation(other.id, null)).toBe(true);
    expect((await open(service.browser(), other.link)).status).toBe(400);
    const { rows } = await database.pool.query(
      "select deleted_at is not null as gone from people where id = $1",
      [other.id],
    );
    expect(rows).toEqual([{ gone: true }]);
  });

  it("make changes that act at once: deactivated, removed, renamed, a session ended", async () => {
    const email = "hedy@example.org";
    const id = await somebody(email);
    const [one, two] = [service.browser(), service.browser()];
    await signIn(one, email, PASSWORD);
    await signIn(two, email, PASSWORD);
    const sessions = await service.identity.sessionsOf(id);
    expect(sessions).toHaveLength(2);
    expect(await service.identity.endSession(await somebody("x@example.org"), sessions[0]!.id, null)).toBe(
      false,
    );
    expect(await service.identity.endSession(id, sessions[0]!.id, null)).toBe(true);
    expect([(await whoami(one)).status, (await whoami(two)).status].sort()).toEqual([200, 401]);
    expect(await service.identity.updateIdentity(id, { email: EMAIL }, null)).toEqual({ refused: "exists" });
    expect(await service.identity.updateIdentity(id, { email: "x" }, null)).toEqual({ refused: "email" });
    expect(await service.identity.updateIdentity("nobody", {}, null)).toEqual({ refused: "unknown" });
    expect(await service.identity.updateIdentity(id, { last: "Lamarr" }, null)).toMatchObject({
      traits: { email, name: { first: "Admin", last: "Lamarr" } },
    });
    expect(await service.identity.setState(id, "inactive", null)).toBe(true);
    expect(await service.identity.sessionsOf(id)).toEqual([]);
    expect(await service.identity.remove(id, null)).toBe(true);
    expect(await service.identity.remove(id, null)).toBe(false);
  });
});

describe("sessions of one's own", () => {
  it("are listed without the present one, ended one by one or all others, and never somebody else's", async () => {
    const email = "three.browsers@example.org";
    await somebody(email);
    const browsers = [service.browser(), service.browser(), service.browser()] as const;
    for (const browser of browsers) await signIn(browser, email, PASSWORD);
    const [here, there] = browsers;
    const { data: others } = await here.call((api, cookie) => api.listMySessions({ cookie }));
    expect(others).toHaveLength(2);
    const own = (await whoami(here)).data.id;
    expect(others.map(({ id }) => id)).not.toContain(own);
    const id = (await whoami(there)).data.id;
    const foreign = service.browser();
    await signIn(foreign, EMAIL, PASSWORD);
    const disable = (browser: TestBrowser, session: string) =>
      browser.call((api, cookie) => api.disableMySession({ id: session, cookie }));
    expect((await disable(foreign, id)).status).toBe(404);
    expect((await disable(here, own)).status).toBe(400);
    expect((await disable(here, id)).status).toBe(204);
    expect((await whoami(there)).status).toBe(401);
    const ended = await here.call((api, cookie) => api.disableMyOtherSessions({ cookie }));
    expect([ended.status, ended.data]).toEqual([200, { count: 1 }]);
    expect((await whoami(here)).status).toBe(200);
    expect((await service.browser().call((api) => api.listMySessions())).status).toBe(401);
  });

  it("survive a restart, and are known to every control plane", async () => {
    const browser = service.browser();
    await signIn(browser, EMAIL, PASSWORD);
    const token = browser.jar.get("ory_kratos_session") ?? "";
    const other = await startIdentity(database.pool);
    try {
      expect(await other.identity.sessionOf(token)).toMatchObject({ email: EMAIL });
    } finally {
      await other.close();
    }
  });

  it("keep the earlier proofs when they are confirmed, under another token", async () => {
    const browser = service.browser();
    await signIn(browser, EMAIL, PASSWORD);
    const before = [(await whoami(browser)).data.id, browser.jar.get("ory_kratos_session")];
    const { data: flow } = await browser.call((api, cookie) =>
      api.createBrowserLoginFlow({ cookie, refresh: true }),
    );
    await browser.call((api, cookie) =>
      api.updateLoginFlow({
        flow: flow.id,
        cookie,
        updateLoginFlowBody: {
          method: "password",
          identifier: EMAIL,
          password: PASSWORD,
          csrf_token: valueOf(flow, "csrf_token"),
        },
      }),
    );
    const { data: after } = await whoami(browser);
    expect(after.id).toBe(before[0]);
    expect(browser.jar.get("ory_kratos_session")).not.toBe(before[1]);
    expect(after.authentication_methods).toHaveLength(1);
  });
});

describe("the courier", () => {
  it("keeps what a mail server does not take and sends it later; gives up what is too late; keeps no body", async () => {
    mail.state.deaf = true;
    const invited = await service.identity.invite({ email: "later@example.org", invitedBy: null });
    if ("refused" in invited) throw new Error(invited.refused);
    await expect.poll(() => service.observed.at(-1)).toMatchObject({ kind: "warning" });
    expect(JSON.stringify(service.observed)).not.toContain(new URL(invited.link).searchParams.get("setup"));
    expect(mail.letters).toEqual([]);
    mail.state.deaf = false;
    expect(await service.identity.tendMail()).toEqual({ sent: 0, abandoned: 0 });
    service.later(5);
    expect(await service.identity.tendMail()).toEqual({ sent: 1, abandoned: 0 });
    service.later(-5);
    expect(await mail.link("later@example.org")).toBe(invited.link);

    mail.state.deaf = true;
    await service.identity.invite({ email: "never@example.org", invitedBy: null });
    await expect.poll(() => service.observed.at(-1)).toMatchObject({ kind: "warning" });
    service.later(8 * 1440);
    expect(await service.identity.tendMail()).toEqual({ sent: 0, abandoned: 1 });
    service.later(-8 * 1440);
    const { rows } = await database.pool.query(
      "select status, body_text, body_html from internal.courier_messages where recipient in ('later@example.org', 'never@example.org') order by recipient",
    );
    expect(rows).toEqual([
      { status: "sent", body_text: null, body_html: null },
      { status: "abandoned", body_text: null, body_html: null },
    ]);
  });
});

describe("without a mail server", () => {
  it("says so, and gives the link to whoever invites", async () => {
    const silent = await startIdentity(database.pool);
    try {
      const browser = silent.browser();
      const { data: flow } = await beginRecovery(browser);
      expect(namesOf(flow)).toEqual(["csrf_token"]);
      expect(flow.ui.messages?.[0]?.text).toContain("cannot send e-mail");
      const sent = await sendRecovery(browser, flow, { email: EMAIL });
      expect(sent.status).toBe(400);
      const invited = await silent.identity.invite({ email: "by.hand@example.org", invitedBy: null });
      if ("refused" in invited) throw new Error(invited.refused);
      expect(invited.mailed).toBe(false);
      const { data } = await browser.call((api) =>
        api.createBrowserRegistrationFlow({}, { params: { setup: invited.link.split("setup=")[1] } }),
      );
      const done = await browser.call((api, cookie) =>
        api.updateRegistrationFlow({
          flow: data.id,
          cookie,
          updateRegistrationFlowBody: {
            method: "password",
            password: PASSWORD,
            traits: {},
            csrf_token: valueOf(data, "csrf_token"),
          },
        }),
      );
      expect(done.data.identity.verifiable_addresses).toMatchObject([{ verified: false }]);
      const { rows } = await database.pool.query(
        "select count(*)::int as n from internal.courier_messages where recipient = 'by.hand@example.org'",
      );
      expect(rows).toEqual([{ n: 0 }]);
    } finally {
      await silent.close();
    }
  });
});
