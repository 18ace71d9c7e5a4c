/** Pieces of SQL of one node of a read: columns, conditions, order. */
import type { Field, FieldItem, Filter } from "../parse/ast.ts";
import { type PlanItem, type PlanLogic, type PlanOrder, type ReadNode } from "../plan/read-node.ts";
import {
  arrayLiteral,
  FTS_SQL,
  ident,
  operatorSql,
  type Parameters,
  qualified,
  TRILEAN_SQL,
  typeName,
} from "./sql.ts";

/** How the columns of a node are addressed: the root by its full name, so that nothing inside can hide it. */
export function nodeRef(node: ReadNode): string {
  return node.depth === 0 && !node.isSource ? qualified(node.relation) : ident(node.table);
}

/** A column, or a step into its JSON; other types than JSON are turned into it first. */
export function fieldSql(node: ReadNode, field: Field, parameters: Parameters): string {
  const base = `${nodeRef(node)}.${ident(field.name)}`;
  if (field.path.length === 0) return base;
  const column = node.known?.columns.get(field.name);
  const json = column && !column.isJson ? `to_jsonb(${base})` : base;
  return field.path.reduce(
    (sql, { arrow, key, isIndex }) => `${sql}${arrow}${parameters.add(key)}::${isIndex ? "int" : "text"}`,
    `(${json})`,
  );
}

/** The name of a column in the answer; null when PostgreSQL gives it the right one. */
function outputName(item: FieldItem): string | null {
  if (item.alias !== undefined) return item.alias;
  if (item.aggregate !== undefined) return item.aggregate;
  const { name, path } = item.field;
  if (path.length === 0) return item.cast === undefined ? null : name;
  return path.findLast((step) => !step.isIndex)?.key ?? name;
}

export interface SelectedItem {
  sql: string;
  /** What a grouped read groups by; null for an aggregate. */
  group: string | null;
}

export function itemSql(node: ReadNode, item: PlanItem, parameters: Parameters): SelectedItem {
  if (item.kind === "hoisted") {
    const sql = `${item.aggregate.toUpperCase()}(${ident(item.child.lateral)}.${ident(item.source)})`;
    return { sql: `${cast(sql, item.cast)} AS ${ident(item.alias)}`, group: null };
  }
  const { field } = item;
  const isAll = field.name === "*" && field.path.length === 0;
  if (item.aggregate !== undefined) {
    const inner = isAll ? "*" : cast(fieldSql(node, field, parameters), item.cast);
    const sql = cast(`${item.aggregate.toUpperCase()}(${inner})`, item.aggregateCast);
    return { sql: `${sql} AS ${ident(outputName(item) ?? "")}`, group: null };
  }
  if (isAll) {
    if (item.alias !== undefined) return { sql: `1 AS ${ident(item.alias)}`, group: null };
    return { sql: `${nodeRef(node)}.*`, group: `${nodeRef(node)}.*` };
  }
  const sql = cast(fieldSql(node, field, parameters), item.cast);
  const name = outputName(item);
  return { sql: name === null ? sql : `${sql} AS ${ident(name)}`, group: sql };
}

function cast(sql: string, type: string | undefined): string {
  return type === undefined ? sql : `CAST(${sql} AS ${typeName(type)})`;
}

/** One condition. `embedNull` writes the test of an embed as a whole, which a count does in its own way. */
export function logicSql(
  node: ReadNode,
  logic: PlanLogic,
  parameters: Parameters,
  embedNull: (child: ReadNode, isNegated: boolean) => string,
): string {
  if (logic.kind === "embed-null") return embedNull(logic.child, logic.isNegated);
  if (logic.kind === "filter") return filterSql(node, logic, parameters);
  const items = logic.items.map((item) => logicSql(node, item, parameters, embedNull));
  return `${logic.isNegated ? "NOT " : ""}(${items.join(logic.operator === "and" ? " AND " : " OR ")})`;
}

function filterSql(node: ReadNode, filter: Filter, parameters: Parameters): string {
  const field = fieldSql(node, filter.field, parameters);
  const sql = `${field} ${operationSql(filter, parameters)}`;
  return filter.isNegated ? `NOT ${sql}` : sql;
}

function operationSql({ operation }: Filter, parameters: Parameters): string {
  switch (operation.kind) {
    case "is":
      return `IS ${TRILEAN_SQL[operation.value]}`;
    case "isdistinct":
      return `IS DISTINCT FROM ${parameters.add(operation.value)}`;
    case "in": {
      const isEmpty = operation.values.length === 1 && operation.values[0] === "";
      return `= ANY (${parameters.add(isEmpty ? "{}" : arrayLiteral(operation.values))})`;
    }
    case "fts": {
      const language = operation.language === undefined ? "" : `${parameters.add(operation.language)}, `;
      return `@@ ${FTS_SQL[operation.operator]}(${language}${parameters.add(operation.value)})`;
    }
    case "simple": {
      const value = parameters.add(operation.value);
      const quantifier = operation.quantifier;
      return `${operatorSql(operation.operator)} ${quantifier ? `${quantifier.toUpperCase()} (${value})` : value}`;
    }
  }
}

export function orderSql(node: ReadNode, order: PlanOrder[], parameters: Parameters): string {
  if (order.length === 0) return "";
  const terms = order.map(({ child, field, direction, nulls }) => {
    const sql = child
      ? fieldSql({ ...child, depth: 1, isSource: false, table: child.lateral }, field, parameters)
      : fieldSql(node, field, parameters);
    const way = direction === undefined ? "" : ` ${direction.toUpperCase()}`;
    return `${sql}${way}${nulls === undefined ? "" : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return ` ORDER BY ${terms.join(", ")}`;
}

export function rangeSql(node: ReadNode, parameters: Parameters): string {
  const limit = node.limit === null ? "" : ` LIMIT ${parameters.add(String(node.limit))}`;
  return node.offset > 0 ? `${limit} OFFSET ${parameters.add(String(node.offset))}` : limit;
}
