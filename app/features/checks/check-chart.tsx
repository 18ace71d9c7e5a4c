import { Chart, Legend, LegendItem } from "#app/ui/chart.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { brushedPath } from "./check-range.tsx";
import type { CheckInDrawer } from "./drawer.server.ts";
import type { HealthSearch } from "./paths.ts";

/** What the marks of the chart mean; nothing that is not drawn. */
export function CheckLegend({ chart }: Pick<CheckInDrawer, "chart">) {
  if (!chart) return null;
  return (
    <Legend>
      <LegendItem mark="passed">Passed</LegendItem>
      {chart.hasFailures ? <LegendItem mark="failed">Failed</LegendItem> : null}
      {chart.limit?.isDrawn ? <LegendItem mark="limit">Limit {chart.limit.words}</LegendItem> : null}
    </Legend>
  );
}

/** Latency over the drawer's range: round where it passed, square where it failed, failed spans shaded. */
export function CheckChart({
  chart,
  range: { from, to },
  search,
}: Pick<CheckInDrawer, "chart" | "range"> & { search: HealthSearch }) {
  if (!chart) return <Empty small />;
  const { picture, summary, readOut, rows, limit } = chart;
  return (
    <Chart
      picture={picture}
      summary={limit ? `${summary} The limit is ${limit.words}.` : summary}
      readOut={readOut}
      brush={{ from, to, pathOf: (start, end) => brushedPath(search, start, end) }}
      note={
        limit && !limit.isDrawn ? `The limit of ${limit.words} is far above. Times in UTC` : "Times in UTC"
      }
      table={{ caption: "Runs over time", head: ["Time", "Passed", "Failed", "Latency"], rows }}
    />
  );
}
