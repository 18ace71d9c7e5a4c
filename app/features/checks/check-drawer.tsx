import type { ReactNode } from "react";
import { utc } from "#app/lib/format/age.ts";
import { count } from "#app/lib/format/count.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Drawer } from "#app/ui/drawer.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { CheckActions } from "./check-actions.tsx";
import { CheckBadge } from "./check-badge.tsx";
import { CheckChart, CheckLegend } from "./check-chart.tsx";
import { CheckEvents } from "./check-events.tsx";
import { CheckBadges, CheckLead } from "./check-header.tsx";
import { CheckHistory } from "./check-history.tsx";
import { CheckIcon } from "./check-icon.tsx";
import { CheckRange, CheckRangeNote } from "./check-range.tsx";
import { CheckRelationships } from "./check-relationships.tsx";
import { CheckRunPanel } from "./check-run.tsx";
import { CheckSpec } from "./check-spec.tsx";
import { CheckTiles } from "./check-tiles.tsx";
import { DRAWER_TABS, type DrawerTab } from "./history-filter.ts";
import { healthPath, withoutDrawer, type HealthSearch } from "./paths.ts";
import type { CheckInDrawer } from "./drawer.server.ts";

type CheckDrawerProps = {
  check: CheckInDrawer;
  search: HealthSearch;
  now: number;
  canRun: boolean;
  canEdit: boolean;
  /** What a refused run was told. */
  errors?: readonly string[] | null | undefined;
};

/** One check over the list it was opened from (specification 1 §2). */
export function CheckDrawer({ check, search, now, canRun, canEdit, errors }: CheckDrawerProps) {
  return (
    <Drawer
      title={check.displayName}
      closeTo={healthPath(withoutDrawer(search))}
      icon={<CheckIcon type={check.type} />}
      status={<CheckBadges check={check} />}
      lead={<CheckLead check={check} />}
      foot={<CheckActions check={check} canRun={canRun} canEdit={canEdit} errors={errors} />}
    >
      {check.deleted_at ? (
        <Notice tone="warning">
          This check was deleted at {utc(check.deleted_at)}: it does not run any more.
        </Notice>
      ) : null}
      {check.notRun ? (
        <Notice tone="unknown">
          {check.notRun} It is kept as it is, and counts neither as passing nor as failing.
        </Notice>
      ) : null}
      {search.run ? <CheckRunPanel run={check.run} closeTo={healthPath({ ...search, run: "" })} /> : null}
      <CheckTiles check={check} now={now} />
      <Overview check={check} search={search} />
      <DrawerTabs search={search} related={check.related.length} isPublic={check.isPublic} />
      <OpenTab check={check} search={search} />
    </Drawer>
  );
}

const isGraph = ({ drawerTab }: HealthSearch) => drawerTab === "graph";

/**
 * The chart with its range. On a short screen it is a tab beside the others (specification 1 §2); both are in the page,
 * and the style sheet shows the one that the address names.
 */
function Overview({ check, search }: { check: CheckInDrawer; search: HealthSearch }) {
  const shown = isGraph(search) ? undefined : "short:hidden";
  return (
    <section aria-label="Health overview" className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className={shown}>Health overview</h3>
        <div className={shown}>
          <CheckLegend chart={check.chart} />
        </div>
        <div className="ml-auto">
          <CheckRange range={check.range} search={search} />
        </div>
      </div>
      <CheckRangeNote range={check.range} search={search} />
      <div className={shown}>
        <CheckChart chart={check.chart} range={check.range} search={search} />
      </div>
    </section>
  );
}

const TABS: Record<DrawerTab, string> = {
  history: "History",
  graph: "Graph",
  events: "What happened",
  spec: "Spec",
  relationships: "Relationships",
  badge: "Badge",
};

/** In standalone mode. */
const PUBLIC_TABS: readonly DrawerTab[] = ["history", "graph", "events"];

/** Where the screen is high enough the chart is above, and its tab is History. */
function DrawerTabs({
  search,
  related,
  isPublic,
}: {
  search: HealthSearch;
  related: number;
  isPublic: boolean;
}) {
  return (
    <Tabs
      label="Check"
      tabs={DRAWER_TABS.filter((tab) => !isPublic || PUBLIC_TABS.includes(tab)).map((tab) => ({
        to: healthPath({ ...search, drawerTab: tab }),
        label: TABS[tab],
        current: tab === search.drawerTab,
        ...(tab === "graph" ? { shortOnly: true } : {}),
        ...(tab === "relationships" ? { count: count(related) } : {}),
      }))}
    />
  );
}

function OpenTab({ check, search }: { check: CheckInDrawer; search: HealthSearch }) {
  const { history, events, spec } = check.tab;
  const body: Partial<Record<DrawerTab, () => ReactNode>> = {
    events: () => (events ? <CheckEvents {...events} range={check.range} search={search} /> : null),
    spec: () => <CheckSpec spec={spec} />,
    badge: () => <CheckBadge check={check} origin={check.origin} />,
    relationships: () => <CheckRelationships related={check.related} />,
  };
  const label = isGraph(search) ? TABS.history : TABS[search.drawerTab];
  return (
    <section
      aria-label={label}
      className={
        isGraph(search)
          ? "grid grid-cols-[minmax(0,1fr)] gap-3 short:hidden"
          : "grid grid-cols-[minmax(0,1fr)] gap-3"
      }
    >
      {body[search.drawerTab]?.() ??
        (history ? <CheckHistory {...history} id={check.id} search={search} /> : <Empty small />)}
    </section>
  );
}

/** The address asks for a check that is not there: said where it would have been. */
export function MissingCheckDrawer({ search }: { search: HealthSearch }) {
  const closeTo = healthPath(withoutDrawer(search));
  return (
    <Drawer title="Check not found" closeTo={closeTo}>
      <Empty actions={<ButtonLink to={closeTo}>Show all checks</ButtonLink>}>
        There is no check with this id. It may have been deleted, or the link may be incomplete.
      </Empty>
    </Drawer>
  );
}
