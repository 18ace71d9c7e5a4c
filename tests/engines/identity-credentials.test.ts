/** First run, recovery, API credentials and house-keeping of the identity service, on real PostgreSQL. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hash } from "@node-rs/argon2";
import type { SettingsFlow } from "@ory/client";
import { hashPassword } from "#server/identity/passwords.ts";
import { startIdentity, valueOf, type TestBrowser, type TestIdentity } from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
let database: TestDatabase;
let service: TestIdentity;

beforeEach(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool);
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

const errorOf = (data: unknown) => (data as { error: { id: string; reason: string } }).error;

async function setupToken(): Promise<string> {
  const link = (await service.identity.setupLink()) ?? "";
  expect(link).toMatch(/^\/registration\?setup=[\w-]{43}$/);
  return new URL(link, "http://site").searchParams.get("setup") ?? "";
}

const begin = (browser: TestBrowser, setup?: string) =>
  browser.call((api, cookie) =>
    api.createBrowserRegistrationFlow(
      {},
      { headers: { cookie }, params: setup === undefined ? {} : { setup } },
    ),
  );

async function register(browser: TestBrowser, setup: string, email = EMAIL) {
  const { data: flow } = await begin(browser, setup);
  return () =>
    browser.call((api, cookie) =>
      api.updateRegistrationFlow({
        flow: flow.id,
        cookie,
        updateRegistrationFlowBody: {
          method: "password",
          password: PASSWORD,
          traits: { email, name: { first: "Ada", last: "Lovelace" } },
          csrf_token: valueOf(flow, "csrf_token"),
        },
      }),
    );
}

/** Every row of every table as text, bytea as hex. */
async function dump(): Promise<string> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'internal')`,
  );
  const tables = await Promise.all(
    rows.map(async ({ name }) => {
      const { rows: all } = await database.pool.query<{ row: string }>(
        `select t::text as row from ${name} t`,
      );
      return all.map(({ row }) => row).join("\n");
    }),
  );
  return tables.join("\n");
}

describe("the first run", () => {
  it("makes the holder of the set-up link admin, once, and nobody else", async () => {
    const stranger = service.browser();
    expect(errorOf((await begin(stranger)).data).reason).toContain("open the set-up link");
    await database.pool.query(
      "insert into properties (name, value) values ('identity.registration.open', 'true')",
    );
    expect(errorOf((await begin(stranger)).data).id).toBe("self_service_flow_disabled");
    expect(errorOf((await begin(stranger, "guess")).data).reason).toContain("not valid any more");
    await database.pool.query("delete from properties");

    const token = await setupToken();
    const browser = service.browser();
    const { data: flow } = await begin(browser, token);
    expect(JSON.stringify(flow)).not.toContain(token);
    const { status } = await (await register(browser, token))();
    expect(status).toBe(200);
    const person = await service.identity.sessionOf(browser.jar.get("ory_kratos_session") ?? "");
    expect(person).toMatchObject({ name: "Ada Lovelace", email: EMAIL, roles: ["admin"] });

    expect(await service.identity.setupLink()).toBeNull();
    expect(errorOf((await begin(service.browser(), token)).data).id).toBe("self_service_flow_disabled");
    expect((await begin(service.browser())).status).toBe(400);
  });

  it("lets one of two who register with the same link at once succeed, also across processes", async () => {
    const token = await setupToken();
    const other = await startIdentity(database.pool);
    try {
      const sends = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          register((n % 2 ? other : service).browser(), token, `person${n}@example.org`),
        ),
      );
      const answers = await Promise.all(sends.map((send) => send()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
      const { rows } = await database.pool.query(
        "select (select count(*)::int from identities) as people, (select count(*)::int from internal.role_grants) as roles",
      );
      expect(rows).toEqual([{ people: 1, roles: 1 }]);
    } finally {
      await other.close();
    }
  });

  it("lets one succeed when two processes printed a link each", async () => {
    const sends = await Promise.all(
      [await setupToken(), await setupToken()].map((token, n) =>
        register(service.browser(), token, `person${n}@example.org`),
      ),
    );
    const answers = await Promise.all(sends.map((send) => send()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it("keeps a flow's set-up token through its expiry", async () => {
    const send = await register(service.browser(), await setupToken());
    service.later(11);
    const { status, data } = await send();
    expect(status).toBe(410);
    const { rows } = await database.pool.query(
      "select secret_hash is not null as kept from internal.flows where id = $1",
      [(data as unknown as { use_flow_id: string }).use_flow_id],
    );
    expect(rows).toEqual([{ kept: true }]);
  });

  it("creates the unattended admin once and never resets the password", async () => {
    const { identity } = service;
    await expect(identity.createAdmin("nonsense", PASSWORD)).rejects.toThrow(
      '"nonsense" is not an e-mail address.',
    );
    await expect(identity.createAdmin(EMAIL, "short")).rejects.toThrow("at least 8 characters");
    const both = await Promise.all([
      identity.createAdmin(EMAIL, PASSWORD),
      identity.createAdmin(EMAIL, PASSWORD),
    ]);
    expect(both.sort()).toEqual([false, true]);
    expect(await identity.createAdmin("ADA@example.org", "another password")).toBe(false);
    expect(await identity.passwordLogin(EMAIL, PASSWORD)).toMatchObject({ person: { roles: ["admin"] } });
    expect(await identity.setupLink()).toBeNull();
  });
});

describe("recovery", () => {
  it("signs in once by the link and lets a new password be chosen", async () => {
    const { identity } = service;
    await expect(identity.recoveryLink("nobody@example.org")).rejects.toThrow(
      "There is no account with the e-mail address nobody@example.org.",
    );
    await identity.createAdmin(EMAIL, PASSWORD);
    const link = new URL(await identity.recoveryLink(` ${EMAIL.toUpperCase()}`), "http://site");
    expect(link.pathname).toBe("/recovery");
    const { flow = "", token = "" } = Object.fromEntries(link.searchParams);

    const browser = service.browser();
    const wrong = await browser.visit(`/self-service/recovery?flow=${flow}&token=guess`, undefined, {
      accept: "application/json",
    });
    expect(wrong.status).toBe(403);
    const redeemed = await browser.visit(`/self-service/recovery?flow=${flow}&token=${token}`);
    expect(redeemed.status).toBe(303);
    const page = redeemed.headers.get("location") ?? "";
    expect(page).toMatch(/^\/profile-settings\?flow=/);
    const { data } = await browser.call((api, cookie) =>
      api.getSettingsFlow({ id: page.split("=")[1] ?? "", cookie }),
    );
    expect(data.ui.messages?.[0]?.id).toBe(1060001);
    const session = await browser.call((api, cookie) => api.toSession({ cookie }));
    expect(session.data.authentication_methods).toMatchObject([{ method: "link_recovery", aal: "aal1" }]);

    const unused = new URL(await identity.recoveryLink(EMAIL), "http://site");
    const saved = await browser.call((api, cookie) =>
      api.updateSettingsFlow({
        flow: data.id,
        cookie,
        updateSettingsFlowBody: {
          method: "password",
          password: "a new password",
          csrf_token: valueOf(data as SettingsFlow, "csrf_token"),
        },
      }),
    );
    expect(saved.status).toBe(200);
    expect(await identity.passwordLogin(EMAIL, "a new password")).toHaveProperty("person");
    const again = await service.browser().visit(`/self-service/recovery?flow=${flow}&token=${token}`);
    expect(again.headers.get("location")).toMatch(/^\/error\?id=/);
    const spent = await service.browser().visit(`/self-service/recovery${unused.search}`);
    expect(spent.headers.getSetCookie()).toEqual([]);
  });

  it("answers scripts with the place to go, lasts an hour, and dies with a deactivation", async () => {
    const { identity } = service;
    await identity.createAdmin(EMAIL, PASSWORD);
    const redeem = async (link: string) => {
      const { searchParams } = new URL(link, "http://site");
      return service.browser().visit(`/self-service/recovery?${searchParams}`, undefined, {
        accept: "application/json",
      });
    };
    const answer = await redeem(await identity.recoveryLink(EMAIL));
    expect(answer.status).toBe(422);
    expect(answer.headers.getSetCookie().some((line) => line.startsWith("ory_kratos_session="))).toBe(true);
    expect(await answer.json()).toMatchObject({
      error: { id: "browser_location_change_required" },
      redirect_browser_to: expect.stringMatching(/^\/profile-settings\?flow=/),
    });
    const late = await identity.recoveryLink(EMAIL);
    service.later(61);
    expect((await redeem(late)).status).toBe(403);
    const void_ = await identity.recoveryLink(EMAIL);
    await database.pool.query("update identities set state = 'inactive'");
    expect((await redeem(void_)).status).toBe(403);
    await expect(identity.recoveryLink(EMAIL)).rejects.toThrow("inactive");
  });
});

describe("credentials of the API", () => {
  const personId = async () =>
    (await database.pool.query<{ id: string }>("select id from people where email = $1", [EMAIL])).rows[0]
      ?.id ?? "";

  it("verifies access tokens, with the texts of the contract", async () => {
    const { identity } = service;
    await identity.createAdmin(EMAIL, PASSWORD);
    const id = await personId();
    const raw = await identity.createAccessToken(id, "laptop", null);
    expect(raw).toMatch(/^[\w-]{32}\.[\w-]{16}\.1\.65536\.4$/);
    const person = {
      personId: id,
      name: "Admin",
      email: EMAIL,
      avatar: null,
      roles: ["admin"],
      isAgent: false,
    };
    expect(await identity.verifyAccessToken(raw)).toEqual({ person });
    expect(await identity.verifyAccessToken(raw)).toEqual({ person });
    await expect(identity.createAccessToken(id, "laptop", null)).rejects.toThrow('named "laptop" already');
    for (const bad of [
      "",
      "x",
      "a.b.c",
      "pass.saltsaltsalt.0.65536.4",
      "pass.saltsaltsalt.1.99999999.4",
      `${raw}.1`,
    ])
      expect(await identity.verifyAccessToken(bad)).toEqual({ refused: 400, text: "invalid access token" });
    expect(await identity.verifyAccessToken(`x${raw}`)).toEqual({ refused: 401, text: "Session Expired" });

    const { rows } = await database.pool.query<{ value: string }>("select value from internal.access_tokens");
    const [password = "", salt = ""] = raw.split(".");
    const costs = { timeCost: 1, memoryCost: 65_536, parallelism: 4, outputLen: 20 };
    const phc = await hash(password, { ...costs, salt: Buffer.from(salt) });
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=65536,t=1,p=4\$/);
    const standard = `${phc.split("$").at(-1)}=`;
    expect(rows[0]?.value).toBe(standard.replaceAll("+", "-").replaceAll("/", "_"));
    const short = await identity.createAccessToken(id, "short", new Date(Date.now() + 60_000));
    expect(await identity.verifyAccessToken(short)).toHaveProperty("person");
    service.later(2);
    expect(await identity.verifyAccessToken(short)).toEqual({
      refused: 401,
      text: "access token has expired",
    });

    await database.pool.query("update identities set state = 'inactive'");
    expect(await identity.verifyAccessToken(raw)).toEqual({ refused: 401, text: "Session Expired" });
    await database.pool.query("update identities set state = 'active'");
    await database.pool.query("delete from internal.access_tokens where name = 'laptop'");
    expect(await identity.verifyAccessToken(raw)).toEqual({ refused: 401, text: "Session Expired" });
  });

  it("remembers passwords sent with every call, but never an old one", async () => {
    const { identity } = service;
    await identity.createAdmin(EMAIL, PASSWORD);
    const first = performance.now();
    expect(await identity.passwordLogin(EMAIL, PASSWORD)).toHaveProperty("person");
    const firstTook = performance.now() - first;
    const second = performance.now();
    for (let n = 0; n < 5; n += 1)
      expect(await identity.passwordLogin(EMAIL, PASSWORD)).toHaveProperty("person");
    expect((performance.now() - second) / 5).toBeLessThan(firstTook);

    // A remembered failure neither hashes nor counts again.
    for (let n = 0; n < 20; n += 1)
      expect(await identity.passwordLogin(EMAIL, "wrong")).toEqual({ refused: "credentials" });
    expect(await identity.passwordLogin("nobody@example.org", PASSWORD)).toEqual({ refused: "credentials" });

    await database.pool.query("update identities set state = 'inactive'");
    expect(await identity.passwordLogin(EMAIL, PASSWORD)).toEqual({ refused: "inactive" });
    await database.pool.query("update identities set state = 'active'");
    await database.pool.query("update internal.role_grants set role = 'editor'");
    expect(await identity.passwordLogin(EMAIL, PASSWORD)).toMatchObject({ person: { roles: ["editor"] } });
    await database.pool.query(
      "update internal.credentials set password_hash = $1, changed_at = now() + interval '1 second'",
      [await hashPassword("another password")],
    );
    expect(await identity.passwordLogin(EMAIL, PASSWORD)).toEqual({ refused: "credentials" });
    expect(await identity.passwordLogin(EMAIL, "another password")).toHaveProperty("person");
  });

  it("throttles them like the form", async () => {
    const { identity } = service;
    await identity.createAdmin(EMAIL, PASSWORD);
    for (let n = 0; n < 5; n += 1) await identity.passwordLogin(EMAIL, `guess ${n}`, "192.0.2.1");
    expect(await identity.passwordLogin(EMAIL, PASSWORD, "192.0.2.1")).toMatchObject({
      refused: "throttled",
    });
    service.later(16);
    expect(await identity.passwordLogin(EMAIL, PASSWORD, "192.0.2.1")).toHaveProperty("person");
  });
});

describe("the store", () => {
  it("holds no password and no token in clear", async () => {
    const { identity } = service;
    const setup = await setupToken();
    const before = await dump();
    expect(before).not.toContain(setup);
    const browser = service.browser();
    await (
      await register(browser, setup)
    )();
    const { data: settings } = await browser.call((api, cookie) => api.createBrowserSettingsFlow({ cookie }));
    const recovery =
      new URL(await identity.recoveryLink(EMAIL), "http://site").searchParams.get("token") ?? "";
    const { personId } = (await identity.sessionOf(browser.jar.get("ory_kratos_session") ?? "")) ?? {
      personId: "",
    };
    const access = await identity.createAccessToken(personId, "laptop", null);
    const { data: logout } = await browser.call((api, cookie) => api.createBrowserLogoutFlow({ cookie }));
    const text = await dump();
    expect(text).toContain(EMAIL);
    const secrets = [
      PASSWORD,
      setup,
      recovery,
      logout.logout_token,
      access.split(".")[0] ?? "",
      valueOf(settings, "csrf_token"),
      ...browser.jar.values(),
    ];
    expect(secrets).toHaveLength(9);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(7);
      const plain = decodeURIComponent(secret);
      expect(text).not.toContain(plain);
      expect(text).not.toContain(Buffer.from(plain).toString("hex"));
      expect(text).not.toContain(Buffer.from(plain, "base64url").toString("hex"));
    }
    expect(JSON.stringify(service.observed)).not.toMatch(new RegExp(PASSWORD));
  });

  it("clears away what is over, and only that", async () => {
    const { identity } = service;
    const browser = service.browser();
    await (
      await register(browser, await setupToken())
    )();
    await identity.passwordLogin(EMAIL, "wrong");
    expect(await identity.cleanUp()).toEqual({ flows: 0, sessions: 0, attempts: 0 });
    service.later(336 * 60 + 1);
    expect((await browser.call((api, cookie) => api.toSession({ cookie }))).status).toBe(401);
    const removed = await identity.cleanUp();
    expect(removed).toMatchObject({ sessions: 1, attempts: 2 });
    expect(await identity.cleanUp()).toEqual({ flows: 0, sessions: 0, attempts: 0 });
  });

  it("follows what an administrator writes by the API, and refuses an editor", async () => {
    await service.identity.createAdmin(EMAIL, PASSWORD);
    const as = async (role: string, sql: string) => {
      const client = await database.pool.connect();
      try {
        await client.query(`set role ${database.name}_${role}`);
        await client.query(sql);
      } finally {
        await client.query("reset role");
        client.release();
      }
    };
    const rename = `update identities set traits = jsonb_set(traits, '{name,first}', '"Ada"')`;
    await expect(as("editor", rename)).rejects.toThrow("permission denied");
    await as("admin", rename);
    expect(await service.identity.passwordLogin(EMAIL, PASSWORD)).toMatchObject({ person: { name: "Ada" } });
    await as("admin", "update identities set state = 'inactive'");
    expect(await service.identity.passwordLogin(EMAIL, PASSWORD)).toEqual({ refused: "inactive" });
    const { rows } = await database.pool.query(
      "select state_changed_at >= created_at as noted from identities",
    );
    expect(rows).toEqual([{ noted: true }]);
    await as("admin", "delete from identities");
    const people = await database.pool.query(
      "select deleted_at is not null as gone from people where email = $1",
      [EMAIL],
    );
    expect(people.rows).toEqual([{ gone: true }]);
  });

  it("is nobody's but the owner's", async () => {
    const { rows } = await database.pool.query(
      `select c.relname, r.rolname from pg_class c cross join pg_roles r
       where c.relnamespace = 'internal'::regnamespace and c.relname in ('credentials', 'sessions', 'flows', 'limits',
           'invitations', 'verified_addresses', 'flow_codes', 'courier_messages')
         and r.rolname like $1 and r.rolname <> $2 and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete')`,
      [`${database.name}%`, database.name],
    );
    expect(rows).toEqual([]);
  });
});
