/**
 * The raw query string into a RestQuery (facts of PostgREST §2). It works on the bytes as sent: a key without `=` is
 * ignored, an empty pair too, `+` is a blank, and of repeated keys each kind has its own rule.
 */
import type { At, Filter, Logic, RestQuery } from "./ast.ts";
import { Cursor } from "./cursor.ts";
import { refuse } from "../errors.ts";
import { parseFilterList } from "./filter-dsl.ts";
import { notAnExpression, parseFilterValue, parseLogic } from "./filter.ts";
import { parseJsonPath, parseName, parseNames } from "./name.ts";
import { parseOrder } from "./order.ts";
import { parseSelect } from "./select.ts";
import { canonicalQuery, splitQuery } from "./query-string.ts";

export interface ParseOptions {
  /** A GET of a function: what is no operator expression is an argument. */
  isCallByGet: boolean;
  maxLogicNodes: number;
  now: Date;
}

const RESERVED = new Set(["select", "columns", "on_conflict"]);
const EMBEDDABLE = new Set(["order", "limit", "offset", "and", "or"]);

export function parseQuery(text: string, options: ParseOptions): RestQuery {
  const pairs = splitQuery(text);
  const query: RestQuery = {
    select: [],
    logic: [],
    orders: [],
    limits: [],
    offsets: [],
    parameters: [],
    canonical: canonicalQuery(pairs),
  };
  let nodes = 0;
  const countNode = () => {
    if (++nodes > options.maxLogicNodes)
      throw refuse(400, "100", `More than ${options.maxLogicNodes} conditions`);
  };
  const first = new Map<string, string>();
  const listed = new Set<string>();
  for (const [key, value] of pairs) {
    if (value === null) continue;
    if (RESERVED.has(key)) {
      if (!first.has(key)) first.set(key, value);
      continue;
    }
    const last = key.slice(key.lastIndexOf(".") + 1);
    if (EMBEDDABLE.has(last)) readReserved(query, key, last, value, countNode);
    else if (last === "filter" && key !== "filter") {
      if (!listed.has(key)) readFilterList(query, key, value, options, countNode);
      listed.add(key);
    } else readFilter(query, key, value, options, countNode);
  }
  query.select = parseSelect(first.get("select") ?? "");
  const columns = first.get("columns");
  if (columns !== undefined) query.columns = parseNames(new Cursor(columns, "columns parameter"));
  const target = first.get("on_conflict");
  if (target !== undefined) query.onConflict = parseNames(new Cursor(target, "on_conflict parameter"));
  return query;
}

/** `a.b.c` or `a.b->c`: the embed path and the field at its end. */
function parseTreePath(key: string): At<Filter["field"]> {
  const cursor = new Cursor(key, "tree path");
  const names = [parseName(cursor)];
  while (cursor.take(".")) names.push(parseName(cursor));
  const name = names.pop() ?? "";
  return { path: names, value: { name, path: parseJsonPath(cursor) } };
}

function readReserved(
  query: RestQuery,
  key: string,
  last: string,
  value: string,
  countNode: () => void,
): void {
  if (last === "and" || last === "or") {
    query.logic.push(readLogic(key, value, countNode));
    return;
  }
  const { path } = parseTreePath(key);
  if (last === "order") {
    const terms = parseOrder(value);
    const known = query.orders.some((order) => order.path.join(".") === path.join("."));
    if (!known) query.orders.push({ path, value: terms });
    return;
  }
  const number = wholeNumber(value);
  const list = last === "limit" ? query.limits : query.offsets;
  const at = list.findIndex((item) => item.path.join(".") === path.join("."));
  if (at >= 0) list.splice(at, 1);
  list.push({ path, value: number });
}

/** Numbers as PostgREST reads them: also hexadecimal, octal, and in parentheses. */
function wholeNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("(") && trimmed.endsWith(")")) return wholeNumber(trimmed.slice(1, -1));
  const match = /^(-?)\s*(\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+)$/.exec(trimmed);
  return match ? Number(match[2]) * (match[1] === "-" ? -1 : 1) : null;
}

function readLogic(key: string, value: string, countNode: () => void): At<Logic> {
  const cursor = new Cursor(key, "logic path");
  const names = [parseName(cursor)];
  while (cursor.take(".")) names.push(parseName(cursor));
  const operator = names.pop() ?? "";
  const isNegated = names.includes("not");
  const text = `${isNegated ? "not." : ""}${operator}${value}`;
  const tree = parseLogic(new Cursor(text, "logic tree", value), countNode);
  return { path: names.filter((name) => name !== "not"), value: tree };
}

function readFilter(
  query: RestQuery,
  key: string,
  value: string,
  options: ParseOptions,
  countNode: () => void,
): void {
  countNode();
  const { path, value: field } = parseTreePath(key);
  const cursor = new Cursor(value, "filter");
  const expression = parseFilterValue(cursor);
  if (expression) query.logic.push({ path, value: { kind: "filter", field, ...expression } });
  else if (options.isCallByGet) query.parameters.push([field.name, value]);
  else throw notAnExpression(cursor);
}

function readFilterList(
  query: RestQuery,
  key: string,
  value: string,
  options: ParseOptions,
  countNode: () => void,
): void {
  const { path, value: field } = parseTreePath(key.slice(0, -".filter".length));
  for (const logic of parseFilterList(field, value, options.now)) {
    countNode();
    query.logic.push({ path, value: logic });
  }
}
