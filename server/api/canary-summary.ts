/** `GET|POST /canary/api/summary` (backend §7.1): every check with its uptime and latency over the last hour. */
import type pg from "pg";
import { ApiError } from "./errors.ts";

export interface SummaryFilter {
  sortBy: "name" | "-name" | null;
  /** Also checks deleted after this instant. */
  deletedFrom: Date | null;
  /** Labels a check must have, its canary's included. */
  labels: Record<string, string>;
  checkId: string | null;
}

/** Times as RFC3339; latencies in milliseconds. Absent: never ran, or nothing to say. */
export interface CheckSummary {
  id: string;
  canary_id: string;
  canary_name: string;
  canary_namespace: string;
  name: string;
  namespace: string;
  type: string;
  status: string;
  description?: string;
  icon?: string;
  owner?: string;
  severity?: string;
  labels: Record<string, string>;
  latency?: { p99?: number; p97?: number; p95?: number; rolling1h: number };
  uptime?: { passed: number; failed: number; last_pass?: Date; last_fail?: Date };
  last_runtime?: Date;
  last_transition_time?: Date;
  created_at: Date;
  updated_at: Date;
  deleted_at?: Date;
  silenced_at?: Date;
}

/** The filter from the query string and the body, whose keys are the backend's field names in any case. */
export function summaryFilter(query: Record<string, string>, body: unknown): SummaryFilter {
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body)))
    throw new ApiError(400, "The body must be a JSON object");
  const given = new Map<string, unknown>(
    [...Object.entries(query), ...Object.entries(body ?? {})].map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const sortBy = given.get("sortby");
  return {
    sortBy: sortBy === "name" || sortBy === "-name" ? sortBy : null,
    deletedFrom: instant(given.get("deletefrom")),
    labels: labelsOf(given.get("labels")),
    checkId: idOf(given.get("checkid")),
  };
}

function instant(value: unknown): Date | null {
  if (value === undefined || value === null || value === "") return null;
  const time = typeof value === "string" ? new Date(value) : null;
  if (!time || Number.isNaN(time.getTime()))
    throw new ApiError(400, "DeleteFrom must be a time like 2024-01-31T00:00:00Z");
  return time;
}

function labelsOf(value: unknown): Record<string, string> {
  if (value === undefined || value === null || value === "") return {};
  const fine = typeof value === "object" && Object.values(value).every((part) => typeof part === "string");
  if (!fine) throw new ApiError(400, "Labels must be a map of text to text");
  return value as Record<string, string>;
}

function idOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string" || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    throw new ApiError(400, "CheckID must be the id of a check");
  return value;
}

interface Row extends Omit<CheckSummary, "latency" | "uptime"> {
  latency: { p99: number | null; p97: number | null; p95: number | null; avg: number | null };
  uptime: {
    passed: number | null;
    failed: number | null;
    last_pass: string | null;
    last_fail: string | null;
  };
}

/** Reads `check_summary` as the caller. */
export async function listSummaries(client: pg.ClientBase, filter: SummaryFilter): Promise<CheckSummary[]> {
  const { rows } = await client.query<Row>(
    `select id, canary_id, canary_name, canary_namespace, name, coalesce(namespace, canary_namespace) as namespace,
       type, coalesce(status, '') as status, description, icon, owner, severity, labels, latency, uptime, last_runtime,
       last_transition_time, created_at, updated_at, deleted_at, silenced_at
     from public.check_summary
     where (deleted_at is null or deleted_at > $1) and labels @> $2::jsonb and ($3::uuid is null or id = $3)
     order by case $4::text when 'name' then name end, case $4::text when '-name' then name end desc, id`,
    [filter.deletedFrom, JSON.stringify(filter.labels), filter.checkId, filter.sortBy],
  );
  return rows.map(({ latency, uptime, ...row }) =>
    present({
      ...row,
      latency:
        latency.p95 === null
          ? undefined
          : present({
              p99: latency.p99,
              p97: latency.p97,
              p95: latency.p95,
              rolling1h: Math.round(latency.avg ?? 0),
            }),
      uptime: uptime.passed === null ? undefined : present(uptime),
    }),
  ) as CheckSummary[];
}

/** Without what is not there: the contract leaves such keys out. */
function present(object: object): object {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  );
}
