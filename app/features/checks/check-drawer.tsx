import { Play, Radio } from "lucide-react";
import type { ReactNode } from "react";
import { TIME_RANGES } from "#app/contract/words/checks.ts";
import { utc } from "#app/lib/format/age.ts";
import { Badge, Tags } from "#app/ui/marks/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Copy } from "#app/ui/copy.tsx";
import { Drawer } from "#app/ui/drawer.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { FilterSelect } from "#app/ui/select.tsx";
import { StatusPill } from "#app/ui/marks/status.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { cx } from "#app/ui/parts/cx.ts";
import { CheckChart, CheckLegend } from "./check-chart.tsx";
import { CheckHistory } from "./check-history.tsx";
import { CheckIcon } from "./check-icon.tsx";
import { CheckTiles } from "./check-tiles.tsx";
import { DRAWER_TABS, type DrawerTab } from "./history-filter.ts";
import { healthPath, healthSearch, withoutDrawer, type HealthSearch } from "./paths.ts";
import type { CheckInDrawer } from "./drawer.server.ts";

type CheckDrawerProps = {
  check: CheckInDrawer;
  search: HealthSearch;
  now: number;
  canRun: boolean;
  /** What a refused run was told. */
  errors?: readonly string[] | null | undefined;
};

/** One check over the list it was opened from (specification 1 §2). */
export function CheckDrawer({ check, search, now, canRun, errors }: CheckDrawerProps) {
  return (
    <Drawer
      title={check.displayName}
      closeTo={healthPath(withoutDrawer(search))}
      icon={<CheckIcon type={check.type} />}
      status={
        <>
          <StatusPill health={check.status} />
          <Badge>{check.namespace}</Badge>
          <AgentBadge agent={check.agent} />
        </>
      }
      lead={<Lead check={check} />}
      foot={canRun ? <RunNow id={check.id} errors={errors} /> : null}
    >
      {check.deleted_at ? (
        <Notice tone="warning">
          This check was deleted at {utc(check.deleted_at)}: it does not run any more.
        </Notice>
      ) : null}
      <CheckTiles check={check} now={now} />
      <Overview check={check} search={search} />
      <DrawerTabs search={search} />
      <section
        aria-label="History"
        className={cx("grid grid-cols-[minmax(0,1fr)] gap-3", isGraph(search) && "short:hidden")}
      >
        <h3 className="short:hidden">History</h3>
        <CheckHistory {...check.history} search={search} />
      </section>
    </Drawer>
  );
}

const isGraph = ({ drawerTab }: HealthSearch) => drawerTab === "graph";

/**
 * The chart with its range. On a short screen it is a tab beside History (specification 1 §2); both are in the page,
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
          <RangeForm check={check} search={search} />
        </div>
      </div>
      <div className={shown}>
        <CheckChart chart={check.chart} />
      </div>
    </section>
  );
}

const TABS: Record<DrawerTab, string> = { history: "History", graph: "Graph" };

function DrawerTabs({ search }: { search: HealthSearch }) {
  return (
    <div className="not-short:hidden">
      <Tabs
        label="Check"
        tabs={DRAWER_TABS.map((tab) => ({
          to: healthPath({ ...search, drawerTab: tab }),
          label: TABS[tab],
          current: tab === search.drawerTab,
        }))}
      />
    </div>
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

function Lead({ check }: { check: CheckInDrawer }): ReactNode {
  return (
    <>
      {check.endpoint && check.endpoint !== check.displayName ? (
        <div className="flex min-w-0 items-center gap-1">
          <p className="truncate font-mono text-xs text-faint" title={check.endpoint}>
            {check.endpoint}
          </p>
          <Copy text={check.endpoint} label="Copy endpoint" />
        </div>
      ) : null}
      {check.description && check.description !== check.displayName ? (
        <p className="text-muted">{check.description}</p>
      ) : null}
      <Tags labels={check.labels ?? {}} />
    </>
  );
}

/** The all-zero agent means none (specification 1 §3). */
function AgentBadge({ agent }: Pick<CheckInDrawer, "agent">) {
  if (!agent || /^[0-]+$/.test(agent.id)) return null;
  return (
    <Badge>
      <Radio aria-hidden="true" className="size-3.5" />
      {agent.name}
    </Badge>
  );
}

function RangeForm({ check, search }: { check: CheckInDrawer; search: HealthSearch }) {
  const keep = healthSearch.entries({ ...search, timeRange: "", historyPage: 1 });
  return (
    <FilterForm label="Time range" keep={keep}>
      <FilterSelect label="Time range" name="timeRange" value={check.range} options={TIME_RANGES} />
    </FilterForm>
  );
}

function RunNow({ id, errors }: { id: string; errors: CheckDrawerProps["errors"] }) {
  return (
    <PostForm intent="run" errors={errors} className="ml-auto flex flex-wrap items-center gap-3">
      <input type="hidden" name="id" value={id} />
      <SubmitButton intent="run" busy="Running…" icon={<Play aria-hidden="true" />}>
        Run now
      </SubmitButton>
    </PostForm>
  );
}
