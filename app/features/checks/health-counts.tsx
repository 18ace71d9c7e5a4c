import { Link } from "@remix-run/react";
import { Plus } from "lucide-react";
import { count, counted } from "#app/lib/format/count.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Count } from "#app/ui/marks/status.tsx";

type Counts = { failing: number; passing: number; total: number };

/** "◆ 7 failing ● 118 passing", in the top bar: of what the search and the labels leave, when that is not all. */
export function HealthCounts({ counts, matched }: { counts: Counts; matched: Counts }) {
  if (counts.total === 0) return null;
  const { failing, passing, total } = matched.total === counts.total ? counts : matched;
  const of = total === counts.total ? "" : ` of the ${count(total)} found`;
  return (
    <span className="inline-flex items-center gap-3 max-sm:hidden">
      {failing > 0 ? (
        <span title={`${counted(failing, "check")} failing${of}`}>
          <Count health="unhealthy" value={count(failing)} word="failing" showWord />
        </span>
      ) : null}
      <span title={`${counted(passing, "check")} passing${of}`}>
        <Count health="healthy" value={count(passing)} word="passing" showWord />
      </span>
    </span>
  );
}

/** To the wizard of a new check, for those who may write canaries. */
export function AddCheck() {
  return (
    <Link
      to="/settings/canaries/new"
      aria-label="Add a check"
      title="Add a check"
      className={buttonClass({ look: "quiet", icon: true })}
    >
      <Plus aria-hidden="true" />
    </Link>
  );
}
