import type { ReactNode } from "react";
import type { JobRow } from "#app/contract/rows/resources.ts";
import { count } from "#app/lib/format/count.ts";
import { longDuration } from "#app/lib/format/duration.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Panel } from "#app/ui/frame/page.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, RowLink, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { jobName } from "./job-name.ts";
import { JobStatus } from "./job-status.tsx";

/** The runs of one resource's jobs (facts/ui-screens §7.2); a row with something to say leads to it. */
export function JobsTable({
  rows,
  now,
  pager,
  detailsOf,
}: {
  rows: readonly JobRow[];
  now: number;
  pager: ReactNode;
  /** Where the details of a run are shown. */
  detailsOf(id: string): string;
}) {
  if (rows.length === 0)
    return (
      <Panel label="Job History">
        <Empty>No job of this resource has been recorded yet.</Empty>
      </Panel>
    );
  return (
    <Table caption="Job History" foot={pager}>
      <TableHead>
        <HeadCell width="w-30">Timestamp</HeadCell>
        <HeadCell>Job Name</HeadCell>
        <HeadCell width="w-34">Status</HeadCell>
        <HeadCell width="w-26" numeric>
          Duration
        </HeadCell>
        <HeadCell width="w-24" numeric>
          Success
        </HeadCell>
        <HeadCell width="w-22" numeric>
          Error
        </HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((job) => (
          <Row key={job.id}>
            <Cell label="Timestamp">
              <Age at={job.time_start ?? job.created_at} now={now} />
            </Cell>
            <Cell kind="main">
              {job.details ? (
                <RowLink to={detailsOf(job.id)}>{jobName(job.name)}</RowLink>
              ) : (
                jobName(job.name)
              )}
            </Cell>
            <Cell kind="aside">
              <JobStatus status={job.status} />
            </Cell>
            <Cell label="Duration" numeric>
              {longDuration(job.duration_millis)}
            </Cell>
            <Cell label="Success" numeric>
              {job.success_count ? count(job.success_count) : null}
            </Cell>
            <Cell label="Error" numeric>
              {job.error_count ? <span className="text-unhealthy-ink">{count(job.error_count)}</span> : null}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
