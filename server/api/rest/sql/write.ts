/** INSERT, UPDATE, DELETE as the first part of a statement whose second part reads the rows back (facts B2). */
import type { RestQuery } from "../parse/ast.ts";
import { type ReadNode } from "../plan/read-node.ts";
import { RestError, refuse } from "../errors.ts";
import type { Payload } from "../parse/body.ts";
import type { Column, Relation } from "../schema/schema.ts";
import { ident, type Parameters, qualified } from "./sql.ts";
import { logicSql, orderSql } from "./parts.ts";

type JsonPayload = Extract<Payload, { kind: "json" }>;

/** Columns that the read back needs: selected ones, both ends of embeds, the key. */
export function returningSql(node: ReadNode, extra: string[]): string {
  const table = ident(node.relation.name);
  const names = new Set<string>();
  for (const item of node.select) if (item.kind === "field") names.add(item.field.name);
  for (const { relationship } of node.children) {
    if (relationship?.kind === "computed") names.add("*");
    else if (relationship?.junction) for (const [own] of relationship.junction.origin) names.add(own);
    else for (const [own] of relationship?.columns ?? []) names.add(own);
  }
  for (const name of extra) names.add(name);
  for (const { field, child } of node.order) if (!child) names.add(field.name);
  if (names.has("*")) return `${table}.*`;
  return names.size === 0 ? "1" : [...names].map((name) => `${table}.${ident(name)}`).join(", ");
}

/** The columns a body writes, with what is known of them; an unknown one is refused by name. */
export function writtenColumns(relation: Relation, payload: JsonPayload, query: RestQuery): Column[] {
  const names = query.columns ? [...new Set(query.columns)] : payload.keys;
  return names.map((name) => {
    const column = relation.columns.get(name);
    if (column) return column;
    throw refuse(400, "204", `Column '${name}' of relation '${relation.name}' does not exist`);
  });
}

/** The body's rows under `pgrst_body`; `withDefaults` puts the columns' defaults where a key is absent. */
function bodySql(
  columns: Column[],
  payload: JsonPayload,
  parameters: Parameters,
  { withDefaults, first }: { withDefaults: boolean; first: boolean },
): string {
  const text = payload.isArray ? payload.text : `[${payload.text}]`;
  const json = `${parameters.add(text)}::json`;
  const limit = first ? " LIMIT 1" : "";
  if (columns.length === 0) return `(SELECT FROM json_array_elements(${json})${limit}) AS pgrst_body`;
  const names = columns.map((column) => ident(column.name)).join(", ");
  const typed = columns.map((column) => `${ident(column.name)} ${column.type}`).join(", ");
  const defaults = withDefaults ? columns.filter((column) => column.default !== null) : [];
  if (defaults.length === 0) {
    return `(SELECT ${names} FROM json_to_recordset(${json}) AS pgrst_row(${typed})${limit}) AS pgrst_body`;
  }
  const pairs = defaults
    .map((column) => `${parameters.add(column.name)}::text, ${column.default ?? "NULL"}`)
    .join(", ");
  const filled = `SELECT jsonb_agg(jsonb_build_object(${pairs}) || e) FROM jsonb_array_elements(${json}::jsonb) AS e`;
  return `(SELECT ${names} FROM jsonb_to_recordset((${filled})) AS pgrst_row(${typed})${limit}) AS pgrst_body`;
}

export interface Insert {
  relation: Relation;
  payload: JsonPayload;
  columns: Column[];
  withDefaults: boolean;
  resolution: "merge-duplicates" | "ignore-duplicates" | undefined;
  /** The columns of ON CONFLICT; empty: none. */
  target: string[];
  /** PUT: conditions the body must meet, by column. */
  match: [string, string][];
  returning: string;
}

/** Counts rows that were really inserted: up for each row, down again for each that was updated instead. */
const COUNTER = "pgrst.inserted";
const counted = (step: string) =>
  `set_config('${COUNTER}', (coalesce(nullif(current_setting('${COUNTER}', true), '')::int, 0) ${step})::text, true)`;
export const INSERTED = `nullif(current_setting('${COUNTER}', true), '')`;

export function insertSql(insert: Insert, parameters: Parameters): string {
  const { relation, columns, payload, withDefaults, resolution, target } = insert;
  const list = columns.length === 0 ? "" : `(${columns.map(({ name }) => ident(name)).join(", ")})`;
  const isUpsert = resolution !== undefined && target.length > 0;
  const body = bodySql(columns, payload, parameters, { withDefaults, first: false });
  const conditions = insert.match.map(
    ([column, value]) => `pgrst_body.${ident(column)} = ${parameters.add(value)}`,
  );
  if (isUpsert && resolution === "merge-duplicates") conditions.push(`${counted("+ 1")} <> '0'`);
  const values = columns.map(({ name }) => `pgrst_body.${ident(name)}`).join(", ");
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  const conflict = isUpsert
    ? ` ON CONFLICT(${target.map(ident).join(", ")}) ${onConflict(columns, resolution)}`
    : "";
  return `INSERT INTO ${qualified(relation)}${list} SELECT ${values} FROM ${body}${where}${conflict} RETURNING ${insert.returning}`;
}

function onConflict(columns: Column[], resolution: "merge-duplicates" | "ignore-duplicates"): string {
  if (resolution === "ignore-duplicates" || columns.length === 0) return "DO NOTHING";
  const sets = columns.map(({ name }) => `${ident(name)} = EXCLUDED.${ident(name)}`);
  return `DO UPDATE SET ${sets.join(", ")} WHERE ${counted("- 1")} <> '-1'`;
}

const neverEmbed = (): string => {
  throw new RestError({ status: 400, code: "PGRST108", message: "A write cannot be filtered by an embed" });
};

function whereSql(node: ReadNode, parameters: Parameters): string {
  const conditions = node.where.map((logic) => logicSql(node, logic, parameters, neverEmbed));
  return conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
}

/** `limit` and `offset` of a write pick the rows by the columns of `order`. */
function affected(node: ReadNode, parameters: Parameters): { source: string; match: string } | null {
  if (node.limit === null && node.offset === 0) return null;
  if (node.order.length === 0) {
    throw refuse(400, "109", "A 'limit' was applied without an explicit 'order'", {
      hint: "Apply an 'order' using unique column(s)",
    });
  }
  const table = qualified(node.relation);
  const names = [...new Set(node.order.map(({ field }) => field.name))];
  const columns = names.map((name) => `${table}.${ident(name)}`);
  const limit = node.limit === null ? "" : ` LIMIT ${parameters.add(String(node.limit))}`;
  const offset = node.offset > 0 ? ` OFFSET ${parameters.add(String(node.offset))}` : "";
  const order = orderSql(node, node.order, parameters);
  const source = `(SELECT ${columns.join(", ")} FROM ${table}${whereSql(node, parameters)}${order}${limit}${offset}) AS pgrst_affected`;
  const match = names.map((name, at) => `${columns[at] ?? ""} = pgrst_affected.${ident(name)}`).join(" AND ");
  return { source, match };
}

export interface Update {
  /** The root, read straight from the relation: its filters, order and range pick the rows. */
  node: ReadNode;
  payload: JsonPayload;
  columns: Column[];
  withDefaults: boolean;
  returning: string;
}

export function updateSql(
  { node, payload, columns, withDefaults, returning }: Update,
  parameters: Parameters,
): string {
  const table = qualified(node.relation);
  if (columns.length === 0) return `SELECT ${returning} FROM ${table} WHERE false`;
  const body = bodySql(columns, payload, parameters, { withDefaults, first: true });
  const sets = columns.map(({ name }) => `${ident(name)} = pgrst_body.${ident(name)}`).join(", ");
  const some = affected(node, parameters);
  if (some)
    return `UPDATE ${table} SET ${sets} FROM ${body}, ${some.source} WHERE ${some.match} RETURNING ${returning}`;
  return `UPDATE ${table} SET ${sets} FROM ${body}${whereSql(node, parameters)} RETURNING ${returning}`;
}

export function deleteSql(node: ReadNode, returning: string, parameters: Parameters): string {
  const table = qualified(node.relation);
  const some = affected(node, parameters);
  if (some) return `DELETE FROM ${table} USING ${some.source} WHERE ${some.match} RETURNING ${returning}`;
  return `DELETE FROM ${table}${whereSql(node, parameters)} RETURNING ${returning}`;
}
