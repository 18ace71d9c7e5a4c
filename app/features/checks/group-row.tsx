import { ChevronRight } from "lucide-react";
import type { GroupLine } from "#app/contract/rows/check-page.ts";
import { count } from "#app/lib/format/count.ts";
import { duration } from "#app/lib/format/duration.ts";
import { percent, uptime } from "#app/lib/format/percent.ts";
import { Badge, CountBadge } from "#app/ui/marks/badge.tsx";
import { Count } from "#app/ui/marks/status.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, Row, RowLink } from "#app/ui/table.tsx";
import { recentTransition, toggled } from "./model.ts";
import { healthPath, withoutDrawer, type HealthSearch } from "./paths.ts";

type GroupRowProps = { group: GroupLine; search: HealthSearch; now: number };

/** Several checks as one line (facts/ui-screens §3.6): how many fail and pass, and the sums of their runs. */
export function GroupRow({ group, search, now }: GroupRowProps) {
  const { key, open, checks, namespaces } = group;
  const to = healthPath({ ...withoutDrawer(search), open: toggled(search.open, group, search.query) });
  const [namespace, ...more] = namespaces;
  return (
    <Row>
      <Cell kind="main">
        <span className="flex min-w-0 items-center gap-2">
          <ChevronRight
            aria-hidden="true"
            className={`size-4 flex-none text-muted transition-transform ${open ? "rotate-90" : ""}`}
          />
          <RowLink to={to} title={key} expanded={open}>
            {key}
          </RowLink>
          <CountBadge value={count(checks)} />
          {namespace ? (
            <span title={namespaces.join(", ")} className="inline-flex min-w-0">
              <Badge>{more.length > 0 ? `${namespace}, …` : namespace}</Badge>
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell kind="aside">
        <GroupCounts {...group} />
      </Cell>
      <Cell room="wide" />
      <Cell numeric label="Uptime">
        <GroupUptime {...group} />
      </Cell>
      <Cell numeric>
        {group.latency === null ? null : <span title="Mean of its checks">{duration(group.latency)}</span>}
      </Cell>
      <Cell numeric room="wide">
        <Age at={recentTransition(group.moved, now)} now={now} />
      </Cell>
    </Row>
  );
}

/** Of groups as large as this only the share is written: both do not fit into the column, and the title has both. */
const MOST_COUNTED = 100;

/** "3/6 91.4%": how many had no failure, and the share of all their runs that passed. */
export function GroupUptime({ checks, perfect, passed, failed }: GroupLine) {
  const runs = passed + failed;
  return (
    <span
      title={`${count(perfect)} of ${count(checks)} without a failure; ${count(passed)} of ${count(runs)} runs passed`}
    >
      {checks < MOST_COUNTED ? (
        <span className="text-muted">{`${count(perfect)}/${count(checks)} `}</span>
      ) : null}
      {percent(uptime({ passed, failed }))}
    </span>
  );
}

/** Good, mixed or bad (specification 1 §4) is said by the figures themselves. */
export function GroupCounts({ checks, passing, failing }: GroupLine) {
  const unknown = checks - passing - failing;
  return (
    <span className="inline-flex items-center gap-3">
      {failing > 0 ? <Count health="unhealthy" value={count(failing)} word="failing" /> : null}
      {passing > 0 ? <Count health="healthy" value={count(passing)} word="passing" /> : null}
      {unknown > 0 ? <Count health="unknown" value={count(unknown)} word="without a result" /> : null}
    </span>
  );
}
