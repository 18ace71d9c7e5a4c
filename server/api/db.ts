/** `/db`: the PostgREST layer under the caller's role, every relation of a request checked against the tables of access. */
import { isRole, may, type Role } from "#app/contract/access.ts";
import {
  AGENTS,
  LENDABLE,
  readPermission,
  RELATIONS,
  RPCS,
  SHOWN,
  shownTo,
  STANDALONE,
} from "#app/contract/relations.ts";
import { agentRole, anonymousRole, lentRole } from "#server/db/grants.ts";
import { claimsOf, type Principal } from "./principal.ts";
import { permissionOf, type Rights } from "./rights.ts";
import { createRest, type Rest, type RestOptions, type Use, type Verdict } from "./rest/index.ts";
import type { Route } from "./router.ts";

/** May this role use the relation or function so? What no table of `app/contract/relations.ts` names does not exist. */
export function mayUse({ kind, name, action }: Use, role: Role): Verdict {
  if (kind === "rpc") {
    const needed = RPCS.get(name);
    return needed === undefined ? "unknown" : may([role], needed) ? "yes" : "no";
  }
  const access = RELATIONS.get(name);
  if (!access) return "unknown";
  if (action === "read") return may([role], readPermission(access)) ? "yes" : "no";
  return access.write !== null && may([role], `write:${access.write}`) ? "yes" : "no";
}

/** Strangers read the relations of standalone mode; what else there is, they are not told. */
export const mayStrangersUse = ({ kind, name, action }: Use): Verdict =>
  kind === "relation" && action === "read" && STANDALONE.relations.some((open) => open === name)
    ? "yes"
    : "no";

/** A request that a permission record allows: what everybody reads, and the relations that records open row by row. */
function mayLentUse(use: Use): Verdict {
  const { kind, name, action } = use;
  const own = mayUse(use, "viewer");
  const lent = kind === "relation" && LENDABLE.get(name)?.actions.some((given) => given === action);
  return lent ? "yes" : own;
}

/** Agents read their own few relations; the others do not exist for them to know of. */
export const mayAgentsUse = ({ kind, name, action }: Use): Verdict =>
  (kind === "rpc" && AGENTS.rpcs.some((known) => known === name)) ||
  (kind === "relation" && action === "read" && AGENTS.relations.some((known) => known === name))
    ? "yes"
    : "no";

/** Of several roles the highest counts, and that is the one the PostgreSQL role is named for. */
function roleOf(dbRole: string, database: string): Role {
  const name = dbRole.slice(database.length + 1);
  return isRole(name) ? name : "viewer";
}

/** The layer on the product's schema. */
export function createDb(
  database: string,
  options: Pick<RestOptions, "pool" | "settings" | "observe">,
): Rest {
  return createRest({
    ...options,
    schema: "public",
    allow: (use, { dbRole }) => {
      if (dbRole === anonymousRole(database)) return mayStrangersUse(use);
      if (dbRole === agentRole(database)) return mayAgentsUse(use);
      return dbRole === lentRole(database) ? mayLentUse(use) : mayUse(use, roleOf(dbRole, database));
    },
  });
}

const isRead = (method: string): boolean => /^(GET|HEAD)$/.test(method);

const BY_SPEC = {
  code: "42501",
  message: "Rows that a permission lets you change are not chosen by their spec.",
  details: null,
  hint: "Name them by id.",
};

/**
 * Would the rows to change be found by what stands in a spec? Whether a row is refused or not there would then tell what
 * its masked secrets are (decision 0105).
 */
export function choosesBySpec(rawTarget: string): boolean {
  const query = new URL(rawTarget, "http://db").searchParams;
  return [...query].some(([key, value]) => {
    if (key === "select" || key === "columns") return false;
    return /\bspec\b/.test(/(^|\.)(and|or|order)$/.test(key) ? value : key);
  });
}

/** Facts §3.4: anything under `/db` belongs to the layer, with the request's own bytes as its target. */
export function dbRoutes(rest: Rest, { rights, database }: { rights: Rights; database: string }): Route[] {
  /** Only where the role itself may not: a record might, which the rows decide. */
  async function isLent(principal: Principal, method: string, target: string): Promise<boolean> {
    const relation = /^\/(\w+)(\?|$)/.exec(target)?.[1] ?? "";
    const needed = permissionOf(method, relation);
    if (needed === null || may(principal.roles, needed)) return false;
    return rights.lends(principal, method, relation);
  }
  return [
    {
      method: "ALL",
      path: "/db/*",
      who: "signed-in",
      agents: true,
      handler: async (c) => {
        const known = c.get("principal");
        const { dbRole, via } = known;
        const rawTarget = (c.env.incoming.url ?? "/db/").slice("/db".length);
        const claims = claimsOf(known);
        if (via !== "stranger") {
          const lent = !known.isAgent && (await isLent(known, c.req.method, rawTarget));
          if (lent && !isRead(c.req.method) && choosesBySpec(rawTarget)) return c.json(BY_SPEC, 403);
          const relations = shownTo(known.roles);
          const readsFrom = relations.size > 0 && { readsFrom: { schema: SHOWN.schema, relations } };
          const principal = lent
            ? {
                dbRole: lentRole(database),
                claims: { ...claims, role: lentRole(database), own_role: dbRole },
              }
            : { dbRole, claims };
          return rest.handle(c.req.raw, { principal: { ...principal, ...readsFrom }, rawTarget });
        }
        if (!isRead(c.req.method) || !/^\/\w+(\?|$)/.test(rawTarget))
          return c.text("Authorization Error", 401);
        const principal = { dbRole, claims, isStranger: true, readsFrom: { schema: STANDALONE.schema } };
        return rest.handle(c.req.raw, { principal, rawTarget });
      },
    },
  ];
}
