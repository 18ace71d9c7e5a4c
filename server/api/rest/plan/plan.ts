/** A RestQuery and the schema into a tree of reads: embeds resolved, filters attached by path, limits applied. */
import type { EmbedItem, Logic, RestQuery, SelectItem } from "../parse/ast.ts";
import { isToOne, hasAggregates, type ReadNode, type PlanLogic, type PlanOrder } from "./read-node.ts";
import { refuse } from "../errors.ts";
import { hoistAggregates } from "./aggregates.ts";
import type { Limits } from "../options.ts";
import { resolveRelationship } from "./resolve.ts";
import { keyOf, type Name, type Schema } from "../schema/schema.ts";

export interface PlanContext {
  schema: Schema;
  maxRows: number | null;
  aggregates: boolean;
  limits: Limits;
}

/** Where the root's rows come from. Order and ranges of a write pick its rows, and shape nothing of what is read back. */
export type RootKind = "relation" | "write" | "call";

/** `root`: the relation of the path, or the one whose rows a function returns. */
export function planRead(
  root: Name,
  query: RestQuery,
  context: PlanContext,
  kind: RootKind = "relation",
): ReadNode {
  const tree = plainNode(root, null, 0, context);
  tree.isSource = kind !== "relation";
  addItems(tree, query.select, context);
  attach(tree, query, kind === "write");
  const laterals = new Set<string>();
  let relations = 1;
  const connect = (parent: ReadNode) => {
    for (const child of parent.children) {
      const relationship = resolveRelationship(parent.relation, child.name, child.hint, context.schema);
      child.relationship = relationship;
      child.relation = relationship.target;
      child.known = context.schema.relations.get(keyOf(child.relation.schema, child.relation.name)) ?? null;
      child.table = `${child.relation.name}_${child.depth}`;
      child.lateral = uniqueName(
        `${parent.relation.name}_${child.alias ?? child.name}_${child.depth}`,
        laterals,
      );
      relations += relationship.kind === "key" && relationship.junction ? 2 : 1;
      if (relations > context.limits.relations)
        throw refuse(400, "100", `A request may name at most ${context.limits.relations} relations`);
      connect(child);
    }
  };
  connect(tree);
  finish(tree, context);
  return tree;
}

/** Names longer than PostgreSQL keeps would be cut and could meet. */
function uniqueName(wanted: string, taken: Set<string>): string {
  const name = Buffer.byteLength(wanted) > 63 || taken.has(wanted) ? `pgrst_embed_${taken.size + 1}` : wanted;
  taken.add(name);
  return name;
}

function plainNode(relation: Name, item: EmbedItem | null, depth: number, context: PlanContext): ReadNode {
  return {
    relation,
    known: context.schema.relations.get(keyOf(relation.schema, relation.name)) ?? null,
    name: item?.name ?? relation.name,
    alias: item?.alias,
    hint: item?.hint,
    depth,
    table: relation.name,
    lateral: "",
    relationship: null,
    join: item?.join ?? "left",
    isSpread: item?.isSpread ?? false,
    isSource: false,
    embedsAsJsonb: false,
    select: [],
    where: [],
    order: [],
    limit: null,
    offset: 0,
    children: [],
  };
}

function addItems(node: ReadNode, items: SelectItem[], context: PlanContext): void {
  for (const item of items) {
    if (item.kind === "field") {
      node.select.push(item);
      continue;
    }
    const depth = node.depth + 1;
    if (depth > context.limits.embedDepth)
      throw refuse(400, "100", `Embeds may be at most ${context.limits.embedDepth} levels deep`);
    const child = plainNode({ schema: node.relation.schema, name: item.name }, item, depth, context);
    addItems(child, item.select, context);
    node.children.push(child);
  }
}

/** The node a path names, by target name or alias; 400 PGRST108 when it is not in `select`. */
function at(root: ReadNode, path: string[]): ReadNode {
  let node = root;
  for (const name of path) {
    const child = node.children.find((item) => item.name === name || item.alias === name);
    if (!child) throw notEmbedded(name);
    node = child;
  }
  return node;
}

function notEmbedded(name: string) {
  return refuse(400, "108", `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

function attach(root: ReadNode, query: RestQuery, isWrite: boolean): void {
  for (const { path, value } of query.logic) {
    const node = at(root, path);
    node.where.push(resolveLogic(value, node));
  }
  if (isWrite) return;
  for (const { path, value } of query.orders) at(root, path).order = value;
  for (const { path, value } of query.limits) at(root, path).limit = value;
  for (const { path, value } of query.offsets) at(root, path).offset = Math.max(value ?? 0, 0);
}

/** `rel=is.null` asks about the embed as a whole. */
function resolveLogic(logic: Logic, node: ReadNode): PlanLogic {
  if (logic.kind === "group") return { ...logic, items: logic.items.map((item) => resolveLogic(item, node)) };
  const { field, operation, isNegated } = logic;
  if (field.path.length > 0 || operation.kind !== "is" || operation.value !== "null") return logic;
  const child = node.children.find((item) => (item.alias ?? item.name) === field.name);
  return child ? { kind: "embed-null", isNegated, child } : logic;
}

/** What can only be said once the relationships are known. */
function finish(node: ReadNode, context: PlanContext): void {
  for (const child of node.children) {
    if (child.isSpread && !isToOne(child.relationship))
      throw notToOne("119", "A spread operation on", node, child);
    finish(child, context);
  }
  for (const term of node.order) {
    if (term.relation === undefined) continue;
    const child = node.children.find((item) => (item.alias ?? item.name) === term.relation);
    if (!child) throw notEmbedded(term.relation);
    if (!isToOne(child.relationship)) throw notToOne("118", "A related order on", node, child);
    (term as PlanOrder).child = child;
  }
  if (!context.aggregates && hasAggregates(node))
    throw refuse(400, "123", "Use of aggregate functions is not allowed");
  hoistAggregates(node);
  const isMany = node.depth === 0 || !isToOne(node.relationship);
  if (context.maxRows !== null && isMany && !(node.isSource && node.depth === 0))
    node.limit = Math.min(node.limit ?? Infinity, context.maxRows);
}

function notToOne(code: string, what: string, node: ReadNode, child: ReadNode) {
  return refuse(400, code, `${what} '${child.name}' is not possible`, {
    details: `'${node.name}' and '${child.name}' do not form a many-to-one or one-to-one relationship`,
  });
}
