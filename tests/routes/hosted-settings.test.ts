/** The hosted provider as others configure it: a public client, organisations from an endpoint, ID tokens upstream. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  NO_ORGANIZATION_TITLE,
  NO_ORGANIZATIONS,
  PROVIDER_AWAY,
  PROVIDER_AWAY_WORDS,
} from "#app/contract/words/hosted.ts";
import { freePort } from "#server/db/ports.ts";
import { startBackend } from "#tests/support/backend.ts";
import { CLIENT_ID, newVisitor, startOidc, type TestProvider } from "#tests/support/oidc.ts";
import { SECRET, startProduct, type Product } from "#tests/support/product.ts";

/** Seconds that tokens live. */
const LIFE = 3;
let provider: TestProvider;
let directory: Server;
/** What the organisations' endpoint answers; it knows nobody whose token the provider does not take. */
let listed: { status: number; text: string };
let [acme, globex]: Awaited<ReturnType<typeof startBackend>>[] = [];
let web: Product;

beforeAll(async () => {
  [acme, globex] = [await startBackend(), await startBackend()];
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOidc({
    publicUrl,
    people: { ada: { name: "Ada Admin", organizations: ["elsewhere"] } },
    isPublic: true,
    ttl: LIFE,
  });
  directory = createServer(
    (request, answer) =>
      void fetch(`${provider.issuer}/me`, {
        headers: { authorization: request.headers.authorization ?? "" },
      }).then(({ ok }) =>
        answer.writeHead(ok ? listed.status : 401, { "content-type": "application/json" }).end(listed.text),
      ),
  );
  await new Promise<void>((ready) => directory.listen(0, "127.0.0.1", ready));
  web = await startProduct({
    port,
    env: {
      PILOTHOUSE_ADMIN_EMAIL: undefined,
      PILOTHOUSE_ADMIN_PASSWORD: undefined,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_ORGANIZATIONS_URL: `http://127.0.0.1:${(directory.address() as AddressInfo).port}/mine`,
      OIDC_UPSTREAMS: JSON.stringify({ acme: acme!.url }),
      PUBLIC_URL: publicUrl,
      SESSION_SECRET: SECRET,
    },
  });
}, 120_000);
afterAll(async () => {
  await Promise.all([web?.stop(), provider?.stop(), acme?.close(), globex?.close()]);
  directory?.closeAllConnections();
  directory?.close();
});
beforeEach(() => {
  acme!.take();
  globex!.take();
  listed = {
    status: 200,
    text: JSON.stringify({
      data: [
        { id: "acme", display_name: "Acme Anvils" },
        { slug: "globex", name: "Globex", backend_url: `${globex!.url}/` },
        { id: "initech", name: "Initech", backend_url: "javascript:alert(1)" },
      ],
    }),
  };
});
const health = () => `${web.url}/health?query=a`;
const later = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));
const switchTo = (visitor: ReturnType<typeof newVisitor>, organization: string) =>
  visitor.go(`${web.url}/organizations/orgs-switched`, { form: { organization } });

test("whoever comes first while the provider is away is told so, and gets in once it is back", async () => {
  await provider.stop();
  const visitor = newVisitor();
  const away = await visitor.go(health());
  expect([away.status, new URL(away.url).pathname]).toEqual([503, "/login"]);
  expect(away.text).toContain(PROVIDER_AWAY);
  expect(away.text).toContain(PROVIDER_AWAY_WORDS);
  expect(away.text).toMatch(/<noscript><meta http-equiv="refresh" content="5"\/?><\/noscript>/i);
  expect(away.text).not.toContain(provider.issuer); // an address of the inside is nobody's business
  await provider.start();
  const page = await visitor.signIn(away.url, "ada");
  expect([page.url, page.status]).toEqual([health(), 200]);
});

test("a client without a secret gets in by its proof of key alone, and its ID token goes upstream", async () => {
  const visitor = newVisitor();
  expect((await visitor.signIn(health(), "ada")).status).toBe(200);
  const call = acme!.take().find(({ path }) => path === "/auth/whoami");
  const bearer = decodeJwt(String(call?.headers.authorization).replace("Bearer ", ""));
  expect(bearer).toMatchObject({ iss: provider.issuer, aud: CLIENT_ID, sub: "ada" });
});

test("the endpoint says which organisations there are, and where: the claim counts for nothing", async () => {
  const visitor = newVisitor();
  const page = await visitor.signIn(health(), "ada");
  for (const name of ["Acme Anvils", "Globex", "Initech"]) expect(page.text).toContain(name);
  expect(page.text).not.toContain("elsewhere");
  expect((await switchTo(visitor, "globex")).text).toContain('aria-label="Organization: Globex"');
  expect(globex!.take().map(({ path }) => path)).toContain("/auth/whoami");
  // An address that is none is no backend: the organisation has none yet.
  expect((await switchTo(visitor, "initech")).url).toContain("/organizations/provisioning");
  expect((await switchTo(visitor, "elsewhere")).status).toBe(403);
});

test.each([
  [500, "[]"],
  [404, "[]"],
  [200, "<html>busy</html>"],
])("an endpoint that answers %s and %s signs nobody in, and it can be tried again", async (status, text) => {
  listed = { status, text };
  const visitor = newVisitor();
  const page = await visitor.signIn(health(), "ada");
  expect(page.status).toBe(400);
  expect(page.text).toContain(NO_ORGANIZATIONS);
  expect(page.text).toContain('href="/login?return_to=%2Fhealth%3Fquery%3Da"');
});

test("whoever belongs to none is told so", async () => {
  listed = { status: 200, text: "[]" };
  const page = await newVisitor().signIn(health(), "ada");
  expect(page.url).toContain("/organizations/provisioning");
  expect(page.text).toContain(NO_ORGANIZATION_TITLE);
});

test("a renewal asks it again, and what it said last holds while it is silent", async () => {
  const visitor = newVisitor();
  await visitor.signIn(health(), "ada");
  listed = { status: 500, text: "" };
  await later(LIFE);
  const page = await visitor.go(health());
  expect([page.url, page.status]).toEqual([health(), 200]);
  expect(page.text).toContain("Initech");
  listed = { status: 200, text: '["acme"]' };
  await later(LIFE);
  const renewed = await visitor.go(health());
  expect(renewed.status).toBe(200);
  expect(renewed.text).not.toContain("Initech");
});

test("two requests at once renew a public client's tokens once, and both get in", async () => {
  const visitor = newVisitor();
  await visitor.signIn(health(), "ada");
  await later(LIFE);
  acme!.take();
  const answers = await Promise.all([visitor.visit(health()), visitor.visit(`${web.url}/api/db/checks`)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(acme!.take().map(({ headers }) => headers.authorization)).size).toBe(1);
  await later(LIFE);
  expect((await visitor.visit(health())).status).toBe(200); // the rotated refresh token was kept
});
