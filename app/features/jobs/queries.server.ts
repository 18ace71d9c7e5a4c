import { jobRow } from "#app/contract/rows/resources.ts";
import { JOB_HISTORY_PAGE_SIZE } from "#app/contract/words/resources.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, orderBy } from "#app/lib/filter.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The runs of one resource's jobs, newest first, 150 to a page (specification 3 §9). `type` is job history's word. */
export const listJobs = (api: Api, { type, id, page }: { type: string; id: string; page: number }) =>
  api.page(jobRow, {
    resource_type: eq(type),
    resource_id: eq(id),
    order: orderBy("created_at.desc", "id.desc"),
    limit: JOB_HISTORY_PAGE_SIZE,
    offset: (page - 1) * JOB_HISTORY_PAGE_SIZE,
  });

/** One run of a resource's job, or null. */
export const findJob = (api: Api, { type, id, job }: { type: string; id: string; job: string }) =>
  UUID.test(job)
    ? api.find(jobRow, { id: eq(job), resource_type: eq(type), resource_id: eq(id) })
    : Promise.resolve(null);
