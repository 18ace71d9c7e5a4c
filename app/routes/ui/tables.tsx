import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Status } from "#app/ui/marks/status.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { Columns, Example, Examples } from "./example.tsx";
import { uiPath, type UiSearch } from "./search.ts";

const ROWS = [
  { name: "POST /orders", health: "unhealthy", uptime: "91.4%", latency: "2.1 s" },
  { name: "GET /cart", health: "warning", uptime: "99.2%", latency: "640 ms" },
  { name: "Primary accepts connections", health: "healthy", uptime: "100%", latency: "2 ms" },
];

export function Tables({ search }: { search: UiSearch }) {
  return (
    <Examples
      id="tables"
      lead="One row height, figures aligned, the whole row a link. In a narrow place rows become cards."
    >
      <Table
        caption="Checks"
        sticky="scroller"
        foot={
          <Pager
            label="Checks"
            page={search.page}
            pageSize={3}
            total={12}
            href={(page) => uiPath({ ...search, page })}
          />
        }
      >
        <TableHead>
          <HeadCell sort={{ to: uiPath({ ...search, page: 1 }), state: "ascending" }}>Checks</HeadCell>
          <HeadCell width="w-34">Health</HeadCell>
          <HeadCell width="w-20" numeric>
            Uptime
          </HeadCell>
          <HeadCell width="w-22" numeric>
            Latency
          </HeadCell>
        </TableHead>
        <TableBody>
          {ROWS.map(({ name, health, uptime, latency }) => (
            <Row key={name} tone={health === "unhealthy" ? "unhealthy" : "healthy"}>
              <Cell kind="main">
                <RowLink to="/ui#tables" title={name}>
                  {name}
                </RowLink>
              </Cell>
              <Cell kind="aside">
                <Status health={health} />
              </Cell>
              <Cell numeric label="Uptime">
                {uptime}
              </Cell>
              <Cell numeric label="Latency">
                {latency}
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
      <Columns>
        <Example title="Nothing here">
          <Empty small />
        </Example>
        <Example title="Nothing here, and what to do next">
          <Empty
            title="All 125 checks pass"
            heading="h3"
            actions={<ButtonLink to="/ui">Show all checks</ButtonLink>}
          >
            Nothing needs you.
          </Empty>
        </Example>
      </Columns>
    </Examples>
  );
}
