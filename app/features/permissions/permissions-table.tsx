import type { ReactNode } from "react";
import type { PermissionRow } from "#app/contract/rows/permissions.ts";
import { Age, When } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { subjectOf, targetOf } from "./model.ts";
import { permissionPath } from "./paths.ts";
import { ActionName, SubjectName, TargetName } from "./target.tsx";

/** The list of permissions (facts/ui-screens §7.10): a row leads to its page. */
export function PermissionsTable({
  rows,
  now,
  pager,
}: {
  rows: readonly PermissionRow[];
  now: number;
  pager: ReactNode;
}) {
  return (
    <Table caption="Permissions" foot={pager}>
      <TableHead>
        <HeadCell>Resource</HeadCell>
        <HeadCell>Subject</HeadCell>
        <HeadCell width="w-48">Action</HeadCell>
        <HeadCell width="w-52" room="wide">
          Until
        </HeadCell>
        <HeadCell width="w-22" room="widest">
          Updated
        </HeadCell>
        <HeadCell width="w-22" room="widest">
          Created
        </HeadCell>
        <HeadCell width="w-36" room="widest">
          Created By
        </HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <Line key={row.id} row={row} now={now} />
        ))}
      </TableBody>
    </Table>
  );
}

function Line({ row, now }: { row: PermissionRow; now: number }) {
  const target = targetOf(row);
  const ended = row.until !== null && row.until !== undefined && row.until.getTime() <= now;
  return (
    <Row>
      <Cell kind="main">
        <RowLink to={permissionPath(row.id)} title={target.name ?? ""}>
          <TargetName {...target} />
        </RowLink>
      </Cell>
      <Cell label="Subject">
        <SubjectName {...subjectOf(row)} />
      </Cell>
      <Cell label="Action">
        <ActionName action={row.action} deny={row.deny ?? false} />
      </Cell>
      <Cell label="Until" room="wide">
        {row.until ? (
          ended ? (
            <span className="text-faint">
              ended <Age at={row.until} now={now} />
            </span>
          ) : (
            <When at={row.until} />
          )
        ) : null}
      </Cell>
      <Cell label="Updated" room="widest">
        <Age at={row.updated_at} now={now} />
      </Cell>
      <Cell label="Created" room="widest">
        <Age at={row.created_at} now={now} />
      </Cell>
      <Cell label="Created By" room="widest">
        {row.createdBy?.name}
      </Cell>
    </Row>
  );
}
