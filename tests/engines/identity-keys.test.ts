/** Security keys and passkeys, over HTTP and real PostgreSQL: the two ceremonies, and every lie in them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LoginFlow, SettingsFlow } from "@ory/client";
import { createAuthenticator } from "#tests/support/authenticator.ts";
import {
  beginLogin,
  beginSettings,
  misfitsOf,
  outline,
  password,
  sendLogin,
  sendSettings,
  whoami,
  type Refusal,
} from "#tests/support/factors.ts";
import {
  messagesOf,
  startIdentity,
  valueOf,
  type TestBrowser,
  type TestIdentity,
} from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const EMAIL = "ada@example.org";
const OTHER = "eve@example.org";
const PASSWORD = "correct horse battery";
const ORIGIN = "http://localhost:3000";
let database: TestDatabase;
let service: TestIdentity;

beforeAll(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool, { publicUrl: ORIGIN });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query("delete from identities");
  await database.pool.query("delete from internal.limits");
  await service.identity.createAdmin(EMAIL, PASSWORD);
  await service.identity.createAdmin(OTHER, PASSWORD);
});

type Authenticator = ReturnType<typeof createAuthenticator>;
type Lies = NonNullable<Parameters<Authenticator["use"]>[1]>;

async function signedIn(email = EMAIL): Promise<TestBrowser> {
  const browser = service.browser();
  await password(browser, email, PASSWORD);
  return browser;
}

/** Where each kind of key has its options and takes its answer, in the settings and in a login. */
const FIELDS = {
  webauthn: {
    create: "webauthn_register_trigger",
    made: "webauthn_register",
    get: "webauthn_login_trigger",
    used: "webauthn_login",
  },
  passkey: {
    create: "passkey_create_data",
    made: "passkey_settings_register",
    get: "passkey_challenge",
    used: "passkey_login",
  },
} as const;
type Kind = keyof typeof FIELDS;

/** Adds a key of this kind; the names a form names no method, as browsers' scripts post it. */
async function add(kind: Kind, browser: TestBrowser, key: Authenticator, lies: Lies = {}, more = {}) {
  const { data: flow } = await beginSettings(browser);
  const answer = key.make(valueOf(flow, FIELDS[kind].create), lies);
  return sendSettings(browser, flow, { [FIELDS[kind].made]: answer, ...more });
}

/** Uses a key; for `webauthn` the browser has given its password. */
async function use(kind: Kind, browser: TestBrowser, key: Authenticator, lies: Lies = {}) {
  const { data: flow } = await beginLogin(browser, kind === "webauthn" ? { aal: "aal2" } : {});
  return sendLogin(browser, flow, {
    [FIELDS[kind].used]: key.use(valueOf(flow, FIELDS[kind].get), lies),
  });
}

const complaints = (data: unknown) => messagesOf(data as LoginFlow);
const optionsOf = (flow: LoginFlow | SettingsFlow, name: string) =>
  (JSON.parse(valueOf(flow, name)) as { publicKey: Record<string, unknown> }).publicKey;
const keyCount = async () => (await database.pool.query("select from internal.webauthn_keys")).rowCount ?? 0;

describe("a security key", () => {
  it("is added by its name, as a second factor, and never twice", async () => {
    const browser = await signedIn();
    const { data: flow } = await beginSettings(browser);
    expect(misfitsOf(flow, "webauthn")).toEqual([]);
    expect(outline(flow, "webauthn")).toEqual([
      ["webauthn_register_displayname", "text", 1050013],
      ["webauthn_register", "hidden", undefined],
      ["webauthn_register_trigger", "button", 1050012],
    ]);
    expect(optionsOf(flow, "webauthn_register_trigger")).toMatchObject({
      rp: { id: "localhost", name: "Pilothouse" },
      user: { name: EMAIL, displayName: EMAIL },
      excludeCredentials: [],
      attestation: "none",
    });
    const key = createAuthenticator(ORIGIN);
    const done = await add(
      "webauthn",
      browser,
      key,
      { unverified: true },
      {
        webauthn_register_displayname: " Blue one ",
      },
    );
    expect([done.status, done.data.state]).toEqual([200, "success"]);
    const removal = done.data.ui.nodes.find(({ meta }) => meta.label?.id === 1050018);
    expect(removal?.meta.label?.text).toBe('Remove security key "Blue one"');
    expect(removal?.attributes).toMatchObject({
      name: "webauthn_remove",
      value: key.id.toString("hex"),
      disabled: false,
    });
    expect((await whoami(browser)).data.authenticator_assurance_level).toBe("aal2");
    const { data: next } = await beginSettings(browser);
    expect(optionsOf(next, "webauthn_register_trigger")["excludeCredentials"]).toEqual([
      { id: key.id.toString("base64url"), type: "public-key", transports: ["usb"] },
    ]);
    expect((await add("webauthn", browser, key)).status).toBe(400);
    expect((await add("passkey", browser, key)).status).toBe(400);
    expect(await keyCount()).toBe(1);
  });

  it.each<[string, Lies]>([
    ["made on another site", { origin: "http://localhost:3001" }],
    ["made for another site's name", { rpId: "evil.example" }],
    ["made for another challenge", { challenge: "AAAA" }],
    ["that is the use of a key", { type: "webauthn.get" }],
  ])("%s is not added", async (_, lies) => {
    const browser = await signedIn();
    const { status, data } = await add("webauthn", browser, createAuthenticator(ORIGIN), lies);
    expect([status, complaints(data)]).toEqual([400, { "": [4000001] }]);
    expect(await keyCount()).toBe(0);
  });

  it("what is no answer of a browser is not added, and an answer counts once", async () => {
    const browser = await signedIn();
    const { data: flow } = await beginSettings(browser);
    for (const nonsense of ["x", "{}", "null", '{"id":"AA","rawId":"AA","type":"public-key","response":{}}'])
      expect((await sendSettings(browser, flow, { webauthn_register: nonsense })).status).toBe(400);
    const made = createAuthenticator(ORIGIN).make(valueOf(flow, "webauthn_register_trigger"));
    expect((await sendSettings(browser, flow, { webauthn_register: made })).status).toBe(200);
    await database.pool.query("delete from internal.webauthn_keys");
    expect((await sendSettings(browser, flow, { webauthn_register: made })).status).toBe(400);
  });

  it("signs in after the password", async () => {
    const key = createAuthenticator(ORIGIN);
    await add("webauthn", await signedIn(), key);
    const browser = service.browser();
    const first = await password(browser, EMAIL, PASSWORD);
    expect((first.data as unknown as Refusal).redirect_browser_to).toBe(
      `${ORIGIN}/api/.ory/self-service/login/browser?aal=aal2`,
    );
    const { data: flow } = await beginLogin(browser, { aal: "aal2" });
    expect(misfitsOf(flow, "webauthn")).toEqual([]);
    expect(outline(flow, "webauthn")).toEqual([
      ["webauthn_login_trigger", "button", 1010008],
      ["webauthn_login", "hidden", undefined],
    ]);
    expect(optionsOf(flow, "webauthn_login_trigger")).toMatchObject({
      rpId: "localhost",
      allowCredentials: [{ id: key.id.toString("base64url"), type: "public-key" }],
    });
    const { status, data } = await use("webauthn", browser, key, { unverified: true });
    expect(status).toBe(200);
    expect(data.session.authentication_methods?.map(({ method, aal }) => [method, aal])).toEqual([
      ["password", "aal1"],
      ["webauthn", "aal2"],
    ]);
  });

  it.each<[string, Lies]>([
    ["on another site", { origin: "https://localhost.evil.example" }],
    ["for another site's name", { rpId: "evil.example" }],
    ["for another challenge", { challenge: "AAAA" }],
    ["as if it were being made", { type: "webauthn.create" }],
    ["with a counter that went back: a copy of it is about", { counter: 1 }],
    ["under the id of a key nobody has", { id: "AAAA" }],
  ])("used %s opens nothing", async (_, lies) => {
    const key = createAuthenticator(ORIGIN);
    const owner = await signedIn();
    await add("webauthn", owner, key);
    expect((await use("webauthn", await signedIn(), key)).status).toBe(200);
    const browser = await signedIn();
    const { status, data } = await use("webauthn", browser, key, lies);
    expect([status, complaints(data)]).toEqual([400, { "": [4000001] }]);
    expect((await whoami(browser)).status).toBe(403);
  });

  it("signed by another key under its id, or somebody else's key, opens nothing", async () => {
    const key = createAuthenticator(ORIGIN);
    const foreign = createAuthenticator(ORIGIN);
    await add("webauthn", await signedIn(), key);
    await add("webauthn", await signedIn(OTHER), foreign);
    const browser = await signedIn();
    expect((await use("webauthn", browser, foreign)).status).toBe(400);
    const id = key.id.toString("base64url");
    expect((await use("webauthn", browser, foreign, { id, counter: 9 })).status).toBe(400);
    expect((await use("webauthn", browser, key, { counter: 9 })).status).toBe(200);
  });

  it("answers one challenge of one flow, once", async () => {
    const key = createAuthenticator(ORIGIN);
    await add("webauthn", await signedIn(), key);
    const [one, two] = [await signedIn(), await signedIn()];
    const { data: flow } = await beginLogin(one, { aal: "aal2" });
    const { data: elsewhere } = await beginLogin(two, { aal: "aal2" });
    const webauthn_login = key.use(valueOf(flow, "webauthn_login_trigger"));
    expect((await sendLogin(two, elsewhere, { webauthn_login })).status).toBe(400);
    const answers = await Promise.all([
      sendLogin(one, flow, { webauthn_login }),
      sendLogin(one, flow, { webauthn_login }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await sendLogin(one, flow, { webauthn_login })).status).not.toBe(200);
  });

  it("is removed by its owner alone", async () => {
    const key = createAuthenticator(ORIGIN);
    const browser = await signedIn();
    await add("webauthn", browser, key);
    const thief = await signedIn(OTHER);
    const webauthn_remove = key.id.toString("hex");
    const { data: theirs } = await beginSettings(thief);
    expect((await sendSettings(thief, theirs, { webauthn_remove })).status).toBe(400);
    expect(await keyCount()).toBe(1);
    const { data: own } = await beginSettings(browser);
    expect((await sendSettings(browser, own, { webauthn_remove })).status).toBe(200);
    expect(await keyCount()).toBe(0);
  });
});

describe("a passkey", () => {
  it("signs in alone, as one factor, without a name being typed", async () => {
    expect(outline((await beginLogin(service.browser())).data, "passkey")).toEqual([]);
    const key = createAuthenticator(ORIGIN);
    const browser = await signedIn();
    const { data: flow } = await beginSettings(browser);
    expect(outline(flow, "passkey")).toEqual([
      ["passkey_create_data", "hidden", undefined],
      ["passkey_settings_register", "hidden", undefined],
      ["passkey_register_trigger", "button", 1050019],
    ]);
    expect(optionsOf(flow, "passkey_create_data")["authenticatorSelection"]).toMatchObject({
      residentKey: "required",
      userVerification: "required",
    });
    const done = await add("passkey", browser, key);
    expect(done.status).toBe(200);
    expect(done.data.ui.nodes.find(({ meta }) => meta.label?.id === 1050020)?.meta.label?.text).toBe(
      `Remove passkey "${EMAIL}"`,
    );
    expect((await whoami(browser)).data.authenticator_assurance_level).toBe("aal1");

    const stranger = service.browser();
    const { data: login } = await beginLogin(stranger);
    expect(misfitsOf(login, "passkey")).toEqual([]);
    expect(outline(login, "passkey")).toEqual([
      ["passkey_challenge", "hidden", undefined],
      ["passkey_login", "hidden", undefined],
      ["passkey_login_trigger", "button", 1010021],
    ]);
    expect(optionsOf(login, "passkey_challenge")).toMatchObject({
      allowCredentials: [],
      userVerification: "required",
    });
    const { status, data } = await use("passkey", stranger, key);
    expect(status).toBe(200);
    expect(data.session).toMatchObject({
      authenticator_assurance_level: "aal1",
      authentication_methods: [{ method: "passkey", aal: "aal1" }],
      identity: { traits: { email: EMAIL } },
    });
  });

  it("confirms that it is still its owner, and nobody else", async () => {
    const [key, foreign] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)];
    const browser = await signedIn();
    await add("passkey", browser, key);
    await add("passkey", await signedIn(OTHER), foreign);
    const { data: flow } = await beginLogin(browser, { refresh: true });
    expect(optionsOf(flow, "passkey_challenge")["allowCredentials"]).toHaveLength(1);
    const challenge = valueOf(flow, "passkey_challenge");
    const wrong = await sendLogin(browser, flow, { passkey_login: foreign.use(challenge) });
    expect((wrong.data as unknown as Refusal).error.id).toBe("security_identity_mismatch");
    const { data: again } = await beginLogin(browser, { refresh: true });
    const passkey_login = key.use(valueOf(again, "passkey_challenge"));
    expect((await sendLogin(browser, again, { passkey_login })).status).toBe(200);
  });

  it.each<[string, Lies]>([
    ["by nobody in particular (no PIN, no finger)", { unverified: true }],
    ["on another site", { origin: "http://evil.example" }],
    ["for another site's name", { rpId: "evil.example" }],
    ["for another challenge", { challenge: "AAAA" }],
    ["in the name of somebody else", { userHandle: "AAAAAAAAAAAAAAAAAAAAAA" }],
    ["under an id nobody has", { id: "AAAA" }],
  ])("used %s opens nothing", async (_, lies) => {
    const key = createAuthenticator(ORIGIN);
    await add("passkey", await signedIn(), key);
    const stranger = service.browser();
    expect((await use("passkey", stranger, key, lies)).status).toBe(400);
    expect((await whoami(stranger)).status).toBe(401);
  });

  it("made without a PIN or a finger is not added", async () => {
    const { status } = await add("passkey", await signedIn(), createAuthenticator(ORIGIN), {
      unverified: true,
    });
    expect([status, await keyCount()]).toEqual([400, 0]);
  });

  it("is no second factor, and a security key no first one", async () => {
    const [passkey, key] = [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)];
    const owner = await signedIn();
    await add("passkey", owner, passkey);
    await add("webauthn", owner, key);
    expect((await use("webauthn", await signedIn(), passkey)).status).toBe(400);
    expect((await use("passkey", service.browser(), key)).status).toBe(400);
    const first = await use("passkey", service.browser(), passkey);
    expect((first.data as unknown as Refusal).error.id).toBe("browser_location_change_required");
  });

  it("of somebody deactivated opens nothing", async () => {
    const key = createAuthenticator(ORIGIN);
    await add("passkey", await signedIn(), key);
    await database.pool.query("update identities set state = 'inactive' where traits ->> 'email' = $1", [
      EMAIL,
    ]);
    expect((await use("passkey", service.browser(), key)).status).toBe(400);
  });

  it("stays when it is the only way in", async () => {
    const key = createAuthenticator(ORIGIN);
    const browser = await signedIn();
    await add("passkey", browser, key);
    await database.pool.query("delete from internal.credentials");
    const { data: flow } = await beginSettings(browser);
    const removal = flow.ui.nodes.find(({ meta }) => meta.label?.id === 1050020);
    expect(removal?.attributes).toMatchObject({ disabled: true });
    const passkey_remove = key.id.toString("hex");
    expect((await sendSettings(browser, flow, { passkey_remove })).status).toBe(400);
    await add("passkey", browser, createAuthenticator(ORIGIN));
    const { data: two } = await beginSettings(browser);
    expect((await sendSettings(browser, two, { passkey_remove })).status).toBe(200);
  });
});

it("without PUBLIC_URL a key is for the host that was asked for, and for that name only", async () => {
  const open = await startIdentity(database.pool);
  try {
    const at = (host: string) => ({ headers: { "x-ph-host": host } });
    const browser = open.browser();
    await password(browser, EMAIL, PASSWORD);
    const flowAt = async (host: string) =>
      (await browser.call((api, cookie) => api.createBrowserSettingsFlow({ cookie }, at(host)))).data;
    expect(outline(await flowAt("127.0.0.1:3000"), "webauthn")).toEqual([]);
    const key = createAuthenticator("https://ops.example.org");
    const flow = await flowAt("ops.example.org");
    const made = key.make(valueOf(flow, "passkey_create_data"));
    const saved = await browser.call((api, cookie) =>
      api.updateSettingsFlow(
        {
          flow: flow.id,
          cookie,
          updateSettingsFlowBody: {
            method: "passkey",
            passkey_settings_register: made,
            csrf_token: valueOf(flow, "csrf_token"),
          },
        },
        at("ops.example.org"),
      ),
    );
    expect(saved.status).toBe(200);
    const login = async (host: string) => {
      const stranger = open.browser();
      const { data } = await stranger.call((api, cookie) => api.createBrowserLoginFlow({ cookie }, at(host)));
      const lies = { origin: `https://${host}`, rpId: host };
      const { status } = await stranger.call((api, cookie) =>
        api.updateLoginFlow(
          {
            flow: data.id,
            cookie,
            updateLoginFlowBody: {
              method: "passkey",
              passkey_login: key.use(valueOf(data, "passkey_challenge"), lies),
              csrf_token: valueOf(data, "csrf_token"),
            },
          },
          at(host),
        ),
      );
      return status;
    };
    expect(await login("evil.example.org")).toBe(400);
    expect(await login("ops.example.org")).toBe(200);
  } finally {
    await open.close();
  }
});
