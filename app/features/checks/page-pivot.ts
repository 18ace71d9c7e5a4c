/** The pivot of a page of checks, as `page-of.ts` makes it: groups by the values of a label. Pure. */
import type { CheckPage, CheckPageQuestion, PivotCell } from "#app/contract/rows/check-page.ts";
import { MOST_PIVOT_COLUMNS } from "#app/contract/words/checks.ts";
import { byName, failingOf, meanOf, sum, type Known } from "./page-lines.ts";

/** Checks without the label are in no cell, and a group of only such checks in no row. Without grouping a row is a name. */
export function pivotOf(
  here: readonly Known[],
  { groupBy, sortBy, sortDesc, limit, offset }: CheckPageQuestion,
): Pick<CheckPage, "pivot" | "total"> {
  const keyOf = (check: Known) => (groupBy === "no-group" ? check.title : check.grp);
  const all = [...new Set(here.flatMap(({ col }) => col ?? []))].sort(byName);
  const columns = all.slice(0, MOST_PIVOT_COLUMNS);
  const rows = new Map<string, Known[]>();
  for (const check of here) {
    if (check.col === null || !columns.includes(check.col)) continue;
    const key = keyOf(check);
    rows.set(key, [...(rows.get(key) ?? []), check]);
  }
  const isDown = sortBy === "name" && sortDesc;
  const keys = [...rows.keys()].sort((a, b) => {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()];
    if (x === y) return a < b ? -1 : 1;
    return x < y === isDown ? 1 : -1;
  });
  return {
    total: keys.length,
    pivot: {
      columns,
      more: all.length - columns.length,
      rows: keys.slice(offset, offset + limit).map((key) => {
        const members = rows.get(key) ?? [];
        const inColumn = (column: string) => members.filter(({ col }) => col === column);
        return {
          key,
          cells: columns.flatMap((column) => {
            const checks = inColumn(column);
            return checks.length === 0 ? [] : cellOf(column, checks);
          }),
        };
      }),
    },
  };
}

function cellOf(column: string, checks: readonly Known[]): PivotCell {
  const [first, ...others] = checks;
  return {
    column,
    checks: checks.length,
    passing: checks.filter(({ status }) => status === "healthy").length,
    failing: failingOf(checks),
    passed: sum(checks.map(({ passed }) => passed)),
    failed: sum(checks.map(({ failed }) => failed)),
    latency: meanOf(checks),
    id: first && others.length === 0 ? first.id : null,
    results: "",
  };
}
