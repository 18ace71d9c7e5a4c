/** Credentials that were planted, tampered with, made up or used for something else, against the running product. */
import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, PEOPLE, createAccount } from "#tests/support/people.ts";
import { KEY, SECRET, signIn } from "#tests/support/product.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
}, 120_000);
afterAll(() => site?.stop());

const SESSION = "ory_kratos_session";
const pairsOf = (response: Response) =>
  response.headers.getSetCookie().map((line): [string, string] => {
    const pair = line.split(";")[0] ?? "";
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
const valueIn = (cookie: string, name: string) =>
  cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? "";
const whoami = (cookie: string) => site.visit("/api/auth/whoami", { cookie });

interface Begun {
  id: string;
  csrf: string;
  jar: Map<string, string>;
}

async function begin(planted: Record<string, string> = {}): Promise<Begun> {
  const jar = new Map(Object.entries(planted));
  const response = await fetch(`${site.url}/api/.ory/self-service/login/browser`, {
    headers: { accept: "application/json", cookie: cookieOf(jar) },
  });
  for (const [name, value] of pairsOf(response)) jar.set(name, value);
  const flow = (await response.json()) as {
    id: string;
    ui: { nodes: { attributes: { name: string; value?: string } }[] };
  };
  const csrf =
    flow.ui.nodes.find(({ attributes }) => attributes.name === "csrf_token")?.attributes.value ?? "";
  return { id: flow.id, csrf, jar };
}
const cookieOf = (jar: ReadonlyMap<string, string>) =>
  [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

const send = ({ id, csrf, jar }: Begun, { identifier = PEOPLE.viewer.email, password = PASSWORD } = {}) =>
  fetch(`${site.url}/api/.ory/self-service/login?flow=${id}`, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      origin: site.url,
      cookie: cookieOf(jar),
    },
    body: JSON.stringify({ method: "password", identifier, password, csrf_token: csrf }),
  });

describe("fixation", () => {
  test("a session token that was planted before signing in is worth nothing afterwards", async () => {
    const planted = "planted-by-somebody-else-before-the-sign-in";
    const begun = await begin({ [SESSION]: planted });
    const answer = await send(begun);
    expect(answer.status).toBe(200);
    const given = new Map(pairsOf(answer)).get(SESSION) ?? "";
    expect(given).toMatch(/^[\w-]{43}$/);
    expect(given).not.toBe(planted);
    expect((await whoami(`${SESSION}=${planted}`)).status).toBe(401);
    expect((await whoami(`${SESSION}=${given}`)).status).toBe(200);
  });

  test("every sign-in has its own token, and one that has ended does not come back", async () => {
    const first = valueIn(await signIn(site.url, PEOPLE.editor), SESSION);
    const second = valueIn(await signIn(site.url, PEOPLE.editor), SESSION);
    expect(second).not.toBe(first);
    const logout = await fetch(`${site.url}/api/.ory/self-service/logout/browser`, {
      headers: { accept: "application/json", cookie: `${SESSION}=${first}` },
    });
    const { logout_token } = (await logout.json()) as { logout_token: string };
    await fetch(`${site.url}/api/.ory/self-service/logout?token=${logout_token}`, {
      headers: { accept: "application/json", cookie: `${SESSION}=${first}` },
    });
    expect((await whoami(`${SESSION}=${first}`)).status).toBe(401);
    expect((await whoami(`${SESSION}=${second}`)).status).toBe(200);
  });

  test("a flow that somebody else began cannot be finished in this browser, nor with his CSRF cookie planted", async () => {
    const attackers = await begin();
    const mine = await begin();
    const crossed = await send({ ...attackers, jar: mine.jar });
    expect(crossed.status).toBe(403);
    expect(pairsOf(crossed).map(([name]) => name)).not.toContain(SESSION);
    const looked = await fetch(`${site.url}/api/.ory/self-service/login/flows?id=${attackers.id}`, {
      headers: { accept: "application/json", cookie: cookieOf(mine.jar) },
    });
    expect(looked.status).toBe(403);
    // With his cookie planted the victim signs in as himself, with a session and a CSRF token of his own.
    const planted = await send({ ...attackers, jar: attackers.jar });
    const given = new Map(pairsOf(planted));
    const csrfName = [...attackers.jar.keys()].find((name) => name.startsWith("csrf_token")) ?? "";
    expect(given.get(csrfName)).toBeDefined();
    expect(given.get(csrfName)).not.toBe(attackers.jar.get(csrfName));
  });

  test("a flow signs in once", async () => {
    const begun = await begin();
    expect((await send(begun)).status).toBe(200);
    expect((await send(begun)).status).toBe(404);
  });
});

describe("cookies that were tampered with", () => {
  const flipped = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);

  test("a session token with any one character changed is nobody's", async () => {
    const token = valueIn(await site.as("viewer"), SESSION);
    for (let at = 0; at < token.length; at += 3)
      expect((await whoami(`${SESSION}=${flipped(token, at)}`)).status).toBe(401);
    for (const made of [
      `${token}A`,
      token.slice(1),
      token.toUpperCase(),
      `${token}%00`,
      `"${token}x"`,
      "",
      "null",
    ])
      expect((await whoami(`${SESSION}=${made}`)).status).toBe(401);
  });

  test("what the browser remembers of itself gives no right and no name when it was changed", async () => {
    const session = await site.as("viewer");
    const page = await site.visit("/health", { cookie: session });
    const remembered = new Map(pairsOf(page)).get("pilothouse") ?? "";
    expect(remembered.length).toBeGreaterThan(40);
    for (let at = 0; at < remembered.length; at += 17) {
      const response = await site.visit("/health", {
        cookie: `${session}; pilothouse=${flipped(remembered, at)}`,
      });
      expect(response.status).toBe(200);
    }
    const forged = Buffer.from(
      JSON.stringify({ id: randomUUID(), name: "Forged", roles: ["admin"] }),
    ).toString("base64url");
    const logout = await site.visit("/logout", { cookie: `pilothouse=${forged}` });
    expect(await logout.text()).not.toContain("Forged");
    expect(
      (await site.visit("/settings/canaries/new", { cookie: `${session}; pilothouse=${forged}` })).status,
    ).toBe(403);
  });

  test("toasts and preferences that were changed are left out, and break no page", async () => {
    const session = await site.as("viewer");
    const script = "<script>alert(1)</script>";
    for (const cookie of [
      `toast=${Buffer.from(JSON.stringify({ toast: { message: script, type: "info" } })).toString("base64")}`,
      `toast=${Buffer.from(JSON.stringify({ __flash_toast__: { message: script } })).toString("base64")}.c2lnbmVk`,
      `preferences=${encodeURIComponent(JSON.stringify({ theme: `"><${script}` }))}`,
      `preferences=${Buffer.from(`{"theme":"\\"><script>alert(1)</script>"}`).toString("base64url")}`,
      "preferences=%00%ff",
      `${"x".repeat(60)}=${"y".repeat(4000)}`,
    ]) {
      const response = await site.visit("/health", { cookie: `${session}; ${cookie}` });
      expect(response.status, cookie.slice(0, 60)).toBe(200);
      expect(await response.text()).not.toContain("alert(1)");
    }
  });

  test("a browser that claims to be known is counted like any other", async () => {
    const email = `known-${randomUUID().slice(0, 8)}@example.com`;
    await createAccount(site.database.pool, email, []);
    const real = await signIn(site.url, { email, password: PASSWORD });
    const known = real.split("; ").find((pair) => pair.startsWith("ory_known_")) ?? "";
    expect(known).toMatch(/^ory_known_[\w-]{12}=[\w-]{16}\.\d+\.[\w-]{22}$/);
    expect((await whoami(known)).status).toBe(401);
    const [name = "", value = ""] = known.split("=");
    for (let n = 0; n < 5; n += 1) await send(await begin(), { identifier: email, password: "guess" });
    const refused = await send(await begin({ [name]: flipped(value, 3) }), { identifier: email });
    expect(refused.status).toBe(400);
    expect((await send(await begin({ [name]: value }), { identifier: email })).status).toBe(200);
  });
});

describe("tokens that were made up", () => {
  const claims = () => ({
    role: `${site.database.name}_admin`,
    sub: randomUUID(),
    email: PEOPLE.admin.email,
  });
  const bearer = (token: string) =>
    site.visit("/api/db/people?select=id", { headers: { authorization: `Bearer ${token}` } });

  test("a JWT is no credential, whatever it says of its algorithm and whoever signed it", async () => {
    const secrets = [SECRET, KEY, "", "secret", Buffer.from(SECRET, "hex")];
    const bytes = (secret: string | Buffer) =>
      typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const none = (alg: string) => `${part({ alg, typ: "JWT" })}.${part(claims())}.`;
    const hmac = (key: string | Buffer) => {
      const body = `${part({ alg: "HS256", typ: "JWT", kid: "../../../dev/null" })}.${part(claims())}`;
      return `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
    };
    const tokens = [
      new UnsecuredJWT(claims()).encode(),
      ...["none", "None", "NONE", "nOnE", ""].map(none),
      ...secrets.filter((secret) => secret.length > 0).map((secret) => hmac(secret)),
      hmac(pem), // the public key taken for a shared secret
      await new SignJWT(claims())
        .setProtectedHeader({ alg: "RS256" })
        .setExpirationTime("1h")
        .sign(privateKey),
      await new SignJWT(claims()).setProtectedHeader({ alg: "HS512" }).sign(bytes(SECRET)),
    ];
    for (const token of tokens) {
      expect([400, 401], token.slice(0, 40)).toContain((await bearer(token)).status);
      expect((await whoami(`${SESSION}=${token}`)).status).toBe(401);
    }
  });

  test("no header of the caller says who he is, or which role", async () => {
    for (const headers of [
      { "x-ph-person": randomUUID() },
      { "x-hasura-role": "admin", "x-user-id": randomUUID() },
      { "request.jwt.claims": JSON.stringify(claims()) },
      { "x-session-token": "made-up" },
      { authorization: "Basic " + Buffer.from("token:a.b.c.d.e").toString("base64") },
      { authorization: "Basic " + Buffer.from("no colon").toString("base64") },
      { authorization: "Basic" },
      { authorization: "Negotiate abc" },
    ] as Record<string, string>[])
      expect([400, 401]).toContain((await site.visit("/api/db/people?select=id", { headers })).status);
  });

  test("an address that the caller claims for itself does not count", async () => {
    const email = `spoof-${randomUUID().slice(0, 8)}@example.com`;
    await createAccount(site.database.pool, email, []);
    const judged: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const begun = await begin();
      const response = await fetch(`${site.url}/api/.ory/self-service/login?flow=${begun.id}`, {
        method: "POST",
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          origin: site.url,
          cookie: cookieOf(begun.jar),
          "x-ph-client": `203.0.113.${n}`,
          "x-forwarded-for": `203.0.113.${n}`,
          "x-real-ip": `203.0.113.${n}`,
          forwarded: `for=203.0.113.${n}`,
        },
        body: JSON.stringify({
          method: "password",
          identifier: email,
          password: `guess ${n}`,
          csrf_token: begun.csrf,
        }),
      });
      const { ui } = (await response.json()) as { ui: { messages: { id: number }[] } };
      judged.push(ui.messages[0]?.id ?? 0);
    }
    expect(judged.filter((id) => id === 4000006)).toHaveLength(5);
  });
});
