/**
 * Acceptance 4, second half: the interface's calls on the product's own schema, as roles of the product, asked of the
 * real PostgREST 12.0.2 and of our /db layer. Writes are rolled back.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { may, type Role } from "#app/contract/access.ts";
import { RELATIONS, RPCS } from "#app/contract/relations.ts";
import { dbRole } from "#server/db/grants.ts";
import { canCompare, startPostgrest, type PostgrestOptions } from "#tests/support/postgrest.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { SECRET, send, sign, type Answer, type Server } from "./harness.ts";
import { difference } from "./difference.ts";
import { startOurs } from "./ours.ts";
import { CALLS, FILTERED, type Call } from "./product-calls.ts";
import { IDS, KEY, loadProductData } from "./product-data.ts";

const AS: Role[] = ["viewer", "editor", "admin"];

describe.skipIf(!canCompare())("the interface's calls, compared with PostgREST 12.0.2", () => {
  let database: TestDatabase;
  let theirs: Server;
  let ours: Server;

  beforeAll(async () => {
    database = await createDatabase();
    await loadProductData(database.pool);
    const options: PostgrestOptions = {
      uri: database.apiUrl,
      schemas: ["public"],
      jwtSecret: SECRET,
      maxRows: 2000,
      poolSize: 2,
      txEnd: "commit-allow-override",
      settings: { pilothouse_key: KEY },
    };
    [theirs, ours] = await Promise.all([startPostgrest(options), startOurs(options)]);
  });

  afterAll(async () => {
    await Promise.all([theirs, ours].filter(Boolean).map((server) => server.stop()));
    await database.drop();
  });

  async function ask(server: Server, call: Call, role: Role): Promise<Answer> {
    const method = call.method ?? "GET";
    const prefer = call.count ? "count=exact" : "return=representation";
    const answer = await send(server.port, {
      method,
      target: call.target,
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        Prefer: call.method ? `${prefer}, tx=rollback` : prefer,
        Authorization: `Bearer ${sign({ role: dbRole(database.name, role), id: IDS.ada })}`,
      },
    });
    return { ...answer, body: settled(answer.body, call.method === "POST") };
  }

  test("every relation and function the API lets through is asked for", async () => {
    const existing = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
       union select 'rpc/' || proname from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    const open = new Set([...RELATIONS.keys(), ...[...RPCS.keys()].map((name) => `rpc/${name}`)]);
    const targets = Object.values(CALLS).flatMap((calls) => calls.map((call) => call.target));
    const unasked = existing.rows
      .map((row) => row.name)
      .filter(
        (name) => open.has(name) && !targets.some((target) => new RegExp(`^/${name}(\\?|$)`).test(target)),
      );
    expect(unasked).toEqual([]);
  });

  for (const [line, calls] of Object.entries(CALLS)) {
    describe(line, () => {
      for (const call of calls) {
        test.each(AS)(`${call.method ?? "GET"} ${call.target} as %s`, async (role) => {
          const expected = await ask(theirs, call, role);
          if (role === "admin")
            expect([expected.status, expected.body]).toEqual([call.status, expected.body]);
          if (role === "viewer" && call.method && call.status < 400) expect(expected.status).toBe(403);
          expect(difference({ except: undefined }, expected, await ask(ours, call, role))).toEqual([]);
        });
      }
    });
  }

  describe("the .filter notation", () => {
    test.each(FILTERED)("$ours", async ({ ours: target, theirs: rewritten }) => {
      const expected = await ask(theirs, { target: rewritten, status: 200 }, "viewer");
      expect(expected.status).toBe(200);
      expect(expected.body).not.toEqual([]);
      expect((await ask(ours, { target, status: 200 }, "viewer")).body).toEqual(expected.body);
    });
  });

  test("what a role may not read is refused by both", async () => {
    const secret = [...RELATIONS]
      .filter(([, access]) => !may(["viewer"], `read:${access.read}`))
      .map(([name]) => name);
    expect(secret).toContain("identities");
    for (const name of secret) {
      const call: Call = { target: `/${name}?limit=1`, status: 200 };
      expect([
        name,
        (await ask(theirs, call, "viewer")).status,
        (await ask(ours, call, "viewer")).status,
      ]).toEqual([name, 403, 403]);
    }
  });
});

/** Two requests happen at two moments and make two ids: times of now and new ids are made alike. */
function settled(body: unknown, isNew: boolean): unknown {
  if (Array.isArray(body)) return body.map((item) => settled(item, isNew));
  if (typeof body === "object" && body !== null) {
    const entries = Object.entries(body).map(([key, value]) => [
      key,
      key === "id" && isNew ? "(new)" : settled(value, false),
    ]);
    return Object.fromEntries(entries) as unknown;
  }
  if (
    typeof body === "string" &&
    /^\d{4}-\d\d-\d\dT/.test(body) &&
    Math.abs(Date.parse(body) - Date.now()) < 300_000
  )
    return "(now)";
  return body;
}
