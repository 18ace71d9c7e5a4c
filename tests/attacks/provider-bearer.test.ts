/** Bearers that the hosted provider never gave, or not to us, against the running product: the web, and the control plane behind it. */
import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  type KeyObject,
} from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { JWK, JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "#server/db/ports.ts";
import {
  AUDIENCE,
  CLIENT_ID,
  CLIENT_SECRET,
  clientOf,
  startHostedPlane,
  startOidc,
  type TestProvider,
} from "#tests/support/oidc.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { SECRET, startProduct, type Product } from "#tests/support/product.ts";

let database: TestDatabase;
let provider: TestProvider;
let plane: Product;
let web: Product;
/** The provider's published key, as everybody can read it. */
let jwk: JWK;
/** Keys of the attacker, on a server of the attacker. */
const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ownJwk = { ...own.publicKey.export({ format: "jwk" }), kid: "mine", alg: "RS256", use: "sig" };
let trap: Server;
let trapped: string[] = [];
let trapUrl: string;

beforeAll(async () => {
  database = await createDatabase();
  trap = createServer((request, answer) => {
    trapped.push(request.url ?? "");
    answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: [ownJwk] }));
  });
  await new Promise<void>((ready) => trap.listen(0, "127.0.0.1", ready));
  trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  const [port, planePort] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOidc({ publicUrl, people: {} });
  [plane, web] = await Promise.all([
    startHostedPlane(provider, {
      port: planePort,
      databaseUrl: database.url,
      env: { PUBLIC_URL: publicUrl },
    }),
    startProduct({
      port,
      env: {
        ...clientOf(provider),
        OIDC_ORGANIZATION: "acme",
        PUBLIC_URL: publicUrl,
        UPSTREAM_URL: `http://127.0.0.1:${planePort}`,
        SESSION_SECRET: SECRET,
      },
    }),
  ]);
  const published = (await (await fetch(`${provider.issuer}/jwks`)).json()) as { keys: JWK[] };
  jwk = published.keys[0]!;
}, 120_000);
afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop(), provider?.stop()]);
  trap?.close();
  await database?.drop();
});

const now = () => Math.floor(Date.now() / 1000);
const claimsOf = (changes: JWTPayload = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: AUDIENCE,
  sub: "mallory",
  sid: "session-1",
  iat: now(),
  exp: now() + 60,
  org_id: "acme",
  role: "admin",
  name: "Mallory",
  ...changes,
});
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Any header over any claims, signed by hand: libraries refuse to make most of these. */
const token = (header: object, signature: (input: string) => Buffer, claims: JWTPayload = claimsOf()) => {
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${signature(input).toString("base64url")}`;
};
const nothing = () => Buffer.alloc(0);
const hmac =
  (secret: string | Buffer, hash = "sha256") =>
  (input: string) =>
    createHmac(hash, secret).update(input).digest();
const rsa = (key: KeyObject) => (input: string) => sign("sha256", Buffer.from(input), key);
const pemOf = (type: "spki" | "pkcs1") =>
  createPublicKey({ key: jwk as never, format: "jwk" }).export({ type, format: "pem" }) as string;
const mine = () => rsa(own.privateKey);

/** The claims that were signed, with others in their place. */
async function altered(changes: JWTPayload): Promise<string> {
  const [header, , signature] = (await provider.sign(claimsOf({ role: "member" }))).split(".");
  return `${header}.${part(claimsOf(changes))}.${signature}`;
}

const ATTACKS: Record<string, () => string | Promise<string>> = {
  "no algorithm": () => token({ alg: "none" }, nothing),
  "no algorithm, spelled otherwise": () => token({ alg: "nOnE", typ: "JWT" }, nothing),
  "no algorithm, with the provider's key named": () => token({ alg: "none", kid: jwk.kid }, nothing),
  "an empty algorithm": () => token({ alg: "", kid: jwk.kid }, nothing),
  "no header": () => token({}, mine()),
  "HS256 by the public key, as PEM": () => token({ alg: "HS256", kid: jwk.kid }, hmac(pemOf("spki"))),
  "HS256 by the public key, as PKCS #1": () => token({ alg: "HS256", kid: jwk.kid }, hmac(pemOf("pkcs1"))),
  "HS256 by the public key, without the last line's end": () =>
    token({ alg: "HS256", kid: jwk.kid }, hmac(pemOf("spki").trimEnd())),
  "HS256 by the public key, as published": () =>
    token({ alg: "HS256", kid: jwk.kid }, hmac(JSON.stringify(jwk))),
  "HS256 by the modulus": () =>
    token({ alg: "HS256", kid: jwk.kid }, hmac(Buffer.from(String(jwk.n), "base64url"))),
  "HS512 by the public key": () => token({ alg: "HS512", kid: jwk.kid }, hmac(pemOf("spki"), "sha512")),
  "HS256 by the client's secret": () => token({ alg: "HS256", kid: jwk.kid }, hmac(CLIENT_SECRET)),
  "HS256 by nothing": () => token({ alg: "HS256" }, hmac("")),
  "another key under the provider's name": () => token({ alg: "RS256", kid: jwk.kid }, mine()),
  "another key under no name": () => token({ alg: "RS256" }, mine()),
  "another key under a name nobody has heard of": () => token({ alg: "RS256", kid: "mine" }, mine()),
  "a name that is a file": () =>
    token({ alg: "HS256", kid: "../../../../../../dev/null" }, hmac(Buffer.alloc(0))),
  "a name that is a query": () => token({ alg: "RS256", kid: "' union select 'key' --" }, mine()),
  "a name that is an address": () => token({ alg: "RS256", kid: `${trapUrl}/kid` }, mine()),
  "a name that is no text": () => token({ alg: "RS256", kid: { toString: "mine" } }, mine()),
  "a name of everything": () => token({ alg: "RS256", kid: "__proto__" }, mine()),
  "its own key brought along": () => token({ alg: "RS256", kid: "mine", jwk: ownJwk }, mine()),
  "keys from elsewhere": () => token({ alg: "RS256", kid: "mine", jku: `${trapUrl}/jku` }, mine()),
  "keys from elsewhere, under the provider's name": () =>
    token({ alg: "RS256", kid: jwk.kid, jku: `${trapUrl}/jku` }, mine()),
  "a certificate from elsewhere": () => token({ alg: "RS256", kid: "mine", x5u: `${trapUrl}/x5u` }, mine()),
  "an extension that must be understood": () =>
    token({ alg: "RS256", kid: jwk.kid, crit: ["exp"], exp: 1 }, mine()),
  "a payload that is not encoded": () =>
    token({ alg: "RS256", kid: jwk.kid, b64: false, crit: ["b64"] }, mine()),
  "no signature": async () => (await provider.sign(claimsOf())).replace(/[^.]+$/, ""),
  "half a signature": async () => (await provider.sign(claimsOf())).slice(0, -40),
  "another role under an old signature": () => altered({ role: "admin" }),
  "another person under an old signature": () => altered({ role: "member", sub: "somebody-else" }),
  "another issuer": () => provider.sign(claimsOf({ iss: "https://evil.example" })),
  "two issuers": () => provider.sign(claimsOf({ iss: [provider.issuer] as never })),
  "an issuer that begins like ours": () =>
    provider.sign(claimsOf({ iss: `${provider.issuer}.evil.example` })),
  "no issuer": () => provider.sign(claimsOf({ iss: undefined })),
  "another audience": () => provider.sign(claimsOf({ aud: "https://other.example/api" })),
  "the client's audience": () => provider.sign(claimsOf({ aud: CLIENT_ID })),
  "other audiences": () => provider.sign(claimsOf({ aud: ["https://other.example", `${AUDIENCE}/v2`] })),
  "no audience": () => provider.sign(claimsOf({ aud: undefined })),
  "a life that is over": () => provider.sign(claimsOf({ iat: now() - 7200, exp: now() - 3600 })),
  "a life without an end": () => provider.sign(claimsOf({ exp: undefined })),
  "an end that is no number": () => provider.sign(claimsOf({ exp: "9999999999" as never })),
  "a life that has not begun": () => provider.sign(claimsOf({ nbf: now() + 3600 })),
  "another organisation": () => provider.sign(claimsOf({ org_id: "globex" })),
  "a logout token": () =>
    provider.sign(claimsOf({ events: { "http://schemas.openid.net/event/backchannel-logout": {} } })),
  "too much of it": async () => `${part({ alg: "RS256", kid: "x".repeat(6_000) })}.${part(claimsOf())}.x`,
};

const asked = (url: string, bearer: string) =>
  fetch(url, { headers: { authorization: `Bearer ${bearer}` }, redirect: "manual" });
const count = async () =>
  (await database.pool.query("select count(*)::int as people from people where external_id is not null"))
    .rows[0].people as number;

describe("a bearer that is forged or for somebody else", () => {
  test.each(Object.entries(ATTACKS))("%s opens nothing and makes nobody", async (_, made) => {
    const [bearer, before] = [await made(), await count()];
    trapped = [];
    for (const url of [
      `${web.url}/api/auth/whoami`,
      `${web.url}/api/db/people?select=id`,
      `${plane.url}/auth/whoami`,
      `${plane.url}/db/canaries?select=id`,
    ]) {
      const answer = await asked(url, bearer);
      expect([url, answer.status]).toEqual([url, 401]);
      expect(await answer.text()).not.toMatch(/mallory|"id"|BEGIN PUBLIC/i);
    }
    expect(trapped).toEqual([]);
    expect(await count()).toBe(before);
  });

  test("is one nowhere else either: as a password, a cookie, or part of an address", async () => {
    const bearer = await provider.sign(claimsOf({ sub: randomUUID() }));
    const forged = token({ alg: "none" }, nothing);
    const before = await count();
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
    const tries: [string, Record<string, string>][] = [
      [`${web.url}/api/auth/whoami`, basic(`token:${forged}`)],
      [`${web.url}/api/auth/whoami`, basic(`mallory@example.com:${bearer}`)],
      [`${web.url}/api/auth/whoami`, { cookie: `__session=${bearer}; pilothouse_hosted=${bearer}` }],
      [`${web.url}/api/auth/whoami?access_token=${bearer}`, {}],
      [`${plane.url}/auth/whoami?access_token=${bearer}`, {}],
      [`${plane.url}/auth/whoami`, { cookie: `ory_kratos_session=${bearer}` }],
    ];
    for (const [url, headers] of tries) expect((await fetch(url, { headers })).status).toBe(401);
    expect(await count()).toBe(before);
  });

  test("does not reach the logs", async () => {
    const bearer = await provider.sign(claimsOf({ aud: "https://other.example" }));
    await asked(`${web.url}/api/auth/whoami`, bearer);
    for (const product of [web, plane]) {
      expect(product.said()).not.toContain(bearer.split(".")[2]);
      expect(product.said()).not.toContain(CLIENT_SECRET);
    }
  });
});

test("the provider's own bearer, for us and now, is taken: the attacks fail for their own sake", async () => {
  const bearer = await provider.sign(claimsOf({ sub: "grace", name: "Grace", role: "member" }));
  for (const url of [`${web.url}/api/auth/whoami`, `${plane.url}/auth/whoami`]) {
    const answer = await asked(url, bearer);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ payload: { user: { name: "Grace" }, roles: ["viewer"] } });
  }
  const among = await provider.sign(claimsOf({ sub: "grace", name: "Grace", aud: ["https://x", AUDIENCE] }));
  expect((await asked(`${web.url}/api/auth/whoami`, among)).status).toBe(200);
  expect((await asked(`${web.url}/api/db/canaries?select=id`, bearer)).status).toBe(200);
});
