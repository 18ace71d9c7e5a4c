import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { CheckPivot, PivotCell } from "#app/contract/rows/check-page.ts";
import { counted } from "#app/lib/format/count.ts";
import { duration } from "#app/lib/format/duration.ts";
import { percent, uptime } from "#app/lib/format/percent.ts";
import { Glyph } from "#app/ui/marks/glyph.tsx";
import { ResultStrip } from "#app/ui/marks/result-strip.tsx";
import { lookOfHealth } from "#app/ui/marks/status.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { labelId } from "./label-marks.ts";
import { groupHealth, resultsOf } from "./model.ts";
import { checkPath, listPath, type HealthSearch } from "./paths.ts";

type PivotProps = { pivot: CheckPivot; search: HealthSearch; pager: ReactNode };

const HEAD =
  "h-8 border-b border-line-strong bg-sunken px-(--cell-pad) text-start text-xs font-medium whitespace-nowrap text-muted";

/** Rows by what is grouped by, columns by the values of a label, and in the cells what was chosen (specification 1 §2). */
export function ChecksPivot({ pivot: { columns, more, rows }, search, pager }: PivotProps) {
  const { pivotLabel } = search;
  return (
    <div className="overflow-clip rounded-lg border border-line bg-surface">
      <div role="region" aria-label={`Checks by ${pivotLabel}`} className="relative overflow-x-auto">
        <table className="w-full border-separate border-spacing-0">
          <caption className="sr-only">Checks by {pivotLabel}</caption>
          <thead>
            <tr>
              <th scope="col" className={cx(HEAD, "sticky left-0")}>
                Checks
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className={HEAD}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells }) => {
              const found = new Map(cells.map((cell) => [cell.column, cell]));
              return (
                <tr key={key} className="hover:[&>*]:bg-hover">
                  <th
                    scope="row"
                    className="sticky left-0 h-(--row-height) max-w-72 truncate border-b border-line bg-surface px-(--cell-pad) text-start font-medium max-sm:max-w-40"
                    title={key}
                  >
                    {key}
                  </th>
                  {columns.map((column) => (
                    <td key={column} className="border-b border-line px-(--cell-pad) whitespace-nowrap">
                      <Cell cell={found.get(column)} row={key} search={search} />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <div className="border-t border-line bg-sunken px-(--cell-pad) py-2">
        {more > 0 ? (
          <p className="pb-1 text-xs text-muted">
            {counted(more, "more value")} of {pivotLabel} {more === 1 ? "has" : "have"} no column here.
          </p>
        ) : null}
        {pager}
      </div>
    </div>
  );
}

/** One check leads to its drawer, several to the list of them. */
function Cell({ cell, row, search }: { cell: PivotCell | undefined; row: string; search: HealthSearch }) {
  if (!cell) return <span className="text-faint">–</span>;
  const { column, checks, id } = cell;
  const health = groupHealth(cell);
  const { tone, glyph } = lookOfHealth(health);
  const rest = { ...search.labels, [labelId(search.pivotLabel, column)]: 1 as const };
  const to =
    id === null
      ? listPath(search, {
          pivotLabel: "",
          labels: rest,
          open: { ...search.open, [row]: 1 },
          hidePassing: false,
        })
      : checkPath(search, id);
  return (
    <Link
      to={to}
      preventScrollReset
      title={`${row}, ${column}: ${counted(checks, "check")}, ${health}`}
      className="inline-flex min-h-7 items-center gap-2 tabular-nums hover:underline pointer-coarse:min-h-11"
    >
      <Glyph name={glyph} tone={tone} />
      <span className="sr-only">{health}</span>
      <Figure cell={cell} show={search.pivotCellType} />
    </Link>
  );
}

function Figure({ cell, show }: { cell: PivotCell; show: HealthSearch["pivotCellType"] }) {
  if (show === "latency") return <span>{duration(cell.latency) || "–"}</span>;
  if (show === "uptime") return <span>{percent(uptime(cell)) || "–"}</span>;
  if (cell.id !== null && cell.results !== "")
    return <ResultStrip passed={resultsOf(cell.results).slice(-12)} />;
  return (
    <span>
      {cell.passing}/{cell.checks}
    </span>
  );
}
