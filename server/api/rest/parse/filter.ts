/** Operator expressions, lists and logic trees (facts of PostgREST §4 and §5). */
import type { Filter, FtsOperator, Logic, LogicGroup, Operation, Quantifier, Trilean } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { FIELD_NAME, parseField } from "./name.ts";

const OPERATORS = "operator (eq, gt, ...)";
const QUANTIFIED = ["eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch"];
const PLAIN = ["neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj"];
const FTS: FtsOperator[] = ["fts", "plfts", "phfts", "wfts"];
const TRILEANS: Trilean[] = ["null", "unknown", "true", "false"];

/** How the value of an operator ends: a URL value runs to its end, one in a logic tree to `,` or `)`. */
type ReadValue = (cursor: Cursor) => string;

const wholeValue: ReadValue = (cursor) => {
  const value = cursor.text.slice(cursor.at);
  cursor.at = cursor.text.length;
  return value;
};

/** A quoted value counts as quoted only when the item ends right behind it. */
function quotedItem(cursor: Cursor): string | null {
  const from = cursor.at;
  const value = cursor.quoted();
  if (value !== null && (cursor.done || ",)".includes(cursor.next))) return value;
  cursor.at = from;
  return null;
}

const logicValue: ReadValue = (cursor) => {
  const quoted = quotedItem(cursor);
  if (quoted !== null) return quoted;
  const array = /^\{[^{}]*\}/.exec(cursor.text.slice(cursor.at))?.[0];
  if (array !== undefined) {
    cursor.at += array.length;
    return array;
  }
  return cursor.until(",)");
};

function parseList(cursor: Cursor): string[] {
  cursor.skipBlanks();
  if (!cursor.take("(")) throw cursor.fail('"("');
  cursor.skipBlanks();
  const values: string[] = [];
  do values.push(quotedItem(cursor) ?? cursor.until(",)"));
  while (cursor.take(","));
  if (!cursor.take(")")) throw cursor.fail('","', '")"');
  cursor.skipBlanks();
  return values;
}

function parseTrilean(cursor: Cursor): Trilean {
  const rest = cursor.text.slice(cursor.at, cursor.at + 7).toLowerCase();
  const value = TRILEANS.find((word) => rest.startsWith(word));
  if (value === undefined) throw cursor.fail("null or trilean value (unknown, true, false)");
  cursor.at += value.length;
  return value;
}

/** `op.`, `op(x).`: steps over it and returns what was in the parentheses, or null when this is not the operator. */
function takeOperator(cursor: Cursor, operator: string, inside: RegExp | null): { argument?: string } | null {
  if (!cursor.looksAt(operator)) return null;
  const rest = cursor.text.slice(cursor.at + operator.length, cursor.at + operator.length + 80);
  if (rest.startsWith(".")) {
    cursor.at += operator.length + 1;
    return {};
  }
  const match = inside?.exec(rest);
  if (!match) return null;
  cursor.at += operator.length + match[0].length;
  return match[1] === undefined ? {} : { argument: match[1] };
}

/** The operator and its value, or null when the text does not begin with an operator. */
function parseOperation(cursor: Cursor, readValue: ReadValue): Operation | null {
  if (cursor.take("in.")) return { kind: "in", values: parseList(cursor) };
  if (cursor.take("is.")) return { kind: "is", value: parseTrilean(cursor) };
  if (cursor.take("isdistinct.")) return { kind: "isdistinct", value: readValue(cursor) };
  for (const operator of FTS) {
    const found = takeOperator(cursor, operator, /^\(([\p{L}\p{N}_ $]+)\)\./u);
    if (!found) continue;
    const value = readValue(cursor);
    return { kind: "fts", operator, value, ...(found.argument && { language: found.argument.trim() }) };
  }
  for (const operator of PLAIN)
    if (takeOperator(cursor, operator, null)) return { kind: "simple", operator, value: readValue(cursor) };
  for (const operator of QUANTIFIED) {
    const found = takeOperator(cursor, operator, /^\((any|all)\)\./);
    if (!found) continue;
    const text = readValue(cursor);
    const value = operator.endsWith("like") ? text.replaceAll("*", "%") : text;
    return {
      kind: "simple",
      operator,
      value,
      ...(found.argument && { quantifier: found.argument as Quantifier }),
    };
  }
  return null;
}

type Expression = Pick<Filter, "isNegated" | "operation">;

function parseExpression(cursor: Cursor, readValue: ReadValue): Expression | null {
  const isNegated = cursor.take("not.");
  const operation = parseOperation(cursor, readValue);
  if (operation) return { isNegated, operation };
  if (!isNegated) return null;
  throw endOfName(cursor, [OPERATORS]);
}

/** An operator without its dot is missed where it ends, as PostgREST says it. */
function endOfName(cursor: Cursor, expected: string[]): Error {
  const rest = cursor.text.slice(cursor.at);
  if ([...PLAIN, ...QUANTIFIED, ...FTS].includes(rest)) {
    cursor.at = cursor.text.length;
    return cursor.fail(OPERATORS);
  }
  return cursor.fail(...expected);
}

/** The value of a filter key: `[not.]op.value`. `null` (calls only): not an expression, so an argument. */
export function parseFilterValue(cursor: Cursor): Expression | null {
  return parseExpression(cursor, wholeValue);
}

export function notAnExpression(cursor: Cursor): Error {
  return endOfName(cursor, ['"not"', OPERATORS]);
}

/** `or(a.eq.1,and(…))`: the operator and its list; text behind the closing parenthesis is ignored. */
export function parseLogic(cursor: Cursor, onNode: () => void): Logic {
  onNode();
  cursor.skipBlanks();
  const group = /^(not\.)?(and|or)[ \t]*\(/.exec(cursor.text.slice(cursor.at, cursor.at + 40));
  if (!group) return parseLogicFilter(cursor);
  cursor.at += group[0].length;
  const node: LogicGroup = {
    kind: "group",
    isNegated: group[1] !== undefined,
    operator: group[2] as "and" | "or",
    items: [],
  };
  do node.items.push(parseLogic(cursor, onNode));
  while (cursor.take(","));
  if (!cursor.take(")")) throw cursor.fail('","', '")"');
  cursor.skipBlanks();
  return node;
}

function parseLogicFilter(cursor: Cursor): Filter {
  if (cursor.done || ",)".includes(cursor.next))
    throw cursor.fail(FIELD_NAME, "negation operator (not)", "logic operator (and, or)");
  const field = parseField(cursor);
  if (!cursor.take(".")) throw cursor.fail('"->>"', '"->"', '"."');
  const expression = parseExpression(cursor, logicValue);
  if (!expression) throw notAnExpression(cursor);
  return { kind: "filter", field, ...expression };
}
