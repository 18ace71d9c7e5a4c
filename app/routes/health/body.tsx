import { PAGE_SIZES } from "#app/contract/words/tables.ts";
import { ChecksCards } from "#app/features/checks/checks-cards.tsx";
import { ChecksPivot } from "#app/features/checks/checks-pivot.tsx";
import { ChecksTable } from "#app/features/checks/checks-table.tsx";
import type { ListedChecks } from "#app/features/checks/list.server.ts";
import {
  healthPath,
  healthSearch,
  listRange,
  withoutDrawer,
  type HealthSearch,
} from "#app/features/checks/paths.ts";
import { counted } from "#app/lib/format/count.ts";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Chips } from "./chips.tsx";
import { HealthFilters, HealthTabs } from "./filters.tsx";
import { NoChecks } from "./no-checks.tsx";
import { HealthPanel } from "./panel.tsx";

type BodyProps = { search: HealthSearch; checks: ListedChecks; now: number; canAdd: boolean };

/** Filters at the left where there is room, the list beside them; without any check only what to do next. */
export function HealthBody({ search, checks, now, canAdd }: BodyProps) {
  if (checks.counts.total === 0) return <NoChecks search={search} checks={checks} canAdd={canAdd} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 max-sm:gap-y-3 xl:grid-cols-[14rem_minmax(0,1fr)] xl:grid-rows-[auto_minmax(0,1fr)]">
      <div className="xl:col-start-2">
        <HealthFilters search={search} checks={checks} />
      </div>
      <HealthPanel search={search} labels={checks.labels} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 max-sm:gap-3 xl:col-start-2">
        <Chips search={search} />
        <HealthTabs search={search} checks={checks} />
        <Said search={search} checks={checks} />
        <Checks search={search} checks={checks} now={now} canAdd={canAdd} />
      </div>
    </div>
  );
}

/** What a backend cannot tell that answers everything at once. */
function Said({ search, checks: { unread, ranged } }: Pick<BodyProps, "search" | "checks">) {
  const isShort = listRange(search) !== "" && !ranged;
  if (unread === 0 && !isShort) return null;
  return (
    <Notice tone="warning">
      {unread > 0
        ? `This backend tells of all its checks at once. The page is made of the first 5,000; ${counted(unread, "check")} more ${unread === 1 ? "is" : "are"} not in it. `
        : ""}
      {isShort ? "This backend tells uptime and latency of the last hour only, whatever the time range." : ""}
    </Notice>
  );
}

function Checks({ search, checks, now, canAdd }: BodyProps) {
  const { lines, pivot, notes } = checks;
  const pager = <ChecksPager total={checks.total} search={search} />;
  if (pivot && pivot.rows.length > 0) return <ChecksPivot pivot={pivot} search={search} pager={pager} />;
  if (lines.length === 0) return <NoChecks search={search} checks={checks} canAdd={canAdd} />;
  return search.layout === "card" ? (
    <ChecksCards lines={lines} notes={notes} search={search} pager={pager} />
  ) : (
    <ChecksTable lines={lines} notes={notes} search={search} now={now} pager={pager} />
  );
}

function ChecksPager({ total, search }: { total: number; search: HealthSearch }) {
  const list = withoutDrawer(search);
  return (
    <Pager
      label="Checks"
      page={search.page}
      pageSize={search.pageSize}
      total={total}
      href={(page) => healthPath({ ...list, page })}
      size={{
        name: "pageSize",
        options: PAGE_SIZES,
        keep: healthSearch.entries({ ...list, page: 1, pageSize: undefined }),
      }}
    />
  );
}
