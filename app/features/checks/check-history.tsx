import { counted } from "#app/lib/format/count.ts";
import { longDuration } from "#app/lib/format/duration.ts";
import type { CheckStatusRow } from "#app/contract/rows/check-drawer.ts";
import { STATUS_HISTORY_PAGE_SIZE } from "#app/contract/words/checks.ts";
import { ButtonLink, LINK } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { When } from "#app/ui/marks/time.tsx";
import { CheckMessage } from "./check-message.tsx";
import { RunDetails } from "./check-run.tsx";
import { HistoryFilters } from "./history-filters.tsx";
import { healthPath, healthPaths, historyCsvPath, type HealthSearch } from "./paths.ts";
import type { RunInFull } from "./history.server.ts";

type CheckHistoryProps = {
  rows: CheckStatusRow[];
  total: number;
  /** The row that the address opens. */
  open: RunInFull | null;
  /** What is wrong with the duration filter. */
  error: string | null;
  id: string;
  search: HealthSearch;
};

/** What each run said, newest first, fifty to a page (specification 1 §9), with its filters. */
export function CheckHistory({ rows, total, open, error, id, search }: CheckHistoryProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <HistoryFilters search={search} error={error} />
        <p className="flex items-center gap-3 text-xs text-muted">
          {counted(total, "result")}
          <a href={historyCsvPath(search, id)} download className={LINK}>
            CSV
          </a>
        </p>
      </div>
      {rows.length > 0 ? (
        <HistoryTable rows={rows} total={total} open={open} search={search} />
      ) : (
        <NoHistory total={total} search={search} />
      )}
    </>
  );
}

/** Why there is no row, and the way on. */
function NoHistory({ total, search }: { total: number; search: HealthSearch }) {
  const { historyStatus, historyDuration, historyPage } = search;
  if (total > 0)
    return (
      <Empty
        small
        actions={<ButtonLink to={healthPath({ ...search, historyPage: 1 })}>First page</ButtonLink>}
      >
        There is no page {historyPage} of this history.
      </Empty>
    );
  if (historyStatus === "all" && historyDuration === "") return <Empty small />;
  const all = healthPath({ ...search, historyStatus: "all", historyDuration: "", historyPage: 1 });
  return (
    <Empty small actions={<ButtonLink to={all}>Show all results</ButtonLink>}>
      No result in this time range matches these filters.
    </Empty>
  );
}

function HistoryTable({ rows, total, open, search }: Omit<CheckHistoryProps, "error" | "id">) {
  const pager = (
    <Pager
      label="History"
      page={search.historyPage}
      pageSize={STATUS_HISTORY_PAGE_SIZE}
      total={total}
      href={(page) => healthPath({ ...search, historyPage: page })}
    />
  );
  const runPath = healthPaths(search, "historyRun");
  return (
    <Table caption="History" sticky="scroller" foot={pager}>
      <TableHead>
        <HeadCell width="w-48">Time</HeadCell>
        <HeadCell width="w-24" numeric>
          Duration
        </HeadCell>
        <HeadCell>Message</HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((run) => {
          const isOpen = open?.time === run.time;
          return (
            <Row key={run.time} selected={isOpen}>
              <Cell kind="main">
                <RowLink
                  to={
                    isOpen
                      ? healthPath({ ...search, historyRun: "" })
                      : runPath(new Date(run.time).toISOString())
                  }
                  title={isOpen ? "Hide the details" : "Show the details"}
                  expanded={isOpen}
                  strong={false}
                >
                  <When at={run.time} />
                </RowLink>
              </Cell>
              <Cell kind="aside" numeric>
                {longDuration(run.duration)}
              </Cell>
              <Cell kind="full" wrap>
                <CheckMessage run={run} />
                {isOpen ? (
                  <div className="relative pt-2">
                    {open.details ? (
                      <RunDetails run={open} />
                    ) : (
                      <p className="text-xs text-faint">No details</p>
                    )}
                  </div>
                ) : null}
              </Cell>
            </Row>
          );
        })}
      </TableBody>
    </Table>
  );
}
