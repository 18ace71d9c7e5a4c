import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./parts/cx.ts";
import { ChartReadOut, type Brush } from "./parts/chart-read-out.tsx";
import { rowsOf } from "./parts/lines.ts";
import type { ChartPicture, ChartTick } from "./chart.server.tsx";

type ChartProps = {
  picture: ChartPicture;
  /** The whole chart in one sentence: its name for those who do not see it. */
  summary: string;
  /** What the pointer is told, from left to right: made by `writeReadOut` of `chart.server.tsx`. */
  readOut?: string;
  /** What time it shows, and where a stretch of it that was drawn leads. */
  brush?: Brush;
  /** Said under the axis: the zone of its times. */
  note?: string;
  /** The same figures as rows: the chart's twin. */
  table?: TwinTable;
  size?: "normal" | "small";
};

/** A chart drawn by `chart.server.tsx`, with its labels, a read-out under the pointer and a table twin. */
export function Chart({ picture, summary, readOut = "", brush, note, table, size = "normal" }: ChartProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-2">
      <div
        className={cx(
          "@container/plot grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1 text-2xs text-faint",
          size === "small" ? "grid-rows-[4.5rem_auto]" : "grid-rows-[11rem_auto]",
        )}
      >
        <YLabels ticks={picture.y} />
        <div className="relative">
          <svg
            role="img"
            aria-label={summary}
            viewBox="0 0 1000 100"
            preserveAspectRatio="none"
            className="size-full overflow-visible [&_*]:[vector-effect:non-scaling-stroke]"
            dangerouslySetInnerHTML={{ __html: picture.markup }}
          />
          <ChartReadOut written={readOut} brush={brush} />
        </div>
        <XLabels ticks={picture.x} />
      </div>
      {note || table ? (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          {table ? <Twin {...table} /> : null}
          {note ? <p className="ml-auto text-2xs text-faint">{note}</p> : null}
        </div>
      ) : null}
    </div>
  );
}

/** The widest label takes its room; the visible ones stand at their lines. */
function YLabels({ ticks }: { ticks: readonly ChartTick[] }) {
  const widest = ticks.reduce((long, { label }) => (label.length > long.length ? label : long), "");
  return (
    <div aria-hidden="true" className="relative text-end whitespace-nowrap">
      <span className="invisible">{widest}</span>
      {ticks.map(({ at, label }) => (
        <span key={at} className="absolute right-0 -translate-y-1/2" style={{ top: `${at}%` }}>
          {label}
        </span>
      ))}
    </div>
  );
}

/** In a narrow plot every other label steps aside; at the edges they lean inwards. */
function XLabels({ ticks }: { ticks: readonly ChartTick[] }) {
  return (
    <div aria-hidden="true" className="relative col-start-2 h-4 whitespace-nowrap">
      {ticks.map(({ at, label }, index) => (
        <span
          key={at}
          className={cx(
            "absolute",
            at < 6 ? "" : at > 94 ? "-translate-x-full" : "-translate-x-1/2",
            index % 2 === 1 && "@max-[26rem]/plot:hidden",
          )}
          style={{ left: `${at}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** The same figures as a table; figures in every column but the first. */
export interface TwinTable {
  caption: string;
  head: readonly string[];
  /** Made by `writeLines` of `chart.server.tsx`. */
  rows: string;
}

/** A scroller that holds nothing to focus must itself be reached by keyboard. */
const REACHABLE = 0;

/** Plain cells styled by the table, written at once: as elements a hundred rows would outweigh the rest of the page. */
function Twin({ caption, head, rows }: TwinTable) {
  return (
    <details className="group/twin min-w-0 text-xs open:basis-full">
      <summary className="inline-flex min-h-6 items-center gap-1 text-muted hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open/twin:rotate-90" />
        Show as table
      </summary>
      <div
        role="region"
        aria-label={caption}
        tabIndex={REACHABLE}
        className="mt-2 max-h-72 overflow-auto rounded-lg border border-line bg-surface"
      >
        <table className="w-full border-separate border-spacing-0 whitespace-nowrap [&_td]:border-b [&_td]:border-line [&_td]:px-3 [&_td]:py-1 [&_td:not(:first-child)]:text-end [&_th]:sticky [&_th]:top-0 [&_th]:border-b [&_th]:border-line-strong [&_th]:bg-sunken [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-start [&_th]:font-medium [&_th]:text-muted [&_th:not(:first-child)]:text-end [&_tr:last-child>td]:border-b-0">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {head.map((words) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody dangerouslySetInnerHTML={{ __html: rowsOf(rows) }} />
        </table>
      </div>
    </details>
  );
}

/** What the marks mean, as a list beside the chart's heading. */
export function Legend({ children }: { children: ReactNode }) {
  return <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">{children}</ul>;
}

const SWATCHES = {
  passed: "size-2 rounded-full bg-healthy",
  failed: "size-2 rounded-xs bg-unhealthy",
  limit: "w-3.5 border-t border-dashed border-muted",
  "series-1": "h-0.5 w-3.5 bg-series-1",
  "series-2": "h-0.5 w-3.5 bg-series-2",
  "series-3": "h-0.5 w-3.5 bg-series-3",
  "series-4": "h-0.5 w-3.5 bg-series-4",
  "series-5": "h-0.5 w-3.5 bg-series-5",
} as const;

export function LegendItem({ mark, children }: { mark: keyof typeof SWATCHES; children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <i aria-hidden="true" data-lamp="" className={SWATCHES[mark]} />
      {children}
    </li>
  );
}
