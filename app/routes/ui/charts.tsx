import { Chart, Legend, LegendItem } from "#app/ui/chart.tsx";
import type { ExampleCharts } from "./charts.server.ts";
import { Example, Examples, Line } from "./example.tsx";

export function Charts({ charts }: { charts: ExampleCharts }) {
  return (
    <Examples
      id="charts"
      lead="Drawn on the server, each with a sentence as its name and a table as its twin."
    >
      <Line>
        <h3>Health overview</h3>
        <Legend>
          <LegendItem mark="passed">Passed</LegendItem>
          <LegendItem mark="failed">Failed</LegendItem>
          <LegendItem mark="limit">Limit 1.5 s</LegendItem>
        </Legend>
      </Line>
      <Chart
        picture={charts.dots}
        summary="Latency of an hour: about 200 ms until 09:42, about 2 s after it, when most runs failed."
        readOut={charts.readOut}
        note="Times in UTC"
        table={{ caption: "Latency, every ten minutes", head: ["Time", "Latency"], rows: charts.rows }}
      />
      <Example title="Courses, small">
        <Legend>
          <LegendItem mark="series-1">eu-west</LegendItem>
          <LegendItem mark="series-4">us-east</LegendItem>
        </Legend>
        <Chart
          picture={charts.lines}
          size="small"
          summary="Two latencies of an hour, both between 50 and 880 ms."
          note="Times in UTC"
        />
      </Example>
    </Examples>
  );
}
