/**
 * Acceptance 4: every [M] and [N] line of the PostgREST facts, asked of the real PostgREST 12.0.2 and of our /db layer
 * on the same database: same status, headers and JSON. A difference needs an exception with its reason in the case.
 */
import { PostgrestClient } from "@supabase/postgrest-js";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { canCompare } from "#tests/support/postgrest.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { get, type Case, type Variant } from "./case.ts";
import { CASES } from "./cases/index.ts";
import { CLIENT_CALLS } from "./client-calls.ts";
import { rewrites } from "./cases/interface.ts";
import { FACTS } from "./facts.ts";
import {
  configurations,
  dropRoles,
  headersOf,
  loadFixture,
  resetRows,
  send,
  sign,
  startAll,
  withClient,
  type Answer,
  type Server,
} from "./harness.ts";
import { startOurs } from "./ours.ts";
import { difference } from "./difference.ts";

const WRITES = new Set(["POST", "PATCH", "PUT", "DELETE"]);

test("every line of the facts has a case", () => {
  const covered = new Set<string>([...CASES.map((item) => item.facts), "§18 reload"]); // a test of its own below
  expect(Object.keys(FACTS).filter((line) => !covered.has(line))).toEqual([]);
});

test("no case is there twice", () => {
  const keys = CASES.map((item) => JSON.stringify({ ...item, facts: undefined, except: undefined }));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

describe.skipIf(!canCompare())("compared with PostgREST 12.0.2", () => {
  let database: TestDatabase;
  let rewinder: pg.Client; // a rolled back insert still takes a number of its sequence
  let theirs: Record<Variant, Server>;
  let ours: Record<Variant, Server>;

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    await loadFixture(database.superuserUrl, database.name);
    rewinder = new pg.Client({ connectionString: database.superuserUrl });
    await rewinder.connect();
    const variants = configurations(database.superuserUrl, database.name);
    [theirs, ours] = await Promise.all([startAll(variants), startAll(variants, startOurs)]);
  });

  afterAll(async () => {
    const servers = [theirs, ours].filter(Boolean).flatMap((set) => Object.values(set));
    await Promise.all(servers.map((server) => server.stop()));
    await rewinder.end();
    await database.drop();
    await dropRoles(inject("postgres"), database.name);
  });

  async function ask(item: Case, server: Server): Promise<Answer> {
    if (WRITES.has(item.method)) await rewinder.query("select ops.rewind()");
    const answer = await send(server.port, { ...item, headers: headersOf(item, database.name) });
    if (item.commits) await resetRows(database.superuserUrl);
    return answer;
  }

  for (const facts of Object.keys(FACTS).filter((line) => line !== "§18 reload")) {
    describe(facts, () => {
      for (const item of CASES.filter((one) => one.facts === facts)) {
        test(title(item), async () => {
          const expected = await ask(item, theirs[item.variant]);
          expect(summary(expected, item), "the yardstick itself").toBe(summaryOf(item));
          expect(difference(item, expected, await ask(item, ours[item.variant]))).toEqual([]);
        });
      }
    });
  }

  describe("§20 the .filter notation", () => {
    const plain = { method: "GET", body: undefined };
    for (const { ours: target, theirs: rewritten } of rewrites) {
      test(target, async () => {
        const headers = { Authorization: `Bearer ${sign({ role: `${database.name}_reader` })}` };
        const expected = await send(theirs.main.port, { ...plain, target: rewritten, headers });
        const actual = await send(ours.main.port, { ...plain, target, headers });
        expect(expected.status).toBe(200);
        expect({ status: actual.status, body: actual.body }).toEqual({ status: 200, body: expected.body });
      });
    }
  });

  describe("through @supabase/postgrest-js", () => {
    /** The client writes its own Prefer; a write is rolled back by adding to it what `x-tx` asks for. */
    const through = (server: Server) =>
      new PostgrestClient(`http://127.0.0.1:${server.port}`, {
        headers: { Authorization: `Bearer ${sign({ role: `${database.name}_writer` })}` },
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          if (headers.has("x-tx")) headers.append("Prefer", `tx=${headers.get("x-tx")}`);
          headers.delete("x-tx");
          return fetch(input, { ...init, headers });
        },
      });

    test.each(Object.keys(CLIENT_CALLS))("%s", async (name) => {
      const call = CLIENT_CALLS[name]!;
      const answers = [];
      for (const server of [theirs.main, ours.main]) {
        await rewinder.query("select ops.rewind()");
        const { data, error, count, status } = await call(through(server));
        answers.push({ data, code: error?.code, message: error?.message, count, status });
      }
      expect(answers[1]).toEqual(answers[0]);
    });
  });

  test("§18 reload: NOTIFY pgrst makes new relationships known", async () => {
    const item = get("§18 reload", "/teams?select=id,fresh(id)&limit=1");
    await withClient(database.superuserUrl, async (client) => {
      await client.query(
        "create table api.fresh (id int primary key, team_id int references api.teams (id))",
      );
      await client.query(`grant select on api.fresh to "${database.name}_reader"`);
      expect((await ask(item, theirs.main)).status).toBe(400);
      expect((await ask(item, ours.main)).status).toBe(400);
      await client.query("notify pgrst");
    });
    await expect.poll(async () => (await ask(item, theirs.main)).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(async () => (await ask(item, ours.main)).status, { timeout: 10_000 }).toBe(200);
    expect(difference(item, await ask(item, theirs.main), await ask(item, ours.main))).toEqual([]);
    await withClient(database.superuserUrl, (client) =>
      client.query("drop table api.fresh; notify pgrst, 'reload schema'"),
    );
    await expect.poll(async () => (await ask(item, ours.main)).status, { timeout: 10_000 }).toBe(400);
  });
});

function title(item: Case): string {
  const who = item.as === "reader" ? "" : ` as ${item.as}`;
  const where = item.variant === "main" ? "" : ` (${item.variant})`;
  const headers = Object.entries(item.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${item.method} ${item.target}${who}${where}`, ...headers, item.body ?? ""]
    .filter(Boolean)
    .join(" · ");
}

function summary(answer: Answer, item: Case): string {
  if (item.code === undefined) return `${answer.status}`;
  const body = answer.body as { code?: unknown };
  return `${answer.status} ${String(body.code)}`;
}

function summaryOf(item: Case): string {
  return item.code === undefined ? `${item.status}` : `${item.status} ${item.code}`;
}
