/** What is known of the checks that events are about. */
import type pg from "pg";
import { linkOf, type Subject } from "./message.ts";
import { MOST_FAILURES, type CheckEvent } from "./match.ts";

/** An event of the queue. */
export interface CheckEventRow {
  id: string;
  name: CheckEvent;
  /** Exact, as PostgreSQL writes it: an event that is renewed meanwhile is another. */
  created_at: string;
  check_id: string;
  last_runtime: string;
}

/** A check at the time of its event. */
export interface Situated {
  subject: Subject;
  /** What filters see. */
  values: Record<string, unknown>;
}

interface Row {
  id: string;
  name: string;
  type: string;
  namespace: string;
  description: string | null;
  severity: string | null;
  labels: Record<string, string>;
  status: string | null;
  canary_id: string;
  canary_name: string;
  canary_namespace: string;
  canary_labels: Record<string, string>;
  time: Date;
  message: string | null;
  error: string | null;
  duration: number | null;
}

const longest = 2000;
const short = (text: string | null) => (text && text.length > longest ? `${text.slice(0, longest)} …` : text);

/** The checks of events, by the event's position; deleted ones are left out. */
export async function situate(
  pool: pg.Pool,
  events: Pick<CheckEventRow, "name" | "check_id" | "last_runtime">[],
  webUrl: string | null,
): Promise<Map<number, Situated>> {
  const { rows } = await pool.query<Row & { n: string }>({
    name: "notifier.situate",
    text: `select given.n, definition.id, definition.name, definition.type,
             coalesce(definition.namespace, canaries.namespace) as namespace, definition.description,
             definition.severity, coalesce(canaries.labels, '{}') || coalesce(definition.labels, '{}') as labels,
             state.status, canaries.id as canary_id, canaries.name as canary_name,
             canaries.namespace as canary_namespace, coalesce(canaries.labels, '{}') as canary_labels,
             given.time, run.message, run.error, run.duration
           from unnest($1::uuid[], $2::timestamptz[]) with ordinality as given (check_id, time, n)
           join internal.checks as definition on definition.id = given.check_id and definition.deleted_at is null
           join internal.check_state as state on state.check_id = definition.id
           join public.canaries on canaries.id = definition.canary_id
           left join lateral (
             select message, error, duration from public.check_statuses
             where check_id = given.check_id and time = given.time
           ) as run on true`,
    values: [events.map((event) => event.check_id), events.map((event) => event.last_runtime)],
  });
  return new Map(
    rows.map((row) => [Number(row.n) - 1, situated(row, events[Number(row.n) - 1]!.name, webUrl)]),
  );
}

function situated(row: Row, event: CheckEvent, webUrl: string | null): Situated {
  const { id, name, type, namespace, severity, description, labels } = row;
  const canary = { id: row.canary_id, name: row.canary_name, namespace: row.canary_namespace };
  const time = row.time.toISOString();
  return {
    subject: {
      event,
      check: { id, name, type, namespace, severity },
      canary,
      labels,
      time,
      message: short(row.message),
      error: short(row.error),
      durationMs: row.duration,
      link: linkOf(webUrl, id),
    },
    values: {
      check: {
        id,
        name,
        type,
        namespace,
        severity,
        description: description ?? "",
        labels,
        status: row.status,
      },
      canary: { ...canary, labels: row.canary_labels },
      status: {
        status: event === "check.passed",
        time,
        message: row.message ?? "",
        error: row.error ?? "",
        duration: row.duration ?? 0,
      },
    },
  };
}

/** How often in a row a check failed up to now, counted no further than asked. */
export async function failuresInRow(client: pg.ClientBase, checkId: string, upTo: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>({
    name: "notifier.failures",
    text: `select coalesce(min(n) filter (where status) - 1, count(*))::integer as n
           from (select status, row_number() over (order by time desc) as n
                 from (select status, time from public.check_statuses where check_id = $1
                       order by time desc limit $2) as newest) as counted`,
    values: [checkId, Math.min(upTo, MOST_FAILURES)],
  });
  return rows[0]?.n ?? 0;
}
