/** Aggregates in `select`, also those of a spread embed, which belong to its parent (facts of PostgREST §6). */
import type { Field, FieldItem } from "../parse/ast.ts";
import { hasAggregates, type PlanItem, type ReadNode } from "./read-node.ts";

/** Aggregates of a spread embed are taken over the parent's groups. */
export function hoistAggregates(node: ReadNode): void {
  for (const child of node.children) {
    if (!child.isSpread || !hasAggregates(child)) continue;
    child.select = child.select.map((item, index): PlanItem => {
      if (item.kind === "field" && item.aggregate === undefined) return item;
      const source = `pgrst_agg_${index + 1}`;
      const alias = item.alias ?? (item.kind === "field" ? (item.aggregate ?? "") : item.alias);
      const aggregate = item.aggregate ?? "count";
      const cast = item.kind === "field" ? item.aggregateCast : item.cast;
      node.select.push({
        kind: "hoisted",
        child,
        source,
        aggregate,
        alias,
        ...(cast !== undefined && { cast }),
      });
      if (item.kind === "field") return { kind: "field", field: item.field, alias: source, ...castOf(item) };
      const field: Field = { name: item.source, path: [] };
      return { kind: "field", field, alias: source };
    });
  }
}

function castOf(item: FieldItem): Pick<FieldItem, "cast"> {
  return item.cast === undefined ? {} : { cast: item.cast };
}
