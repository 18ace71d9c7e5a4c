/**
 * PostgREST filters: the only place that quotes. A blank value (undefined, null, "", "all") yields `undefined`, and
 * undefined filters are not sent. Percent-encoding of the whole query happens once, in `queryString`.
 */

/** One condition on a column, not yet written down: it is quoted differently inside `or=(…)`. */
export interface Filter {
  readonly op: string;
  readonly value: string | readonly string[];
}
/** A list of alternatives, for the key `or`. */
export interface Either {
  readonly either: readonly (readonly [column: string, filter: Filter])[];
}
type Value = string | number | boolean | null | undefined;

const isBlank = (value: Value): value is null | undefined | "" | "all" =>
  value === undefined || value === null || value === "" || value === "all";
const simple = (op: string) => (value: Value) => (isBlank(value) ? undefined : { op, value: String(value) });

export const eq: (value: Value) => Filter | undefined = simple("eq");
export const neq: (value: Value) => Filter | undefined = simple("neq");
export const gt: (value: Value) => Filter | undefined = simple("gt");
export const gte: (value: Value) => Filter | undefined = simple("gte");
export const lt: (value: Value) => Filter | undefined = simple("lt");
export const lte: (value: Value) => Filter | undefined = simple("lte");

export const is = (word: "null" | "true" | "false"): Filter => ({ op: "is", value: word });
export const isNull: Filter = is("null");
export const notNull: Filter = { op: "not.is", value: "null" };

/** One of the values. An empty list matches nothing; `undefined` is not sent. */
export const inList = (values: readonly (string | number)[] | undefined): Filter | undefined =>
  values && { op: "in", value: values.map(String) };
export const notInList = (values: readonly (string | number)[] | undefined): Filter | undefined =>
  values && values.length > 0 ? { op: "not.in", value: values.map(String) } : undefined;

/**
 * Contains the text, ignoring case; every character stands for itself. PostgREST reads `*` as `%` and offers no way to
 * say a real one, so a text with an asterisk is asked for as a regular expression.
 */
export function ilike(value: Value): Filter | undefined {
  const needle = isBlank(value) ? "" : String(value).trim();
  if (needle === "") return undefined;
  if (needle.includes("*")) return { op: "imatch", value: needle.replace(/[!-/:-@[-^`{-~]/g, "\\$&") };
  return { op: "ilike", value: `*${needle.replace(/[\\%_]/g, "\\$&")}*` };
}

/** The backend's own filter language for a key `column.filter`: `a,!b,c*`, or date mathematics such as `>now-2d`. */
export const dsl = (expression: Value): Filter | undefined =>
  isBlank(expression) ? undefined : { op: "", value: String(expression) };

/** Include and exclude marks (the tri-state filters) as filters of one column. */
export function marked(marks: Readonly<Record<string, 1 | -1>>): Filter[] {
  const having = (mark: 1 | -1) => Object.keys(marks).filter((name) => marks[name] === mark);
  const [included, excluded] = [having(1), notInList(having(-1))];
  return [...(included.length > 0 ? [{ op: "in", value: included }] : []), ...(excluded ? [excluded] : [])];
}

/** Any of the conditions: `or: or([["name", ilike(q)], ["endpoint", ilike(q)]])`. Blank ones are left out. */
export function or(
  conditions: readonly (readonly [column: string, filter: Filter | undefined])[],
): Either | undefined {
  const either = conditions.flatMap(([column, filter]) => (filter ? [[column, filter] as const] : []));
  return either.length > 0 ? { either } : undefined;
}

/** Columns with an optional direction, the most important first: `orderBy("severity.desc", "name")`. */
export const orderBy = (...columns: string[]): Filter => ({ op: "", value: columns.join(",") });

/**
 * Filters by column (or `embed.column`); several of one column must all hold. `order`, `limit`, `offset` and `or` are
 * the API's own words. A bare number is for `limit` and `offset`.
 */
export type Query = Record<string, Filter | readonly (Filter | undefined)[] | Either | number | undefined>;

/** `"…"` with quotes and backslashes escaped: inside `in.(…)` and `or=(…)`. */
const quoted = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`;

function written({ op, value }: Filter, inLogic: boolean): string {
  if (typeof value !== "string") return `${op}.(${value.map(quoted).join(",")})`;
  if (op === "") return value;
  return `${op}.${inLogic && op !== "is" && op !== "not.is" ? quoted(value) : value}`;
}

/** A column's name inside a logic tree, where only identifiers and JSON paths need no quotes. */
const columnInLogic = (column: string) => (/^[\w.>-]+$/.test(column) ? column : quoted(column));

/** Every filter as one `key=value`, unencoded and in order. */
export function pairs(query: Query): [key: string, value: string][] {
  return Object.entries(query).flatMap(([key, part]): [string, string][] => {
    if (part === undefined) return [];
    if (typeof part === "number") return [[key, String(part)]];
    if ("either" in part) {
      const terms = part.either.map(
        ([column, filter]) => `${columnInLogic(column)}.${written(filter, true)}`,
      );
      return [[key, `(${terms.join(",")})`]];
    }
    const filters: readonly (Filter | undefined)[] = "op" in part ? [part] : part;
    return filters.flatMap((filter): [string, string][] => (filter ? [[key, written(filter, false)]] : []));
  });
}

/** The query string, each key and value percent-encoded, without a leading `?`. */
export const encodePairs = (list: readonly (readonly [string, string])[]): string =>
  list.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");

/** Does the query narrow anything down? A write that does not would touch every row. */
export const narrows = (query: Query): boolean =>
  pairs(query).some(([key]) => !["order", "limit", "offset", "select"].includes(key));
