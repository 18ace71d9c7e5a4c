import type { CheckTransition } from "#app/contract/rows/check-drawer.ts";
import { STATUS_HISTORY_PAGE_SIZE } from "#app/contract/words/checks.ts";
import { counted } from "#app/lib/format/count.ts";
import { longDuration } from "#app/lib/format/duration.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Status } from "#app/ui/marks/status.tsx";
import { When } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { healthOfRun } from "./run-words.ts";
import { healthPath, type HealthSearch } from "./paths.ts";

type CheckEventsProps = {
  rows: CheckTransition[];
  total: number;
  isWhole: boolean;
  /** "in the last 1 hour", and where the range ends, ms. */
  range: { words: string; to: number };
  search: HealthSearch;
};

/** "What happened": each time the check turned in the range, how long it stayed so, and what it said. */
export function CheckEvents({ rows, total, isWhole, range, search }: CheckEventsProps) {
  if (rows.length === 0 && total > 0)
    return (
      <Empty
        small
        actions={<ButtonLink to={healthPath({ ...search, eventsPage: 1 })}>First page</ButtonLink>}
      >
        There is no page {search.eventsPage} of this list.
      </Empty>
    );
  if (rows.length === 0) return <Empty small>Its health did not change {range.words}.</Empty>;
  return (
    <>
      <p className="text-xs text-muted">
        {counted(total, "change")} {range.words}
      </p>
      {isWhole ? null : (
        <Notice tone="warning">
          This backend does not tell when a check turned: only its newest 5,000 runs were looked at.
        </Notice>
      )}
      <Table
        caption="What happened"
        sticky="scroller"
        foot={
          <Pager
            label="What happened"
            page={search.eventsPage}
            pageSize={STATUS_HISTORY_PAGE_SIZE}
            total={total}
            href={(page) => healthPath({ ...search, eventsPage: page })}
          />
        }
      >
        <TableHead>
          <HeadCell width="w-48">Time</HeadCell>
          <HeadCell width="w-32">Became</HeadCell>
          <HeadCell width="w-28" numeric>
            For
          </HeadCell>
          <HeadCell>Message</HeadCell>
        </TableHead>
        <TableBody>
          {rows.map((turn) => (
            <Row key={turn.time}>
              <Cell kind="main">
                <When at={turn.time} />
              </Cell>
              <Cell kind="aside">
                <Status health={healthOfRun(turn.to)} />
              </Cell>
              <Cell label="For" numeric>
                {lasted(turn, range.to)}
              </Cell>
              <Cell kind="full" wrap>
                <span className="whitespace-pre-line">{wordsOf(turn)}</span>
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </>
  );
}

const wordsOf = ({ message, error, approximate, from, to }: CheckTransition) =>
  approximate
    ? "Within this hour. Single runs of that time are not kept any more."
    : [message, error].filter(Boolean).join(" — ") ||
      (from === null ? "First result" : to ? "Passed again" : "Failed");

/** Its two greatest units: "2d7h", "4m30s". */
const lasted = ({ time, until }: CheckTransition, end: number) =>
  longDuration(Math.max((until ? Date.parse(until) : end) - Date.parse(time), 0)).replace(
    /^(\d+[a-z]+\d+[a-z]+).*/,
    "$1",
  );
