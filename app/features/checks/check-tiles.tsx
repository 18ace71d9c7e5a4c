import { age, ago } from "#app/lib/format/age.ts";
import { count } from "#app/lib/format/count.ts";
import { measureDuration } from "#app/lib/format/duration.ts";
import { percentFigure, uptime } from "#app/lib/format/percent.ts";
import { StatTile, StatTiles } from "#app/ui/marks/stat-tile.tsx";
import { Count, Severity } from "#app/ui/marks/status.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { severityOf } from "./model.ts";
import type { CheckInDrawer } from "./drawer.server.ts";

/** The drawer's figures over its time range: uptime, latencies, severity, last and next run (specification 1 §2). */
export function CheckTiles({ check, now }: { check: CheckInDrawer; now: number }) {
  const { uptime: runs, latency } = check.figures;
  const ratio = runs ? uptime(runs) : null;
  const changed = ago(check.last_transition_time, now);
  return (
    <StatTiles>
      <StatTile
        label="Uptime"
        value={ratio === null ? null : { figure: percentFigure(ratio), unit: "%" }}
        tone={ratio !== null && ratio < 1 && check.status === "unhealthy" ? "unhealthy" : undefined}
        context={
          runs && ratio !== null ? (
            <span className="flex flex-wrap gap-x-3">
              <Count health="healthy" value={count(runs.passed)} word="passed" />
              {runs.failed > 0 ? <Count health="unhealthy" value={count(runs.failed)} word="failed" /> : null}
            </span>
          ) : null
        }
      />
      <StatTile label="Latency (95%)" value={measureDuration(latency?.p95)} />
      <StatTile label="Latency (97%)" value={measureDuration(latency?.p97)} />
      <StatTile label="Latency (99%)" value={measureDuration(latency?.p99)} />
      <StatTile
        label="Severity"
        value={
          <span className="text-lg">
            <Severity severity={severityOf(check.severity)} />
          </span>
        }
      />
      <StatTile
        label="Last run"
        value={age(check.last_runtime, now) ? <Age at={check.last_runtime} now={now} /> : null}
        context={changed ? `changed ${changed}` : null}
      />
      <StatTile
        label="Next run"
        value={age(check.next_runtime, now) ? <Age at={check.next_runtime} now={now} /> : null}
      />
    </StatTiles>
  );
}
