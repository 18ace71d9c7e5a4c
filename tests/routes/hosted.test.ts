/** The hosted provider (specification 1 §1, §2, §4, §8) against a real one: signing in, organisations, refresh, the ends of sessions. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BAD_SESSION } from "#app/contract/words/auth.ts";
import {
  PROVIDER_AWAY,
  PROVISIONING_TITLE,
  SIGN_IN_CANCELLED,
  SIGN_IN_STALE,
  SIGN_IN_UNVERIFIED,
  SIGNED_OUT,
} from "#app/contract/words/hosted.ts";
import { freePort } from "#server/db/ports.ts";
import { startBackend } from "#tests/support/backend.ts";
import {
  AUDIENCE,
  CLIENT_ID,
  clientOf,
  startHostedPlane,
  newVisitor,
  startOidc,
  type Forgery,
  type TestProvider,
} from "#tests/support/oidc.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { SECRET, startProduct, type Product } from "#tests/support/product.ts";
import { startRecorder, type Recorder } from "#tests/support/recording-upstream.ts";

const ORGANIZATIONS = [
  { id: "acme", name: "Acme Anvils", role: "admin" },
  { id: "globex", name: "Globex" },
  { id: "initech", name: "Initech" },
];
const ADA = { name: "Ada Admin", email: "ada@example.com", organizations: ORGANIZATIONS };
const VIC = {
  name: "Vic Viewer",
  email: "vic@example.com",
  organizations: [{ id: "acme", name: "Acme Anvils" }],
};
const PEOPLE = { ada: ADA, vic: VIC };

let database: TestDatabase;
let plane: Product;
let recorder: Recorder;
let globex: Awaited<ReturnType<typeof startBackend>>;
let provider: TestProvider;
let web: Product;

beforeAll(async () => {
  database = await createDatabase();
  globex = await startBackend();
  const [port, planePort] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOidc({ publicUrl, people: PEOPLE });
  recorder = await startRecorder(`http://127.0.0.1:${planePort}`);
  [plane, web] = await Promise.all([
    startHostedPlane(provider, { port: planePort, databaseUrl: database.url }),
    startProduct({
      port,
      env: {
        ...clientOf(provider),
        PUBLIC_URL: publicUrl,
        SESSION_SECRET: SECRET,
        OIDC_UPSTREAMS: JSON.stringify({ acme: recorder.url, globex: `${globex.url}/` }),
      },
    }),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop(), provider?.stop()]);
  await recorder?.close();
  await globex?.close();
  await database?.drop();
});
beforeEach(async () => {
  globex.answer(200);
  globex.take();
  recorder.take();
  await provider.forge(null);
});

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
const health = () => `${web.url}/health?query=a`;
/** A browser with a session of this account. */
async function signedIn(account: keyof typeof PEOPLE) {
  const visitor = newVisitor();
  const page = await visitor.signIn(health(), account);
  expect([page.url, page.status]).toEqual([health(), 200]);
  return visitor;
}
const switchTo = (visitor: ReturnType<typeof newVisitor>, organization: string) =>
  visitor.go(`${web.url}/organizations/orgs-switched`, { form: { organization } });

describe("signing in", () => {
  test("leads from a page to the provider and back to it, and makes the person known", async () => {
    const visitor = newVisitor();
    const asked = await visitor.go(health());
    expect(asked.url).toMatch(new RegExp(`^${provider.issuer}/interaction/`));
    const page = await visitor.go(asked.url, { form: { account: "ada", do: "sign-in" } });
    expect([page.url, page.status]).toEqual([health(), 200]);
    expect(page.text).toContain("Hi <!-- -->Ada Admin");
    const call = recorder.take().find(({ path }) => path === "/auth/whoami");
    const bearer = decodeJwt(String(call?.headers.authorization).replace("Bearer ", ""));
    expect(bearer).toMatchObject({ iss: provider.issuer, aud: AUDIENCE, sub: "ada" });
    expect(call?.headers.cookie).toBeUndefined();
    const { rows } = await database.pool.query(
      "select p.name, p.email, p.external_id, r.role from people p join internal.role_grants r on r.person_id = p.id where p.external_id = 'ada'",
    );
    expect(rows).toEqual([{ name: ADA.name, email: ADA.email, external_id: "ada", role: "admin" }]);
  });

  test("keeps every token from scripts and from anybody's eyes", async () => {
    const visitor = newVisitor();
    const page = await visitor.signIn(health(), "ada");
    const cookies = [...visitor.jarOf(web.url)];
    expect(cookies.map(([name]) => name).sort()).toEqual(["pilothouse", "pilothouse_hosted"]); // in one piece
    for (const [, value] of cookies) expect(value).not.toMatch(/eyJ/);
    expect(page.text).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });

  test("asks for proof of key, with a state and a nonce of each try", async () => {
    const ways = await Promise.all(
      [1, 2].map(async () => {
        const visitor = newVisitor();
        const between = await visitor.visit(`${web.url}/login`);
        const text = await (await visitor.visit(web.url + between.headers.get("location"))).text();
        return new URL(/content="0; ?url=([^"]+)"/.exec(text)![1]!.replaceAll("&amp;", "&")).searchParams;
      }),
    );
    for (const way of ways)
      expect(Object.fromEntries(way)).toMatchObject({
        response_type: "code",
        code_challenge_method: "S256",
        redirect_uri: `${web.url}/login/callback`,
        resource: AUDIENCE,
      });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(ways[0]!.get(name)!.length).toBeGreaterThan(30);
      expect(ways[0]!.get(name)).not.toBe(ways[1]!.get(name));
    }
  });

  test("whoever is signed in is sent on from the sign-in page, and never to another site", async () => {
    const visitor = await signedIn("vic");
    expect((await visitor.go(`${web.url}/login?return_to=%2Fhealth%3Fquery%3Db`)).url).toBe(
      `${web.url}/health?query=b`,
    );
    expect((await visitor.go(`${web.url}/login?return_to=https%3A%2F%2Fevil.example`)).url).toBe(
      `${web.url}/health`,
    );
  });

  test("a cancelled one says so and can be tried again", async () => {
    const visitor = newVisitor();
    const asked = await visitor.go(health());
    const page = await visitor.go(asked.url, { form: { account: "", do: "cancel" } });
    expect(page.status).toBe(400);
    expect(page.text).toContain(SIGN_IN_CANCELLED);
    expect(page.text).toContain('href="/login?return_to=%2Fhealth%3Fquery%3Da"');
  });

  test("the pages of our own flows lead to it or say where the account is", async () => {
    const visitor = newVisitor();
    expect((await visitor.visit(`${web.url}/registration`)).headers.get("location")).toBe("/login");
    const settings = await visitor.visit(`${web.url}/recovery?settings=x`);
    expect(settings.status).toBe(404);
    expect((await visitor.visit(`${web.url}/api/.ory/self-service/login/browser`)).status).toBe(401);
  });

  test("users are not ours to list, invite or name", async () => {
    const visitor = await signedIn("ada");
    const page = await visitor.go(`${web.url}/settings/teams`);
    expect(page.text).not.toContain('href="/settings/users"');
    expect(page.text).not.toContain('href="/profile-settings');
    expect((await visitor.go(`${web.url}/settings/users`)).status).toBe(404);
    expect((await visitor.visit(`${web.url}/settings/users`, { form: { intent: "invite" } })).status).toBe(
      404,
    );
    recorder.take();
    await visitor.go(health());
    const authorization = recorder.take()[0]!.headers.authorization!;
    const invited = await fetch(`${recorder.url}/auth/invite_user`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ firstName: "A", lastName: "B", email: "c@d.example" }),
    });
    expect(invited.status).toBe(404);
  });

  test("the way out of our site is ours alone to name", async () => {
    const visitor = newVisitor();
    for (const to of ["https://evil.example/", "x".repeat(80), ""]) {
      const { status } = await visitor.visit(`${web.url}/leaving?to=${encodeURIComponent(to)}`);
      expect(status).toBe(410);
    }
  });
});

describe("an answer of the provider that is not to be trusted", () => {
  const FORGERIES: Forgery[] = [
    "other key",
    "no algorithm",
    "shared secret",
    "other audience",
    "other issuer",
    "expired",
    "other nonce",
  ];
  test.each(FORGERIES)("an ID token with %s signs nobody in", async (forgery) => {
    const visitor = newVisitor();
    await provider.forge(forgery);
    const page = await visitor.signIn(health(), "ada");
    expect(page.status).toBe(400);
    expect(page.text).toContain(SIGN_IN_UNVERIFIED);
    expect([...visitor.jarOf(web.url).keys()].filter((name) => name.startsWith("pilothouse_hosted"))).toEqual(
      [],
    );
  });

  /** The provider's redirect to us, not followed. */
  async function answered(visitor: ReturnType<typeof newVisitor>): Promise<URL> {
    const asked = await visitor.go(health());
    const posted = await visitor.visit(asked.url, { form: { account: "vic", do: "sign-in" } });
    const back = await visitor.visit(posted.headers.get("location")!);
    return new URL(back.headers.get("location")!);
  }

  test("a state of somebody else's is refused, and so is one that was made up", async () => {
    const [mine, theirs] = [newVisitor(), newVisitor()];
    const back = await answered(theirs);
    for (const state of [back.searchParams.get("state")!, "made-up", ""]) {
      back.searchParams.set("state", state);
      const page = await mine.visit(back.href);
      expect(page.status).toBe(400);
      expect(await page.text()).toContain(SIGN_IN_STALE);
    }
  });

  test("a code is good once", async () => {
    const visitor = newVisitor();
    const back = await answered(visitor);
    const before = new Map(visitor.jarOf(web.url));
    expect((await visitor.visit(back.href)).headers.get("location")).toBe("/health?query=a");
    // The same browser by "Back" goes on; one that kept all it had before gets nothing for the spent code.
    expect((await visitor.visit(back.href)).headers.get("location")).toBe("/");
    const thief = newVisitor();
    for (const [name, value] of before) thief.jarOf(web.url).set(name, value);
    const page = await thief.visit(back.href);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("invalid_grant");
    expect([...thief.jarOf(web.url).keys()]).not.toContain("pilothouse_hosted");
  });

  test("a cookie that was changed is no session", async () => {
    const visitor = await signedIn("vic");
    const jar = visitor.jarOf(web.url);
    const value = jar.get("pilothouse_hosted")!;
    jar.set("pilothouse_hosted", `${value.slice(0, 40)}${value[40] === "A" ? "B" : "A"}${value.slice(41)}`);
    expect((await visitor.visit(health())).headers.get("location")).toMatch(/^\/login\?/);
  });
});

describe("organisations", () => {
  test("each has its backend, which gets the person's token; the switcher goes between them", async () => {
    const visitor = await signedIn("ada");
    const page = await visitor.go(health());
    expect(page.text).toContain('aria-label="Organization: Acme Anvils"');
    for (const { name } of ORGANIZATIONS) expect(page.text).toContain(name);
    expect(globex.take()).toEqual([]);

    const other = await switchTo(visitor, "globex");
    expect(other.url).toBe(`${web.url}/health`);
    expect(other.text).toContain('aria-label="Organization: Globex"');
    expect(other.text).toContain("Hi <!-- -->Backend Person");
    const calls = globex.take();
    expect(calls.length).toBeGreaterThan(0);
    for (const { headers } of calls) {
      expect(headers.authorization).toMatch(/^Bearer eyJ/);
      expect(headers.cookie).toBeUndefined();
    }
    await visitor.visit(`${web.url}/api/db/checks?select=id`);
    expect(globex.take().map(({ path }) => path)).toEqual(["/db/checks?select=id"]);
  });

  test("only one's own can be chosen, and only from this site", async () => {
    const visitor = await signedIn("vic");
    expect((await switchTo(visitor, "globex")).status).toBe(403);
    const address = `${web.url}/organizations/orgs-switched`;
    const foreign = await visitor.visit(address, {
      form: { organization: "acme" },
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect((await visitor.visit(address)).headers.get("location")).toBe("/");
    expect(globex.take()).toEqual([]);
  });

  test("one without a backend shows the provisioning screen, from which another can be chosen", async () => {
    const visitor = await signedIn("ada");
    const page = await switchTo(visitor, "initech");
    expect(pathOf(page.url)).toMatch(/^\/organizations\/provisioning\?return_to=/);
    expect(page.text).toContain(PROVISIONING_TITLE);
    expect(page.text).toContain("Initech");
    expect(page.text).toMatch(/<noscript><meta http-equiv="refresh" content="10"\/?><\/noscript>/i);
    const api = await visitor.visit(`${web.url}/api/db/checks`);
    expect([api.status, await api.json()]).toEqual([503, { error: "Missing target" }]);
    expect((await switchTo(visitor, "acme")).url).toBe(`${web.url}/health`);
  });

  test.each([404, 500, 502, 503])("whoami answering %s shows it too, until it answers", async (status) => {
    const visitor = await signedIn("ada");
    globex.answer(status);
    const page = await switchTo(visitor, "globex");
    expect(page.text).toContain(PROVISIONING_TITLE);
    const waiting = await visitor.visit(`${web.url}/health?query=b`);
    const screen = web.url + waiting.headers.get("location")!;
    expect((await visitor.visit(screen)).status).toBe(200);
    globex.answer(200);
    expect((await visitor.visit(screen)).headers.get("location")).toBe("/health?query=b");
  });

  test("any other refusal is an error page; a session it does not accept the bad-session page with the ways out", async () => {
    const visitor = await signedIn("ada");
    await switchTo(visitor, "globex");
    globex.answer(403);
    expect((await visitor.go(health())).status).toBe(500);
    globex.answer(401, "Unauthorized: no");
    const page = await visitor.go(health());
    expect(pathOf(page.url)).toBe("/error?error_code=BAD_SESSION");
    expect(page.text).toContain(BAD_SESSION);
    expect(page.text).toContain('aria-label="Organization: Globex"');
    expect(page.text).toContain("Sign out");
    expect(page.text).toContain("Go back");
    globex.answer(401, "Session Expired");
    expect((await visitor.visit(health())).headers.get("location")).toMatch(/^\/login\?/);
  });
});

describe("the end of a session", () => {
  test("signing out ends it at the provider too, and says so", async () => {
    const visitor = await signedIn("vic");
    const jar = new Map(visitor.jarOf(web.url));
    const asked = await visitor.go(`${web.url}/logout`, { form: { intent: "sign-out" } });
    expect(asked.url).toMatch(`${provider.issuer}/session/end`);
    const action = /action="([^"]+)"/.exec(asked.text)![1]!;
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked.text)![1]!;
    const page = await visitor.go(action, { form: { xsrf, logout: "yes" } });
    expect(page.url).toBe(`${web.url}/logout`);
    expect(page.text).toContain(SIGNED_OUT);
    expect((await visitor.go(health())).url).toContain("/interaction/");
    // A copy of the cookies from before is worth nothing.
    const thief = newVisitor();
    for (const [name, value] of jar) thief.jarOf(web.url).set(name, value);
    expect((await thief.visit(health())).headers.get("location")).toMatch(/^\/login\?/);
  });

  /** The `sid` of a browser's session, as its bearer says it. */
  async function sessionOf(visitor: ReturnType<typeof newVisitor>): Promise<{ sid: string; bearer: string }> {
    recorder.take();
    await visitor.go(health());
    const bearer = recorder.take()[0]!.headers.authorization!.replace("Bearer ", "");
    return { sid: String(decodeJwt(bearer)["sid"]), bearer };
  }

  test("the provider's back channel ends that session everywhere, and no other", async () => {
    const [ended, other] = [await signedIn("vic"), await signedIn("vic")];
    const { sid, bearer } = await sessionOf(ended);
    await provider.endSession("vic", sid);
    expect((await ended.visit(health())).headers.get("location")).toMatch(/^\/login\?/);
    const direct = await fetch(`${recorder.url}/auth/whoami`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect([direct.status, await direct.text()]).toEqual([401, "Session Expired"]);
    expect((await other.visit(health())).status).toBe(200);
    expect((await signedIn("vic").then((again) => again.visit(health()))).status).toBe(200);
  });

  test("a back-channel call that is not the provider's ends nothing", async () => {
    const visitor = await signedIn("vic");
    const { sid, bearer } = await sessionOf(visitor);
    const now = Math.floor(Date.now() / 1000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const good = { iss: provider.issuer, aud: CLIENT_ID, sub: "vic", sid, iat: now, jti: "1", events };
    const tokens = await Promise.all([
      provider.sign(good, { key: "other" }),
      provider.sign(good, { key: "none" }),
      provider.sign(good, { key: "secret" }),
      provider.sign({ ...good, aud: "another" }),
      provider.sign({ ...good, iss: "https://evil.example" }),
      provider.sign({ ...good, iat: now - 3600 }),
      provider.sign({ ...good, nonce: "an ID token has one" }),
      provider.sign({ ...good, events: {} }),
      provider.sign({ ...good, sub: undefined, sid: undefined }),
      provider.sign(good, { header: { typ: "at+jwt" } }),
      Promise.resolve(bearer),
      Promise.resolve(""),
      Promise.resolve("x".repeat(40_000)),
    ]);
    for (const logout_token of tokens) {
      const body = new URLSearchParams({ logout_token });
      const answer = await fetch(`${web.url}/logout/backchannel`, { method: "POST", body });
      expect([400, 413]).toContain(answer.status);
    }
    expect((await visitor.visit(health())).status).toBe(200);
    const body = new URLSearchParams({ logout_token: await provider.sign(good) });
    expect((await fetch(`${web.url}/logout/backchannel`, { method: "POST", body })).status).toBe(200);
    expect((await visitor.visit(health())).headers.get("location")).toMatch(/^\/login\?/);
  });

  test("a web that heard of it only from the backend forgets the session too", async () => {
    const visitor = await signedIn("vic");
    const { sid } = await sessionOf(visitor);
    const now = Math.floor(Date.now() / 1000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const token = await provider.sign({
      iss: provider.issuer,
      aud: CLIENT_ID,
      sub: "vic",
      sid,
      iat: now,
      jti: "2",
      events,
    });
    const body = new URLSearchParams({ logout_token: token });
    expect((await fetch(`${recorder.url}/auth/backchannel-logout`, { method: "POST", body })).status).toBe(
      200,
    );
    expect((await visitor.visit(health())).headers.get("location")).toMatch(/^\/login\?/);
  });
});

describe("tokens that live for seconds", () => {
  let short: TestProvider;
  let site: Product;
  /** Leads whoever is signed in to the first page, everybody else to the sign-in page. */
  const page = () => `${site.url}/`;
  const isIn = async (visitor: ReturnType<typeof newVisitor>) =>
    (await visitor.visit(page())).headers.get("location") === "/health";
  const bearers = () => new Set(globex.take().map(({ headers }) => headers.authorization));

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    short = await startOidc({ publicUrl, people: { ada: ADA }, ttl: 3 });
    const env = {
      ...clientOf(short),
      OIDC_AUDIENCE: undefined,
      PUBLIC_URL: publicUrl,
      SESSION_SECRET: SECRET,
      OIDC_UPSTREAMS: JSON.stringify({ acme: globex.url }),
    };
    site = await startProduct({ port, env });
  }, 60_000);
  afterAll(() => Promise.all([site?.stop(), short?.stop()]));
  const later = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

  test("are renewed once, however many ask at once, and the old cookie still serves who has no new one yet", async () => {
    const visitor = newVisitor();
    await visitor.signIn(page(), "ada");
    expect(await isIn(visitor)).toBe(true);
    const first = bearers();
    const before = new Map(visitor.jarOf(site.url));
    await later(3.2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => isIn(visitor)));
    expect(answers).toEqual(Array.from({ length: 8 }, () => true));
    const second = bearers();
    expect(second.size).toBe(1);
    expect(first).not.toContain([...second][0]);
    const late = newVisitor();
    for (const [name, value] of before) late.jarOf(site.url).set(name, value);
    expect(await isIn(late)).toBe(true);
    expect(bearers()).toEqual(second);
    // The rotated refresh token that the new cookie holds is good for the next time.
    await later(3.2);
    expect(await isIn(visitor)).toBe(true);
    expect(second).not.toContain([...bearers()][0]);
  });

  test("are renewed for a call of the API as well, and the new cookie goes with its answer", async () => {
    const visitor = newVisitor();
    await visitor.signIn(page(), "ada");
    await later(3.2);
    const answer = await visitor.visit(`${site.url}/api/db/checks`);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().some((line) => line.startsWith("pilothouse_hosted"))).toBe(true);
  });

  test("organisations follow the newer token", async () => {
    const visitor = newVisitor();
    expect((await visitor.signIn(page(), "ada")).text).toContain("Initech");
    await short.setPeople({ ada: { ...ADA, organizations: ORGANIZATIONS.slice(0, 2) } });
    await later(3.2);
    expect((await visitor.go(page())).text).not.toContain("Initech");
    await short.setPeople({ ada: ADA });
  });

  test("forged ones of a refresh are not used", async () => {
    const visitor = newVisitor();
    await visitor.signIn(page(), "ada");
    await short.forge("other key");
    await later(3.2);
    globex.take();
    expect((await visitor.visit(page())).headers.get("location")).toMatch(/^\/login\?/);
    expect(globex.take()).toEqual([]);
    await short.forge(null);
  });

  test("while the provider is away, whoever needs it is told; when it is back without the session, they sign in", async () => {
    const visitor = newVisitor();
    await visitor.signIn(page(), "ada");
    await short.stop();
    await later(3.2);
    const away = await visitor.visit(page());
    expect(away.status).toBe(503);
    expect(await away.text()).toContain(PROVIDER_AWAY);
    const api = await visitor.visit(`${site.url}/api/db/checks`);
    expect([api.status, await api.json()]).toEqual([503, { error: PROVIDER_AWAY }]);
    await short.start();
    expect((await visitor.visit(page())).headers.get("location")).toMatch(/^\/login\?/);
    await visitor.signIn(page(), "ada");
    expect(await isIn(visitor)).toBe(true);
  }, 30_000);
});
