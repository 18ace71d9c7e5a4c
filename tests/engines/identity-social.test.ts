/** Accounts elsewhere in the built-in identity service, against a real provider: signing in, linking, and who is never joined. */
import type { LoginFlow, RegistrationFlow, SettingsFlow } from "@ory/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { IdentityEvent } from "#server/identity/index.ts";
import { appCode, outline, password, textOf } from "#tests/support/factors.ts";
import { startIdentity, valueOf, type TestBrowser, type TestIdentity } from "#tests/support/identity.ts";
import { CLIENT_ID, CLIENT_SECRET, newVisitor, startOidc, type TestProvider } from "#tests/support/oidc.ts";
import { misfits } from "#tests/support/ory-shapes.ts";
import { createAccount, PASSWORD } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const PUBLIC = "http://127.0.0.1:1";
const callbackOf = (id: string) => `/self-service/methods/oidc/callback/${id}`;
const PEOPLE = {
  lin: { name: "Lin Linked", email: "lin@example.com", email_verified: true },
  new: { given_name: "Nia", family_name: "New", email: "Nia@Example.com", email_verified: true },
  doubtful: { name: "Dee", email: "lin@example.com", email_verified: false },
  silent: { name: "Si" },
};
type AnyFlow = LoginFlow | RegistrationFlow | SettingsFlow;
let database: TestDatabase;
let provider: TestProvider;
let service: TestIdentity;
let lin: string;
const noted: IdentityEvent[] = [];

beforeAll(async () => {
  database = await createDatabase();
  const redirectUris = ["harbour", "wrong"].map((id) => `${PUBLIC}/api/.ory${callbackOf(id)}`);
  provider = await startOidc({ publicUrl: PUBLIC, people: PEOPLE, redirectUris });
  const harbour = {
    id: "harbour",
    label: "Harbour ID",
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scopes: "openid email profile",
  };
  const away = { ...harbour, id: "away", label: "Away", issuer: "http://127.0.0.1:1" };
  const wrong = { ...harbour, id: "wrong", label: "Wrong", clientSecret: "not the secret it knows" };
  service = await startIdentity(database.pool, {
    publicUrl: PUBLIC,
    social: [harbour, away, wrong],
    noteEvent: async (event) => void noted.push(event),
  });
}, 60_000);
afterAll(async () => {
  await service?.close();
  await provider?.stop();
  await database?.drop();
});
beforeEach(async () => {
  lin = await createAccount(database.pool, "lin@example.com", ["editor"]);
  noted.length = 0;
  service.observed.length = 0;
});
afterEach(async () => {
  await provider.forge(null);
  await database.pool.query("delete from identities");
  await database.pool.query("delete from people");
  await database.pool.query("delete from properties where name = 'identity.registration.open'");
  await database.pool.query("delete from internal.limits");
});

const openRegistration = () =>
  database.pool.query("insert into properties (name, value) values ('identity.registration.open', 'on')");
const links = async () =>
  (await database.pool.query("select person_id, provider, subject from internal.linked_accounts")).rows;

const loginOf = async (browser: TestBrowser, query: Record<string, boolean | string> = {}) =>
  (await browser.call<LoginFlow>((api, cookie) => api.createBrowserLoginFlow({ ...query, cookie }))).data;
const registrationOf = async (browser: TestBrowser, setup?: string) =>
  (
    await browser.call<RegistrationFlow>((api, cookie) =>
      api.createBrowserRegistrationFlow({}, { headers: { cookie }, params: setup ? { setup } : {} }),
    )
  ).data;
const settingsOf = async (browser: TestBrowser) =>
  (await browser.call<SettingsFlow>((api, cookie) => api.createBrowserSettingsFlow({ cookie }))).data;

/** The kind of a flow, by the address its form is sent to. */
const kindOf = ({ ui }: AnyFlow) => /self-service\/(\w+)/.exec(ui.action)?.[1] ?? "";
const again = async <Each extends AnyFlow>(browser: TestBrowser, flow: Each): Promise<Each> => {
  const { id } = flow;
  const asked = await browser.call<AnyFlow>((api, cookie): Promise<never> => {
    if (kindOf(flow) === "login") return api.getLoginFlow({ id, cookie }) as Promise<never>;
    if (kindOf(flow) === "settings") return api.getSettingsFlow({ id, cookie }) as Promise<never>;
    return api.getRegistrationFlow({ id, cookie }) as Promise<never>;
  });
  return asked.data as Each;
};
const words = ({ ui }: AnyFlow) => (ui.messages ?? []).map(({ id, text }) => `${id} ${text}`);
const buttons = ({ ui }: AnyFlow) =>
  ui.nodes.flatMap(({ group, attributes, meta }) =>
    group === "oidc" && attributes.node_type === "input"
      ? [
          `${attributes.name}=${String(attributes.value)} ${meta.label?.id} ${meta.label?.text}${attributes.disabled ? " (disabled)" : ""}`,
        ]
      : [],
  );

/** Presses a button of a flow; where it leads. */
async function press(browser: TestBrowser, flow: AnyFlow, name: string, value = "harbour") {
  const form = { csrf_token: valueOf(flow, "csrf_token"), [name]: value };
  const response = await browser.visit(`/self-service/${kindOf(flow)}?flow=${flow.id}`, form);
  expect(response.status).toBe(303);
  return response.headers.get("location")!;
}
/** At the provider as somebody, or nobody; the path of our callback it leads back to. */
async function answerOf(to: string, account: string): Promise<string> {
  const visitor = newVisitor();
  const asked = await visitor.go(to);
  const form = account ? { account, do: "sign-in" } : { account, do: "cancel" };
  let response = await visitor.visit(asked.url, { form });
  for (let at = response.headers.get("location")!; ; at = response.headers.get("location")!) {
    if (at.startsWith(PUBLIC)) return at.replace(`${PUBLIC}/api/.ory`, "");
    response = await visitor.visit(new URL(at, provider.issuer).href);
  }
}
/** The whole way there and back; where the browser is sent then. */
async function through(
  browser: TestBrowser,
  flow: AnyFlow,
  account: string,
  { name = "provider", at = "harbour" } = {},
) {
  const response = await browser.visit(await answerOf(await press(browser, flow, name, at), account));
  expect(response.status).toBe(303);
  return response.headers.get("location")!.replace(PUBLIC, "");
}
const sessionOf = async (browser: TestBrowser) =>
  (await browser.call((api, cookie) => api.toSession({ cookie }))).data;
const personOf = async (browser: TestBrowser) => (await sessionOf(browser)).identity?.id;
async function byPassword(
  browser: TestBrowser,
  { flow, email = "lin@example.com" }: { flow?: LoginFlow; email?: string } = {},
) {
  const begun = flow ?? (await loginOf(browser));
  const form = {
    method: "password",
    identifier: email,
    password: PASSWORD,
    csrf_token: valueOf(begun, "csrf_token"),
  };
  return (await browser.visit(`/self-service/login?flow=${begun.id}`, form)).headers.get("location");
}
/** Lin's browser, with her account at the provider linked. */
async function linked(): Promise<TestBrowser> {
  const browser = service.browser();
  await byPassword(browser);
  await through(browser, await settingsOf(browser), "lin", { name: "link" });
  return browser;
}

describe("signing in", () => {
  test("a button for each provider, as the public API names them", async () => {
    const flow = await loginOf(service.browser());
    expect(buttons(flow)).toEqual([
      "provider=harbour 1010002 Sign in with Harbour ID",
      "provider=away 1010002 Sign in with Away",
      "provider=wrong 1010002 Sign in with Wrong",
    ]);
    expect(misfits("LoginFlow", flow)).toEqual([]);
  });

  test("scripts are told where to go, browsers are sent", async () => {
    const browser = service.browser();
    const flow = await loginOf(browser);
    const csrf_token = valueOf(flow, "csrf_token");
    const answer = await browser.call((api, cookie) =>
      api.updateLoginFlow({
        flow: flow.id,
        cookie,
        updateLoginFlowBody: { method: "oidc", provider: "harbour", csrf_token },
      }),
    );
    expect(answer.status).toBe(422);
    const { error, redirect_browser_to: to } = answer.data as unknown as {
      error: { id: string };
      redirect_browser_to: string;
    };
    expect(error.id).toBe("browser_location_change_required");
    const { origin, searchParams } = new URL(to);
    expect(origin).toBe(provider.issuer);
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    expect(searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get("redirect_uri")).toBe(`${PUBLIC}/api/.ory${callbackOf("harbour")}`);
    // What the answer must fit stays here.
    const shown = JSON.stringify(await again(browser, flow));
    for (const name of ["state", "nonce"]) expect(shown).not.toContain(searchParams.get(name));
  });

  test("a linked account signs in, the session says how, and the audit is told", async () => {
    await linked();
    noted.length = 0;
    const browser = service.browser();
    const flow = await loginOf(browser, { returnTo: "/health?page=2" });
    expect(await through(browser, flow, "lin")).toBe("/health?page=2");
    const session = await sessionOf(browser);
    expect(session.identity?.id).toBe(lin);
    expect(session.authenticator_assurance_level).toBe("aal1");
    expect(session.authentication_methods?.map(({ method }) => method)).toEqual(["oidc"]);
    expect(noted).toMatchObject([{ action: "sign-in", personId: lin, method: "oidc" }]);
  });

  test("whoever has a second factor is asked for it before anything opens", async () => {
    const browser = await linked();
    const settings = await settingsOf(browser);
    const { text: secret } = textOf(settings, "totp_secret_key");
    const form = { method: "totp", totp_code: appCode(secret, new Date()) };
    const csrf_token = valueOf(settings, "csrf_token");
    await browser.visit(`/self-service/settings?flow=${settings.id}`, { ...form, csrf_token });
    const other = service.browser();
    const to = await through(other, await loginOf(other, { returnTo: "/health" }), "lin");
    expect(to).toMatch(/^\/api\/\.ory\/self-service\/login\/browser\?aal=aal2&return_to=/);
    expect(await sessionOf(other)).toMatchObject({ error: { id: "session_aal2_required" } });
  });

  test("an account that was disabled does not", async () => {
    await linked();
    await database.pool.query("update identities set state = 'inactive'");
    const browser = service.browser();
    const flow = await loginOf(browser);
    expect(await through(browser, flow, "lin")).toBe(`/login?flow=${flow.id}`);
    expect(words(await again(browser, flow))).toEqual(["4000001 This account was disabled."]);
    expect(await personOf(browser)).toBeUndefined();
  });

  test("nor one that was removed; whoever has it may come back as somebody new", async () => {
    await linked();
    await service.identity.remove(lin, null);
    expect(await links()).toEqual([]);
    await createAccount(database.pool, "boss@example.com", ["admin"]);
    await openRegistration();
    const browser = service.browser();
    expect(await through(browser, await loginOf(browser), "lin")).toBe("/");
    expect(await personOf(browser)).not.toBe(lin);
  });

  test.each([
    ["", "4000001 The sign-in with Harbour ID was cancelled."],
    [
      "new",
      "4000001 No account here belongs to this account at Harbour ID. Ask an administrator for an invitation.",
    ],
    [
      "silent",
      "4000001 Harbour ID sent no e-mail address that it has verified, so no account can be made of it.",
    ],
    [
      "doubtful",
      "4000001 Harbour ID sent no e-mail address that it has verified, so no account can be made of it.",
    ],
  ])("%j is told why not", async (account, sentence) => {
    const browser = service.browser();
    const flow = await loginOf(browser, { returnTo: "/health?page=2" });
    expect(await through(browser, flow, account)).toBe(
      `/login?flow=${flow.id}&return_to=${encodeURIComponent("/health?page=2")}`,
    );
    expect(words(await again(browser, flow))).toEqual([sentence]);
    expect(await personOf(browser)).toBeUndefined();
    expect(await links()).toEqual([]);
  });

  test("a provider that is away, refuses our secret, or is none: named, and the form stays", async () => {
    const browser = service.browser();
    const flow = await loginOf(browser);
    expect(await press(browser, flow, "provider", "away")).toBe(`${PUBLIC}/login?flow=${flow.id}`);
    expect(words(await again(browser, flow))).toEqual([
      "4000001 Away does not answer. Please try again in a moment.",
    ]);
    await press(browser, flow, "provider", "nobody");
    expect(words(await again(browser, flow))[0]).toMatch(/^4010002/);
    await through(browser, flow, "lin", { at: "wrong" });
    expect(words(await again(browser, flow))).toEqual([
      "4000001 Wrong refused the sign-in (invalid_client).",
    ]);
    expect(buttons(await again(browser, flow))).toHaveLength(3);
    const warnings = service.observed.filter(({ kind }) => kind === "warning");
    expect(warnings).toHaveLength(2); // whoever runs this reads why
    expect(JSON.stringify([warnings, noted])).not.toContain("not the secret it knows");
  });
});

describe("signing up", () => {
  test("where registration is open: by the sign-in or the registration page, its e-mail proved, no role", async () => {
    await openRegistration();
    const browser = service.browser();
    const flow = await registrationOf(browser);
    expect(buttons(flow)[0]).toBe("provider=harbour 1040002 Sign up with Harbour ID");
    expect(misfits("RegistrationFlow", flow)).toEqual([]);
    expect(await through(browser, flow, "new")).toBe("/");
    const id = await personOf(browser);
    const { rows } = await database.pool.query(
      `select p.name, p.email, v.address, (select count(*)::int from internal.role_grants where person_id = p.id) as roles
       from people p join internal.verified_addresses v on v.identity_id = p.id where p.id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { name: "Nia New", email: "nia@example.com", address: "nia@example.com", roles: 0 },
    ]);
    expect(noted.map(({ action }) => action)).toEqual(["registration", "sign-in"]);
    for (const begin of [loginOf, registrationOf]) {
      const other = service.browser();
      expect(await through(other, await begin(other), "new")).toBe("/");
      expect(await personOf(other)).toBe(id);
    }
    await service.identity.remove(id!, null);
    const third = service.browser();
    expect(await through(third, await loginOf(third), "new")).toBe("/");
  });

  test("somebody's e-mail makes no second account, and tells to sign in", async () => {
    await openRegistration();
    const browser = service.browser();
    const flow = await registrationOf(browser);
    expect(await through(browser, flow, "lin")).toBe(`/registration?flow=${flow.id}`);
    expect(words(await again(browser, flow))[0]).toMatch(/^4000027 .*sign in to your existing account/);
    expect(await links()).toEqual([]);
    expect(await personOf(browser)).toBeUndefined();
  });

  test("not before there is an administrator, who may be the first to sign up so, by the link", async () => {
    await openRegistration();
    await database.pool.query("delete from identities");
    const stranger = service.browser();
    const flow = await loginOf(stranger);
    await through(stranger, flow, "new");
    expect(words(await again(stranger, flow))[0]).toContain("No account here");
    const setup = new URL((await service.identity.setupLink()) ?? "").searchParams.get("setup") ?? "";
    const [browser, late] = [service.browser(), service.browser()];
    const [mine, theirs] = [await registrationOf(browser, setup), await registrationOf(late, setup)];
    expect(await through(browser, mine, "new")).toBe("/");
    const { rows } = await database.pool.query("select person_id, role from internal.role_grants");
    expect(rows).toEqual([{ person_id: await personOf(browser), role: "admin" }]);
    // The link is spent, for another account as well.
    await database.pool.query("delete from properties where name = 'identity.registration.open'");
    const answer = await late.visit(`/self-service/registration?flow=${theirs.id}`, {
      csrf_token: valueOf(theirs, "csrf_token"),
      provider: "harbour",
    });
    expect(answer.headers.get("location")).toContain("/error?id=");
  });

  test("by an invitation, whose account it becomes; a sign-in before says so", async () => {
    const invited = await service.identity.invite({
      email: "nia@example.com",
      first: "Nia",
      role: "viewer",
      invitedBy: lin,
    });
    if ("refused" in invited) throw new Error(invited.refused);
    const browser = service.browser();
    const login = await loginOf(browser);
    await through(browser, login, "new");
    expect(words(await again(browser, login))[0]).toContain("open the link of your invitation");
    const flow = await registrationOf(browser, new URL(invited.link).searchParams.get("setup") ?? "");
    expect(await through(browser, flow, "new")).toBe("/");
    expect(await personOf(browser)).toBe(invited.id);
    const { rows } = await database.pool.query(
      `select p.name, (select count(*)::int from internal.invitations) as open,
         (select count(*)::int from internal.verified_addresses where identity_id = p.id) as verified
       from people p where id = $1`,
      [invited.id],
    );
    expect(rows).toEqual([{ name: "Nia New", open: 0, verified: 1 }]);
  });

  test("an invitation is not for an account that is somebody's already", async () => {
    await linked();
    const invited = await service.identity.invite({ email: "second@example.com", invitedBy: lin });
    if ("refused" in invited) throw new Error(invited.refused);
    const browser = service.browser();
    const flow = await registrationOf(browser, new URL(invited.link).searchParams.get("setup") ?? "");
    await through(browser, flow, "lin");
    expect(words(await again(browser, flow))[0]).toContain("is linked to another account here already");
    expect(await personOf(browser)).toBeUndefined();
  });
});

describe("an account with somebody's e-mail", () => {
  test("is never joined by it: its person signs in as usual first, and has both from then on", async () => {
    await openRegistration();
    const browser = service.browser();
    const flow = await loginOf(browser);
    expect(await through(browser, flow, "lin")).toBe(`/login?flow=${flow.id}`);
    const shown = await again(browser, flow);
    expect(words(shown)[0]).toMatch(
      /^1010016 You tried to sign in with "lin@example.com", but that email is already used/,
    );
    expect(buttons(shown).join()).not.toContain("harbour"); // it would lead in a circle
    expect(misfits("LoginFlow", shown)).toEqual([]);
    expect(await personOf(browser)).toBeUndefined();
    expect(await links()).toEqual([]);
    expect(await byPassword(browser, { flow: shown })).toBe(`${PUBLIC}/`);
    expect(await links()).toMatchObject([{ person_id: lin, provider: "harbour", subject: "lin" }]);
    expect(noted.map(({ action }) => action)).toEqual(["sign-in", "settings-change"]);
    const other = service.browser();
    await through(other, await loginOf(other), "lin");
    expect(await personOf(other)).toBe(lin);
  });

  test("somebody else who signs in there does not get it", async () => {
    await createAccount(database.pool, "eve@example.com", []);
    const browser = service.browser();
    const flow = await loginOf(browser);
    await through(browser, flow, "lin");
    await byPassword(browser, { flow: await again(browser, flow), email: "eve@example.com" });
    expect(await personOf(browser)).toBeDefined();
    expect(await links()).toEqual([]);
  });

  test("nor does a later sign-in of its person in another flow bring it", async () => {
    const browser = service.browser();
    await through(browser, await loginOf(browser), "lin");
    await byPassword(browser);
    expect(await personOf(browser)).toBe(lin);
    expect(await links()).toEqual([]);
  });
});

describe("the settings", () => {
  test("link and unlink, say so, and want a fresh session", async () => {
    const browser = service.browser();
    await byPassword(browser);
    const flow = await settingsOf(browser);
    expect(await through(browser, flow, "lin", { name: "link" })).toBe(`/profile-settings?flow=${flow.id}`);
    const shown = await again(browser, flow);
    expect(words(shown)).toEqual(["1050001 Your changes have been saved!"]);
    expect(shown.state).toBe("success");
    expect(buttons(shown)).toEqual([
      "unlink=harbour 1050003 Unlink Harbour ID",
      "link=away 1050002 Link Away",
      "link=wrong 1050002 Link Wrong",
    ]);
    expect(misfits("SettingsFlow", shown)).toEqual([]);
    expect(noted.at(-1)).toMatchObject({ action: "settings-change", personId: lin, reason: "oidc" });
    await press(browser, shown, "unlink");
    expect(buttons(await again(browser, shown))[0]).toBe("link=harbour 1050002 Link Harbour ID");
    expect(await links()).toEqual([]);
    await press(browser, shown, "unlink");
    expect(words(await again(browser, shown))[0]).toContain("was not linked");
    service.later(16);
    expect(await press(browser, shown, "link")).toContain("login/browser?refresh=true");
    service.later(-16);
  });

  test("a refresh is given by one's own linked account, not by another", async () => {
    const browser = await linked();
    const flow = await loginOf(browser, { refresh: true });
    expect(buttons(flow)).toEqual(["provider=harbour 1010002 Sign in with Harbour ID"]);
    expect(await through(browser, flow, "new")).toBe(`/login?flow=${flow.id}`);
    expect(words(await again(browser, flow))[0]).toContain(
      "is not linked to the account you are signed in with",
    );
    expect(await through(browser, flow, "lin")).toBe("/");
    const methods = (await sessionOf(browser)).authentication_methods ?? [];
    expect(methods.map(({ method }) => method)).toEqual(["password", "oidc"]);
  });

  test("what is somebody else's stays theirs; a second account at one provider waits for the first to go", async () => {
    const browser = await linked();
    await createAccount(database.pool, "eve@example.com", []);
    const eve = service.browser();
    await byPassword(eve, { email: "eve@example.com" });
    const flow = await settingsOf(eve);
    await through(eve, flow, "lin", { name: "link" });
    expect(words(await again(eve, flow))[0]).toContain("is linked to another account here already");
    const own = await settingsOf(browser);
    await through(browser, own, "new", { name: "link" });
    expect(words(await again(browser, own))[0]).toContain("unlink it first");
    await through(browser, own, "lin", { name: "link" });
    expect(words(await again(browser, own))[0]).toMatch(/^1050001/);
    expect(await links()).toMatchObject([{ person_id: lin, subject: "lin" }]);
  });

  test("the last way in cannot be unlinked, nor by two at once; a password makes it possible", async () => {
    await openRegistration();
    const browser = service.browser();
    await through(browser, await loginOf(browser), "new");
    const flow = await settingsOf(browser);
    expect(buttons(flow)[0]).toBe("unlink=harbour 1050003 Unlink Harbour ID (disabled)");
    // Nor are they asked for a password that they do not have.
    expect(outline(await loginOf(browser, { refresh: true }), "password")).toEqual([]);
    await press(browser, flow, "unlink");
    expect(words(await again(browser, flow))).toEqual([
      "4000001 This is your only way to sign in. Set a password first.",
    ]);
    const id = await personOf(browser);
    // A second one, as another provider would have brought it, and one of a provider that is no longer offered.
    await database.pool.query(
      `insert into internal.linked_accounts (issuer, subject, provider, person_id)
       values ('https://away.example', 'a', 'away', $1), ('https://gone.example', 'g', 'gone', $1)`,
      [id],
    );
    await Promise.all([press(browser, flow, "unlink"), press(browser, flow, "unlink", "away")]);
    const left = (await links()).map(({ provider: name }) => String(name));
    expect(left.filter((name) => name !== "gone")).toHaveLength(1);
    const form = { method: "password", password: PASSWORD, csrf_token: valueOf(flow, "csrf_token") };
    await browser.visit(`/self-service/settings?flow=${flow.id}`, form);
    await press(
      browser,
      flow,
      "unlink",
      left.find((name) => name !== "gone"),
    );
    expect((await links()).map(({ provider: name }) => String(name))).toEqual(["gone"]);
    expect((await password(service.browser(), "nia@example.com", PASSWORD)).status).toBe(200);
  });

  test("a passkey may go where an account elsewhere stays", async () => {
    const browser = await linked();
    await database.pool.query(
      `insert into internal.webauthn_keys (id, identity_id, kind, name, rp_id, public_key, counter, added_at)
       values ('\\x01', $1, 'passkey', 'Key', '127.0.0.1', '\\x01', 0, now())`,
      [lin],
    );
    await database.pool.query("delete from internal.credentials");
    const flow = await settingsOf(browser);
    expect(buttons(flow)[0]).toBe("unlink=harbour 1050003 Unlink Harbour ID");
    expect(outline(flow, "passkey")).toContainEqual(["passkey_remove", "submit", 1050020]);
    await press(browser, flow, "passkey_remove", "01");
    const { rowCount } = await database.pool.query("select from internal.webauthn_keys");
    expect(rowCount).toBe(0);
    expect(buttons(await settingsOf(browser))[0]).toContain("(disabled)");
  });

  test("the answer for a session that has ended, or is somebody else's, links nothing", async () => {
    const browser = service.browser();
    await byPassword(browser);
    const flow = await settingsOf(browser);
    const back = await answerOf(await press(browser, flow, "link"), "lin");
    browser.jar.delete("ory_kratos_session");
    expect((await browser.visit(back)).headers.get("location")).toContain("/error?id=");
    expect(await links()).toEqual([]);
  });
});

describe("an answer that is not the one we wait for", () => {
  async function refusedAs(response: Response) {
    const id = new URL(response.headers.get("location")!, PUBLIC).searchParams.get("id");
    const { rows } = await database.pool.query<{ ui: { error: { id?: string; code: number } } }>(
      "select ui from internal.flows where id = $1",
      [id],
    );
    return rows[0]!.ui.error.id ?? rows[0]!.ui.error.code;
  }
  const CSRF = "security_csrf_violation";

  test("in another browser, a second time, for another provider, or with another state is refused", async () => {
    await linked();
    const browser = service.browser();
    const flow = await loginOf(browser);
    const back = await answerOf(await press(browser, flow, "provider"), "lin");
    expect(await refusedAs(await service.browser().visit(back))).toBe(CSRF);
    expect(await refusedAs(await browser.visit(back.replace("/callback/harbour", "/callback/nobody")))).toBe(
      404,
    );
    expect(await refusedAs(await browser.visit(back.replace("/callback/harbour", "/callback/away")))).toBe(
      CSRF,
    );
    // That try has spent the visit: nothing is left to be tried again.
    expect(await refusedAs(await browser.visit(back))).toBe(CSRF);
    expect(await personOf(browser)).toBeUndefined();
    const fresh = await loginOf(browser);
    const good = await answerOf(await press(browser, fresh, "provider"), "lin");
    const other = good.replace(/state=[^&]+/, `state=login.${flow.id}.x`);
    expect(await refusedAs(await browser.visit(other))).toBe(CSRF);
    expect(await refusedAs(await browser.visit(`${callbackOf("harbour")}?code=x`))).toBe(CSRF);
    expect((await browser.visit(good)).headers.get("location")).toBe(`${PUBLIC}/`);
    expect(await refusedAs(await browser.visit(good))).toBe(CSRF); // the flow is over
  });

  test("of two at once one is in, the other is refused", async () => {
    await linked();
    const browser = service.browser();
    const flow = await loginOf(browser);
    const back = await answerOf(await press(browser, flow, "provider"), "lin");
    const both = await Promise.all([browser.visit(back), browser.visit(back)]);
    const to = both.map((response) => response.headers.get("location") ?? "");
    expect(to.filter((location) => location === `${PUBLIC}/`)).toHaveLength(1);
    expect(to.filter((location) => location.includes("/error?id="))).toHaveLength(1);
  });

  test.each([
    "other key",
    "no algorithm",
    "shared secret",
    "other audience",
    "other issuer",
    "expired",
    "other nonce",
  ] as const)("with an ID token with %s signs nobody in", async (forgery) => {
    await linked();
    await provider.forge(forgery);
    const browser = service.browser();
    const flow = await loginOf(browser);
    await through(browser, flow, "lin");
    expect(words(await again(browser, flow))).toEqual([
      "4000001 The answer of Harbour ID could not be verified.",
    ]);
    expect(noted.at(-1)).toMatchObject({ action: "sign-in-failed", personId: null });
    expect(await personOf(browser)).toBeUndefined();
  });

  test("after the flow's ten minutes leads to a new one", async () => {
    const browser = service.browser();
    const flow = await loginOf(browser);
    const back = await answerOf(await press(browser, flow, "provider"), "lin");
    service.later(11);
    const response = await browser.visit(back);
    expect(response.headers.get("location")).toContain("/self-service/login/browser");
    service.later(-11);
  });
});
