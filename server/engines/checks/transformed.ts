import type pg from "pg";
import type { Finished, Runnable } from "./check.ts";
import type { Transformed } from "./runner.ts";

const LOCAL_AGENT = "00000000-0000-0000-0000-000000000000";

/** A result that became checks of their own. */
type Parent = Finished & { outcome: { transformed: Transformed[] } };

/**
 * The results of checks that transforms made, to be stored with those they came from and in the same transaction: rows
 * are inserted, brought up to date or revived, and those of which there is nothing any more end as
 * `transformDeleteStrategy` says (facts: engines §3.3, §3.4). They have no schedule: their status comes with their parent's.
 */
export async function expandTransformed(client: pg.PoolClient, results: Finished[]): Promise<Finished[]> {
  const parents = results.filter((result): result is Parent => result.outcome.transformed !== undefined);
  if (parents.length === 0) return results;
  const children: Finished[] = [];
  for (const parent of await stillHeld(client, parents)) {
    const made = await save(client, parent);
    children.push(
      ...made.filter(({ check }) => check.live).map(({ check, entry }) => resultOf(parent, check, entry)),
    );
    if (made.length > 0)
      children.push(
        ...(await end(
          client,
          parent,
          made.map(({ check }) => check.id),
        )),
      );
  }
  return [...results, ...children];
}

/** A claim that was taken from us stores nothing, so its children do not either. */
async function stillHeld(client: pg.PoolClient, parents: Parent[]): Promise<Parent[]> {
  const { rows } = await client.query<{
    check_id: string;
    claimed_by: string | null;
    claimed_instant: Date | null;
  }>(
    `select check_id, claimed_by, claimed_instant from internal.check_state
     where check_id = any ($1) order by check_id for update`,
    [parents.map(({ check }) => check.id)],
  );
  const states = new Map(rows.map((row) => [row.check_id, row]));
  return parents.filter(({ check, claim }) => {
    const state = states.get(check.id);
    if (!state) return false;
    return (
      claim === null ||
      (state.claimed_by === claim.owner && state.claimed_instant?.getTime() === claim.instant.getTime())
    );
  });
}

interface Made {
  check: { id: string; live: boolean };
  entry: Transformed;
}

/** A row of the same type and name that stands in the spec of its canary is not a transform's to take. */
async function save(client: pg.PoolClient, { check, outcome }: Parent): Promise<Made[]> {
  const entries = new Map(
    outcome.transformed.map((entry) => [JSON.stringify([entry.type ?? check.type, entry.name]), entry]),
  );
  const wanted = [...entries.values()].map((entry) => ({
    type: entry.type ?? check.type,
    name: entry.name,
    namespace: entry.namespace ?? check.namespace,
    description: entry.description ?? check.description,
    icon: entry.icon,
    labels: { ...check.labels, ...entry.labels },
    deleted: entry.deleted,
  }));
  const { rows } = await client
    .query<{ id: string; type: string; name: string; live: boolean }>(
      `insert into internal.checks as existing
       (canary_id, agent_id, type, name, namespace, description, icon, severity, owner, labels, transformed,
        transformed_from, deleted_at)
     select $1, $2, wanted.type, wanted.name, wanted.namespace, wanted.description, coalesce(wanted.icon, parent.icon),
       parent.severity, parent.owner, wanted.labels, true, parent.id, case when wanted.deleted then now() end
     from jsonb_to_recordset($4) as wanted (type text, name text, namespace text, description text, icon text,
       labels jsonb, deleted boolean)
     join internal.checks as parent on parent.id = $3
     order by wanted.type, wanted.name
     on conflict (canary_id, type, name, agent_id) do update
       set namespace = excluded.namespace, description = excluded.description, icon = excluded.icon,
           severity = excluded.severity, owner = excluded.owner, labels = excluded.labels,
           transformed_from = excluded.transformed_from, deleted_at = excluded.deleted_at
       where existing.transformed
         and (existing.namespace, existing.description, existing.icon, existing.severity, existing.owner,
              existing.labels, existing.transformed_from, existing.deleted_at is null)
             is distinct from (excluded.namespace, excluded.description, excluded.icon, excluded.severity,
                               excluded.owner, excluded.labels, excluded.transformed_from, excluded.deleted_at is null)`,
      [check.canaryId, LOCAL_AGENT, check.id, JSON.stringify(wanted)],
    )
    .then(() =>
      client.query<{ id: string; type: string; name: string; live: boolean }>(
        `select id, type, name, deleted_at is null as live from internal.checks
       where canary_id = $1 and agent_id = $2 and transformed_from = $3
         and (type, name) in (select type, name from jsonb_to_recordset($4) as wanted (type text, name text))`,
        [check.canaryId, LOCAL_AGENT, check.id, JSON.stringify(wanted)],
      ),
    );
  return rows.flatMap(({ id, type, name, live }) => {
    const entry = entries.get(JSON.stringify([type, name]));
    return entry ? [{ check: { id, live }, entry }] : [];
  });
}

function resultOf(
  parent: Parent,
  { id }: { id: string },
  { name, type, start, outcome }: Transformed,
): Finished {
  const check: Runnable = { ...parent.check, id, name, type: type ?? parent.check.type, schedule: null };
  return { check, claim: null, time: start ?? parent.time, ms: outcome.ms ?? 0, outcome, dueAfter: null };
}

/** Children that this run did not make: deleted, with a last status if the spec wants one; `Ignore` leaves them be. */
async function end(client: pg.PoolClient, parent: Parent, made: string[]): Promise<Finished[]> {
  const spec = parent.check.spec as { transformDeleteStrategy?: string } | null;
  const strategy = spec?.transformDeleteStrategy;
  if (strategy === "Ignore") return [];
  const { rows } = await client.query<{ id: string; name: string; type: string }>(
    `update internal.checks set deleted_at = now()
     where transformed_from = $1 and deleted_at is null and id <> all ($2) returning id, name, type`,
    [parent.check.id, made],
  );
  if (strategy !== "MarkHealthy" && strategy !== "MarkUnhealthy") return [];
  const status = strategy === "MarkHealthy" ? "healthy" : "unhealthy";
  return rows.map(({ id, name, type }) => ({
    check: { ...parent.check, id, name, type, schedule: null },
    claim: null,
    time: parent.time,
    ms: 0,
    outcome: { status, message: "no longer found" },
    dueAfter: null,
  }));
}
