/** The control plane and a provider's bearers (facts/backend-http §2, "clerk"): whom it believes, and what it makes of them. */
import type { JWTPayload } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createProviderTokens } from "#server/identity/provider-tokens.ts";
import { createLinkedAccountStore } from "#server/identity/store/linked-accounts.ts";
import { startOidc, type TestProvider } from "#tests/support/oidc.ts";
import { createAccount } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

let database: TestDatabase;
let provider: TestProvider;
let tokens: ReturnType<typeof createProviderTokens>;
const AUDIENCE = "https://pilothouse.example/api";
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

const tokensOf = (changes: object = {}) =>
  createProviderTokens({
    settings: {
      issuer: provider.issuer,
      clientId: "pilothouse",
      audience: AUDIENCE,
      organization: "acme",
      organizationsClaim: "organizations",
      roleClaim: "role",
      ...changes,
    },
    store: createLinkedAccountStore(database.pool),
    now: () => new Date(),
  });

beforeAll(async () => {
  database = await createDatabase();
  provider = await startOidc({ publicUrl: "http://127.0.0.1:1", people: {} });
  tokens = tokensOf();
}, 60_000);
afterAll(async () => {
  await provider?.stop();
  await database?.drop();
});
afterEach(() => database.pool.query("delete from people where external_id is not null"));

const now = () => Math.floor(Date.now() / 1000);
const claimsOf = (changes: JWTPayload = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: AUDIENCE,
  sub: "user_1",
  sid: "sess_1",
  iat: now(),
  exp: now() + 60,
  org_id: "acme",
  name: "Grace Guard",
  email: "grace@example.com",
  ...changes,
});
type How = Parameters<TestProvider["sign"]>[1];
const verify = async (changes: JWTPayload = {}, how?: How) =>
  tokens.verify(await provider.sign(claimsOf(changes), how));

describe("a bearer", () => {
  test("that the provider signed for us makes a person, with the rights it names", async () => {
    expect(await verify({ picture: "https://id.example/g.png" })).toMatchObject({
      person: { name: "Grace Guard", email: "grace@example.com", roles: ["viewer"] },
    });
    const { rows } = await database.pool.query(
      "select name, email, avatar, external_id, last_login from people where external_id = 'user_1'",
    );
    expect(rows).toEqual([
      {
        name: "Grace Guard",
        email: "grace@example.com",
        avatar: "https://id.example/g.png",
        external_id: "user_1",
        last_login: expect.any(Date),
      },
    ]);
  });

  const REFUSED: [name: string, changes: JWTPayload, how?: How][] = [
    ["without a signature", {}, { key: "none" }],
    ["signed with the public key as a secret", {}, { key: "secret" }],
    ["signed by another key of the same name", {}, { key: "other" }],
    ["signed by a key nobody has heard of", {}, { key: "unknown" }],
    ["of an algorithm we do not take", {}, { header: { alg: "PS512" } }],
    ["for somebody else", { aud: "https://other.example" }],
    ["for the client and not for its backend", { aud: "pilothouse" }],
    ["of another issuer", { iss: "https://evil.example" }],
    ["that is over", { iat: 1, exp: 2 }],
    ["from the future", { nbf: 4_000_000_000 }],
    ["without an end", { exp: undefined }],
    ["of nobody", { sub: undefined }],
    ["that is a logout token", { events: EVENTS }],
    ["for another organisation", { org_id: "globex" }],
    [
      "for another organisation that is called like ours",
      { org_id: undefined, organizations: [{ id: "globex", name: "acme" }] },
    ],
    ["for no organisation", { org_id: undefined }],
    ["for one of another although the list has ours", { org_id: "globex", organizations: ["acme"] }],
  ];
  test.each(REFUSED)("%s is refused, and nobody is made", async (_, changes, how) => {
    expect(await verify(changes, how)).toMatchObject({ refused: 401 });
    const { rows } = await database.pool.query("select from people where external_id is not null");
    expect(rows).toEqual([]);
  });

  test.each(["", "a.b.c", "..", "eyJhbGciOiJub25lIn0..", "\u0000.\u0000.\u0000"])(
    "%j is none",
    async (raw) => {
      expect(await tokens.verify(raw)).toMatchObject({ refused: 401 });
    },
  );

  test.each<[string, JWTPayload]>([
    ["a name", { org_id: undefined, organizations: "acme" }],
    ["a list of names", { org_id: undefined, organizations: ["globex", "acme"] }],
    ["a list of objects", { org_id: undefined, organizations: [{ id: "acme", name: "Acme" }] }],
    ["objects by name", { org_id: undefined, organizations: { acme: { id: "42" } } }],
  ])("may say its organisations as %s", async (_, changes) => {
    expect(await verify(changes)).toHaveProperty("person");
  });

  test("is refused while the provider's keys cannot be had, and that is no fault of the token", async () => {
    const away = tokensOf({ issuer: "http://127.0.0.1:1" });
    expect(await away.verify(await provider.sign(claimsOf()))).toMatchObject({ refused: 503 });
  });
});

describe("the person behind it", () => {
  const rolesOf = async (changes: JWTPayload) => {
    const verdict = await verify(changes);
    return "person" in verdict ? verdict.person.roles : verdict;
  };

  test("is an administrator as long as the provider says so", async () => {
    expect(await rolesOf({ role: "admin" })).toContain("admin");
    expect(await rolesOf({ role: "member" })).toEqual(["viewer"]);
    expect(await rolesOf({ role: ["member", "admin"] })).toContain("admin");
    const inList = (role: string) => ({
      org_id: undefined,
      role: "admin",
      organizations: [{ id: "acme", role }],
    });
    expect(await rolesOf(inList("member"))).toEqual(["viewer"]);
    expect(await rolesOf(inList("admin"))).toContain("admin");
    expect(await rolesOf({ role: "administrator" })).toEqual(["viewer"]);
  });

  test("keeps the roles that were given here", async () => {
    await verify();
    await database.pool.query(
      "insert into internal.role_grants (person_id, role) select id, 'editor' from people where external_id = 'user_1'",
    );
    expect(await rolesOf({})).toEqual(["editor", "viewer"]);
  });

  test("stays one, however many requests come first, and follows what the provider says", async () => {
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => verify()));
    expect(new Set(verdicts.map((one) => "person" in one && one.person.personId)).size).toBe(1);
    expect(await verify({ name: "Grace Hopper", email: "hopper@example.com" })).toMatchObject({
      person: { name: "Grace Hopper", email: "hopper@example.com" },
    });
  });

  test("is never joined with an account of the same e-mail", async () => {
    const { pool } = database;
    const mine = await createAccount(pool, "taken@example.com", ["admin"]);
    for (const _ of [1, 2]) {
      const verdict = await verify({ sub: "user_2", email: "taken@example.com", email_verified: true });
      expect(verdict).toMatchObject({ person: { email: null, roles: ["viewer"] } });
      expect("person" in verdict && verdict.person.personId).not.toBe(mine);
    }
  });

  test("stays out once an administrator has removed them", async () => {
    await verify();
    await database.pool.query("update people set deleted_at = now() where external_id = 'user_1'");
    expect(await verify()).toMatchObject({ refused: 401 });
  });
});

describe("the provider's word that a session ended", () => {
  const logoutOf = (changes: JWTPayload = {}): JWTPayload => ({
    iss: provider.issuer,
    aud: "pilothouse",
    sub: "user_1",
    sid: "sess_1",
    iat: now(),
    jti: "1",
    events: EVENTS,
    ...changes,
  });
  afterEach(() => database.pool.query("delete from internal.ended_sessions"));

  test("refuses that session's bearers, also to another control plane", async () => {
    expect(await tokens.endByToken(await provider.sign(logoutOf()))).toBe(true);
    const elsewhere = tokensOf();
    expect(await elsewhere.verify(await provider.sign(claimsOf()))).toEqual({
      refused: 401,
      words: "Session Expired",
    });
    expect(await verify({ sid: "sess_2" })).toHaveProperty("person");
  });

  test("without a session ends all that the person had until now", async () => {
    expect(await tokens.endByToken(await provider.sign(logoutOf({ sid: undefined })))).toBe(true);
    expect(await verify({ sid: "sess_9", iat: now() - 5 })).toEqual({
      refused: 401,
      words: "Session Expired",
    });
    expect(await verify({ sid: "sess_9", iat: now() + 2 })).toHaveProperty("person");
    expect(await verify({ sub: "user_7", iat: now() - 5 })).toHaveProperty("person");
  });

  test.each<[string, JWTPayload, How?]>([
    ["for another client", { aud: "another" }],
    ["for the backend", { aud: AUDIENCE }],
    ["that is old", { iat: 1000 }],
    ["with a nonce", { nonce: "n" }],
    ["without the event", { events: {} }],
    ["about nobody", { sub: undefined, sid: undefined }],
    ["of another key", {}, { key: "other" }],
    ["without a signature", {}, { key: "none" }],
  ])("%s is not believed", async (_, changes, how) => {
    expect(await tokens.endByToken(await provider.sign(logoutOf(changes), how))).toBe(false);
    expect(await verify()).toHaveProperty("person");
  });
});
