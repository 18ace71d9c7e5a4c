/** Standalone mode (specification 1 §1): calls without credentials read checks, as a role of their own. */
import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type pg from "pg";
import { STANDALONE } from "#app/contract/relations.ts";
import { anonymousRole } from "#server/db/grants.ts";
import { SESSION_COOKIE } from "#server/identity/index.ts";
import type { Principal } from "./principal.ts";

/** What the page of checks asks. Nothing is open because it is new. */
const OPEN = new Set([
  "GET /canary/about",
  "GET /canary/api/summary",
  "POST /canary/api/summary",
  "GET /canary/api/graph",
  "ALL /db/*",
]);
const NOBODY = "00000000-0000-0000-0000-000000000000";

export const isOpenToStrangers = (method: string, path: string): boolean => OPEN.has(`${method} ${path}`);

/** Null for a caller with credentials: those count, or are refused, as ever. */
export function stranger(c: Context, database: string): Principal | null {
  if (c.req.header("authorization") || getCookie(c, SESSION_COOKIE)) return null;
  const dbRole = anonymousRole(database);
  const client = c.req.header("x-ph-client") ?? null;
  return {
    personId: NOBODY,
    name: "",
    email: null,
    avatar: null,
    roles: [],
    isAgent: false,
    dbRole,
    via: "stranger",
    client,
    request: randomUUID(),
  };
}

const MOVED = new RegExp(
  `\\bpublic\\.(${[...STANDALONE.relations, ...STANDALONE.inside].join("|")})\\b`,
  "g",
);

/**
 * A client whose statements read the relations of the schema `standalone`, which hold no secrets. The role has no right
 * on those of `public`: a statement that names others fails.
 */
export function forStrangers(client: pg.PoolClient): pg.PoolClient {
  const move = (text: string) => text.replace(MOVED, `${STANDALONE.schema}.$1`);
  const query = (statement: string | pg.QueryConfig, values?: unknown[]) =>
    typeof statement === "string"
      ? client.query(move(statement), values)
      : client.query({
          ...statement,
          text: move(statement.text),
          ...(statement.name ? { name: `${statement.name} (strangers)` } : {}),
        });
  return Object.assign(Object.create(client) as pg.PoolClient, { query });
}
