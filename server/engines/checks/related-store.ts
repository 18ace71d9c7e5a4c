/** The links between checks and what they are about, kept up to date with what their runs found. */
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Finished } from "./check.ts";
import type { Related, Selector } from "./selector.ts";

/** The same selectors are looked up again after this long, ms: what they mean comes and goes more slowly than checks run. */
const AGAIN_MS = 60_000;
/** Checks whose selectors are remembered. */
const MOST_KNOWN = 100_000;
/** One selector links a check to at most so many. */
const MOST_LINKS = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Kind {
  key: keyof Related;
  table: "components" | "config_items";
  links: "check_component_relationships" | "check_config_relationships";
  column: "component_id" | "config_id";
  /** Conditions that the words of a selector stand for. */
  match: Record<keyof Selector, string>;
}
const AGENT = `exists (select from public.agents where agents.id = it.agent_id and asked.agent in (agents.id::text, agents.name))`;
const KINDS: readonly Kind[] = [
  {
    key: "components",
    table: "components",
    links: "check_component_relationships",
    column: "component_id",
    match: {
      id: "it.id = asked.id",
      external_id: "it.external_id = asked.external_id",
      name: "it.name = asked.name",
      namespace: "it.namespace = asked.namespace",
      type: "it.type = asked.type",
      agent: AGENT,
      scope: "it.topology_id::text = asked.scope",
      labels: "it.labels @> asked.labels",
    },
  },
  {
    key: "configs",
    table: "config_items",
    links: "check_config_relationships",
    column: "config_id",
    match: {
      id: "it.id = asked.id",
      external_id: "it.external_id @> array[asked.external_id]",
      name: "it.name = asked.name",
      namespace: "coalesce(it.tags ->> 'namespace', it.labels ->> 'namespace') = asked.namespace",
      type: "it.type = asked.type",
      agent: AGENT,
      scope: "it.scraper_id::text = asked.scope",
      labels: "(it.labels @> asked.labels or it.tags @> asked.labels)",
    },
  },
];
/** The condition that finds the fewest stands alone, so that its index is used; the others may be absent. */
const STRONGEST = ["id", "external_id", "name", "labels", "type", "namespace", "scope", "agent"] as const;
const ROW = `check_id uuid, canary_id uuid, selector_id text, id uuid, external_id text, name text, namespace text,
  type text, agent text, scope text, labels jsonb`;

interface Asked extends Selector {
  check_id: string;
  canary_id: string;
  selector_id: string;
}
interface Link {
  check_id: string;
  canary_id: string;
  selector_id: string;
  target: string;
}

/** When each check's selectors were last looked up, and what they were. One for each store. */
export type KnownRelated = Map<string, { hash: string; at: number }>;

/**
 * Links checks to what their results are about, and ends the links that their selectors do not make any more. In the
 * transaction of the results, behind a savepoint: what goes wrong here costs the links, never a result.
 */
export async function saveRelated(
  client: pg.PoolClient,
  results: readonly Finished[],
  known: KnownRelated,
  now: number,
): Promise<void> {
  const due = results.filter(({ check, outcome: { related } }) => {
    const last = known.get(check.id);
    return related && !(last && last.hash === hashOf(related) && now - last.at < AGAIN_MS);
  });
  if (due.length === 0) return;
  if (known.size > MOST_KNOWN) known.clear();
  for (const { check, outcome } of due) known.set(check.id, { hash: hashOf(outcome.related), at: now });
  await client.query("savepoint related");
  try {
    for (const kind of KINDS) await saveKind(client, kind, due);
    await client.query("release savepoint related");
  } catch {
    await client.query("rollback to savepoint related");
    for (const { check } of due) known.delete(check.id); // the next run tries again
  }
}

const hashOf = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);

async function saveKind(client: pg.PoolClient, kind: Kind, due: readonly Finished[]): Promise<void> {
  const asked = due.flatMap(({ check, outcome }) =>
    (outcome.related?.[kind.key] ?? [])
      .filter(({ id }) => id === undefined || UUID.test(id))
      .map((selector): Asked => ({
        ...selector,
        check_id: check.id,
        canary_id: check.canaryId,
        selector_id: hashOf(selector),
      })),
  );
  const found: Link[] = [];
  for (const strongest of STRONGEST) {
    const some = asked.filter((one) => STRONGEST.find((field) => one[field] !== undefined) === strongest);
    if (some.length > 0) found.push(...(await find(client, kind, strongest, some)));
  }
  const { links, column } = kind;
  await client.query(
    `with found as (
       select * from jsonb_to_recordset($2) as row (check_id uuid, canary_id uuid, selector_id text, target uuid)),
     ended as (
       update public.${links} as link set deleted_at = now()
       where link.check_id = any ($1) and link.deleted_at is null and link.selector_id is not null and not link.is_pushed
         and not exists (select from found where found.check_id = link.check_id and found.target = link.${column}
           and found.selector_id = link.selector_id))
     insert into public.${links} as link (${column}, check_id, canary_id, selector_id)
     select target, check_id, canary_id, selector_id from found order by 1, 2, 4
     on conflict (${column}, check_id, canary_id, selector_id) do update set deleted_at = null
       where link.deleted_at is not null`,
    [due.map(({ check }) => check.id), JSON.stringify(found)],
  );
}

async function find(
  client: pg.PoolClient,
  { table, match }: Kind,
  strongest: keyof Selector,
  asked: readonly Asked[],
): Promise<Link[]> {
  const others = STRONGEST.filter((field) => field !== strongest).map(
    (field) => `(asked.${field} is null or ${match[field]})`,
  );
  const { rows } = await client.query<Link>({
    name: `engine.related.${table}.${strongest}`,
    text: `select asked.check_id, asked.canary_id, asked.selector_id, it.id as target
           from jsonb_to_recordset($1) as asked (${ROW})
           cross join lateral (
             select it.id from public.${table} as it
             where it.deleted_at is null and ${[match[strongest], ...others].join(" and ")}
             order by it.id limit ${MOST_LINKS} for key share of it) as it`,
    values: [JSON.stringify(asked)],
  });
  return rows;
}

/** Ends the links of checks whose canary's spec says no more what they are about, and of those made of their results. */
export async function endUnasked(client: pg.PoolClient, canaries: readonly string[]): Promise<void> {
  for (const { links } of KINDS)
    await client.query(
      `update public.${links} as link set deleted_at = now()
       from internal.checks as own left join internal.checks as parent on parent.id = own.transformed_from
       where link.check_id = own.id and own.canary_id = any ($1) and link.deleted_at is null
         and link.selector_id is not null and not link.is_pushed
         and not coalesce(coalesce(parent.spec, own.spec) ? 'relationships', false)`,
      [canaries],
    );
}
