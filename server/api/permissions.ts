/**
 * `GET /auth/rights?{kind}_id=…`: what the caller may do with one resource. `GET /ph/permissions/why`: why a person may or
 * may not do one thing with it (decision 0096), for whoever may read permissions.
 */
import type pg from "pg";
import { highestRole, isRole, may, type Role } from "#app/contract/access.ts";
import type { Reason, Why } from "#app/contract/rows/permissions.ts";
import {
  permissionFor,
  RESOURCE_KINDS,
  RIGHTS,
  rightsOf,
  type ResourceKind,
  type Right,
} from "#app/contract/words/permissions.ts";
import type { AsCaller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import { isId, type Rights } from "./rights.ts";
import type { ApiContext, Route } from "./router.ts";

interface Needs {
  asCaller: AsCaller;
  /** The owner's pool: roles and the records of others. */
  pool: pg.Pool;
  rights: Rights;
}

/** How a caller reads the name of a resource of each kind; of connections everybody reads the names. */
const NAMED: Record<ResourceKind, string> = {
  config: "select name from public.config_items where id = $1",
  component: "select name from public.components where id = $1",
  canary: "select name from public.canaries where id = $1",
  check: "select coalesce(nullif(name, ''), description, type) as name from public.checks where id = $1",
  connection: "select name from public.connections_list where id = $1",
  playbook: "select coalesce(nullif(title, ''), name) as name from public.playbooks where id = $1",
};

export function permissionRoutes({ asCaller, pool, rights }: Needs): Route[] {
  async function own(c: ApiContext): Promise<Response> {
    const { kind, id } = resourceOf(c);
    const asked = rightsOf(kind);
    const verdicts = await rights.of(c.get("principal"), kind, id, asked);
    if (verdicts.includes("hidden")) throw new ApiError(404, `There is no such ${kind}`);
    return c.json({ rights: Object.fromEntries(asked.map((right, at) => [right, verdicts[at] === "yes"])) });
  }

  async function why(c: ApiContext): Promise<Response> {
    const { kind, id } = resourceOf(c);
    const right = RIGHTS.find((known) => known === c.req.query("action"));
    if (!right || !rightsOf(kind).includes(right))
      throw new ApiError(400, `action must be one of ${rightsOf(kind).join(", ")}`);
    const person = c.req.query("person_id");
    if (!isId(person)) throw new ApiError(400, "person_id must be the id of a person");
    const { rows } = await asCaller(c.get("principal"), (client) =>
      client.query<{ name: string }>(NAMED[kind], [id]),
    );
    if (!rows[0]) throw new ApiError(404, `There is no such ${kind}`);
    const roles = await rolesOf(pool, person);
    const [verdict = "hidden"] = await rights.of({ personId: person, roles }, kind, id, [right]);
    const answer: Why = {
      resource: { id, kind, name: rows[0].name },
      verdict,
      role: highestRole(roles),
      byRole: may(roles, permissionFor(right, kind)),
      records: await recordsOf(pool, person, kind, id, right),
    };
    return c.json(answer);
  }

  return [
    { method: "GET", path: "/auth/rights", who: "signed-in", handler: own },
    { method: "GET", path: "/ph/permissions/why", who: "read:permissions", handler: why },
  ];
}

/** The one resource that the query names. */
function resourceOf(c: ApiContext): { kind: ResourceKind; id: string } {
  const named = RESOURCE_KINDS.filter((kind) => c.req.query(`${kind}_id`) !== undefined);
  const [kind] = named;
  if (!kind || named.length > 1)
    throw new ApiError(400, `Name one of ${RESOURCE_KINDS.map((known) => `${known}_id`).join(", ")}`);
  const id = c.req.query(`${kind}_id`);
  if (!isId(id)) throw new ApiError(400, `${kind}_id must be the id of a ${kind}`);
  return { kind, id };
}

/** Throws ApiError 404 when there is no such person. */
async function rolesOf(pool: pg.Pool, person: string): Promise<Role[]> {
  const { rows } = await pool.query<{ roles: string[] }>(
    `select array(select role from internal.role_grants where person_id = people.id) as roles
     from public.people where id = $1 and deleted_at is null`,
    [person],
  );
  if (!rows[0]) throw new ApiError(404, "There is no such person");
  return rows[0].roles.filter(isRole);
}

/**
 * Every record that speaks of this, also those that do not count any more: they explain too. A deny of reading speaks of
 * everything, a record about a canary of its checks.
 */
async function recordsOf(pool: pg.Pool, person: string, kind: ResourceKind, id: string, right: Right) {
  const { rows } = await pool.query<Reason>(
    `select record.id, record.action, record.deny, record.until, teams.name as team,
       case when record.canary_id is not null and $2 = 'check' then 'canary' else $2 end as about,
       record.until is not null and record.until <= now() as expired, teams.deleted_at is not null as "teamIsGone"
     from public.permissions as record
     left join public.teams on teams.id = record.team_id
     where record.deleted_at is null
       and (record.person_id = $1 or record.team_id in (
         select team_id from public.team_members where person_id = $1))
       and ($3 in (record.config_id, record.component_id, record.canary_id, record.check_id, record.connection_id,
           record.playbook_id)
         or ($2 = 'check' and record.canary_id = (select canary_id from internal.checks where id = $3)))
       and (internal.covers(record.action, $4) or (record.deny and internal.covers(record.action, 'read')))
     order by record.deny desc, record.created_at`,
    [person, kind, id, right],
  );
  return rows;
}
