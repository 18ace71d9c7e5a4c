/** `npm run reset-password -- EMAIL [--second-factor]` as a command, on a database of its own. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startIdentity, type TestIdentity } from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { onDatabase, startProduct } from "#tests/support/product.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
let database: TestDatabase;
let service: TestIdentity;

beforeAll(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool);
  await service.identity.createAdmin(EMAIL, PASSWORD);
  await service.identity.createAdmin("other@example.org", PASSWORD);
  for (const sql of [
    "insert into internal.totp_factors (identity_id, secret, last_step, added_at) select id, 'sealed', 0, now() from identities",
    "insert into internal.lookup_codes (identity_id, position, code_hash) select id, 1, 'hash' from identities",
    `insert into internal.webauthn_keys (id, identity_id, kind, rp_id, public_key, counter, name, added_at)
     select (id || kind)::bytea, id, kind, 'localhost', 'key', 0, kind, now()
     from identities cross join unnest(array['webauthn', 'passkey']) as kind`,
  ])
    await database.pool.query(sql);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function run(...words: string[]) {
  const command = [process.execPath, "build/reset-password.js", ...words];
  const env = {
    ...onDatabase(database.url),
    PILOTHOUSE_ADMIN_EMAIL: undefined,
    PILOTHOUSE_ADMIN_PASSWORD: undefined,
    PUBLIC_URL: "https://ops.example.org",
  };
  const process_ = await startProduct({ command, env, wait: false });
  return { code: await process_.ended, said: process_.said() };
}

/** What stands between this person's password and the product. */
async function factorsOf(email: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ factor: string }>(
    `with person as (select id from identities where traits ->> 'email' = $1)
     select 'app' as factor from internal.totp_factors where identity_id in (select id from person)
     union all select 'backup code' from internal.lookup_codes where identity_id in (select id from person)
     union all select kind from internal.webauthn_keys where identity_id in (select id from person)
     order by 1`,
    [email],
  );
  return rows.map(({ factor }) => factor);
}
const ALL = ["app", "backup code", "passkey", "webauthn"];

/** Opens the printed link as a browser does, and says whether that signs in for good. */
async function opens(said: string): Promise<boolean> {
  const link = new URL(/https:\S+/.exec(said)?.[0] ?? "");
  expect(link.origin + link.pathname).toBe("https://ops.example.org/recovery");
  const browser = service.browser();
  const { status } = await browser.visit(`/self-service/recovery${link.search}`, undefined, {
    accept: "application/json",
  });
  expect(status).toBe(422);
  return (await service.identity.sessionOf(browser.jar.get("ory_kratos_session") ?? "")) !== null;
}

test("the link alone leaves the second factors, which are asked for then", async () => {
  const { code, said } = await run(EMAIL);
  expect([code, await factorsOf(EMAIL)]).toEqual([0, ALL]);
  expect(await opens(said)).toBe(false);
});

test("with --second-factor the link opens the account, passkeys stay, nobody else is touched, the audit says so", async () => {
  const { code, said } = await run("--second-factor", EMAIL);
  expect([code, await factorsOf(EMAIL)]).toEqual([0, ["passkey"]]);
  expect(await factorsOf("other@example.org")).toEqual(ALL);
  expect(await opens(said)).toBe(true);
  const { rows } = await database.pool.query(
    "select record, after from audit_log where action = 'identity-change' and record = $1",
    [EMAIL],
  );
  expect(rows).toEqual([{ record: EMAIL, after: { reason: "second factors removed by command" } }]);
});

test("a mistake is one sentence and changes nothing", async () => {
  expect(await run("--second-factor")).toEqual({
    code: 1,
    said: expect.stringContaining("Name the account: npm run reset-password -- EMAIL"),
  });
  const unknown = await run("nobody@example.org", "--second-factor");
  expect(unknown).toEqual({ code: 1, said: expect.stringContaining("nobody@example.org") });
  expect(await factorsOf("other@example.org")).toEqual(ALL);
});
