/** Registration of strangers: what it asks, and that it tells nobody who has an account (docs/decisions/0104). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RegistrationFlow, UpdateVerificationFlowBody, VerificationFlow } from "@ory/client";
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

const OWNER = "ada@example.org";
const PASSWORD = "correct horse battery";
const SITE = "https://pilothouse.example";
const KEY = "a key of at least thirty-two characters";
let database: TestDatabase;
let mail: TestMail;
let service: TestIdentity;
let local: { name: string; value: string }[] = [];
const noted: IdentityEvent[] = [];

beforeAll(async () => {
  [database, mail] = await Promise.all([createDatabase(), startMail()]);
  service = await startIdentity(database.pool, {
    publicUrl: SITE,
    secureCookies: false,
    smtp: mail.smtp,
    key: KEY,
    noteEvent: async (event) => void noted.push(event),
    localProperties: async () => local,
  });
  await service.identity.createAdmin(OWNER, PASSWORD);
});
beforeEach(() => open());
afterEach(async () => {
  await database.pool.query("delete from properties");
  await database.pool.query("delete from internal.limits");
  await allTried(database.pool);
  mail.letters.length = 0;
  noted.length = 0;
  local = [];
});
afterAll(async () => {
  await service.close();
  await mail.close();
  await database.drop();
});

const open = (value = "true") =>
  database.pool.query("insert into properties (name, value) values ('identity.registration.open', $1)", [
    value,
  ]);
const close = () => database.pool.query("delete from properties");
const errorOf = (answer: { data: unknown }) =>
  (answer.data as { error: { id?: string; reason: string } }).error;
const begin = (browser: TestBrowser) =>
  browser.call((api, cookie) =>
    api.createBrowserRegistrationFlow({ returnTo: "/health" }, { headers: { cookie } }),
  );
const send = (browser: TestBrowser, flow: RegistrationFlow, traits: object, password = PASSWORD) =>
  browser.call((api, cookie) =>
    api.updateRegistrationFlow({
      flow: flow.id,
      cookie,
      updateRegistrationFlowBody: {
        method: "password",
        password,
        traits,
        csrf_token: valueOf(flow, "csrf_token"),
      },
    }),
  );
const look = async (browser: TestBrowser, id: string) =>
  (await browser.call((api, cookie) => api.getVerificationFlow({ id, cookie }))).data;
const verify = (browser: TestBrowser, flow: VerificationFlow, body: { code: string } | { email: string }) =>
  browser.call((api, cookie) =>
    api.updateVerificationFlow({
      flow: flow.id,
      cookie,
      updateVerificationFlowBody: {
        method: "code",
        csrf_token: valueOf(flow, "csrf_token"),
        ...body,
      } as UpdateVerificationFlowBody,
    }),
  );
const whoIsIn = (browser: TestBrowser) =>
  service.identity.sessionOf(browser.jar.get("ory_kratos_session") ?? "");
const accounts = async (email: string) =>
  (await database.pool.query("select id from identities where lower(traits ->> 'email') = $1", [email])).rows
    .length;

/** Registers, and answers the flow the code is typed into. */
async function register(browser: TestBrowser, email: string, name = { first: "Grace", last: "Hopper" }) {
  const { data: flow } = await begin(browser);
  const answer = await send(browser, flow, { email, name });
  const next = answer.data.continue_with?.[0];
  const id = next?.action === "show_verification_ui" ? next.flow.id : "";
  return { answer, flow: await look(browser, id) };
}

describe("registration", () => {
  it("is closed by default, with words", async () => {
    await close();
    const answer = await begin(service.browser());
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({
      id: "self_service_flow_disabled",
      reason: "Registration is not open. Ask an administrator for an account.",
    });
  });

  it.each(["true", " Enabled ", "ON"])("opens by the property with the value %j", async (value) => {
    await close();
    await open(value);
    expect((await begin(service.browser())).status).toBe(200);
  });

  it("follows a property that the installation lays down, before the database's", async () => {
    local = [{ name: "identity.registration.open", value: "false" }];
    expect((await begin(service.browser())).status).toBe(400);
    await close();
    local = [{ name: "identity.registration.open", value: "true" }];
    expect((await begin(service.browser())).status).toBe(200);
  });

  it("stays closed where no mail can prove an address, and says why", async () => {
    const mute = await startIdentity(database.pool);
    try {
      const answer = await begin(mute.browser());
      expect([answer.status, errorOf(answer).id]).toEqual([400, "self_service_flow_disabled"]);
      expect(errorOf(answer).reason).toContain("this installation cannot send e-mail");
    } finally {
      await mute.close();
    }
  });

  it("makes the account by the code from the mail, and not before: verified, signed in, without a role", async () => {
    const browser = service.browser();
    const { data: form } = await begin(browser);
    expect(form.ui.nodes.map(({ attributes }) => ("name" in attributes ? attributes.name : ""))).toEqual([
      "csrf_token",
      "traits.email",
      "traits.name.first",
      "traits.name.last",
      "password",
      "method",
    ]);
    const email = "grace@example.org";
    const { answer, flow } = await register(browser, "Grace@Example.org");
    expect([answer.status, answer.data.session]).toEqual([200, undefined]);
    expect(answer.data.identity.traits).toEqual({ email, name: { first: "Grace", last: "Hopper" } });
    expect(answer.data.continue_with).toMatchObject([
      { action: "show_verification_ui", flow: { verifiable_address: email } },
    ]);
    expect([flow.state, messagesOf(flow)]).toEqual(["sent_email", { "": [1080003] }]);
    expect([await whoIsIn(browser), await accounts(email)]).toEqual([null, 0]);
    expect(await service.identity.passwordLogin(email, PASSWORD)).toEqual({ refused: "credentials" });

    const code = await mail.code(email);
    const wrong = await verify(browser, flow, { code: code === "000000" ? "111111" : "000000" });
    expect(messagesOf(wrong.data)).toEqual({ "": [4070006] });
    const before = new Map(browser.jar);
    const done = await verify(browser, flow, { code });
    expect([done.status, done.data.state, messagesOf(done.data)]).toEqual([
      200,
      "passed_challenge",
      { "": [1080002] },
    ]);
    expect(done.data.ui.nodes.at(-1)?.attributes).toMatchObject({ node_type: "a", href: `${SITE}/health` });
    const person = await whoIsIn(browser);
    expect(person).toMatchObject({ name: "Grace Hopper", email, roles: [] });
    expect(person?.personId).toBe(answer.data.identity.id);
    const { data: session } = await browser.call((api, cookie) => api.toSession({ cookie }));
    expect(session.identity?.verifiable_addresses).toMatchObject([{ value: email, verified: true }]);
    expect(noted.map(({ action }) => action).slice(-3)).toEqual(["registration", "verification", "sign-in"]);

    // The CSRF token is another than before the sign-in, the flow is still this browser's, and over.
    const csrf = [...before].find(([name]) => name.startsWith("csrf_token_"));
    expect(browser.jar.get(csrf?.[0] ?? "")).not.toBe(csrf?.[1]);
    const again = await verify(browser, await look(browser, flow.id), { code });
    expect(messagesOf(again.data)).toEqual({ "": [4070002] });
    await database.pool.query(
      `update identities set traits = jsonb_set(traits, '{name,last}', '"Murray"') where id = $1`,
      [person?.personId],
    );
    expect((await whoIsIn(browser))?.name).toBe("Grace Murray");
  });

  it("works by plain form", async () => {
    const browser = service.browser();
    const begun = await browser.visit("/self-service/registration/browser?return_to=/health");
    const idOf = (response: Response) =>
      new URL(response.headers.get("location") ?? "").searchParams.get("flow") ?? "";
    const { data: flow } = await browser.call((api, cookie) =>
      api.getRegistrationFlow({ id: idOf(begun), cookie }),
    );
    const form = {
      method: "password",
      "traits.email": "plain@example.org",
      "traits.name.first": "Plain",
      "traits.name.last": "Form",
      password: "short",
      csrf_token: valueOf(flow, "csrf_token"),
    };
    const refused = await browser.visit(`/self-service/registration?flow=${flow.id}`, form);
    const { data: shown } = await browser.call((api, cookie) =>
      api.getRegistrationFlow({ id: idOf(refused), cookie }),
    );
    expect(messagesOf(shown)).toEqual({ password: [4000032] });
    expect(valueOf(shown, "traits.name.last")).toBe("Form");
    const sent = await browser.visit(`/self-service/registration?flow=${flow.id}`, {
      ...form,
      password: PASSWORD,
    });
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toMatch(new RegExp(`^${SITE}/verification\\?flow=`));
    const csrf_token = valueOf(await look(browser, idOf(sent)), "csrf_token");
    const code = await mail.code("plain@example.org");
    const path = `/self-service/verification?flow=${idOf(sent)}`;
    const done = await browser.visit(path, { method: "code", csrf_token, code });
    expect([done.status, done.headers.get("location")]).toEqual([303, sent.headers.get("location")]);
    expect(await whoIsIn(browser)).toMatchObject({ name: "Plain Form", roles: [] });
  });

  it("goes on waiting when the form expires, and sends another code", async () => {
    const browser = service.browser();
    const email = "late@example.org";
    const { flow } = await register(browser, email);
    service.later(11);
    const late = await verify(browser, flow, { code: await mail.code(email) });
    expect(late.status).toBe(410);
    const fresh = await look(browser, (late.data as unknown as { use_flow_id: string }).use_flow_id);
    const sent = await verify(browser, fresh, { email });
    expect(messagesOf(sent.data)).toEqual({ "": [1080003] });
    const done = await verify(browser, sent.data, { code: await mail.code(email, 1) });
    expect(done.data.state).toBe("passed_challenge");
    expect(await whoIsIn(browser)).toMatchObject({ email });
    service.later(-11);
  });

  it("sends another code to the same address, and the earlier is worth nothing", async () => {
    const browser = service.browser();
    const email = "again@example.org";
    const { flow } = await register(browser, email);
    const first = await mail.code(email);
    await verify(browser, flow, { email: "elsewhere@example.org" });
    const second = await mail.code(email, 1);
    if (first !== second)
      expect(messagesOf((await verify(browser, flow, { code: first })).data)).toEqual({ "": [4070006] });
    expect((await verify(browser, flow, { code: second })).data.state).toBe("passed_challenge");
  });

  it("makes one account of two that wait, and gives one code to one of many at once", async () => {
    const email = "twice@example.org";
    const [one, other] = [service.browser(), service.browser()];
    const first = await register(one, email);
    const second = await register(other, email);
    const code = await mail.code(email);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => verify(one, first.flow, { code: code })),
    );
    expect(answers.filter(({ data }) => data.state === "passed_challenge")).toHaveLength(1);
    const late = await verify(other, second.flow, { code: await mail.code(email, 1) });
    expect(messagesOf(late.data)).toEqual({ "": [4000007] });
    expect([await whoIsIn(other), await accounts(email)]).toEqual([null, 1]);
  });

  it("closes for forms and codes of while it was open", async () => {
    const browser = service.browser();
    const { data: flow } = await begin(browser);
    const { flow: waiting } = await register(browser, "closed@example.org");
    const code = await mail.code("closed@example.org");
    await close();
    const answer = await send(browser, flow, { email: "closed.too@example.org" });
    expect(errorOf(answer).id).toBe("self_service_flow_disabled");
    const late = await verify(browser, waiting, { code });
    expect(errorOf(late).id).toBe("self_service_flow_disabled");
    expect(await accounts("closed@example.org")).toBe(0);
  });

  it.each([
    [{ email: "" }, PASSWORD, { "traits.email": [4000002] }],
    [{ email: "no address" }, PASSWORD, { "traits.email": [4000040] }],
    [{ email: "a@b.c" }, "", { password: [4000002] }],
    [{ email: "a@b.c" }, "1234567", { password: [4000032] }],
    [{ email: "a@b.c" }, "x".repeat(1025), { password: [4000033] }],
    [{ email: "longname@b.c" }, "LongName@B.C", { password: [4000031] }],
    [{ email: "longname@b.c" }, "longname", { password: [4000031] }],
    [{ email: "a@b.c" }, "Password123", { password: [4000005] }],
    [{ email: "a@b.c", name: { first: "n".repeat(201) } }, PASSWORD, { "traits.name.first": [4000017] }],
  ])("refuses %j with a password like %j", async (traits, password, messages) => {
    const browser = service.browser();
    const { data: flow } = await begin(browser);
    const answer = await send(browser, flow, traits, password);
    expect(answer.status).toBe(400);
    expect(messagesOf(answer.data as never)).toEqual(messages);
  });
});

describe("an address that somebody has", () => {
  /** What is told of a visit: ids, times and the address itself are each time others. */
  const told = (value: unknown, email: string) =>
    JSON.stringify(value)
      .replaceAll(email, "ADDRESS")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/"name":"csrf_token"(.*?)"value":"[^"]+"/g, "CSRF");

  const rowsOf = async (table: string) =>
    (await database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]
      ?.count ?? 0;
  const TABLES = ["identities", "internal.flows", "internal.flow_codes", "internal.courier_messages"];
  const counted = () => Promise.all(TABLES.map(rowsOf));

  /** Everything a stranger sees of a registration, and how many rows it writes where. */
  async function attempt(email: string) {
    const browser = service.browser();
    const { data: form } = await begin(browser);
    const cookies = browser.cookie();
    const before = await counted();
    const answer = await send(browser, form, { email, name: { first: "Eve" } });
    const written = (await counted()).map((count, index) => count - (before[index] ?? 0));
    const next = answer.data.continue_with?.[0];
    const flow = await look(browser, next?.action === "show_verification_ui" ? next.flow.id : "");
    const wrong = [];
    for (let n = 0; n < 6; n += 1) wrong.push((await verify(browser, flow, { code: `00000${n}` })).data);
    const again = await verify(browser, flow, { email });
    const headers = Object.keys(answer.headers).sort();
    const seen = { status: answer.status, headers, body: answer.data, flow, wrong, again: again.data };
    return { told: told(seen, email), written, sameCookies: browser.cookie() === cookies };
  }

  it("answers, shows, writes and refuses like one that nobody has, whatever its account is like", async () => {
    await service.identity.createAdmin("inactive@example.org", PASSWORD);
    await database.pool.query(
      "update identities set state = 'inactive' where traits ->> 'email' = 'inactive@example.org'",
    );
    await service.identity.invite({ email: "invited@example.org", invitedBy: null });
    const free = await attempt("nobody@example.org");
    expect(free.written).toEqual([0, 0, 1, 1]); // the form's flow goes, the code's comes
    expect(free.sameCookies).toBe(true);
    expect(free.told).toContain("1080003");
    expect(free.told).toContain("4070006");
    for (const email of [OWNER, "inactive@example.org", "invited@example.org", "nobody@example.org"])
      expect(await attempt(email), email).toEqual(free);
  });

  it("tells its owner by mail, with the ways in, and no code opens anything", async () => {
    const browser = service.browser();
    const { flow } = await register(browser, "Ada@Example.org");
    const { raw } = await mail.next(OWNER);
    expect(raw).toContain("You have an account already");
    expect(raw).toContain(`${SITE}/login`);
    expect(raw).toContain(`${SITE}/recovery`);
    expect(raw).not.toMatch(/^\d{6}\r?$/m);
    const { data } = await verify(browser, flow, { code: "123456" });
    expect(messagesOf(data)).toEqual({ "": [4070006] });
    expect([await whoIsIn(browser), await accounts(OWNER)]).toEqual([null, 1]);
    expect(await service.identity.passwordLogin(OWNER, PASSWORD)).toHaveProperty("person");
  });

  it("gets no mail while its account is inactive, and as few as any other", async () => {
    await register(service.browser(), "inactive@example.org");
    for (let n = 0; n < 12; n += 1) {
      const browser = service.browser();
      const { data: flow } = await begin(browser);
      await send(browser, flow, { email: OWNER });
    }
    await mail.next(OWNER, 9);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(mail.letters.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, () => [OWNER]));
  });
});
