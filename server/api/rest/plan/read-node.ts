/** The plan of a read: a tree of nodes, one per relation, with everything resolved that SQL is made from. */
import type { Aggregate, FieldItem, Logic, OrderTerm } from "../parse/ast.ts";
import type { Name, Relation, Relationship } from "../schema/schema.ts";

/** A hoisted aggregate reads the column that the spread embed selects under `source`. */
export interface HoistedAggregate {
  kind: "hoisted";
  child: ReadNode;
  source: string;
  aggregate: Aggregate;
  cast?: string;
  alias: string;
}

export type PlanItem = FieldItem | HoistedAggregate;

export type PlanLogic =
  | Extract<Logic, { kind: "filter" }>
  | { kind: "group"; isNegated: boolean; operator: "and" | "or"; items: PlanLogic[] }
  | { kind: "embed-null"; isNegated: boolean; child: ReadNode };

export interface PlanOrder extends OrderTerm {
  child?: ReadNode;
}

export interface ReadNode {
  relation: Name;
  /** What is known of it; null for a relation that only PostgreSQL may know. */
  known: Relation | null;
  /** The name it was asked by, and the alias if it was given one. */
  name: string;
  alias: string | undefined;
  hint: string | undefined;
  depth: number;
  /** The table's name in FROM; the root keeps its own name. */
  table: string;
  /** The name of the lateral subquery; unique in the statement. */
  lateral: string;
  relationship: Relationship | null;
  join: "inner" | "left";
  isSpread: boolean;
  /** The rows of a write or a call, instead of the relation's. */
  isSource: boolean;
  /** Embeds as jsonb, whose text is the same however they were made. */
  embedsAsJsonb: boolean;
  select: PlanItem[];
  where: PlanLogic[];
  order: PlanOrder[];
  limit: number | null;
  offset: number;
  children: ReadNode[];
}

export function isToOne(relationship: Relationship | null): boolean {
  if (!relationship) return false;
  if (relationship.kind === "computed") return relationship.isToOne;
  return relationship.cardinality === "many-to-one" || relationship.cardinality === "one-to-one";
}

export function hasAggregates(node: ReadNode): boolean {
  return node.select.some((item) => item.kind === "hoisted" || item.aggregate !== undefined);
}
