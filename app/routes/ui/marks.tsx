import { Avatar } from "#app/ui/marks/avatar.tsx";
import { Badge, CountBadge, Tags } from "#app/ui/marks/badge.tsx";
import { Progress } from "#app/ui/marks/progress.tsx";
import { ResultStrip } from "#app/ui/marks/result-strip.tsx";
import { Skeleton } from "#app/ui/marks/skeleton.tsx";
import { StatTile, StatTiles } from "#app/ui/marks/stat-tile.tsx";
import { Count, Severity, Status, StatusPill } from "#app/ui/marks/status.tsx";
import { Age, When } from "#app/ui/marks/time.tsx";
import { Columns, Example, Examples, Line } from "./example.tsx";

const HEALTH = ["healthy", "warning", "unhealthy", "mixed", "unknown", "suspended"];
const SEVERITIES = ["info", "low", "medium", "high", "blocker", "critical"];
const NOW = Date.UTC(2026, 9, 14, 10, 12);
const RESULTS = Array.from({ length: 24 }, (_, run) => (run === 9 ? null : ![17, 18, 22].includes(run)));

export function Marks() {
  return (
    <Examples
      id="marks"
      lead="Status is colour, shape and word. Healthy is quiet; what needs somebody is lit."
    >
      <Example title="Status and pill">
        <Line>
          {HEALTH.map((health) => (
            <Status key={health} health={health} />
          ))}
        </Line>
        <Line>
          {HEALTH.map((health) => (
            <StatusPill key={health} health={health} />
          ))}
        </Line>
      </Example>
      <Example title="Severity">
        <Line>
          {SEVERITIES.map((severity) => (
            <Severity key={severity} severity={severity} />
          ))}
        </Line>
      </Example>
      <Columns>
        <Example title="Counts, badges, tags">
          <Line>
            <Count health="unhealthy" value="7" word="failing" showWord />
            <Count health="healthy" value="118" word="passing" />
            <Badge>checkout</Badge>
            <CountBadge value="14" />
            <CountBadge value="4" tone="unhealthy" />
          </Line>
          <Tags labels={{ region: "eu-west", account: "shop", namespace: "checkout", tier: "edge" }} />
        </Example>
        <Example title="Age, moment, results, people">
          <Line>
            <Age at={NOW - 31 * 60_000} now={NOW} />
            <Age at={NOW + 46_000} now={NOW} />
            <When at={NOW} />
          </Line>
          <Line>
            <ResultStrip passed={RESULTS} />
            {["Maya Chen", "Tom Okafor", "Ines"].map((name) => (
              <span key={name} className="inline-flex items-center gap-2">
                <Avatar name={name} />
                {name}
              </span>
            ))}
            <Avatar name="" />
          </Line>
        </Example>
        <Example title="Progress: how much is used, and how much is done">
          {[0.02, 0.6, 0.8, 0.97].map((share) => (
            <Progress key={share} share={share} label={`${share * 100} % used`} />
          ))}
          <Progress share={0.4} kind="work" label="2 of 5 steps" />
        </Example>
        <Example title="Skeleton, where something really loads in the browser">
          <Skeleton />
        </Example>
      </Columns>
      <Example title="Stat tiles">
        <StatTiles>
          <StatTile
            label="Uptime"
            value={{ figure: "91.4", unit: "%" }}
            tone="unhealthy"
            context={<Count health="unhealthy" value="124" word="failed" showWord />}
          />
          <StatTile label="Latency (95%)" value={{ figure: "2.1", unit: "s" }} context="usually 240 ms" />
          <StatTile label="Latency (99%)" value={{ figure: "0", unit: "ms" }} />
          <StatTile label="Severity" value={<Severity severity="critical" />} />
          <StatTile label="Next run" value={null} />
        </StatTiles>
      </Example>
    </Examples>
  );
}
