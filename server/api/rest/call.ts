/** GET, HEAD and POST of a function (facts of PostgREST §14). */
import { parseBody } from "./parse/body.ts";
import { type ReadNode } from "./plan/read-node.ts";
import { planRead } from "./plan/plan.ts";
import { assertPreferences, limitRoot, notOneRow, rangeAnswer, relocateEmbeds, totalSql } from "./read.ts";
import { type Answer, applyResponseSettings, contentRange } from "./respond.ts";
import { applied, assertEmbedsAllowed, endOf, type RestRequest } from "./request.ts";
import { forbidden } from "./errors.ts";
import type { Routine } from "./schema/schema.ts";
import { ident, Parameters } from "./sql/sql.ts";
import { readSql } from "./sql/read.ts";
import { RESPONSE_SETTINGS, resultSql, type Shape } from "./sql/result.ts";
import { type Arguments, callSql, chooseRoutine } from "./sql/call.ts";
import { returningSql } from "./sql/write.ts";

export async function handleCall(request: RestRequest): Promise<Answer> {
  const { target, query, plan, preferences } = request;
  const given = await readArguments(request);
  const verdict = request.options.allow?.(
    { kind: "rpc", name: target.name, action: "call", embedded: false },
    request.caller,
  );
  const hidden = { ...plan.schema, routines: new Map<string, Routine[]>() };
  const isSingle = preferences.params === "single-object" && request.method === "POST";
  const call = chooseRoutine(target, given, isSingle, verdict === "unknown" ? hidden : plan.schema);
  if (verdict === "no") throw forbidden(`permission denied for function ${target.name}`, request.caller);
  const { routine } = call;

  const root = routine.relation ?? {
    schema: routine.schema,
    name: routine.returns === "row" ? "record" : routine.name,
  };
  const node = planRead(root, query, plan, "call");
  assertEmbedsAllowed(request, node);
  relocateEmbeds(node, request.caller.readsFrom);
  const media = request.media();
  assertPreferences(request);
  node.limit = plan.maxRows;
  node.embedsAsJsonb = media.format === "csv";
  limitRoot(node, request);

  const shape = shapeOf(routine);
  const parameters = new Parameters();
  const source = callSql(call, given, neededColumns(node, routine), parameters);
  const rows =
    routine.returns === "row" || query.select.length > 1 || isNamed(node)
      ? readSql(node, null, parameters)
      : valuesSql(node, parameters);
  const wantsTotal = preferences.count === "exact" || preferences.count === "estimated";
  const isVoid = routine.returns === "void";
  const text = resultSql({
    source,
    rows,
    media,
    shape,
    isSilent: isVoid || (request.method === "HEAD" && media.format !== "object"),
    ...(wantsTotal && { total: totalSql(node, parameters, null) }),
    more: RESPONSE_SETTINGS,
  });
  const statements = [{ text, values: parameters.values }];
  if (request.preRequest !== null) statements.unshift({ text: request.preRequest, values: [] });
  const isReadOnly = request.method !== "POST" || routine.volatility !== "volatile";
  const isSingleRow = media.format === "object" && !isReadOnly;
  const results = await request.run({
    settings: request.settings(isReadOnly, routine.settings),
    isolation: routine.isolation ?? request.isolation,
    statements,
    end: isReadOnly ? "commit" : endOf(request),
    ...(isSingleRow && {
      check: (all) => {
        const count = Number(all.at(-1)?.[0]?.[1]);
        if (count !== 1) throw notOneRow(count);
      },
    }),
    signal: request.signal,
    authenticated: request.caller.authenticated,
  });
  const [total, n, body, status, headers] = results.at(-1)?.[0] ?? [];
  const all = total == null ? null : Number(total);
  const preference = applied(request, isSingle ? ["params", "count"] : ["count"]);
  const answer = isVoid
    ? { status: 204, headers: { "Content-Range": contentRange(0, 0, all), ...preference }, body: null }
    : rangeAnswer(request, routine.returnsSet ? Number(n) : 1, all, body ?? null, preference);
  applyResponseSettings(answer, status ?? null, headers ?? null);
  return answer;
}

async function readArguments(request: RestRequest): Promise<Arguments> {
  if (request.method !== "POST") return { kind: "query", values: request.query.parameters };
  const hasColumns = request.query.columns !== undefined;
  const text = await request.readBody();
  const payload = parseBody(text, request.header("content-type"), { isCall: true, hasColumns });
  if (payload.kind === "raw") return { kind: "raw", payload };
  return { kind: "json", payload, names: request.query.columns ?? payload.keys };
}

function shapeOf(routine: Routine): Shape {
  if (routine.returns === "row") return routine.returnsSet ? "rows" : "row";
  return routine.returnsSet ? "values" : "value";
}

/** Does the request pick columns or embeds of a function that returns plain values? PostgreSQL will name the mistake. */
function isNamed(node: ReadNode): boolean {
  return (
    node.children.length > 0 || node.select.some((item) => item.kind !== "field" || item.field.name !== "*")
  );
}

function valuesSql(node: ReadNode, parameters: Parameters): string {
  const star: ReadNode["select"][number] = { kind: "field", field: { name: "*", path: [] } };
  return readSql({ ...node, select: [star] }, null, parameters);
}

/** The columns the call must hand on, addressed as PostgREST names them in errors. */
function neededColumns(node: ReadNode, routine: Routine): string {
  if (routine.returns !== "row") return "";
  const call = { ...node, relation: { schema: "", name: "pgrst_call" } };
  const filtered = new Set<string>();
  const columns = returningSql(call, []);
  if (columns.endsWith(".*")) return columns;
  collectFilters(node.where, filtered);
  for (const { field, child } of node.order) if (!child) filtered.add(field.name);
  const known = routine.relation && node.known ? node.known.columns : null;
  const more = [...filtered].filter((name) => !known || known.has(name));
  if (columns === "1" && more.length === 0) return columns;
  const own = columns === "1" ? [] : columns.split(", ");
  for (const name of more) {
    const column = `${ident("pgrst_call")}.${ident(name)}`;
    if (!own.includes(column)) own.push(column);
  }
  return own.join(", ");
}

function collectFilters(where: ReadNode["where"], names: Set<string>): void {
  for (const logic of where) {
    if (logic.kind === "group") collectFilters(logic.items, names);
    else if (logic.kind === "filter") names.add(logic.field.name);
  }
}
