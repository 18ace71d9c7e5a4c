/** A tree of reads as one SELECT: an embed is a lateral join, to-one a row, to-many an array (facts of PostgREST B2). */
import { ident, type Parameters, qualified } from "./sql.ts";
import { hasAggregates, isToOne, type ReadNode } from "../plan/read-node.ts";
import { itemSql, logicSql, nodeRef, orderSql, rangeSql, type SelectedItem } from "./parts.ts";

/** The rows of a write or a call, as the statement's first part calls them. */
export const SOURCE = "pgrst_source";

export function readSql(node: ReadNode, parent: ReadNode | null, parameters: Parameters): string {
  const grouped = hasAggregates(node);
  const items = node.select.map((item) => itemSql(node, item, parameters));
  const isHidden =
    parent !== null && !node.isSpread && node.select.length === 0 && node.children.length === 0;
  // Not shown, but its columns may order the parent.
  if (isHidden) items.push({ sql: `${nodeRef(node)}.*`, group: null });
  const joins: string[] = [];
  for (const child of node.children) {
    joins.push(joinSql(child, node, parameters));
    items.push(...embedItems(child, grouped, node.embedsAsJsonb));
  }
  const conditions = [
    ...(parent ? joinConditions(node, parent) : []),
    ...node.where.map((logic) => logicSql(node, logic, parameters, embedIsNull)),
  ];
  const groups = grouped ? items.flatMap(({ group }) => group ?? []) : [];
  return (
    `SELECT ${items.map(({ sql }) => sql).join(", ")} FROM ${fromSql(node, parent)}${joins.join("")}` +
    (conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "") +
    (groups.length > 0 ? ` GROUP BY ${groups.join(", ")}` : "") +
    orderSql(node, node.order, parameters) +
    rangeSql(node, parameters)
  );
}

function embedIsNull(child: ReadNode, isNegated: boolean): string {
  return `${ident(child.lateral)} IS ${isNegated ? "" : "NOT "}DISTINCT FROM NULL`;
}

function joinSql(child: ReadNode, node: ReadNode, parameters: Parameters): string {
  const name = ident(child.lateral);
  const kind = child.join === "inner" ? "INNER" : "LEFT";
  const rows = readSql(child, node, parameters);
  if (isToOne(child.relationship)) return ` ${kind} JOIN LATERAL (${rows}) AS ${name} ON TRUE`;
  const list = `SELECT json_agg(${name}) AS ${name} FROM (${rows}) AS ${name}`;
  return ` ${kind} JOIN LATERAL (${list}) AS ${name} ON ${child.join === "inner" ? `${name}.${name} IS NOT NULL` : "TRUE"}`;
}

/** The embed's columns in its parent: none for `rel()`, the embed's own columns for a spread. */
function embedItems(child: ReadNode, grouped: boolean, asJsonb: boolean): SelectedItem[] {
  const name = ident(child.lateral);
  if (child.isSpread) return spreadItems(child, grouped);
  if (child.select.length === 0 && child.children.length === 0) return [];
  const key = ident(child.alias ?? child.name);
  const json = isToOne(child.relationship) ? `row_to_json(${name}.*)` : `COALESCE(${name}.${name}, '[]')`;
  if (!grouped && !asJsonb) return [{ sql: `${json} AS ${key}`, group: null }];
  return [{ sql: `${json}::jsonb AS ${key}`, group: `${json}::jsonb` }];
}

function spreadItems(child: ReadNode, grouped: boolean): SelectedItem[] {
  const name = ident(child.lateral);
  const hoisted = child.select.some((item) => item.kind === "field" && item.alias?.startsWith("pgrst_agg_"));
  if (!grouped && !hoisted) return [{ sql: `${name}.*`, group: null }];
  const names = child.select.flatMap((item) => {
    if (item.kind === "hoisted" || item.alias?.startsWith("pgrst_agg_")) return [];
    if (item.field.name === "*") return [...(child.known?.columns.keys() ?? [])];
    const { name: column, path } = item.field;
    return [item.alias ?? path.findLast((step) => !step.isIndex)?.key ?? column];
  });
  for (const inner of child.children) {
    if (!inner.isSpread) names.push(inner.alias ?? inner.name);
    else names.push(...spreadItems(inner, true).map(({ group }) => (group ?? "").split('"').at(-2) ?? ""));
  }
  return names.map((column) => ({ sql: `${name}.${ident(column)}`, group: `${name}.${ident(column)}` }));
}

function fromSql(node: ReadNode, parent: ReadNode | null): string {
  const { relationship } = node;
  if (!parent || !relationship) {
    if (!node.isSource) return qualified(node.relation);
    return `${SOURCE} AS ${ident(node.table)}`;
  }
  const table = ident(node.table);
  if (relationship.kind === "computed") {
    const row = `${ident(parent.table)}::${qualified(relationship.origin)}`;
    return `${qualified(relationship.function)}(${row}) AS ${table}`;
  }
  const { junction } = relationship;
  const target = `${qualified(node.relation)} AS ${table}`;
  return junction ? `${target}, ${qualified(junction)} AS ${junctionName(node)}` : target;
}

function junctionName(node: ReadNode): string {
  return ident(`pgrst_junction_${node.depth}`);
}

function joinConditions(node: ReadNode, parent: ReadNode): string[] {
  const { relationship } = node;
  if (!relationship || relationship.kind === "computed") return [];
  const [origin, target] = [nodeRef(parent), ident(node.table)];
  const { junction } = relationship;
  if (!junction)
    return relationship.columns.map(([own, other]) => `${target}.${ident(other)} = ${origin}.${ident(own)}`);
  const between = junctionName(node);
  return [
    ...junction.origin.map(([own, other]) => `${between}.${ident(other)} = ${origin}.${ident(own)}`),
    ...junction.target.map(([own, other]) => `${between}.${ident(other)} = ${target}.${ident(own)}`),
  ];
}

/** As many rows as the read would have without a limit; an inner embed must have a row. */
export function countSql(node: ReadNode, parent: ReadNode | null, parameters: Parameters): string {
  const exists = (child: ReadNode, isNegated: boolean) =>
    `${isNegated ? "" : "NOT "}EXISTS (${countSql(child, node, parameters)})`;
  const conditions = [
    ...(parent ? joinConditions(node, parent) : []),
    ...node.where.map((logic) => logicSql(node, logic, parameters, exists)),
    ...node.children.filter((child) => child.join === "inner").map((child) => exists(child, true)),
  ];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  return `SELECT 1 FROM ${fromSql(node, parent)}${where}`;
}
