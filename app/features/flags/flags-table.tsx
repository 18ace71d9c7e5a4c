import type { ReactNode } from "react";
import { Badge } from "#app/ui/marks/badge.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import type { Flag } from "./model.ts";
import { flagsPath } from "./paths.ts";

/** Properties as they are written (facts/ui-screens §7.8): a row leads to its dialog, whoever may not write only reads. */
export function FlagsTable({
  flags,
  canWrite,
  now,
  foot,
}: {
  flags: readonly Flag[];
  canWrite: boolean;
  now: number;
  foot?: ReactNode;
}) {
  return (
    <Table caption="Properties" foot={foot}>
      <TableHead>
        <HeadCell>Name</HeadCell>
        <HeadCell room="widest">Description</HeadCell>
        <HeadCell>Value</HeadCell>
        <HeadCell width="w-24">Source</HeadCell>
        <HeadCell width="w-32" room="wide">
          Created By
        </HeadCell>
        <HeadCell width="w-24" room="wide">
          Created At
        </HeadCell>
        <HeadCell width="w-24" room="widest">
          Updated At
        </HeadCell>
      </TableHead>
      <TableBody>
        {flags.map((flag) => (
          <Row key={flag.name}>
            <Cell kind="main">
              <span className="font-mono text-xs">
                {canWrite ? (
                  <RowLink near to={flagsPath({ edit: flag.name })} title={flag.name}>
                    {flag.name}
                  </RowLink>
                ) : (
                  flag.name
                )}
              </span>
            </Cell>
            <Cell label="Description" room="widest">
              {flag.description}
            </Cell>
            <Cell label="Value">
              <span className="font-mono text-xs" title={flag.value}>
                {flag.value}
              </span>
            </Cell>
            <Cell label="Source">{flag.isLocal ? <Badge>local</Badge> : "db"}</Cell>
            <Cell label="Created By" room="wide">
              {flag.author}
            </Cell>
            <Cell label="Created At" room="wide">
              <Age at={flag.createdAt} now={now} />
            </Cell>
            <Cell label="Updated At" room="widest">
              <Age at={flag.updatedAt} now={now} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
