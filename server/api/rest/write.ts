/** POST, PATCH, PUT and DELETE of a relation (facts of PostgREST §11, §12). */
import type { Filter } from "./parse/ast.ts";
import { type ReadNode } from "./plan/read-node.ts";
import { nothingHere, refuse } from "./errors.ts";
import { parseBody, type Payload } from "./parse/body.ts";
import type { Preferences } from "./parse/headers.ts";
import { planRead } from "./plan/plan.ts";
import { assertPreferences, relocateEmbeds } from "./read.ts";
import { type Answer, applyResponseSettings, contentRange } from "./respond.ts";
import { applied, assertAllowed, assertEmbedsAllowed, endOf, type RestRequest } from "./request.ts";
import { keyOf, type Relation } from "./schema/schema.ts";
import { ident, Parameters } from "./sql/sql.ts";
import { readSql, SOURCE } from "./sql/read.ts";
import { RESPONSE_SETTINGS, resultSql } from "./sql/result.ts";
import { deleteSql, INSERTED, insertSql, returningSql, updateSql, writtenColumns } from "./sql/write.ts";
import { checkOf, locationOf } from "./write-result.ts";

type JsonPayload = Extract<Payload, { kind: "json" }>;

/** What the statement of one method is, and how its answer reads. */
interface Write {
  source: string;
  /** Rows changed at most, for limited writes. */
  limit: number | null;
  hasCounter: boolean;
  kinds: (keyof Preferences)[];
  answer: (rows: number, inserted: number) => { status: number; range: string | null };
}

export async function handleWrite(request: RestRequest): Promise<Answer> {
  const { target, query, plan, preferences, options } = request;
  const known = plan.schema.relations.get(keyOf(target.schema, target.name)) ?? null;
  for (const action of actionsOf(request))
    assertAllowed(request, { kind: "relation", name: target.name, action, embedded: false });
  const payload = await readPayload(request);
  const node = planRead(target, query, { ...plan, maxRows: null }, "write");
  assertEmbedsAllowed(request, node);
  relocateEmbeds(node, request.caller.readsFrom);
  const media = request.media();
  const returns = preferences.return ?? "minimal";
  const key = known?.primaryKey ?? [];
  const parameters = new Parameters();
  const returning =
    returns === "representation"
      ? returningSql(node, key)
      : returns === "headers-only"
        ? keyColumns(target.name, key)
        : "1";
  const relation = known ?? unknown(request, payload);
  const write = build(request, { relation, node, payload, returning, parameters });
  assertPreferences(request);

  const isFull = returns === "representation";
  node.embedsAsJsonb = media.format === "csv";
  const location = returns === "headers-only" && request.method === "POST" && key.length > 0;
  const rows = isFull ? readSql(readBack(node), null, parameters) : `SELECT * FROM ${SOURCE}`;
  const text = resultSql({
    source: write.source,
    rows,
    media,
    shape: "rows",
    isSilent: !isFull,
    more: [
      write.hasCounter ? INSERTED : "NULL",
      location
        ? `CASE WHEN count(pgrst_row) = 1 THEN (array_agg(row_to_json(pgrst_row)))[1]::text END`
        : "NULL",
      ...(options.preRequest === undefined ? [] : RESPONSE_SETTINGS),
    ],
  });
  const statements = [{ text, values: parameters.values }];
  if (request.preRequest !== null) statements.unshift({ text: request.preRequest, values: [] });
  const check = checkOf(request, write, media);
  const results = await request.run({
    settings: request.settings(false),
    isolation: request.isolation,
    statements,
    end: endOf(request),
    ...(check && { check }),
    signal: request.signal,
    authenticated: request.caller.authenticated,
  });
  const [, n, body, inserted, keyJson, status, headers] = results.at(-1)?.[0] ?? [];
  const { status: code, range } = write.answer(Number(n), Number(inserted ?? 0));
  const answer: Answer = {
    status: code,
    headers: {
      ...(isFull && { "Content-Type": media.contentType }),
      ...(keyJson != null && { Location: locationOf(target.name, key, keyJson) }),
      ...(range !== null && { "Content-Range": range }),
      ...applied(request, write.kinds),
    },
    body: isFull ? (body ?? "") : null,
  };
  if (options.preRequest !== undefined) applyResponseSettings(answer, status ?? null, headers ?? null);
  return answer;
}

function actionsOf({ method, preferences }: RestRequest): ("insert" | "update" | "delete")[] {
  if (method === "PATCH") return ["update"];
  if (method === "DELETE") return ["delete"];
  return method === "PUT" || preferences.resolution === "merge-duplicates"
    ? ["insert", "update"]
    : ["insert"];
}

async function readPayload(request: RestRequest): Promise<JsonPayload | null> {
  if (request.method === "DELETE") return null;
  const hasColumns = request.query.columns !== undefined;
  const text = await request.readBody();
  const payload = parseBody(text, request.header("content-type"), { isCall: false, hasColumns });
  return payload.kind === "json" ? payload : null;
}

/** A relation that is not in the cache: nothing can be written to it by name; PostgreSQL says so where no name is given. */
function unknown({ target, query }: RestRequest, payload: JsonPayload | null): Relation {
  if (query.columns || (payload?.keys.length ?? 0) > 0) throw nothingHere();
  const nothing = {
    isView: false,
    columns: new Map(),
    primaryKey: [],
    insertable: true,
    updatable: true,
    deletable: true,
  };
  return { ...target, ...nothing };
}

function keyColumns(table: string, key: string[]): string {
  return key.length === 0 ? "1" : key.map((name) => `${ident(table)}.${ident(name)}`).join(", ");
}

function topOrder({ query }: RestRequest) {
  return query.orders.find(({ path }) => path.length === 0)?.value ?? [];
}

/** The rows of the write as they came: its filters, order and range have been applied already. */
function readBack(node: ReadNode): ReadNode {
  return { ...node, where: [] };
}

interface Parts {
  relation: Relation;
  node: ReadNode;
  payload: JsonPayload | null;
  returning: string;
  parameters: Parameters;
}

function build(request: RestRequest, parts: Parts): Write {
  const { relation, node, payload, returning, parameters } = parts;
  const { method, preferences } = request;
  const counted = (rows: number) => (preferences.count === "exact" ? rows : null);
  const isFull = preferences.return === "representation";
  // A write's own rows are picked from the relation itself.
  const picked: ReadNode = {
    ...node,
    isSource: false,
    order: topOrder(request),
    limit: request.range.limit,
    offset: request.range.offset,
  };
  if (method === "DELETE" || !payload) {
    return {
      source: deleteSql(picked, returning, parameters),
      limit: request.range.limit,
      hasCounter: false,
      kinds: ["return", "count"],
      answer: (rows) => ({ status: isFull ? 200 : 204, range: contentRange(1, 0, counted(rows)) }),
    };
  }
  if (method === "PUT") return put(request, parts, payload);
  const withDefaults = preferences.missing === "default";
  const columns = writtenColumns(relation, payload, request.query);
  if (method === "PATCH") {
    return {
      source: updateSql({ node: picked, payload, columns, withDefaults, returning }, parameters),
      limit: request.range.limit,
      hasCounter: false,
      kinds: ["missing", "return", "count"],
      answer: (rows) => ({ status: isFull ? 200 : 204, range: contentRange(0, rows - 1, counted(rows)) }),
    };
  }
  const target = request.query.onConflict ?? relation.primaryKey;
  const resolution = target.length > 0 ? preferences.resolution : undefined;
  const isMerge = resolution === "merge-duplicates";
  const kinds: (keyof Preferences)[] = ["missing", "return", "count"];
  if (resolution) kinds.push("resolution");
  return {
    source: insertSql(
      { relation, payload, columns, withDefaults, resolution, target, match: [], returning },
      parameters,
    ),
    limit: null,
    hasCounter: isMerge,
    kinds,
    answer: (rows, inserted) => ({
      status: isMerge && inserted === 0 ? 200 : 201,
      range: contentRange(1, 0, counted(rows)),
    }),
  };
}

function notOneKey() {
  return refuse(405, "105", "Filters must include all and only primary key columns with 'eq' operators");
}

/** PUT: one row, named by its whole primary key. */
function put(
  request: RestRequest,
  { relation, node, returning, parameters }: Parts,
  payload: JsonPayload,
): Write {
  const { preferences, range } = request;
  if (range.limit !== null || range.offset > 0)
    throw refuse(400, "114", "limit/offset querystring parameters are not allowed for PUT");
  const filters = node.where.filter((logic): logic is Filter => logic.kind === "filter");
  const match = filters.flatMap(({ field, isNegated, operation }): [string, string][] => {
    const isEqual = operation.kind === "simple" && operation.operator === "eq" && !operation.quantifier;
    return isEqual && !isNegated && field.path.length === 0 ? [[field.name, operation.value]] : [];
  });
  const names = match.map(([name]) => name).sort();
  const key = [...relation.primaryKey].sort();
  if (key.length === 0 || match.length !== node.where.length || names.join("\0") !== key.join("\0"))
    throw notOneKey();
  const columns = writtenColumns(relation, payload, request.query);
  const isFull = preferences.return === "representation";
  const insert = { relation, payload, columns, withDefaults: preferences.missing === "default", returning };
  return {
    source: insertSql(
      { ...insert, resolution: "merge-duplicates", target: relation.primaryKey, match },
      parameters,
    ),
    limit: null,
    hasCounter: true,
    kinds: ["return", "count"],
    answer: (_rows, inserted) => ({ status: !isFull ? 204 : inserted > 0 ? 201 : 200, range: null }),
  };
}
