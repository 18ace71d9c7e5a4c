/** The matrix, tried on the running product: everything that can be asked, as everybody. */
import { matchRoutes } from "@remix-run/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#app/contract/access.ts";
import { AGENTS, readPermission, RELATIONS, RPCS } from "#app/contract/relations.ts";
import routes from "#app/routes.ts";
import { CANARY_ID, PAGES, PERMISSION_ID, TEAM_ID } from "#tests/routes/access.ts";
import { aCanary, aTeam, insert } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { onDatabase, startProduct, type Product } from "#tests/support/product.ts";
import { everybody, pooled, type Ask } from "./ask.ts";
import { API, ASKED_BY_HANDLER, FOR_AGENTS, INTENTS, NOTHING, type IntentLine } from "./lines.ts";
import { toObjects } from "./route-objects.ts";
import { allows, CALLERS, type Caller } from "./spec.ts";

let database: TestDatabase;
let product: Product;
let ask: Ask;

beforeAll(async () => {
  database = await createDatabase();
  await aCanary(database.pool, { id: CANARY_ID });
  await aTeam(database.pool, { id: TEAM_ID });
  // It has ended: the matrix is what the roles may without records.
  await insert(database.pool, "permissions", {
    id: PERMISSION_ID,
    canary_id: CANARY_ID,
    team_id: TEAM_ID,
    action: "update",
    until: new Date(0),
    created_by: "00000000-0000-0000-0000-000000000001",
  });
  product = await startProduct({ env: onDatabase(database.url) });
  ask = await everybody(product, database);
}, 120_000);
afterAll(async () => {
  await product?.stop();
  await database?.drop();
});

const each = <T>(all: readonly T[]) => all.flatMap((one) => CALLERS.map((as) => ({ as, one })));
const isPerson = (as: Caller) => as !== "signed out" && as !== "agent";
/** Whoever has no role sees what a viewer sees. */
const roleOf = (as: Caller) => (as === "nobody" ? "viewer" : as) as Role;

test("every page and its data: 200 for whoever may, 403 for who may not, sign-in for everybody else", async () => {
  const tries = each(Object.entries(PAGES)).flatMap(({ as, one: [path, allowed] }) =>
    [path, `${path}.data`].map((address) => ({ as, path, address, allowed })),
  );
  const wrong = await pooled(tries, async ({ as, path, address, allowed }) => {
    const { status, location } = await ask({ as, method: "GET", path: address });
    // The token of an agent is for the API: to a page it is no session.
    const isAway = status === 302 && location === `/login?return_to=${encodeURIComponent(path)}`;
    const isRight = isPerson(as)
      ? status === (allowed.includes(roleOf(as)) ? 200 : 403)
      : address === path
        ? isAway
        : status === 202 || isAway;
    return isRight ? null : `${as} GET ${address}: ${status} ${location ?? ""}`;
  });
  expect(wrong).toEqual([]);
});

/** What somebody who may gets for input that leads nowhere; nothing of it is a refusal of the person. */
const TRIED = [200, 201, 202, 204, 400, 404, 409, 413, 415, 422];
const leadsToLogin = (location: string | null) => location?.startsWith("/login") ?? false;

test("every intent, with and without JavaScript: tried for whoever may, 403 for who may not", async () => {
  const tries = each(INTENTS).flatMap(({ as, one }) =>
    [one.path, `${one.path}.data`].map((address) => ({ as, line: one, address })),
  );
  const wrong = await pooled(tries, async ({ as, line, address }) => {
    const body = new URLSearchParams({ intent: line.intent, ...line.form });
    const { status, location, text } = await ask({ as, method: "POST", path: address, body });
    const said = `${as} POST ${address} ${line.intent}: ${status} ${location ?? ""}`;
    if (!isPerson(as)) return status === 401 || status === 202 || leadsToLogin(location) ? null : said;
    if (!allows(as, line.needs)) return status === 403 ? null : said;
    const isTried = TRIED.includes(status) || ([302, 303].includes(status) && !leadsToLogin(location));
    return isTried && !text.includes("Unknown intent") ? null : said;
  });
  expect(wrong).toEqual([]);
});

test("nothing that is drawn is refused: forms and links lead whoever sees them somewhere they may go", async () => {
  const objects = toObjects(await routes);
  const lineOf = (path: string, intent: string): IntentLine | undefined => {
    const files = matchRoutes(objects, path)?.map(({ route }) => route.id) ?? [];
    return INTENTS.find((line) => line.intent === intent && files.includes(line.file ?? ""));
  };
  const links = new Map<string, { as: Caller; path: string; from: string }>();
  const people = CALLERS.filter(isPerson);
  const seen = people.flatMap((as) =>
    Object.entries(PAGES)
      .filter(([, allowed]) => allowed.includes(roleOf(as)))
      .map(([path]) => ({ as, path })),
  );
  let forms = 0;
  const drawn = await pooled(seen, async ({ as, path }) => {
    const { text } = await ask({ as, method: "GET", path, headers: { accept: "text/html" } });
    for (const [, href] of text.matchAll(/<a\b[^>]*?\shref="(\/[^"#]*)/g)) {
      const url = new URL(href!.replaceAll("&amp;", "&"), product.url);
      const key = `${as} ${url.pathname} ${[...url.searchParams.keys()].sort().join()}`;
      if (url.origin === product.url) links.set(key, { as, path: url.pathname + url.search, from: path });
    }
    for (const [form] of text.matchAll(/<form\b.*?<\/form>/gs)) {
      const intent = /name="intent" value="([^"]+)"/.exec(form)?.[1];
      const action = /^<form\b[^>]*?\saction="([^"]*)"/.exec(form)?.[1]?.replaceAll("&amp;", "&") ?? path;
      if (!intent) continue;
      const line = lineOf(new URL(action, product.url + path).pathname, intent);
      if (!line) continue;
      forms++;
      if (!allows(as, line.needs)) return `${as} is shown "${intent}" on ${path}`;
    }
    return null;
  });
  expect(drawn).toEqual([]);
  expect(forms).toBeGreaterThan(5);
  expect(links.size).toBeGreaterThan(50);
  const wrong = await pooled([...links.values()], async ({ as, path, from }) => {
    const { status } = await ask({ as, method: "GET", path });
    return status === 403 ? `${as} is shown a link to ${path} on ${from}` : null;
  });
  expect(wrong).toEqual([]);
});

describe("the API", () => {
  const concrete = (path: string) =>
    path
      .replace("/db/*", "/db/severities?limit=0")
      .replace("*", "x")
      .replace(/:(file|name|token|what)/g, "x")
      .replace(/:\w+/g, NOTHING);

  test("every path and method: 401 signed out, 403 for who may not, an answer for whoever may", async () => {
    const wrong = await pooled(each(Object.entries(API)), async ({ as, one: [line, said] }) => {
      const needs = ASKED_BY_HANDLER[line] ?? said;
      const [method = "", path = ""] = line.split(" ");
      const { status } = await ask({
        as,
        method: method === "ALL" ? "GET" : method,
        path: `/api${concrete(path)}`,
        ...(method === "GET" || method === "ALL"
          ? {}
          : { body: "{}", headers: { "content-type": "application/json" } }),
      });
      const may = as === "agent" && needs !== "anyone" ? FOR_AGENTS.includes(line) : allows(as, needs);
      const expected = may ? "an answer" : as === "signed out" ? "401" : "403";
      // What nobody has the token of, and what was not made public, is no refusal of the person.
      const isOwn = needs === "anyone" && /heartbeat|webhook|public\/badges/.test(path);
      const got =
        status === 401 || status === 403
          ? String(status)
          : status < 500 || status === 501
            ? "an answer"
            : `${status}`;
      return got === expected || isOwn ? null : `${as} ${line}: ${status}, expected ${expected}`;
    });
    expect(wrong).toEqual([]);
  });

  test("what is not in the table is 404 to whoever is signed in, 401 to everybody else", async () => {
    const wrong = await pooled(
      each(["GET", "POST", "PATCH", "DELETE", "PUT"]),
      async ({ as, one: method }) => {
        const { status } = await ask({ as, method, path: "/api/nothing/of/this" });
        return status === (as === "signed out" ? 401 : 404) ? null : `${as} ${method}: ${status}`;
      },
    );
    expect(wrong).toEqual([]);
  });

  test("whoami says what holds, for everybody", async () => {
    for (const as of CALLERS) {
      const { status, text } = await ask({ as, method: "GET", path: "/api/auth/whoami" });
      if (as === "signed out") {
        expect(status).toBe(401);
        continue;
      }
      const { roles, permissions } = (JSON.parse(text) as { payload: Whoami }).payload;
      expect(roles, as).toEqual(as === "nobody" ? [] : [as]);
      if (as === "agent") {
        const own = permissions.map(({ object, action }) => `${action} ${object}`).sort();
        expect(own).toEqual([
          "create agent-push",
          "create topology",
          "read agent-push",
          "read database.public",
          "read playbooks",
          "update agent-push",
          "update topology",
        ]);
        continue;
      }
      const said = new Set(permissions.map(({ object, action }) => `${action}:${object}`));
      for (const needs of Object.values(API))
        if (needs.includes(":")) expect(said.has(needs), `${as} ${needs}`).toBe(allows(as, needs));
      for (const access of RELATIONS.values()) {
        const needs = readPermission(access);
        expect(said.has(needs), `${as} ${needs}`).toBe(allows(as, needs));
      }
    }
  });
});
interface Whoami {
  roles: string[];
  permissions: { object: string; action: string }[];
}

describe("/db", () => {
  /** The first column of each relation that is there: what a filter that matches nothing needs. */
  const columns = new Map<string, string>();
  beforeAll(async () => {
    const { rows } = await database.pool.query<{ name: string; column: string }>(
      `select c.relname as name, a.attname as column from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    );
    for (const { name, column } of rows) if (RELATIONS.has(name)) columns.set(name, column);
  });

  const expectedOf = (as: Caller, may: boolean) => (as === "signed out" ? "401" : may ? "2xx" : "403");
  const gotOf = (status: number) => (status >= 200 && status < 300 ? "2xx" : String(status));

  test("every relation, read and written in every way", async () => {
    const wrong = await pooled(each([...columns]), async ({ as, one: [name, column] }) => {
      const access = RELATIONS.get(name)!;
      const mayRead =
        as === "agent"
          ? AGENTS.relations.some((known) => known === name)
          : allows(as, readPermission(access));
      const mayWrite = access.write !== null && allows(as, `write:${access.write}`);
      const json = { "content-type": "application/json" };
      const none = `${encodeURIComponent(column)}=is.null`;
      const tries: [string, string, string | undefined, boolean][] = [
        ["GET", "limit=0", undefined, mayRead],
        ["POST", "", "[]", mayWrite],
        ["PATCH", none, JSON.stringify({ [column]: null }), mayWrite],
        ["DELETE", none, undefined, mayWrite],
      ];
      const failures: string[] = [];
      for (const [method, query, body, may] of tries) {
        const { status } = await ask({
          as,
          method,
          path: `/api/db/${name}?${query}`,
          ...(body === undefined ? {} : { body, headers: json }),
        });
        const [got, expected] = [gotOf(status), expectedOf(as, may)];
        if (got !== expected) failures.push(`${as} ${method} ${name}: ${got}, expected ${expected}`);
      }
      return failures.length > 0 ? failures.join("; ") : null;
    });
    expect(wrong).toEqual([]);
  });

  test("every function", async () => {
    const { rows } = await database.pool.query<{ name: string; args: string[] | null }>(
      `select proname as name, proargnames[1:pronargs] as args from pg_proc
       where pronamespace = 'public'::regnamespace and proname = any ($1)`,
      [[...RPCS.keys()]],
    );
    expect(rows.length).toBeGreaterThanOrEqual(RPCS.size);
    const wrong = await pooled(each(rows), async ({ as, one: { name, args } }) => {
      const query = new URLSearchParams((args ?? []).map((arg): [string, string] => [arg, NOTHING]));
      const { status } = await ask({ as, method: "GET", path: `/api/db/rpc/${name}?${query}` });
      const may = as === "agent" ? AGENTS.rpcs.some((known) => known === name) : allows(as, RPCS.get(name)!);
      // What is no value for an argument is said after it is known that the caller may.
      const got = status === 400 ? "2xx" : gotOf(status);
      return got === expectedOf(as, may) ? null : `${as} ${name}: ${status}`;
    });
    expect(wrong).toEqual([]);
  });

  test("a relation of no table does not exist, and an embed cannot reach what its role may not read", async () => {
    const wrong = await pooled(each(["unheard_of", "credentials", "access_tokens"]), async ({ as, one }) => {
      const { status } = await ask({ as, method: "GET", path: `/api/db/${one}` });
      const expected = as === "signed out" ? 401 : as === "agent" ? 403 : 404;
      return status === expected ? null : `${as} ${one}: ${status}, expected ${expected}`;
    });
    expect(wrong).toEqual([]);
    for (const as of ["viewer", "responder"] as const) {
      const { status } = await ask({ as, method: "GET", path: "/api/db/people?select=id,connections(id)" });
      expect(status).toBe(403);
    }
    const { status } = await ask({ as: "agent", method: "GET", path: "/api/db/agents?select=id,people(id)" });
    expect(status).toBe(403);
  });
});
