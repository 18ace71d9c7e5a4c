import type { JobRow } from "#app/contract/rows/resources.ts";
import { JOB_HISTORY_PAGE_SIZE } from "#app/contract/words/resources.ts";
import type { DetailPart } from "#app/features/jobs/job-details.server.ts";
import { JobDialog } from "#app/features/jobs/job-dialog.tsx";
import { jobName } from "#app/features/jobs/job-name.ts";
import { JobsTable } from "#app/features/jobs/jobs-table.tsx";
import type { ResourceSearch } from "#app/features/resources/paths.ts";
import { Pager } from "#app/ui/pager.tsx";

type HistoryProps = {
  jobs: { rows: JobRow[]; total: number } | null | undefined;
  job: { name: string; parts: DetailPart[] } | null | undefined;
  page: number;
  now: number;
  path(values: Partial<ResourceSearch>): string;
};

/** The tab of a resource's jobs, and the dialog of one of them. */
export function JobHistory({ jobs, job, page, now, path }: HistoryProps) {
  const { rows, total } = jobs ?? { rows: [], total: 0 };
  const here = { tab: "jobHistory", page } as const;
  return (
    <>
      <JobsTable
        rows={rows}
        now={now}
        detailsOf={(id) => path({ ...here, job: id })}
        pager={
          <Pager
            label="Job History"
            page={page}
            pageSize={JOB_HISTORY_PAGE_SIZE}
            total={total}
            href={(other) => path({ ...here, page: other })}
          />
        }
      />
      {job ? <JobDialog name={jobName(job.name)} parts={job.parts} closeTo={path(here)} /> : null}
    </>
  );
}
