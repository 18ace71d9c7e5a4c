import type { ReactNode } from "react";
import type { CheckLine, CheckPage, GroupLine } from "#app/contract/rows/check-page.ts";
import { count } from "#app/lib/format/count.ts";
import { duration } from "#app/lib/format/duration.ts";
import { percent, uptime } from "#app/lib/format/percent.ts";
import { Badge } from "#app/ui/marks/badge.tsx";
import { ResultStrip } from "#app/ui/marks/result-strip.tsx";
import { lookOfHealth, Status } from "#app/ui/marks/status.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { CheckIcon } from "./check-icon.tsx";
import { GroupRow } from "./group-row.tsx";
import { lateRun, nextSort, recentTransition, resultsOf, sortState, titleIn } from "./model.ts";
import {
  checkPath,
  healthSearch,
  listPath,
  SORT_COLUMNS,
  type HealthSearch,
  type SortColumn,
} from "./paths.ts";

type ChecksTableProps = {
  lines: CheckPage["lines"];
  /** Why checks of a type have no result, by the type. */
  notes: Readonly<Record<string, string>>;
  search: HealthSearch;
  now: number;
  pager: ReactNode;
};

/** The headings that sort, and what they are called. */
const SORTED: Record<SortColumn, string> = {
  name: "Checks",
  status: "Health",
  uptime: "Uptime",
  latency: "Latency",
  last_transition_time: "Transition",
};
const BY_NAME = healthSearch.read(new URLSearchParams()).sort;

/**
 * The health table (specification 1 §2): the row of a check leads to its drawer, the row of a group opens it, headings
 * sort. All of it in the URL.
 */
export function ChecksTable({ lines, notes, search, now, pager }: ChecksTableProps) {
  const sortBy = (column: SortColumn) => ({
    label: SORTED[column],
    to: listPath(search, { sort: nextSort(search.sort, column) ?? BY_NAME }),
    state: sortState(search.sort, column),
  });
  const groups = new Map(lines.flatMap((line) => (line.kind === "group" ? [[line.key, line] as const] : [])));
  return (
    <Table caption="Checks" sorts={SORT_COLUMNS.map(sortBy)} foot={pager}>
      <TableHead>
        <HeadCell sort={sortBy("name")}>{SORTED.name}</HeadCell>
        <HeadCell width="w-34" sort={sortBy("status")}>
          {SORTED.status}
        </HeadCell>
        <HeadCell width="w-38" room="wide">
          Last results
        </HeadCell>
        <HeadCell width="w-26" numeric sort={sortBy("uptime")}>
          {SORTED.uptime}
        </HeadCell>
        <HeadCell width="w-24" numeric sort={sortBy("latency")}>
          {SORTED.latency}
        </HeadCell>
        <HeadCell width="w-28" numeric room="wide" sort={sortBy("last_transition_time")}>
          {SORTED.last_transition_time}
        </HeadCell>
      </TableHead>
      <TableBody>
        {lines.map((line) =>
          line.kind === "group" ? (
            <GroupRow key={`group ${line.key}`} group={line} search={search} now={now} />
          ) : (
            <CheckRow
              key={line.id}
              check={line}
              note={notes[line.type]}
              group={line.group === null ? undefined : groups.get(line.group)}
              search={search}
              now={now}
            />
          ),
        )}
      </TableBody>
    </Table>
  );
}

type CheckRowProps = {
  check: CheckLine;
  note: string | undefined;
  group: GroupLine | undefined;
  search: HealthSearch;
  now: number;
};

function CheckRow({ check, note, group, search, now }: CheckRowProps) {
  const { title, passed, failed } = check;
  const sums = passed === null || failed === null ? null : { passed, failed };
  // The row above says it for all of a group that is in one namespace, and a tab of a namespace for all of its list.
  const spoken =
    group?.namespaces.length === 1 ||
    (search.tabBy === "namespace" && search.tab !== "" && search.tab !== "none");
  return (
    <Row tone={lookOfHealth(check.status).tone} selected={check.id === search.checkId}>
      <Cell kind="main">
        <span className={group ? INDENTED : FLAT}>
          <CheckIcon type={check.type} icon={check.icon} />
          <RowLink
            near
            to={checkPath(search, check.id)}
            title={`${title}, ${check.type}, group ${check.canary}`}
          >
            {titleIn(check.group, title, search.groupBy, check.namespace)}
          </RowLink>
          {spoken ? null : <Badge>{check.namespace}</Badge>}
        </span>
      </Cell>
      <Cell kind="aside">
        {note ? (
          <span title={note}>
            <Status health={check.status} label="Not run here" />
            <span className="sr-only">. {note}</span>
          </span>
        ) : (
          <>
            <Status health={check.status} />{" "}
            <Age at={lateRun(check.ran, now)} now={now} className="text-xs text-muted" />
          </>
        )}
      </Cell>
      <Cell room="wide">
        <ResultStrip passed={resultsOf(check.results)} />
      </Cell>
      <Cell
        numeric
        hint={sums ? `${count(sums.passed)} of ${count(sums.passed + sums.failed)} passed` : undefined}
      >
        {sums ? percent(uptime(sums)) || "–" : null}
      </Cell>
      <Cell numeric>{duration(check.latency)}</Cell>
      <Cell numeric room="wide">
        <Age at={recentTransition(check.moved, now)} now={now} />
      </Cell>
    </Row>
  );
}

const FLAT = "flex min-w-0 items-center gap-2";
const INDENTED = `${FLAT} @min-[38rem]/table:pl-6`;
