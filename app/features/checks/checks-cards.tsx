import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { CheckLine, CheckPage, GroupLine } from "#app/contract/rows/check-page.ts";
import { count } from "#app/lib/format/count.ts";
import { duration } from "#app/lib/format/duration.ts";
import { percent, uptime } from "#app/lib/format/percent.ts";
import { Badge, CountBadge } from "#app/ui/marks/badge.tsx";
import { ResultStrip } from "#app/ui/marks/result-strip.tsx";
import { lookOfHealth, Status } from "#app/ui/marks/status.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { CheckIcon } from "./check-icon.tsx";
import { GroupCounts, GroupUptime } from "./group-row.tsx";
import { resultsOf, titleIn, toggled } from "./model.ts";
import { checkPath, healthPath, withoutDrawer, type HealthSearch } from "./paths.ts";

type CardsProps = {
  lines: CheckPage["lines"];
  notes: Readonly<Record<string, string>>;
  search: HealthSearch;
  pager: ReactNode;
};

/** The same lines as the table's, each a card: an open group is a heading over its checks (specification 1 §2, layout). */
export function ChecksCards({ lines, notes, search, pager }: CardsProps) {
  return (
    <div className="grid gap-3">
      <ul
        aria-label="Checks"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] items-stretch gap-3"
      >
        {lines.map((line) =>
          line.kind === "group" ? (
            <GroupCard key={`group ${line.key}`} group={line} search={search} />
          ) : (
            <CheckCard key={line.id} check={line} note={notes[line.type]} search={search} />
          ),
        )}
      </ul>
      <div className="rounded-lg border border-line bg-sunken px-(--cell-pad) py-2">{pager}</div>
    </div>
  );
}

const CARD =
  "relative grid content-start gap-2 rounded-lg border border-line bg-surface px-4 py-3 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-focus";
const WHOLE = "truncate font-medium after:absolute after:inset-0 focus-visible:outline-none";

function CheckCard({
  check,
  note,
  search,
}: {
  check: CheckLine;
  note: string | undefined;
  search: HealthSearch;
}) {
  const { title, passed, failed, type, canary } = check;
  const sums = passed === null || failed === null ? null : { passed, failed };
  return (
    <li
      className={cx(
        CARD,
        lookOfHealth(check.status).tone === "unhealthy" && "shadow-[inset_2px_0_0_var(--color-unhealthy)]",
        check.id === search.checkId && "bg-accent-wash",
      )}
    >
      <div className="flex min-w-0 items-center gap-2">
        <CheckIcon type={type} icon={check.icon} />
        <Link
          to={checkPath(search, check.id)}
          preventScrollReset
          title={`${title}, ${type}, group ${canary}`}
          className={WHOLE}
        >
          {titleIn(check.group, title, search.groupBy, check.namespace)}
        </Link>
      </div>
      <div className="flex items-center justify-between gap-2">
        <Status health={check.status} />
        <Badge>{check.namespace}</Badge>
      </div>
      {note ? <p className="text-xs text-muted">{note}</p> : null}
      <div className="flex min-h-4 items-center justify-between gap-3 text-xs text-muted">
        {check.results === "" ? <span>–</span> : <ResultStrip passed={resultsOf(check.results)} />}
        <span className="flex gap-3 whitespace-nowrap tabular-nums">
          {sums ? <span title="Uptime">{percent(uptime(sums)) || "–"}</span> : null}
          <span title="Latency, 95 %">{duration(check.latency)}</span>
        </span>
      </div>
    </li>
  );
}

/** A closed group is a card of its sums, an open one a line over the cards of its checks. */
function GroupCard({ group, search }: { group: GroupLine; search: HealthSearch }) {
  const { key, open, checks } = group;
  const to = healthPath({ ...withoutDrawer(search), open: toggled(search.open, group, search.query) });
  const name = (
    <>
      <Link to={to} replace preventScrollReset aria-expanded={open} title={key} className={WHOLE}>
        {key}
      </Link>
      <CountBadge value={count(checks)} />
    </>
  );
  if (open)
    return (
      <li className="relative col-span-full flex flex-wrap items-center gap-3 border-b border-line px-1 pt-2 pb-1.5">
        <span className="flex min-w-0 items-center gap-2">{name}</span>
        <GroupCounts {...group} />
      </li>
    );
  return (
    <li className={CARD}>
      <span className="flex min-w-0 items-center gap-2">{name}</span>
      <GroupCounts {...group} />
      <div className="flex justify-between gap-3 text-xs text-muted tabular-nums">
        <GroupUptime {...group} />
        <span title="Mean latency">{duration(group.latency)}</span>
      </div>
    </li>
  );
}
