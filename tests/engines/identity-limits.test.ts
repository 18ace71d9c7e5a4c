/** Guessing on real PostgreSQL: what is looked at, over processes and at once, and that the owner gets in meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LoginFlow } from "@ory/client";
import { createLimits } from "#server/identity/limits.ts";
import { LIMITS } from "#server/identity/throttle.ts";
import {
  messagesOf,
  startIdentity,
  valueOf,
  type TestBrowser,
  type TestIdentity,
} from "#tests/support/identity.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";
const HOUR = 60;
let database: TestDatabase;
let service: TestIdentity;

beforeEach(async () => {
  database = await createDatabase();
  service = await startIdentity(database.pool);
  await service.identity.createAdmin(EMAIL, PASSWORD);
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

async function signIn(
  browser: TestBrowser,
  { password = PASSWORD, client = "192.0.2.1", identifier = EMAIL } = {},
): Promise<{ status: number; message: number | undefined }> {
  const { data: flow } = await browser.call((api, cookie) => api.createBrowserLoginFlow({ cookie }));
  const { status, data } = await browser.call((api, cookie) =>
    api.updateLoginFlow(
      {
        flow: flow.id,
        cookie,
        updateLoginFlowBody: {
          method: "password",
          identifier,
          password,
          csrf_token: valueOf(flow, "csrf_token"),
        },
      },
      { headers: { "x-ph-client": client } },
    ),
  );
  return { status, message: status === 400 ? messagesOf(data as unknown as LoginFlow)[""]?.[0] : undefined };
}

/** Looked at and found wrong; the other refusal is the limit. */
const JUDGED = 4000006;

describe("access tokens that nobody has", () => {
  const made = (n: number) => `made-up-number-${n}.saltsaltsalt.1.65536.4`;

  async function owned() {
    const { rows } = await database.pool.query<{ id: string }>("select id from people where email = $1", [
      EMAIL,
    ]);
    const create = (name: string) => service.identity.createAccessToken(rows[0]?.id ?? "", name, null);
    return { create, token: await create("laptop") };
  }

  it("are looked at so often from one address, and a token of somebody's that was seen is not kept out", async () => {
    const { token, create } = await owned();
    const { identity } = service;
    const [here, there] = ["192.0.2.7", "192.0.2.8"];
    expect(await identity.verifyAccessToken(token, here)).toHaveProperty("person");
    const { most } = LIMITS.token.client;
    const answers = await Promise.all(
      Array.from({ length: most + 20 }, (_, n) => identity.verifyAccessToken(made(n), here)),
    );
    const codes = answers.map((answer) => ("refused" in answer ? answer.refused : 200));
    expect(codes.filter((code) => code === 401)).toHaveLength(most);
    expect(codes.filter((code) => code === 429)).toHaveLength(20);
    expect(await identity.verifyAccessToken(token, here)).toHaveProperty("person");
    expect(await identity.verifyAccessToken(await create("desk"), there)).toHaveProperty("person");
    // The same wrong one again is known to be wrong, and costs nothing.
    expect(await identity.verifyAccessToken(made(0), here)).toEqual({
      refused: 401,
      text: "Session Expired",
    });
    service.later(16);
    expect(await identity.verifyAccessToken(made(999), here)).toMatchObject({ refused: 401 });
  });

  it("wait in a room that is soon full; then the answer is to come again, memory is bounded, and new ones are made", async () => {
    const { token, create } = await owned();
    const { identity } = service;
    expect(await identity.verifyAccessToken(token)).toHaveProperty("person");
    const before = process.memoryUsage().rss;
    const flood = Promise.all(
      Array.from({ length: 400 }, (_, n) => identity.verifyAccessToken(made(n), `198.51.100.${n % 250}`)),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    expect(await identity.verifyAccessToken(token)).toHaveProperty("person");
    await create("meanwhile");
    expect(performance.now() - began).toBeLessThan(5_000);
    const codes = (await flood).map((answer) => ("refused" in answer ? answer.refused : 200));
    expect(codes.filter((code) => code === 503).length).toBeGreaterThan(200);
    expect(codes.filter((code) => code === 401).length).toBeGreaterThan(0);
    expect(codes.filter((code) => code !== 503 && code !== 401)).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    // What was turned away was not looked at, and does not count.
    const { rows } = await database.pool.query<{ counted: number }>(
      "select coalesce(sum(cardinality(taken)), 0)::int as counted from internal.limits",
    );
    expect(rows[0]?.counted).toBe(codes.filter((code) => code === 401).length);
  });
});

describe("guessing", () => {
  it("is looked at no more often per account and hour than the limit, from however many addresses at once", async () => {
    const other = await startIdentity(database.pool);
    try {
      const guess = (n: number) =>
        signIn((n % 2 ? other : service).browser(), { password: `guess ${n}`, client: `192.0.2.${n}` });
      const burst = await Promise.all(Array.from({ length: 60 }, (_, n) => guess(n)));
      expect(burst.filter(({ message }) => message === JUDGED)).toHaveLength(LIMITS.password.account.most);
      service.later(HOUR / 2);
      other.later(HOUR / 2);
      expect((await guess(100)).message).toBe(4000001);
      service.later(HOUR / 2 + 1);
      expect((await guess(102)).message).toBe(JUDGED);
    } finally {
      await other.close();
    }
  });

  it("counts in any hour, not by the clock: what was tried late is not forgotten at the full hour", async () => {
    let address = 0;
    const judged = async (times: number) => {
      let count = 0;
      for (let n = 0; n < times; n += 1) {
        const { message } = await signIn(service.browser(), {
          password: "guess",
          client: `192.0.2.${(address += 1)}`,
        });
        if (message === JUDGED) count += 1;
      }
      return count;
    };
    expect(await judged(2)).toBe(2);
    service.later(HOUR - 1);
    expect(await judged(25)).toBe(18);
    service.later(2);
    expect(await judged(25)).toBe(2);
  });

  it("does not keep the owner out of a browser and a place that signed in before, and nobody else gets in", async () => {
    const owner = service.browser();
    expect((await signIn(owner, { client: "192.0.2.1" })).status).toBe(200);
    owner.jar.delete("ory_kratos_session");
    for (let n = 0; n < 30; n += 1)
      await signIn(service.browser(), { password: "guess", client: `198.51.100.${n}` });

    expect((await signIn(service.browser(), { client: "203.0.113.1" })).message).toBe(4000001);
    const away = service.browser();
    for (const [name, value] of owner.jar) away.jar.set(name, value);
    expect((await signIn(away, { client: "203.0.113.1" })).message).toBe(4000001);
    // The address was given out anew, in the same neighbourhood; and one mistake is borne.
    expect((await signIn(owner, { client: "192.0.2.77", password: "mistyped" })).message).toBe(JUDGED);
    expect((await signIn(owner, { client: "192.0.2.77" })).status).toBe(200);
    owner.jar.delete("ory_kratos_session");

    // Whoever holds that browser has few guesses too.
    let judged = 0;
    for (let n = 0; n < 15; n += 1)
      if ((await signIn(owner, { password: "guess" })).message === JUDGED) judged += 1;
    expect(judged).toBe(LIMITS.password.known.most);
  });

  it("has one count for an account, however its address is written", async () => {
    let judged = 0;
    for (const identifier of [
      EMAIL,
      EMAIL.toUpperCase(),
      ` ${EMAIL}`,
      "Ada@Example.org",
      `${EMAIL}\t`,
      "ADA@example.ORG",
    ])
      if ((await signIn(service.browser(), { identifier, password: "guess" })).message === JUDGED)
        judged += 1;
    expect(judged).toBe(LIMITS.password.pair.most);
  });

  it("is the same for an account that does not exist, statement by statement", async () => {
    const statements = async (identifier: string) => {
      const seen: string[] = [];
      const real = database.pool.query.bind(database.pool) as (...args: unknown[]) => unknown;
      database.pool.query = ((...args: unknown[]) => {
        const [first] = args as [string | { text: string }];
        seen.push(typeof first === "string" ? first : first.text);
        return real(...args);
      }) as typeof database.pool.query;
      try {
        await signIn(service.browser(), { identifier, password: "guess", client: "198.51.100.9" });
      } finally {
        database.pool.query = real as typeof database.pool.query;
      }
      return seen;
    };
    const known = await statements(EMAIL);
    expect(known.length).toBeGreaterThan(3);
    expect(await statements("nobody@example.org")).toEqual(known);
  });
});

describe("the counts", () => {
  const at = new Date("2026-01-01T12:00:00Z");
  const limits = () => createLimits(database.pool, () => at);
  const rows = async () =>
    (await database.pool.query<{ n: number }>("select count(*)::int as n from internal.limits")).rows[0]?.n;

  it("let through exactly the limit of what comes at once, and take nothing for what they refuse", async () => {
    const { take } = limits();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => take("factor", { account: "ada", client: `192.0.2.${n % 4}` })),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(LIMITS.factor.account.most);
    const refused = await take("factor", { account: "ada", client: "192.0.2.99" });
    expect(refused).toEqual({ ok: false, seconds: LIMITS.factor.account.seconds });
    const { rows: left } = await database.pool.query(
      "select from internal.limits where cardinality(taken) > most",
    );
    expect(left).toHaveLength(0);
    expect(await rows()).toBeLessThanOrEqual(1 + 4 + 4);
  });

  it("do not stand in each other's way: many accounts from many addresses at once", async () => {
    const { take, forgive } = limits();
    await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const taken = await take("password", { account: `a${n % 5}`, client: `192.0.2.${n % 7}` });
        if (taken.ok && n % 3 === 0) await forgive(taken.reservation);
      }),
    );
  });

  it("forgive whoever was right, not the others at the same account", async () => {
    const { take, forgive, giveBack } = limits();
    for (let n = 0; n < 3; n += 1) await take("password", { account: "ada", client: "192.0.2.1" });
    const right = await take("password", { account: "ada", client: "192.0.2.1" });
    if (right.ok) await forgive(right.reservation);
    const counts = async () =>
      (
        await database.pool.query<{ n: number }>(
          "select cardinality(taken) as n from internal.limits order by 1",
        )
      ).rows.map(({ n }) => n);
    expect(await counts()).toEqual([3, 3]);
    const unseen = await take("password", { account: "ada", client: "192.0.2.1" });
    if (unseen.ok) await giveBack(unseen.reservation);
    expect(await counts()).toEqual([0, 3, 3]);
  });

  it("are forgotten when they are over", async () => {
    let now = at;
    const { take, removeOld } = createLimits(database.pool, () => now);
    await take("password", { account: "ada", client: "192.0.2.1" });
    now = new Date(at.getTime() + 16 * 60_000);
    expect(await removeOld()).toBe(2);
    now = new Date(at.getTime() + 61 * 60_000);
    expect(await removeOld()).toBe(1);
    expect(await rows()).toBe(0);
  });
});
