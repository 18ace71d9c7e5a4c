import { count } from "#app/lib/format/count.ts";
import { duration } from "#app/lib/format/duration.ts";
import { percent, uptime } from "#app/lib/format/percent.ts";
import type { ReactNode } from "react";
import { Badge } from "#app/ui/marks/badge.tsx";
import { ResultStrip } from "#app/ui/marks/result-strip.tsx";
import { lookOfHealth, Status } from "#app/ui/marks/status.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { CheckIcon } from "./check-icon.tsx";
import { displayName, nextSort, recentTransition, sortState } from "./model.ts";
import {
  checkPath,
  healthPath,
  healthSearch,
  SORT_COLUMNS,
  withoutDrawer,
  type HealthSearch,
  type SortColumn,
} from "./paths.ts";
import type { ListedCheck } from "./queries.server.ts";

/** The headings that sort, and what they are called. */
const SORTED: Record<SortColumn, string> = {
  name: "Checks",
  status: "Health",
  last_transition_time: "Transition",
};

type ChecksTableProps = { rows: ListedCheck[]; search: HealthSearch; now: number; pager: ReactNode };

/** The health table (specification 1 §2): whole rows lead to the drawer, headings sort in the URL. */
export function ChecksTable({ rows, search, now, pager }: ChecksTableProps) {
  const sortBy = (column: SortColumn) => {
    const sort = nextSort(search.sort, column) ?? healthSearch.read(new URLSearchParams()).sort;
    return {
      label: SORTED[column],
      to: healthPath({ ...withoutDrawer(search), sort, page: 1 }),
      state: sortState(search.sort, column),
    };
  };
  return (
    <Table caption="Checks" sorts={SORT_COLUMNS.map(sortBy)} foot={pager}>
      <TableHead>
        <HeadCell sort={sortBy("name")}>{SORTED.name}</HeadCell>
        <HeadCell width="w-34" sort={sortBy("status")}>
          {SORTED.status}
        </HeadCell>
        <HeadCell width="w-38" room="widest">
          Last results
        </HeadCell>
        <HeadCell width="w-20" numeric>
          Uptime
        </HeadCell>
        <HeadCell width="w-22" numeric>
          Latency
        </HeadCell>
        <HeadCell width="w-28" numeric room="wide" sort={sortBy("last_transition_time")}>
          {SORTED.last_transition_time}
        </HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((check) => (
          <CheckRow key={check.id} check={check} search={search} now={now} />
        ))}
      </TableBody>
    </Table>
  );
}

function CheckRow({ check, search, now }: { check: ListedCheck; search: HealthSearch; now: number }) {
  const name = displayName(check);
  return (
    <Row tone={lookOfHealth(check.status).tone} selected={check.id === search.checkId}>
      <Cell kind="main">
        <span className="flex min-w-0 items-center gap-2">
          <CheckIcon type={check.type} />
          <RowLink to={checkPath(search, check.id)} title={`${name}, ${check.type}${inGroup(check)}`}>
            {name}
          </RowLink>
          <Badge>{check.namespace}</Badge>
        </span>
      </Cell>
      <Cell kind="aside">
        <Status health={check.status} />
      </Cell>
      <Cell room="widest">
        <ResultStrip passed={check.results} />
      </Cell>
      <Cell numeric>
        {check.uptime ? (
          <span
            title={`${count(check.uptime.passed)} of ${count(check.uptime.passed + check.uptime.failed)} passed`}
          >
            {percent(uptime(check.uptime)) || "–"}
          </span>
        ) : null}
      </Cell>
      <Cell numeric>{duration(check.latency)}</Cell>
      <Cell numeric room="wide">
        <Age at={recentTransition(check.last_transition_time, now)} now={now} />
      </Cell>
    </Row>
  );
}

const inGroup = ({ canary }: ListedCheck) => (canary ? `, group ${canary.name}` : "");
