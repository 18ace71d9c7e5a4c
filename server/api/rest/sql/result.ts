/** The outermost SELECT: one row of texts with the answer's body and the numbers around it. */
import { SOURCE } from "./read.ts";
import type { Media } from "../parse/headers.ts";

/** The rows of the answer; a name that no column has. */
export const ROW = "pgrst_row";

/** What the body holds: rows, values of one column, or a single one of either. */
export type Shape = "rows" | "row" | "values" | "value";
/** The column of a function that returns plain values. */
export const VALUE = "pgrst_scalar";

export function bodySql(media: Media, shape: Shape): string {
  const isValue = shape === "values" || shape === "value";
  if (media.format === "csv") return csvSql();
  const item = isValue ? `${ROW}.${ident(VALUE)}` : ROW;
  const list = media.isStripped ? `json_strip_nulls(json_agg(${item}))` : `json_agg(${item})`;
  if (media.format === "object" || shape === "row" || shape === "value")
    return `coalesce((${list}->0)::text, 'null')`;
  return `coalesce(${list}, '[]')::text`;
}

function ident(name: string): string {
  return `"${name}"`;
}

/** A header from the first row's keys, then PostgreSQL's own record texts without their parentheses. */
function csvSql(): string {
  const header = `SELECT coalesce(string_agg(k, ','), '') FROM (SELECT json_object_keys(r) AS k FROM (SELECT row_to_json(h) AS r FROM pgrst_rows AS h LIMIT 1) s) a`;
  const lines = `coalesce(string_agg(substring(${ROW}::text, 2, length(${ROW}::text) - 2), E'\\n'), '')`;
  return `(${header}) || E'\\n' || ${lines}`;
}

export interface ResultParts {
  /** WITH parts that come first: the write or the call. */
  source?: string;
  rows: string;
  media: Media;
  shape: Shape;
  /** SQL of the total, as text. */
  total?: string;
  /** SQL of further columns, as texts. */
  more?: string[];
  /** No body is wanted, only the numbers. */
  isSilent?: boolean;
}

/** Columns of the row: total, count, body, then `more`. */
export function resultSql({ source, rows, media, shape, total, more, isSilent }: ResultParts): string {
  const isCsv = media.format === "csv" && !isSilent;
  const withs = [source && `${SOURCE} AS (${source})`, isCsv && `pgrst_rows AS (${rows})`].filter(Boolean);
  const columns = [
    total ?? "NULL::text",
    `count(${ROW})::text`,
    isSilent ? "''" : bodySql(media, shape),
    ...(more ?? []),
  ];
  return (
    (withs.length > 0 ? `WITH ${withs.join(", ")} ` : "") +
    `SELECT ${columns.join(", ")} FROM (${isCsv ? "SELECT * FROM pgrst_rows" : rows}) AS ${ROW}`
  );
}

/** Set by functions: override status and headers of the answer. */
export const RESPONSE_SETTINGS = [
  `nullif(current_setting('response.status', true), '')`,
  `nullif(current_setting('response.headers', true), '')`,
];
