import { Boxes, Braces } from "lucide-react";
import { Empty } from "#app/ui/empty.tsx";
import { Badge } from "#app/ui/marks/badge.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import type { CheckInDrawer } from "./drawer.server.ts";

/** Components and configs the check is linked to; each row leads there (specification 1 §2). */
export function CheckRelationships({ related }: Pick<CheckInDrawer, "related">) {
  if (related.length === 0) return <Empty small>No component and no config is linked to this check.</Empty>;
  return (
    <Table caption="Relationships" sticky="scroller">
      <TableHead>
        <HeadCell>Name</HeadCell>
        <HeadCell width="w-32">Type</HeadCell>
      </TableHead>
      <TableBody>
        {related.map(({ id, name, kind, type }) => (
          <Row key={kind + id}>
            <Cell kind="main">
              <span className="flex min-w-0 items-center gap-2 [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-faint">
                {kind === "Component" ? <Boxes aria-hidden="true" /> : <Braces aria-hidden="true" />}
                <RowLink to={kind === "Component" ? `/topology/${id}` : `/catalog/${id}`}>{name}</RowLink>
                {type ? <Badge>{type}</Badge> : null}
              </span>
            </Cell>
            <Cell kind="aside">{kind}</Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
