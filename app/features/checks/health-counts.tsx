import { count } from "#app/lib/format/count.ts";
import { Count } from "#app/ui/marks/status.tsx";

type CheckCounts = { failing: number; passing: number; total: number };

/** "◆ 7 failing ● 118 passing", in the top bar. */
export function HealthCounts({ counts }: { counts: CheckCounts }) {
  if (counts.total === 0) return null;
  return (
    <span className="inline-flex items-center gap-3 max-sm:hidden">
      {counts.failing > 0 ? (
        <Count health="unhealthy" value={count(counts.failing)} word="failing" showWord />
      ) : null}
      <Count health="healthy" value={count(counts.passing)} word="passing" showWord />
    </span>
  );
}
