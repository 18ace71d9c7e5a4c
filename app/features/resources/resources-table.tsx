import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { JobStatus } from "#app/features/jobs/job-status.tsx";
import { LINK } from "#app/ui/button.tsx";
import { Badge, Tags } from "#app/ui/marks/badge.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import type { ListedResource } from "./list.server.ts";
import {
  nextSort,
  resourcePath,
  resourcesPath,
  SORT_COLUMNS,
  type ResourcesSearch,
  type SortColumn,
} from "./paths.ts";
import type { Column, ResourceKind } from "./resource.ts";
import { sourceWord } from "./source.ts";

type TableProps = {
  kind: ResourceKind;
  rows: readonly ListedResource[];
  search: ResourcesSearch;
  now: number;
  pager: ReactNode;
};
type CellProps = { row: ListedResource } & Pick<TableProps, "kind" | "search" | "now">;

interface ColumnLook {
  label: string;
  width?: string;
  numeric?: boolean;
  room?: "wide" | "widest";
  cell(props: CellProps): ReactNode;
}

const age = (
  label: string,
  pick: (row: ListedResource) => Date | null | undefined,
  room?: "wide" | "widest",
): ColumnLook => ({
  label,
  width: "w-22",
  ...(room ? { room } : {}),
  cell: ({ row, now }) => <Age at={pick(row)} now={now} />,
});

/** The columns of specification 3 §2.3: their heads, their widths, what goes first on a narrow screen. */
const COLUMNS: Record<Exclude<Column, "name">, ColumnLook> = {
  source: { label: "Source", width: "w-24", cell: ({ row }) => sourceWord(row) },
  schedule: {
    label: "Schedule",
    width: "w-32",
    cell: ({ row: { schedule, interval } }) =>
      schedule ? (
        <span className="font-mono text-xs" title={schedule}>
          {schedule}
        </span>
      ) : interval ? (
        `every ${interval} s`
      ) : null,
  },
  namespace: { label: "Namespace", width: "w-30", cell: ({ row }) => row.namespace },
  job_status: { label: "Job Status", width: "w-30", cell: (props) => <NewestJob {...props} /> },
  last_runtime: age("Last Run", (row) => row.last_runtime),
  job_last_failed: age("Last Failed", (row) => row.job_last_failed, "widest"),
  labels: {
    label: "Tags",
    width: "w-46",
    room: "widest",
    cell: ({ row }) => <FirstTag labels={row.labels ?? {}} />,
  },
  created_at: age("Created", (row) => row.created_at, "wide"),
  updated_at: age("Updated", (row) => row.updated_at, "widest"),
  created_by: {
    label: "Created By",
    width: "w-30",
    room: "widest",
    cell: ({ row }) => row.created_by?.name ?? null,
  },
};

const sortable = (column: Column): column is SortColumn =>
  (SORT_COLUMNS as readonly Column[]).includes(column);

/** The list of one kind of resource (specification 3 §2.3): a row leads to its page, headings sort, all in the URL. */
export function ResourcesTable({ kind, rows, search, now, pager }: TableProps) {
  const columns = kind.columns.filter((column): column is Exclude<Column, "name"> => column !== "name");
  const sortBy = (by: SortColumn, label: string) => ({
    label,
    to: resourcesPath(kind.table, {
      ...search,
      job: "",
      deleted: "",
      page: 1,
      sort: nextSort(search.sort, by),
    }),
    state:
      search.sort.by !== by
        ? ("none" as const)
        : search.sort.desc
          ? ("descending" as const)
          : ("ascending" as const),
  });
  const name = sortBy("name", "Name");
  const sorts = columns.flatMap((column) =>
    sortable(column) ? [sortBy(column, COLUMNS[column].label)] : [],
  );
  return (
    <Table caption={kind.name} sorts={[name, ...sorts]} foot={pager}>
      <TableHead>
        <HeadCell sort={name}>Name</HeadCell>
        {columns.map((column) => {
          const { label, width, room } = COLUMNS[column];
          return (
            <HeadCell
              key={column}
              {...(width ? { width } : {})}
              {...(room ? { room } : {})}
              {...(sortable(column) ? { sort: sortBy(column, label) } : {})}
            >
              {label}
            </HeadCell>
          );
        })}
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell kind="main">
              <RowLink to={resourcePath(kind.table, row.id)} title={row.name}>
                {row.name}
              </RowLink>
            </Cell>
            {columns.map((column) => {
              const { label, room, cell } = COLUMNS[column];
              return (
                <Cell key={column} label={label} {...(room ? { room } : {})}>
                  {cell({ row, kind, search, now })}
                </Cell>
              );
            })}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

/** How its newest job went; what it said is one click away, which is not the row's click. */
function NewestJob({ row, kind, search }: CellProps) {
  if (!row.job_status) return null;
  return (
    <span className="inline-flex items-center gap-1.5">
      <JobStatus status={row.job_status} />
      {row.job_error_count ? (
        <Link
          to={resourcesPath(kind.table, { ...search, deleted: "", job: row.id })}
          preventScrollReset
          className={`${LINK} relative text-xs`}
        >
          details<span className="sr-only"> of {row.name}</span>
        </Link>
      ) : null}
    </span>
  );
}

/** The first label, and how many more there are; all of them in the title and on the page. */
function FirstTag({ labels }: { labels: Readonly<Record<string, string>> }) {
  const entries = Object.entries(labels);
  const [first] = entries;
  if (!first) return null;
  const rest = entries.length - 1;
  const all = entries.map(([key, value]) => `${key}: ${value}`).join("\n");
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle" title={all}>
      <Tags labels={Object.fromEntries([first])} />
      {rest > 0 ? <Badge>+{rest} more</Badge> : null}
    </span>
  );
}
