/** Which columns of a view show which column of a table, through views of views. */
import type { Catalog } from "./catalog.ts";
import { columnOrigins } from "./node-tree.ts";

/** By view (oid), by `table.column` (oid and number): the view's columns that show it. */
export type ViewColumns = Map<string, Map<string, number[]>>;

export function readViewColumns(catalog: Catalog): ViewColumns {
  const direct = new Map(catalog.views.map((view) => [view.oid, columnOrigins(view.tree)]));
  const resolved: ViewColumns = new Map();
  const resolve = (view: string, trail: string[]): Map<string, number[]> => {
    const known = resolved.get(view);
    if (known) return known;
    const columns = new Map<string, number[]>();
    const show = (origin: string, column: number) => {
      const list = columns.get(origin);
      if (list) list.push(column);
      else columns.set(origin, [column]);
    };
    for (const { column, relation, originColumn } of direct.get(view) ?? []) {
      if (!direct.has(relation)) show(`${relation}.${originColumn}`, column);
      else if (!trail.includes(relation)) {
        for (const [origin, shown] of resolve(relation, [...trail, view]))
          if (shown.includes(originColumn)) show(origin, column);
      }
    }
    resolved.set(view, columns);
    return columns;
  };
  for (const view of direct.keys()) resolve(view, []);
  return resolved;
}

/** Every way a view shows all the columns: one list per combination, in the order asked; none if one is missing. */
export function shownAs(columns: Map<string, number[]>, table: string, numbers: number[]): number[][] {
  return numbers.reduce<number[][]>(
    (lists, number) => {
      const shown = columns.get(`${table}.${number}`) ?? [];
      return lists.flatMap((list) => shown.map((column) => [...list, column]));
    },
    [[]],
  );
}
