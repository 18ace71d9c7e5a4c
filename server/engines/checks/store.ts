import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import type { Claim, Finished, Runnable } from "./check.ts";
import { effectiveSchedule, turn } from "./due.ts";
import { HEARTBEAT, silence } from "./heartbeat.ts";
import { interruptClaims } from "./interrupted.ts";
import { lastResult } from "./last-result.ts";
import type { KnownRelated } from "./related-store.ts";
import { saveResults } from "./results.ts";

export interface CheckStore {
  /**
   * Takes what is due, most overdue first, and moves each check to its next instant before the run. Says when to look
   * again: at once after it found something, else when the next check is due.
   */
  claim(request: {
    owner: string;
    now: Date;
    limit: number;
    minMs: number;
    /** Checks of these types go on to their next instant without a run. */
    isDisabled?: (type: string) => boolean;
  }): Promise<{ claims: Claim[]; nextDue: Date | null }>;
  /** Stores results whose claim still holds, all in one transaction; the others are somebody else's now. */
  save(results: Finished[]): Promise<void>;
  /** Gives claims back and writes down that their runs did not end. */
  interrupt(claims: Pick<Claim, "id" | "owner" | "instant">[], reason: string): Promise<void>;
  /** Gives back what the owner holds besides these checks: claims it made and never learned of. */
  disown(owner: string, running: string[]): Promise<void>;
  /** The newest stored result of a check, for `last_result()`. */
  lastResult(id: string): Promise<Record<string, unknown> | null>;
  /** The check, if it is there and not deleted; for a transformed one the check it comes from, which brings its result. */
  load(id: string): Promise<Runnable | null>;
}

/** A claim that is older than its run may take by this much, in milliseconds, is lost even if its owner lives. */
const CLAIM_SLACK_MS = 60_000;

/** What `runnable` reads: RUNNABLE_COLUMNS, with the check's id. */
export interface RunnableRow {
  check_id: string;
  canary_id: string;
  canary_name: string;
  type: string;
  name: string;
  namespace: string;
  description: string | null;
  severity: string | null;
  owner: string | null;
  labels: Record<string, string> | null;
  annotations: Record<string, string>;
  spec: unknown;
  schedule: unknown;
  interval: unknown;
  last_ping: Date | null;
}
interface DueRow extends RunnableRow {
  next_runtime: Date;
  live: boolean;
}

export const RUNNABLE_COLUMNS = `${columnsOf("canaries.spec -> 'schedule'", "canaries.spec -> 'interval'")},
  case when definition.type = 'heartbeat' then
    (select last_ping from internal.heartbeats where check_id = definition.id) end as last_ping`;
/** The same without when it runs: nobody asks that of a check that is heard of, and a canary's spec may be long. */
export const HEARD_COLUMNS = `${columnsOf("null", "null")}, null as last_ping`;
export const RUNNABLE_TABLES = `internal.checks as definition join public.canaries on canaries.id = definition.canary_id`;

function columnsOf(schedule: string, interval: string): string {
  return `definition.canary_id, canaries.name as canary_name, definition.type, definition.name,
    coalesce(canaries.namespace, 'default') as namespace, definition.description, definition.severity,
    definition.owner, coalesce(canaries.labels, '{}') || coalesce(definition.labels, '{}') as labels,
    definition.spec, coalesce(canaries.annotations, '{}') as annotations, ${schedule} as schedule,
    ${interval} as interval`;
}

export function createCheckStore(pool: pg.Pool, { timeoutMs }: { timeoutMs: number }): CheckStore {
  const related: KnownRelated = new Map();
  return {
    claim: (request) => inTransaction(pool, (client) => claim(client, request, timeoutMs + CLAIM_SLACK_MS)),
    save: (results) => inTransaction(pool, (client) => saveResults(client, results, related)),
    interrupt: (claims, reason) =>
      inTransaction(pool, (client) => interruptClaims(client, { claims }, reason)).then(() => undefined),
    disown: (owner, except) =>
      inTransaction(pool, (client) =>
        interruptClaims(client, { owner, except }, "the database went away while it was claimed"),
      ).then(() => undefined),
    lastResult: (id) => lastResult(pool, id),
    async load(id) {
      const { rows } = await pool.query<RunnableRow>({
        name: "engine.check",
        text: `select definition.id as check_id, ${RUNNABLE_COLUMNS} from ${RUNNABLE_TABLES}
               where definition.deleted_at is null and definition.id =
                 (select coalesce(transformed_from, id) from internal.checks where id = $1 and deleted_at is null)`,
        values: [id],
      });
      return rows[0] ? runnable(rows[0]) : null;
    },
  };
}

async function claim(
  client: pg.PoolClient,
  { owner, now, limit, minMs, isDisabled = () => false }: Parameters<CheckStore["claim"]>[0],
  holdMs: number,
): ReturnType<CheckStore["claim"]> {
  // One statement: whether we are listed (a reaper that is taking us off is waited for), what is due, or else what is next.
  const { rows } = await client.query<DueRow & { later: Date | null }>({
    name: "engine.due",
    text: `with listed as materialized (select from internal.control_planes where id = $3 for key share),
           due as materialized (
             select check_id, next_runtime from internal.check_state
             where next_runtime <= $1 and claimed_by is null and exists (select from listed)
             order by next_runtime limit $2 for update skip locked),
           later as ( -- reads all checks, so only when there is time to wait until then
             select min(next_runtime) as later from internal.check_state
             where next_runtime > $1 and claimed_by is null and not exists (select from due))
           select later, due.check_id, due.next_runtime, checks.*
           from later left join due on true
           left join lateral ( -- by key: "offset 0" keeps the planner from reading all checks for a few
             select ${RUNNABLE_COLUMNS}, definition.deleted_at is null and canaries.deleted_at is null
               and canaries.annotations ->> 'suspend' is distinct from 'true' as live
             from ${RUNNABLE_TABLES} where definition.id = due.check_id offset 0
           ) as checks on true
           order by due.next_runtime`,
    values: [now, limit, owner],
  });
  const due = rows.filter(({ check_id }) => check_id !== null);
  const claims: Claim[] = [];
  const turns = due.map((row) => {
    const check = runnable(row);
    const { next_runtime: nextRuntime, live } = row;
    const next =
      check.type === HEARTBEAT
        ? silence({ ...check, nextRuntime, live }, now)
        : turn({ id: check.id, schedule: live ? check.schedule : null, nextRuntime }, now, minMs);
    const instant = isDisabled(check.type) ? null : next.instant;
    if (instant) claims.push({ ...check, owner, instant });
    return { ...next, instant };
  });
  if (turns.length > 0)
    await client.query({
      name: "engine.claim",
      text: `update internal.check_state as state
             set next_runtime = turn.next, claimed_instant = turn.instant,
               claimed_by = case when turn.instant is not null then $4 end,
               claimed_until = case when turn.instant is not null then $5::timestamptz end
             from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as turn (id, instant, next)
             where state.check_id = turn.id`,
      values: [
        turns.map(({ id }) => id),
        turns.map(({ instant }) => instant),
        turns.map(({ next }) => next),
        owner,
        new Date(now.getTime() + holdMs),
      ],
    });
  return { claims, nextDue: due.length > 0 ? now : (rows[0]?.later ?? null) };
}

/** The row of a check with its canary, as the engine holds it. */
export function runnable(row: RunnableRow): Runnable {
  return {
    id: row.check_id,
    canaryId: row.canary_id,
    canaryName: row.canary_name,
    type: row.type,
    name: row.name,
    namespace: row.namespace,
    description: row.description,
    severity: row.severity,
    owner: row.owner,
    labels: row.labels ?? {},
    annotations: row.annotations,
    spec: row.spec,
    schedule: effectiveSchedule({ schedule: row.schedule, interval: row.interval }),
    lastPing: row.last_ping,
  };
}
