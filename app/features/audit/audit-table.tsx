import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { AuditRow } from "#app/contract/rows/audit.ts";
import { AUDIT_ACTIONS, AUDIT_KINDS, wordOf } from "#app/contract/words/audit.ts";
import { LINK } from "#app/ui/button.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { auditPath, type AuditSearch } from "./paths.ts";
import { nameOfRecord, pathOfRecord } from "./record.ts";

/** Nobody who could be named: a sign-in that failed. */
const NOBODY = "Nobody";

/** When, who, what, which record, from where; a row opens what changed. */
export function AuditTable({
  rows,
  search,
  now,
  pager,
}: {
  rows: readonly AuditRow[];
  search: AuditSearch;
  now: number;
  pager: ReactNode;
}) {
  return (
    <Table caption="Audit log" foot={pager}>
      <TableHead>
        <HeadCell width="w-24">Time</HeadCell>
        <HeadCell width="w-48">Person</HeadCell>
        <HeadCell width="w-44">Action</HeadCell>
        <HeadCell width="w-36" room="wide">
          Kind
        </HeadCell>
        <HeadCell>Record</HeadCell>
        <HeadCell width="w-40" room="widest">
          From
        </HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <Row
            key={row.id}
            selected={row.id === search.id}
            {...(isAlarm(row) ? { tone: "unhealthy" as const } : {})}
          >
            <Cell label="Time">
              <Age at={row.at} now={now} />
            </Cell>
            <Cell label="Person">{row.actor ?? NOBODY}</Cell>
            <Cell kind="main">
              <RowLink near to={auditPath({ ...search, id: row.id })}>
                {wordOf(AUDIT_ACTIONS, row.action)}
              </RowLink>
            </Cell>
            <Cell label="Kind" room="wide">
              {wordOf(AUDIT_KINDS, row.kind)}
            </Cell>
            <Cell label="Record">
              <Record row={row} />
            </Cell>
            <Cell label="From" room="widest">
              {row.client ?? ""}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

const isAlarm = ({ action }: AuditRow) => action === "sign-in-failed";

/** The record's name, a link where it has a page. */
function Record({ row }: { row: AuditRow }) {
  const to = pathOfRecord(row);
  const name = nameOfRecord(row);
  return to ? (
    <Link to={to} className={`${LINK} relative inline-block max-w-full truncate py-1 align-middle`}>
      {name}
    </Link>
  ) : (
    name
  );
}
