import type pg from "pg";
import type { Finished } from "./check.ts";
import { saveRelated, type KnownRelated } from "./related-store.ts";
import { expandTransformed } from "./transformed.ts";

/** What PostgreSQL cannot hold in a text: NUL, and halves of characters. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** What a text of a status row may be long, in characters; a check must not fill the disk with one message. */
const TEXT_LIMIT = 10_000;
/** The same for details, as JSON. */
const DETAILS_LIMIT = 100_000;

/**
 * Stores runs in one transaction: the status row (its trigger adds to the sums), the state of the check, and the end of
 * the claim. A claim that was taken from us meanwhile stores nothing: its instant is already written down as interrupted.
 */
export async function saveResults(
  client: pg.PoolClient,
  results: Finished[],
  known: KnownRelated = new Map(),
): Promise<void> {
  for (const distinct of rounds(await expandTransformed(client, results))) {
    await saveDistinct(client, distinct);
    await saveRelated(client, distinct, known, Date.now());
  }
}

/** A check may be in a batch twice (by schedule and by hand): each statement sees it once. */
function rounds(results: Finished[]): Finished[][] {
  const all: Finished[][] = [];
  const seen = new Map<string, number>();
  for (const result of results) {
    const round = seen.get(result.check.id) ?? 0;
    seen.set(result.check.id, round + 1);
    (all[round] ??= []).push(result);
  }
  return all;
}

async function saveDistinct(client: pg.PoolClient, results: Finished[]): Promise<void> {
  const rows = results.map(({ check, claim, time, ms, outcome, dueAfter }) => ({
    check_id: check.id,
    owner: claim?.owner ?? null,
    instant: claim?.instant ?? null,
    due_after: dueAfter,
    finished: new Date(time.getTime() + ms),
    time,
    duration: ms,
    status: outcome.status === "healthy",
    invalid: outcome.invalid ?? false,
    message: clean(outcome.message),
    error: clean(outcome.error),
    severity: check.severity,
    details: detailsOf(outcome.details),
  }));
  await client.query({
    name: "engine.save",
    text: `with finished as (
             select * from jsonb_to_recordset($1) as row (check_id uuid, owner text, instant timestamptz,
               due_after timestamptz, finished timestamptz, time timestamptz, duration integer, status boolean,
               invalid boolean, message text, error text, severity text, details jsonb)),
           held as materialized (
             select finished.* from (select * from finished order by check_id) as finished
             cross join lateral ( -- by key, one after the other, however many checks there are and results come at once
               select from internal.check_state as state
               where state.check_id = finished.check_id
                 and (finished.owner is null
                   or (state.claimed_by = finished.owner and state.claimed_instant = finished.instant))
               for update) as state),
           stored as (
             insert into public.check_statuses
               (check_id, time, duration, status, invalid, message, error, severity, details)
             select check_id, time, duration, status, invalid, message, error, severity, details from held
             on conflict (check_id, time) do nothing)
           update internal.check_state as state set
             status = case when state.last_runtime is null or held.time >= state.last_runtime
                           then case when held.status then 'healthy' else 'unhealthy' end else state.status end,
             last_runtime = greatest(state.last_runtime, held.time),
             next_runtime = case when held.due_after is not null and state.next_runtime <= held.finished
                                 then held.due_after else state.next_runtime end,
             claimed_by = case when held.owner is null then state.claimed_by end,
             claimed_instant = case when held.owner is null then state.claimed_instant end,
             claimed_until = case when held.owner is null then state.claimed_until end
           from held where state.check_id = held.check_id`,
    values: [JSON.stringify(rows)],
  });
  await saveLabels(client, results);
}

/** Labels that runs found: they lie under the canary's, and replace those that the run before found. */
async function saveLabels(client: pg.PoolClient, results: Finished[]): Promise<void> {
  const found = results.flatMap(({ check, outcome: { labels } }) =>
    labels ? [{ id: check.id, labels: JSON.parse(JSON.stringify(labels).replace(UNSTORABLE, "")) }] : [],
  );
  if (found.length === 0) return;
  await client.query({
    name: "engine.labels",
    text: `update internal.checks as definition
           set labels = found.labels || own.labels, found_labels = found.labels - own.names
           from (
             select definition.id, row.labels as labels, own.labels as own
             from jsonb_to_recordset($1) as row (id uuid, labels jsonb)
             join internal.checks as definition on definition.id = row.id
             cross join lateral (
               select coalesce(definition.labels, '{}')
                 - array(select jsonb_object_keys(definition.found_labels)) as labels) as own
           ) as found
           cross join lateral (
             select found.own as labels, array(select jsonb_object_keys(found.own)) as names) as own
           where definition.id = found.id
             and definition.found_labels is distinct from found.labels - own.names`,
    values: [JSON.stringify(found)],
  });
}

/** A text as a status row can hold it. */
export function clean(text: string | undefined): string | null {
  if (text === undefined) return null;
  return (text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)} …` : text).replace(UNSTORABLE, "");
}

/** The details as a status row can hold them. */
export function detailsOf(details: Record<string, unknown> | undefined): unknown {
  if (details === undefined) return null;
  const text = JSON.stringify(details, (_, value: unknown) =>
    typeof value === "string" ? value.replace(UNSTORABLE, "") : value,
  );
  return text.length > DETAILS_LIMIT ? { truncated: true } : JSON.parse(text);
}
