import type pg from "pg";
import { endUnasked } from "./related-store.ts";
import { inTransaction } from "#server/db/pool.ts";
import { expand, type Canary, type WantedCheck } from "./expand.ts";
import { nextInstant } from "../schedule.ts";
import { scheduleOf, soon } from "./due.ts";
import { deadline, HEARTBEAT } from "./heartbeat.ts";
import { welcomeWebhooks } from "./webhook.ts";

/** Canaries that are brought in step in one transaction. */
const BATCH = 100;
const LOCAL_AGENT = "00000000-0000-0000-0000-000000000000";

interface Row {
  id: string;
  canary_id: string;
  type: string;
  name: string;
  deleted: boolean;
  spec: unknown;
  next_runtime: Date | null;
}
interface Saved extends Pick<Row, "id" | "canary_id" | "type" | "name"> {
  schedule: string | null;
}

/**
 * Brings the checks of changed canaries in step with their specs: new entries appear and run within a second, changed
 * ones run again at once, those that are gone are deleted, those that come back are revived with their history. Safe with
 * any number of control planes: each changed canary is taken by one. Checks without a spec were pushed by somebody else
 * and are left alone. Returns how many canaries were looked at.
 */
export async function syncCanaries(pool: pg.Pool, now: () => Date): Promise<number> {
  for (let done = 0; ;) {
    const count = await inTransaction(pool, (client) => syncBatch(client, now()));
    done += count;
    if (count < BATCH) return done;
  }
}

/** Looks at every canary again, whether it changed or not: the safety net behind the trigger. */
export async function syncAll(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `insert into internal.canaries_to_sync (canary_id)
     select id from public.canaries where agent_id = $1 and deleted_at is null order by id
     on conflict (canary_id) do nothing`,
    [LOCAL_AGENT],
  );
  return rowCount ?? 0;
}

/** One batch in the caller's transaction; returns how many canaries it took. */
export async function syncBatch(client: pg.PoolClient, now: Date): Promise<number> {
  const taken = await client.query<{ canary_id: string }>(
    `delete from internal.canaries_to_sync where canary_id in (
       select canary_id from internal.canaries_to_sync order by changed_at limit $1 for update skip locked)
     returning canary_id`,
    [BATCH],
  );
  const ids = taken.rows.map((row) => row.canary_id);
  if (ids.length === 0) return 0;
  const canaries = await client.query<Canary>(
    `select id, agent_id, name, namespace, labels, annotations, spec, deleted_at is not null as deleted
     from public.canaries where id = any ($1) and agent_id = $2`,
    [ids, LOCAL_AGENT],
  );
  const rows = await client.query<Row>(
    `select definition.id, canary_id, type, name, deleted_at is not null as deleted, spec, next_runtime
     from internal.checks as definition join internal.check_state as state on state.check_id = definition.id
     where canary_id = any ($1) and transformed is not true and agent_id = $2`,
    [canaries.rows.map((canary) => canary.id), LOCAL_AGENT],
  );
  const before = new Map(rows.rows.map((row) => [identity(row), row]));
  const wanted = canaries.rows.flatMap((canary) =>
    expand(canary).map((check) => ({ ...check, canary_id: canary.id })),
  );
  const saved = await save(client, wanted);
  await remove(
    client,
    rows.rows.filter((row) => row.spec !== null && !saved.has(identity(row))),
    now,
  );
  await plan(client, [...saved.values()], before, now);
  const fresh = [...saved].filter(
    ([key, { type }]) => type === "webhook" && before.get(key)?.deleted !== false,
  );
  await welcomeWebhooks(
    client,
    fresh.map(([, { id }]) => id),
    now,
  );
  return ids.length;
}

const identity = (check: { canary_id: string; type: string; name: string }) =>
  JSON.stringify([check.canary_id, check.type, check.name]);

/** Inserts, updates and revives; rows that are as wanted are not written. */
async function save(
  client: pg.PoolClient,
  wanted: (WantedCheck & { canary_id: string })[],
): Promise<Map<string, Saved>> {
  if (wanted.length === 0) return new Map();
  await client.query(
    `insert into internal.checks as existing
       (canary_id, agent_id, type, name, namespace, description, icon, severity, owner, labels, spec)
     select canary_id, $2, type, name, namespace, description, icon, severity, owner, labels, spec
     from jsonb_to_recordset($1) as wanted (canary_id uuid, type text, name text, namespace text, description text,
       icon text, severity text, owner text, labels jsonb, spec jsonb)
     order by canary_id, type, name
     on conflict (canary_id, type, name, agent_id) do update
       set namespace = excluded.namespace, description = excluded.description, icon = excluded.icon,
           severity = excluded.severity, owner = excluded.owner, spec = excluded.spec,
           labels = existing.found_labels || excluded.labels,
           found_labels = existing.found_labels - array(select jsonb_object_keys(excluded.labels)),
           transformed = null, transformed_from = null, deleted_at = null
       where (existing.namespace, existing.description, existing.icon, existing.severity, existing.owner,
              existing.labels, existing.spec)
             is distinct from (excluded.namespace, excluded.description, excluded.icon, excluded.severity,
                               excluded.owner, existing.found_labels || excluded.labels, excluded.spec)
          or existing.deleted_at is not null or existing.transformed`,
    [JSON.stringify(wanted), LOCAL_AGENT],
  );
  await endUnasked(client, [...new Set(wanted.map((check) => check.canary_id))]);
  const schedules = new Map(wanted.map((check) => [identity(check), check.schedule]));
  const { rows } = await client.query<Omit<Saved, "schedule">>(
    `select id, canary_id, type, name from internal.checks
     where canary_id = any ($1) and agent_id = $2 and transformed is not true`,
    [[...new Set(wanted.map((check) => check.canary_id))], LOCAL_AGENT],
  );
  return new Map(
    rows.flatMap((row) => {
      const schedule = schedules.get(identity(row));
      return schedule === undefined ? [] : [[identity(row), { ...row, schedule }]];
    }),
  );
}

async function remove(client: pg.PoolClient, gone: Row[], now: Date): Promise<void> {
  const ids = gone.map((row) => row.id);
  if (ids.length === 0) return;
  await client.query(
    "update internal.checks set deleted_at = $2 where id = any ($1) and deleted_at is null",
    [ids, now],
  );
  await client.query(
    "update internal.check_state set next_runtime = null where check_id = any ($1) and next_runtime is not null",
    [ids],
  );
}

/**
 * When each check is due. What is new, changed or back runs soon; the rest keeps its instant, unless its schedule was
 * taken away or became denser. Only rows whose instant nobody moved meanwhile are written.
 */
async function plan(
  client: pg.PoolClient,
  checks: Saved[],
  before: Map<string, Row>,
  now: Date,
): Promise<void> {
  const specs = new Map<string, unknown>();
  if (checks.length > 0) {
    const { rows } = await client.query<{ id: string; spec: unknown }>(
      "select id, spec from internal.checks where id = any ($1)",
      [checks.map((check) => check.id)],
    );
    for (const row of rows) specs.set(row.id, row.spec);
  }
  const moves = checks.flatMap((check) => {
    const old = before.get(identity(check));
    const next = due(check, old, specs.get(check.id), now);
    const current = old?.next_runtime ?? null;
    return next?.getTime() === current?.getTime() ? [] : [{ id: check.id, current, next }];
  });
  if (moves.length === 0) return;
  await client.query(
    `update internal.check_state as state set next_runtime = moved.next
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as moved (id, current, next)
     where state.check_id = moved.id and date_trunc('milliseconds', state.next_runtime) is not distinct from moved.current`,
    [moves.map((move) => move.id), moves.map((move) => move.current), moves.map((move) => move.next)],
  );
}

function due(check: Saved, old: Row | undefined, spec: unknown, now: Date): Date | null {
  if (check.schedule === null) return null;
  const unchanged = old && !old.deleted && JSON.stringify(old.spec) === JSON.stringify(spec);
  if (check.type === HEARTBEAT) {
    const kept = unchanged ? old.next_runtime : null;
    return kept ?? deadline(spec, now, true) ?? soon(check.id, now); // one that cannot be read says so at once
  }
  if (!unchanged || old.next_runtime === null) return soon(check.id, now);
  const schedule = scheduleOf(check.schedule);
  const regular = schedule instanceof Error ? null : nextInstant(schedule, check.id, now);
  return regular && regular < old.next_runtime ? regular : old.next_runtime;
}
