/** The product with its identity service elsewhere (ORY_KRATOS_URL): sessions, cookies, people, and what stays here. */
import { inject, afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEPT_ELSEWHERE } from "#app/contract/words/people.ts";
import { freePort } from "#server/db/ports.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createAccount, PASSWORD, setRoles } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { onDatabase, signIn, startProduct, type Product } from "#tests/support/product.ts";
import { startRecorder, type Recorder } from "#tests/support/recording-upstream.ts";
import { startKratos, type TestKratos } from "#tests/support/kratos.ts";

const ADMIN = "boss@elsewhere.example";
let database: TestDatabase;
let kratos: TestKratos;
let recorder: Recorder;
let product: Product;
const NO_NEEDS = { publicUrl: null, secureCookies: false, observe: () => undefined };

beforeAll(async () => {
  const port = await freePort();
  database = await createDatabase();
  kratos = await startKratos({ server: inject("postgres"), site: `http://127.0.0.1:${port}` });
  recorder = await startRecorder(new URL(kratos.url).origin);
  product = await startProduct({
    port,
    env: {
      ...onDatabase(database.url),
      ORY_KRATOS_URL: recorder.url + new URL(kratos.url).pathname,
      PILOTHOUSE_ADMIN_EMAIL: ADMIN,
      PILOTHOUSE_ADMIN_PASSWORD: undefined,
    },
  });
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await recorder?.close();
  await kratos?.stop();
  await database?.drop();
});

/** Somebody at the identity service elsewhere; the id there. */
async function account(email: string, { verified = true } = {}): Promise<string> {
  const id = await createAccount(kratos.database!, email, []);
  if (verified)
    await kratos.database!.query(
      "insert into internal.verified_addresses (identity_id, address, verified_at) values ($1, $2, now())",
      [id, email],
    );
  return id;
}
const signedIn = (email: string) => signIn(product.url, { email, password: PASSWORD });

async function whoami(cookie: string) {
  const response = await fetch(`${product.url}/api/auth/whoami`, { headers: { cookie } });
  const body = response.ok ? ((await response.json()) as Whoami) : null;
  return { status: response.status, user: body?.payload.user, roles: body?.payload.roles };
}
type Whoami = { payload: { user: { id: string; name: string; email?: string }; roles: string[] } };

describe("cookies", () => {
  test("become ours: of this host and the whole site, whatever the service said", async () => {
    const response = await fetch(`${product.url}/login`, { headers: { accept: "text/html" } });
    const lines = response.headers.getSetCookie();
    expect(lines.some((line) => line.startsWith("csrf_token"))).toBe(true);
    const raw = await fetch(`${product.url}/api/.ory/self-service/login/browser`, {
      headers: { accept: "application/json" },
    });
    for (const line of [...lines, ...raw.headers.getSetCookie()]) {
      expect(line).toMatch(/; Path=\/; .*HttpOnly; SameSite=Lax$/);
      expect(line).not.toMatch(/domain|; secure|none/i);
    }
  });

  test("of ours stay here, and so does a password for our API", async () => {
    recorder.take();
    const headers = {
      accept: "application/json",
      cookie:
        "pilothouse=secret; toast=secret; ory_kratos_session=theirs; csrf_token_x=theirs; ory_relayed_odd=theirs",
      authorization: `Basic ${btoa("ada@example.com:secret")}`,
    };
    await fetch(`${product.url}/api/.ory/sessions/whoami`, { headers });
    const [call] = recorder.take();
    expect(call?.path).toBe("/auth/public/sessions/whoami");
    expect(call?.headers.cookie).toBe("ory_kratos_session=theirs; csrf_token_x=theirs; odd=theirs");
    expect(call?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(call?.headers)).not.toContain("secret");
  });
});

describe("people", () => {
  test("are made at first sight, as viewers, with the id, the name and the e-mail they have there", async () => {
    const id = await account("new@elsewhere.example");
    const cookie = await signedIn("new@elsewhere.example");
    expect(await whoami(cookie)).toEqual({
      status: 200,
      user: { id, name: "New Example", email: "new@elsewhere.example" },
      roles: [],
    });
    const page = await fetch(`${product.url}/health`, { headers: { cookie } });
    expect(page.status).toBe(200);
  });

  test("many first calls at once make one person", async () => {
    await account("burst@elsewhere.example");
    const cookie = await signedIn("burst@elsewhere.example");
    const all = await Promise.all(Array.from({ length: 8 }, () => whoami(cookie)));
    expect(new Set(all.map(({ status, user }) => `${status} ${user?.id}`)).size).toBe(1);
  });

  test("follow what they are called there", async () => {
    const id = await account("renamed@elsewhere.example");
    const cookie = await signedIn("renamed@elsewhere.example");
    await whoami(cookie);
    await kratos.database!.query(
      `update identities set traits = '{"email": "after@elsewhere.example", "name": {"first": "After"}}' where id = $1`,
      [id],
    );
    await expect
      .poll(() => whoami(cookie))
      .toMatchObject({
        user: { id, name: "After", email: "after@elsewhere.example" },
      });
  });

  test("have the roles they have here, read anew for each call", async () => {
    const id = await account("editor@elsewhere.example");
    const cookie = await signedIn("editor@elsewhere.example");
    await whoami(cookie);
    await setRoles(database.pool, id, ["editor"]);
    expect((await whoami(cookie)).roles).toEqual(["editor"]);
    await setRoles(database.pool, id, []);
    expect((await whoami(cookie)).roles).toEqual([]);
  });

  test("who are inactive here are nobody", async () => {
    const id = await account("inactive@elsewhere.example");
    const cookie = await signedIn("inactive@elsewhere.example");
    await whoami(cookie);
    await database.pool.query("update identities set state = 'inactive' where id = $1", [id]);
    expect((await whoami(cookie)).status).toBe(401);
    const page = await fetch(`${product.url}/health`, { headers: { cookie }, redirect: "manual" });
    expect(page.headers.get("location")).toBe("/error?error_code=BAD_SESSION");
  });
});

describe("an account that was here before", () => {
  test("is joined by a verified address", async () => {
    const old = await createAccount(database.pool, "joined@elsewhere.example", ["editor"]);
    await account("joined@elsewhere.example");
    const cookie = await signedIn("joined@elsewhere.example");
    expect(await whoami(cookie)).toMatchObject({ status: 200, user: { id: old }, roles: ["editor"] });
    expect(await whoami(cookie)).toMatchObject({ user: { id: old } });
  });

  test("is not opened by an address that nobody verified", async () => {
    await createAccount(database.pool, "victim@elsewhere.example", ["admin"]);
    await account("victim@elsewhere.example", { verified: false });
    const cookie = await signedIn("victim@elsewhere.example");
    expect((await whoami(cookie)).status).toBe(401);
  });
});

describe("the administrator that the configuration names", () => {
  test("is one at first sight, once the address is verified", async () => {
    await account(ADMIN);
    expect((await whoami(await signedIn(ADMIN))).roles).toEqual(["admin"]);
  });
});

test("a session that ended there ends here", async () => {
  const id = await account("leaver@elsewhere.example");
  const cookie = await signedIn("leaver@elsewhere.example");
  expect((await whoami(cookie)).status).toBe(200);
  await kratos.database!.query("delete from internal.sessions where identity_id = $1", [id]);
  await expect.poll(async () => (await whoami(cookie)).status, { timeout: 5000 }).toBe(401);
  const page = await fetch(`${product.url}/health?page=2`, { headers: { cookie }, redirect: "manual" });
  expect(page.headers.get("location")).toBe("/login?return_to=%2Fhealth%3Fpage%3D2");
});

test("access tokens are ours, wherever people sign in", async () => {
  const id = await account("agent@elsewhere.example");
  await whoami(await signedIn("agent@elsewhere.example"));
  const identity = createIdentity({ ...NO_NEEDS, pool: database.pool });
  const token = await identity.createAccessToken(id, "agent", null);
  const response = await fetch(`${product.url}/api/auth/whoami`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
});

test("there is no set-up link, and no account of our own to sign in to", async () => {
  expect(product.said()).not.toContain("/registration?setup=");
});

test("a service that is away is said to be away, and nobody is signed out by it", async () => {
  await account("away@elsewhere.example");
  const cookie = await signedIn("away@elsewhere.example");
  await recorder.leave();
  try {
    await new Promise((done) => setTimeout(done, 1100));
    const page = await fetch(`${product.url}/health`, { headers: { cookie }, redirect: "manual" });
    expect(page.status).toBe(503);
    expect(page.headers.getSetCookie().join()).not.toContain("Max-Age=0");
  } finally {
    await recorder.comeBack();
  }
  await expect.poll(async () => (await whoami(cookie)).status).toBe(200);
});

describe("users, whose accounts are kept there", () => {
  /** An administrator here, a call of the API as them, and somebody to change. */
  async function asAdmin(name: string) {
    const [boss, other] = [`${name}.boss@elsewhere.example`, `${name}.other@elsewhere.example`];
    await account(boss);
    const id = await account(other);
    const [cookie, theirs] = [await signedIn(boss), await signedIn(other)];
    await whoami(theirs);
    const { user } = await whoami(cookie);
    await setRoles(database.pool, user!.id, ["admin"]);
    const send = (path: string, body: object) =>
      fetch(`${product.url}/api${path}`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json", origin: product.url },
        body: JSON.stringify(body),
      });
    const read = async (path: string) => (await fetch(product.url + path, { headers: { cookie } })).text();
    return { id, other, theirs, send, read };
  }

  test("are not invited here, and the page does not offer it", async () => {
    const { send, read } = await asAdmin("invite");
    const invited = await send("/auth/invite_user", { firstName: "A", lastName: "B", email: "c@d.example" });
    expect(invited.status).toBe(404);
    const page = await read("/settings/users?invite=true");
    expect(page).toContain("invite.other@elsewhere.example");
    expect(page).not.toContain("Invite User");
    expect(page).not.toContain('value="invite"');
  });

  test("get roles and state here, but no other name or address", async () => {
    const { id, other, theirs, send, read } = await asAdmin("rights");
    for (const change of [{ firstName: "Another" }, { lastName: "Name" }, { email: "x@elsewhere.example" }]) {
      const refused = await send("/people/update", { id, ...change });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(`${Object.keys(change)[0]}: ${KEPT_ELSEWHERE}`);
    }
    expect((await whoami(theirs)).user).toMatchObject({ email: other });
    expect((await send("/people/update", { id, email: other, role: "editor" })).status).toBe(200);
    expect((await whoami(theirs)).roles).toEqual(["editor"]);
    const dialog = await read(`/settings/users?edit=${id}`);
    expect(dialog).toMatch(/<input[^>]*id="user-email"[^>]*disabled=""/);
    expect(dialog).toContain(KEPT_ELSEWHERE);
    expect(await read(`/settings/users?remove=${id}`)).toContain("to keep them out, make them inactive");
  });

  test("are changed by the form without their names", async () => {
    const { id, theirs, read } = await asAdmin("form");
    const cookie = await signedIn("form.boss@elsewhere.example");
    const seen = /name="seen" value="([^"]*)"/.exec(await read(`/settings/users?edit=${id}`))![1]!;
    const answer = await fetch(`${product.url}/settings/users?edit=${id}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: product.url },
      body: new URLSearchParams({
        intent: "change",
        id,
        seen,
        name: "Form Other",
        role: "responder",
        hasActive: "true",
        active: "true",
      }),
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/settings/users"]);
    expect((await whoami(theirs)).roles).toEqual(["responder"]);
  });
});
