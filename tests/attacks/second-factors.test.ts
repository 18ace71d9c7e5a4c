/** Codes of a second factor, attacked on two control planes at once: replayed, used together, guessed, gone around. */
import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, PASSWORD } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { onDatabase, startProduct, type Product } from "#tests/support/product.ts";
import { newVisitor, type FlowAnswer, type Visitor } from "./visitor.ts";

let database: TestDatabase;
const products: Product[] = [];

beforeAll(async () => {
  database = await createDatabase();
  for (let n = 0; n < 2; n += 1) products.push(await startProduct({ env: onDatabase(database.url) }));
}, 180_000);
afterAll(async () => {
  for (const product of products) await product.stop();
  await database?.drop();
});

const at = (n: number) => products[n % products.length]?.url ?? "";
const STEP_MS = 30_000;

/** Somebody with an authenticator app and backup codes. */
async function guarded() {
  const email = `guarded-${randomUUID().slice(0, 8)}@example.com`;
  await createAccount(database.pool, email, []);
  const visitor = newVisitor(at(0));
  await visitor.signIn(email, PASSWORD);
  const offered = await visitor.begin("settings");
  const secret = textOf(offered, "totp_secret_key").replace(/\s/g, "");
  const app = new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 });
  // Paired with the code of the step before, so that the present one is still unused.
  const paired = await visitor.send("settings", offered, {
    method: "totp",
    totp_code: app.generate({ timestamp: Date.now() - STEP_MS }),
  });
  expect(paired.status, JSON.stringify(paired.body)).toBe(200);
  const made = await visitor.send("settings", await visitor.begin("settings"), {
    method: "lookup_secret",
    lookup_secret_regenerate: "true",
  });
  const codes = textOf(made, "lookup_secret_codes")
    .split(/[,\s]+/)
    .filter((code) => code.length >= 6);
  expect(
    (await visitor.send("settings", made, { method: "lookup_secret", lookup_secret_confirm: "true" })).status,
  ).toBe(200);
  return { email, app, codes };
}
function textOf({ nodes }: FlowAnswer, id: string): string {
  const node = nodes.find(({ attributes }) => attributes.id === id);
  if (!node) throw new Error(`there is no node ${id}`);
  return node.attributes.text?.text ?? "";
}
/** Signed in by the password, and asked for more. */
async function halfway(email: string, n = 0): Promise<{ visitor: Visitor; flow: FlowAnswer }> {
  const visitor = newVisitor(at(n));
  expect((await visitor.signIn(email, PASSWORD)).status).toBe(422); // on to the second factor
  expect(await visitor.whoami()).toBe(403);
  return { visitor, flow: await visitor.begin("login", "?aal=aal2") };
}
const totp = (visitor: Visitor, flow: FlowAnswer, totp_code: string) =>
  visitor.send("login", flow, { method: "totp", totp_code });
const lookup = (visitor: Visitor, flow: FlowAnswer, lookup_secret: string) =>
  visitor.send("login", flow, { method: "lookup_secret", lookup_secret });
const untilFresh = async () => {
  // Not within the last seconds of a step, which the other control plane might see as the next.
  const left = STEP_MS - (Date.now() % STEP_MS);
  if (left < 8_000) await new Promise((resolve) => setTimeout(resolve, left + 200));
};

describe("a code of an app", () => {
  test("is taken once: not again in another sign-in, not by another control plane", async () => {
    const { email, app } = await guarded();
    await untilFresh();
    const code = app.generate();
    const [mine, thiefs] = [await halfway(email), await halfway(email, 1)];
    expect((await totp(mine.visitor, mine.flow, code)).status).toBe(200);
    expect(await mine.visitor.whoami()).toBe(200);
    expect((await totp(thiefs.visitor, thiefs.flow, code)).status).toBe(400);
    expect(await thiefs.visitor.whoami()).toBe(403);
    // Nor the one before it, which somebody may have seen.
    const earlier = app.generate({ timestamp: Date.now() - STEP_MS });
    expect((await totp(thiefs.visitor, thiefs.flow, earlier)).status).toBe(400);
  });

  test("lets one of many in who send it at once", async () => {
    const { email, app } = await guarded();
    const begun = [];
    for (let n = 0; n < 4; n += 1) begun.push(await halfway(email, n));
    await untilFresh();
    const code = app.generate();
    const answers = await Promise.all(begun.map(({ visitor, flow }) => totp(visitor, flow, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("is not guessed: few wrong ones, then not even the right one", async () => {
    const { email, app } = await guarded();
    const { visitor, flow } = await halfway(email);
    await untilFresh();
    const right = app.generate();
    const wrong = (n: number) => String((Number(right) + 7 + n) % 1_000_000).padStart(6, "0");
    for (let n = 0; n < 8; n += 1) await totp(visitor, flow, wrong(n));
    expect((await totp(visitor, flow, right)).status).toBe(400);
    expect(await visitor.whoami()).toBe(403);
  });

  test("is not gone around: half a session opens nothing", async () => {
    const { email } = await guarded();
    const { visitor } = await halfway(email);
    const cookie = visitor.cookie();
    for (const path of [
      "/api/auth/whoami",
      "/api/db/people?select=id",
      "/api/properties",
      "/api/kubeconfig",
    ]) {
      const response = await fetch(at(0) + path, { headers: { cookie } });
      expect([401, 403], path).toContain(response.status);
    }
    const page = await fetch(`${at(0)}/health`, { headers: { cookie }, redirect: "manual" });
    expect(page.headers.get("location")).toContain("aal=aal2");
    expect((await visitor.begin("settings")).status).toBe(403);
    const basic = `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString("base64")}`;
    const called = await fetch(`${at(0)}/api/db/people?select=id`, { headers: { authorization: basic } });
    expect(called.status).toBe(401);
    const token = visitor.jar.get("ory_kratos_session") ?? "";
    const bearer = await fetch(`${at(0)}/api/db/people?select=id`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(bearer.status).toBe(401);
  });

  test("gives a new session token: the half one is worth nothing", async () => {
    const { email, app } = await guarded();
    const { visitor, flow } = await halfway(email);
    const half = visitor.copy();
    await untilFresh();
    expect((await totp(visitor, flow, app.generate())).status).toBe(200);
    expect(await half.whoami()).toBe(401);
    expect(await visitor.whoami()).toBe(200);
  });
});

describe("a backup code", () => {
  test("is taken once, and lets one of many in who send it at once", async () => {
    const { email, codes } = await guarded();
    expect(codes.length).toBeGreaterThanOrEqual(10);
    const begun = [];
    for (let n = 0; n < 4; n += 1) begun.push(await halfway(email, n));
    const answers = await Promise.all(
      begun.map(({ visitor, flow }) => lookup(visitor, flow, codes[0] ?? "")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = await halfway(email, 1);
    expect((await lookup(late.visitor, late.flow, codes[0] ?? "")).status).toBe(400);
  });

  test("of one person is nobody else's", async () => {
    const [one, other] = [await guarded(), await guarded()];
    const { visitor, flow } = await halfway(other.email);
    expect((await lookup(visitor, flow, one.codes[1] ?? "")).status).toBe(400);
    expect(await visitor.whoami()).toBe(403);
  });
});
