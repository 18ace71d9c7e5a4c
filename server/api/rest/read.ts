/** GET and HEAD of a relation. */
import { outOfRange } from "./parse/headers.ts";
import { hasAggregates, isToOne, type ReadNode } from "./plan/read-node.ts";
import { planRead } from "./plan/plan.ts";
import { type Answer, applyResponseSettings, contentRange, errorAnswer, rangeStatus } from "./respond.ts";
import { applied, assertAllowed, assertEmbedsAllowed, contentLocation, type RestRequest } from "./request.ts";
import { refuse } from "./errors.ts";
import type { Elsewhere } from "./options.ts";
import { Parameters } from "./sql/sql.ts";
import { countSql, readSql } from "./sql/read.ts";
import { RESPONSE_SETTINGS, resultSql, ROW } from "./sql/result.ts";
import type { Rows } from "./pipeline.ts";

/** Sets the root's rows to those of the request's range, below what is capped. */
export function limitRoot(node: ReadNode, { range }: RestRequest): void {
  node.offset = range.offset;
  if (range.limit !== null) node.limit = Math.min(range.limit, node.limit ?? Infinity);
}

/** Words that are no preference are refused when the caller asked for strictness. */
export function assertPreferences({ preferences }: RestRequest): void {
  if (preferences.handling !== "strict" || preferences.invalid.length === 0) return;
  throw refuse(400, "122", "Invalid preferences given with handling=strict", {
    details: `Invalid preferences: ${preferences.invalid.join(", ")}`,
  });
}

/** Only one row may come back where one object was asked for. */
export function notOneRow(count: number) {
  return refuse(406, "116", "JSON object requested, multiple (or no) rows returned", {
    details: `The result contains ${count} rows`,
  });
}

/**
 * SQL of the total. A page that is not full has been counted already; the scan happens only when the page does not say
 * how many rows there are (a subquery in CASE runs when it is reached).
 */
export function totalSql(node: ReadNode, parameters: Parameters, atMost: number | null): string {
  const count = `SELECT count(*)::text FROM (${countSql(node, null, parameters)}${atMost === null ? "" : ` LIMIT ${parameters.add(String(atMost + 1))}`}) AS pgrst_all`;
  if (hasAggregates(node) || node.children.some(mayMultiply)) return `(${count})`;
  const offset = parameters.add(String(node.offset));
  const isFull =
    node.limit === null ? "" : ` AND count(${ROW}) < ${parameters.add(String(node.limit))}::bigint`;
  return `CASE WHEN count(${ROW}) > 0${isFull} THEN (count(${ROW}) + ${offset}::bigint)::text ELSE (${count}) END`;
}

/** A to-one embed of a view or a function may find several rows, and then repeats its parent. */
function mayMultiply({ relationship }: ReadNode): boolean {
  return isToOne(relationship) && (relationship?.kind !== "key" || relationship.targetIsView);
}

export function explainedRows(rows: Rows | undefined): number {
  const plan = JSON.parse(rows?.[0]?.[0] ?? "[]") as [{ Plan?: { "Plan Rows"?: number } }?];
  return plan[0]?.Plan?.["Plan Rows"] ?? 0;
}

/** Relations of another schema in the place of those asked for, once everything is resolved. */
function relocate(node: ReadNode, elsewhere: Elsewhere): void {
  const { schema, relations } = elsewhere;
  if (!relations || relations.has(node.relation.name)) node.relation = { ...node.relation, schema };
  relocateEmbeds(node, elsewhere);
}

/** The same below rows that a write or a function gave. */
export function relocateEmbeds(node: ReadNode, elsewhere: Elsewhere | undefined): void {
  if (elsewhere) for (const child of node.children) relocate(child, elsewhere);
}

export async function handleRead(request: RestRequest): Promise<Answer> {
  const { query, target, preferences, plan, options } = request;
  assertAllowed(request, { kind: "relation", name: target.name, action: "read", embedded: false });
  const node = planRead(target, query, plan);
  assertEmbedsAllowed(request, node);
  if (request.caller.readsFrom !== undefined) relocate(node, request.caller.readsFrom);
  const media = request.media();
  assertPreferences(request);
  limitRoot(node, request);
  node.embedsAsJsonb = media.format === "csv";

  const parameters = new Parameters();
  const rows = readSql(node, null, parameters);
  const { count } = preferences;
  const maxRows = plan.maxRows;
  const isEstimate = count === "planned" || (count === "estimated" && maxRows !== null);
  const total =
    count === undefined || count === "planned"
      ? undefined
      : totalSql(node, parameters, count === "estimated" ? maxRows : null);
  const hasResponseSettings = options.preRequest !== undefined;
  const text = resultSql({
    rows,
    media,
    shape: "rows",
    isSilent: request.method === "HEAD" && media.format !== "object",
    ...(total !== undefined && { total }),
    ...(hasResponseSettings && { more: RESPONSE_SETTINGS }),
  });
  const statements = [{ text, values: parameters.values }];
  if (isEstimate) {
    const own = new Parameters();
    statements.unshift({ text: `EXPLAIN (FORMAT JSON) ${countSql(node, null, own)}`, values: own.values });
  }
  if (request.preRequest !== null) statements.unshift({ text: request.preRequest, values: [] });
  const results = await request.run({
    settings: request.settings(true),
    isolation: request.isolation,
    statements,
    end: "commit",
    signal: request.signal,
    authenticated: request.caller.authenticated,
  });
  const [counted, n, body, status, headers] = results.at(-1)?.[0] ?? [];
  let all = counted == null ? null : Number(counted);
  if (count === "planned") all = explainedRows(results.at(-2));
  else if (isEstimate && maxRows !== null && all !== null && all > maxRows)
    all = Math.max(all, explainedRows(results.at(-2)));
  const answer = rangeAnswer(request, Number(n), all, body ?? null, applied(request, ["count"]));
  answer.headers["Content-Location"] = contentLocation(request);
  if (hasResponseSettings) applyResponseSettings(answer, status ?? null, headers ?? null);
  return answer;
}

/** The answer to a read of `count` rows out of `total`. */
export function rangeAnswer(
  request: RestRequest,
  count: number,
  total: number | null,
  body: string | null,
  extra: Record<string, string>,
): Answer {
  const media = request.media();
  const first = request.range.offset;
  const last = first + count - 1;
  const headers = { "Content-Range": contentRange(first, last, total), ...extra };
  const status = rangeStatus(first, last, total);
  if (status === 416) {
    const details = `An offset of ${first} was requested, but there are only ${total} rows.`;
    const refused = errorAnswer(outOfRange(details));
    return { ...refused, headers: { ...refused.headers, ...headers } };
  }
  if (media.format === "object" && count !== 1) throw notOneRow(count);
  return { status, headers: { "Content-Type": media.contentType, ...headers }, body };
}
