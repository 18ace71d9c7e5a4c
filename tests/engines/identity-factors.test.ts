/** Codes as a second factor, over HTTP and real PostgreSQL: pairing, signing in, replay, and the assurance they give. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LoginFlow, SettingsFlow } from "@ory/client";
import {
  appCode,
  beginLogin,
  beginSettings,
  misfitsOf,
  outline,
  password,
  second,
  sendLogin,
  sendSettings,
  textOf,
  whoami,
  type Refusal,
} from "#tests/support/factors.ts";
import { messagesOf, startIdentity, type TestBrowser, type TestIdentity } from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
let database: TestDatabase;
let service: TestIdentity;
let ahead = 0;

beforeAll(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query("delete from identities");
  await database.pool.query("delete from internal.limits");
  await service.identity.createAdmin(EMAIL, PASSWORD);
  // Each begins with a fresh code, so that none changes in its middle.
  wait(31 - ((Date.now() + ahead) % 30_000) / 1000);
});

/** Lets time pass, for the service and for the app. */
function wait(seconds: number) {
  ahead += seconds * 1000;
  service.later(seconds / 60);
}
const code = (secret: string, seconds = 0) => appCode(secret, new Date(Date.now() + ahead + seconds * 1000));

async function signedIn(): Promise<TestBrowser> {
  const browser = service.browser();
  await password(browser, EMAIL, PASSWORD);
  return browser;
}

/** Pairs an app; the code of 30 seconds ago is what is spent, so that the present one may be used. */
async function pair(browser: TestBrowser): Promise<string> {
  const { data: flow } = await beginSettings(browser);
  const secret = textOf(flow, "totp_secret_key").text;
  const { status } = await sendSettings(browser, flow, { method: "totp", totp_code: code(secret, -30) });
  expect(status).toBe(200);
  return secret;
}

/** Makes and confirms backup codes. */
async function backup(browser: TestBrowser): Promise<string[]> {
  const { data: flow } = await beginSettings(browser);
  const { data: shown } = await sendSettings(browser, flow, { lookup_secret_regenerate: "true" });
  const codes = textOf(shown, "lookup_secret_codes").text.split(", ");
  const { status } = await sendSettings(browser, shown, { lookup_secret_confirm: "true" });
  expect(status).toBe(200);
  return codes;
}

const refusal = (data: unknown) => data as Refusal;
const complaints = (data: unknown) => messagesOf(data as LoginFlow);
const tokenOf = (browser: TestBrowser) => browser.jar.get("ory_kratos_session") ?? "";

describe("an authenticator app", () => {
  it("is paired by a picture, a secret and its first code, under a new session token", async () => {
    const browser = await signedIn();
    const { data: flow } = await beginSettings(browser);
    expect(misfitsOf(flow, "totp")).toEqual([]);
    expect(outline(flow, "totp")).toEqual([
      ["totp_qr", "img", 1050005],
      ["totp_secret_key", "text", 1050017],
      ["totp_code", "text", 1070006],
      ["method", "submit", 1070003],
    ]);
    const picture = flow.ui.nodes.find(({ type }) => type === "img")?.attributes as { src: string };
    expect(picture.src).toMatch(/^data:image\/png;base64,/);
    const { id, text: secret, context } = textOf(flow, "totp_secret_key");
    expect([id, context]).toEqual([1050006, { secret }]);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);

    const none = await sendSettings(browser, flow, { method: "totp", totp_code: "" });
    expect([none.status, complaints(none.data)]).toEqual([400, { totp_code: [4000002] }]);
    const wrong = await sendSettings(browser, flow, { method: "totp", totp_code: code(secret, 3600) });
    expect([wrong.status, complaints(wrong.data)]).toEqual([400, { totp_code: [4000008] }]);
    expect(textOf(wrong.data as SettingsFlow, "totp_secret_key").text).toBe(secret);
    expect((await whoami(browser)).data.authenticator_assurance_level).toBe("aal1");

    const before = tokenOf(browser);
    const done = await sendSettings(browser, flow, { method: "totp", totp_code: code(secret) });
    expect([done.status, done.data.state, complaints(done.data)]).toEqual([
      200,
      "success",
      { "": [1050001] },
    ]);
    expect(outline(done.data, "totp")).toEqual([["totp_unlink", "submit", 1050004]]);
    expect(tokenOf(browser)).not.toBe(before);
    expect(await service.identity.sessionOf(before)).toBeNull();
    const { data: session } = await whoami(browser);
    expect(session.authenticator_assurance_level).toBe("aal2");
    expect(session.authentication_methods?.map(({ method, aal }) => [method, aal])).toEqual([
      ["password", "aal1"],
      ["totp", "aal2"],
    ]);
  });

  it("leaves its secret nowhere in the database in clear", async () => {
    const browser = await signedIn();
    const secret = await pair(browser);
    const { rows: tables } = await database.pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'internal')",
    );
    for (const { name } of tables) {
      const { rows } = await database.pool.query<{ found: boolean }>(
        `select exists (select from ${name} t where t::text like '%' || $1 || '%') as found`,
        [secret],
      );
      expect([name, rows[0]?.found]).toEqual([name, false]);
    }
  });

  it("is asked for from then on: every session without it is in nothing", async () => {
    const other = await signedIn();
    const secret = await pair(await signedIn());
    const met = await whoami(other);
    expect([met.status, refusal(met.data).error.id]).toEqual([403, "session_aal2_required"]);
    expect(refusal(met.data).redirect_browser_to).toBe("/api/.ory/self-service/login/browser?aal=aal2");
    expect(await service.identity.sessionOf(tokenOf(other))).toBeNull();
    const settings = await beginSettings(other);
    expect([settings.status, refusal(settings.data).error.id]).toEqual([403, "session_aal2_required"]);
    const login = await beginLogin(other);
    expect([login.status, refusal(login.data).error.id]).toEqual([403, "session_aal2_required"]);
    expect(await service.identity.passwordLogin(EMAIL, PASSWORD)).toEqual({ refused: "credentials" });

    const given = await second(other, { method: "totp", totp_code: code(secret) });
    expect(given.status).toBe(200);
    expect((await service.identity.sessionOf(tokenOf(other)))?.email).toBe(EMAIL);
  });

  it("signs in after the password, and strengthens that session under a new token", async () => {
    const secret = await pair(await signedIn());
    const browser = service.browser();
    const first = await password(browser, EMAIL, PASSWORD);
    expect([first.status, refusal(first.data).error.id]).toEqual([422, "browser_location_change_required"]);
    expect(refusal(first.data).redirect_browser_to).toBe("/api/.ory/self-service/login/browser?aal=aal2");
    const weak = tokenOf(browser);

    const { data: flow } = await beginLogin(browser, { aal: "aal2" });
    expect(misfitsOf(flow, "totp")).toEqual([]);
    expect([flow.requested_aal, complaints(flow)]).toEqual(["aal2", { "": [1010004] }]);
    expect(outline(flow, "totp")).toEqual([
      ["totp_code", "text", 1010006],
      ["method", "submit", 1010009],
    ]);
    expect(outline(flow, "lookup_secret")).toEqual([]);
    expect(outline(flow, "password")).toEqual([]);
    const wrong = await sendLogin(browser, flow, { method: "totp", totp_code: code(secret, 3600) });
    expect([wrong.status, complaints(wrong.data)]).toEqual([400, { "": [4000008] }]);
    const spaced = code(secret).replace(/(...)/, "$1 ");
    const right = await sendLogin(browser, flow, { method: "totp", totp_code: spaced });
    expect(right.status).toBe(200);
    expect(right.data.session).toMatchObject({ authenticator_assurance_level: "aal2" });
    expect(await service.identity.sessionOf(weak)).toBeNull();
    const available = await beginLogin(browser, { aal: "aal2" });
    expect(refusal(available.data).error.id).toBe("session_already_available");
  });

  it("as pages: the form leads on to the second step, and back to where one was going", async () => {
    const secret = await pair(await signedIn());
    const browser = service.browser();
    const begun = await browser.visit("/self-service/login/browser?return_to=/health");
    const id = new URL(begun.headers.get("location") ?? "", "http://x").searchParams.get("flow") ?? "";
    const csrf = async (flow: string) =>
      (await browser.call((api, cookie) => api.getLoginFlow({ id: flow, cookie }))).data;
    const value = (flow: LoginFlow) =>
      String((flow.ui.nodes[0]?.attributes as { value?: string } | undefined)?.value);
    const form = {
      csrf_token: value(await csrf(id)),
      method: "password",
      identifier: EMAIL,
      password: PASSWORD,
    };
    const first = await browser.visit(`/self-service/login?flow=${id}`, form);
    expect([first.status, first.headers.get("location")]).toEqual([
      303,
      "/api/.ory/self-service/login/browser?aal=aal2&return_to=%2Fhealth",
    ]);
    const next = await browser.visit("/self-service/login/browser?aal=aal2&return_to=%2Fhealth");
    const step = new URL(next.headers.get("location") ?? "", "http://x").searchParams.get("flow") ?? "";
    const last = await browser.visit(`/self-service/login?flow=${step}`, {
      csrf_token: value(await csrf(step)),
      totp_code: code(secret),
      method: "totp",
    });
    expect([last.status, last.headers.get("location")]).toEqual([303, "/health"]);
  });

  it("takes no code twice, none older than one it took, and not the one it was paired with", async () => {
    const owner = await signedIn();
    const { data: flow } = await beginSettings(owner);
    const secret = textOf(flow, "totp_secret_key").text;
    const pairing = code(secret);
    await sendSettings(owner, flow, { method: "totp", totp_code: pairing });
    const browser = service.browser();
    await password(browser, EMAIL, PASSWORD);
    const send = (totp_code: string) => second(browser, { method: "totp", totp_code });
    expect(complaints((await send(pairing)).data)).toEqual({ "": [4000008] });
    wait(60);
    const now = code(secret);
    expect((await send(now)).status).toBe(200);
    const again = service.browser();
    await password(again, EMAIL, PASSWORD);
    expect((await second(again, { method: "totp", totp_code: now })).status).toBe(400);
    expect((await second(again, { method: "totp", totp_code: code(secret, -30) })).status).toBe(400);
    expect((await second(again, { method: "totp", totp_code: code(secret, 30) })).status).toBe(200);
  });

  it("lets one code through once, however many come with it at the same moment", async () => {
    const secret = await pair(await signedIn());
    const thieves = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const browser = await signedIn();
        return { browser, flow: (await beginLogin(browser, { aal: "aal2" })).data };
      }),
    );
    const totp_code = code(secret);
    const answers = await Promise.all(
      thieves.map(({ browser, flow }) => sendLogin(browser, flow, { method: "totp", totp_code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it("is not guessed: after five wrong codes even the right one waits a quarter of an hour", async () => {
    const secret = await pair(await signedIn());
    const browser = service.browser();
    await password(browser, EMAIL, PASSWORD);
    const { data: flow } = await beginLogin(browser, { aal: "aal2" });
    const send = (totp_code: string) => sendLogin(browser, flow, { method: "totp", totp_code });
    for (let tries = 0; tries < 5; tries += 1)
      expect(complaints((await send(code(secret, 7200))).data)).toEqual({ "": [4000008] });
    const refused = await send(code(secret));
    expect(complaints(refused.data)).toEqual({ "": [4000001] });
    const words = (refused.data as unknown as LoginFlow).ui.messages?.[0]?.text;
    expect(words).toMatch(/^Too many .*Please try again in 1\d minutes\.$/);
    wait(16 * 60);
    expect((await second(browser, { method: "totp", totp_code: code(secret) })).status).toBe(200);
  });

  it("is unlinked soon after signing in only, and then the password is enough", async () => {
    const browser = await signedIn();
    await pair(browser);
    const { data: flow } = await beginSettings(browser);
    wait(20 * 60);
    const stale = await sendSettings(browser, flow, { totp_unlink: "true" });
    expect([stale.status, refusal(stale.data).error.id]).toEqual([403, "session_refresh_required"]);
    const { data: confirm } = await beginLogin(browser, { refresh: true });
    await sendLogin(browser, confirm, { method: "password", identifier: EMAIL, password: PASSWORD });
    expect((await whoami(browser)).data.authenticator_assurance_level).toBe("aal2");
    const done = await sendSettings(browser, flow, { totp_unlink: "true" });
    expect(done.status).toBe(200);
    expect(outline(done.data, "totp")).toHaveLength(4);
    expect((await password(service.browser(), EMAIL, PASSWORD)).status).toBe(200);
  });

  it("is taken away from whoever lost it, and that is noted", async () => {
    await pair(await signedIn());
    await service.identity.removeSecondFactorsOf("nobody@example.org");
    expect((await password(service.browser(), EMAIL, PASSWORD)).status).toBe(422);
    await service.identity.removeSecondFactorsOf(" Ada@Example.org");
    expect((await password(service.browser(), EMAIL, PASSWORD)).status).toBe(200);
  });
});

describe("backup recovery codes", () => {
  it("are shown once, count when confirmed, and are kept as hashes", async () => {
    const browser = await signedIn();
    const { data: flow } = await beginSettings(browser);
    expect(outline(flow, "lookup_secret")).toEqual([["lookup_secret_regenerate", "submit", 1050008]]);
    const early = await sendSettings(browser, flow, { lookup_secret_confirm: "true" });
    expect([early.status, complaints(early.data)]).toEqual([400, { "": [4000001] }]);
    const nothing = await sendSettings(browser, flow, { lookup_secret_reveal: "true" });
    expect(nothing.status).toBe(400);

    const { data: shown } = await sendSettings(browser, flow, { lookup_secret_regenerate: "true" });
    expect(misfitsOf(shown, "lookup_secret")).toEqual([]);
    expect([shown.state, outline(shown, "lookup_secret")]).toEqual([
      "show_form",
      [
        ["lookup_secret_codes", "text", 1050010],
        ["lookup_secret_confirm", "submit", 1050011],
      ],
    ]);
    const { id, text, context } = textOf(shown, "lookup_secret_codes");
    const { secrets } = context as { secrets: { id: number; text: string }[] };
    expect([id, secrets.length, secrets.map((one) => one.text).join(", ")]).toEqual([1050015, 12, text]);
    expect((await password(service.browser(), EMAIL, PASSWORD)).status).toBe(200);

    const done = await sendSettings(browser, shown, { lookup_secret_confirm: "true" });
    expect([done.status, outline(done.data, "lookup_secret")]).toEqual([
      200,
      [
        ["lookup_secret_reveal", "submit", 1050007],
        ["lookup_secret_disable", "submit", 1050016],
      ],
    ]);
    expect((await whoami(browser)).data.authenticator_assurance_level).toBe("aal2");
    const twice = await sendSettings(browser, shown, { lookup_secret_confirm: "true" });
    expect(twice.status).toBe(400);
    const { rows } = await database.pool.query<{ hash: string }>(
      "select encode(code_hash, 'escape') as hash from internal.lookup_codes",
    );
    expect(rows).toHaveLength(12);
    for (const code of text.split(", ")) expect(rows.map(({ hash }) => hash)).not.toContain(code);
    const { rows: flows } = await database.pool.query("select ui::text, context::text from internal.flows");
    expect(JSON.stringify(flows)).not.toContain(text.split(", ")[0]);
  });

  it("sign in once each, however they are written, and say when they are spent", async () => {
    const owner = await signedIn();
    const [first = "", other = ""] = await backup(owner);
    const browser = await signedIn();
    const { data: flow } = await beginLogin(browser, { aal: "aal2" });
    expect(outline(flow, "lookup_secret")).toEqual([
      ["lookup_secret", "text", 1010007],
      ["method", "submit", 1010010],
    ]);
    const send = (lookup_secret: string) =>
      sendLogin(browser, flow, { method: "lookup_secret", lookup_secret });
    expect(complaints((await send("")).data)).toEqual({ lookup_secret: [4000002] });
    expect(complaints((await send("aaaaa-aaaaa")).data)).toEqual({ "": [4000016] });
    const right = await send(` ${first.toUpperCase().replace("-", " ")} `);
    expect(right.status).toBe(200);
    expect(right.data.session.authentication_methods?.at(-1)).toMatchObject({ method: "lookup_secret" });

    const again = await signedIn();
    const spent = await second(again, { method: "lookup_secret", lookup_secret: first });
    expect([spent.status, complaints(spent.data)]).toEqual([400, { "": [4000012] }]);
    expect((await second(again, { method: "lookup_secret", lookup_secret: other })).status).toBe(200);

    const { data: settings } = await beginSettings(owner);
    const { data: list } = await sendSettings(owner, settings, { lookup_secret_reveal: "true" });
    const { context } = textOf(list, "lookup_secret_codes");
    const { secrets } = context as { secrets: { id: number; text: string }[] };
    expect(secrets.map((one) => one.id)).toEqual([1050014, 1050014, ...Array<number>(10).fill(1050009)]);
    expect(secrets[2]?.text).toBe("Code 3 has not been used");
    expect(outline(list, "lookup_secret").map(([name]) => name)).toEqual([
      "lookup_secret_codes",
      "lookup_secret_disable",
      "lookup_secret_regenerate",
    ]);
  });

  it("let one through once, however many come with it at the same moment", async () => {
    const [lookup_secret = ""] = await backup(await signedIn());
    const thieves = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const browser = await signedIn();
        return { browser, flow: (await beginLogin(browser, { aal: "aal2" })).data };
      }),
    );
    const answers = await Promise.all(
      thieves.map(({ browser, flow }) =>
        sendLogin(browser, flow, { method: "lookup_secret", lookup_secret }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it("of somebody else, and those that were replaced or dropped, open nothing", async () => {
    const owner = await signedIn();
    const [old = ""] = await backup(owner);
    const { data: flow } = await beginSettings(owner);
    const { data: revealed } = await sendSettings(owner, flow, { lookup_secret_reveal: "true" });
    const { data: shown } = await sendSettings(owner, revealed, { lookup_secret_regenerate: "true" });
    const [fresh = ""] = textOf(shown, "lookup_secret_codes").text.split(", ");
    const browser = await signedIn();
    const send = (lookup_secret: string) => second(browser, { method: "lookup_secret", lookup_secret });
    expect(complaints((await send(fresh)).data)).toEqual({ "": [4000016] });
    await sendSettings(owner, shown, { lookup_secret_confirm: "true" });
    expect(complaints((await send(old)).data)).toEqual({ "": [4000016] });
    expect((await send(fresh)).status).toBe(200);
    const { data: last } = await beginSettings(owner);
    await sendSettings(owner, last, { lookup_secret_disable: "true" });
    expect((await password(service.browser(), EMAIL, PASSWORD)).status).toBe(200);
  });

  it("a form without a second factor set up is refused by name", async () => {
    const owner = await signedIn();
    await pair(owner);
    const browser = await signedIn();
    const { data: flow } = await beginLogin(browser, { aal: "aal2" });
    const lookup = await sendLogin(browser, flow, { method: "lookup_secret", lookup_secret: "x" });
    expect(complaints(lookup.data)).toEqual({ "": [4000014] });
    const key = await sendLogin(browser, flow, { method: "webauthn", webauthn_login: "{}" });
    expect(complaints(key.data)).toEqual({ "": [4000013] });
    await service.identity.removeSecondFactorsOf(EMAIL);
    const app = await sendLogin(browser, flow, { method: "totp", totp_code: "123456" });
    expect(complaints(app.data)).toEqual({ "": [4000011] });
  });
});
