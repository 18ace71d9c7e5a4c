import { z } from "zod";
import { embed, json, view, type RowOf, type View } from "../view.ts";

const moment = z.coerce.date().nullish();
const Person = z.object({ id: z.string(), name: z.string().nullish() });
const Labels = json(z.record(z.string(), z.coerce.string()).nullish().catch(null));
const Agent = json(z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish());

/** What the columns of a list of resources need (specification 3 §2.3), column by column. */
const LISTED = {
  schedule: { schedule: z.string().nullish(), interval: z.string().nullish() },
  namespace: { namespace: z.string().nullish() },
  labels: { labels: Labels },
  lastRun: { last_runtime: moment },
  job: { job_status: z.string().nullish(), job_error_count: z.number().nullish(), job_last_failed: moment },
  agent: { agent: Agent },
} as const;
export type ListedPart = keyof typeof LISTED;

const everyRow = z.object({
  id: z.string(),
  name: z.string(),
  source: z.string().nullish(),
  created_at: moment,
  created_by: Person.nullish(),
});
type Parts = { [K in ListedPart]: (typeof LISTED)[K] };
/** One line of a list; what its kind does not have is absent. */
export type ResourceRow = z.output<typeof everyRow> &
  Partial<z.output<z.ZodObject<Parts["schedule"] & Parts["namespace"] & Parts["labels"]>>> &
  Partial<z.output<z.ZodObject<Parts["lastRun"] & Parts["job"] & Parts["agent"]>>>;

/** The list of `<table>_with_status`, with the parts its columns ask for. */
export function resourceListRow(table: string, parts: readonly ListedPart[]): View<ResourceRow> {
  const shape = Object.assign({}, everyRow.shape, ...parts.map((part) => LISTED[part]));
  return view(`${table}_with_status`, z.object(shape)) as unknown as View<ResourceRow>;
}

/** When something was changed last: the lists' views do not say. */
export const stampRow = (table: string) => view(table, z.object({ id: z.string(), updated_at: moment }));

/** The newest job of one resource, in words. */
export const newestJobRow = (table: string) =>
  view(
    `${table}_with_status`,
    z.object({ id: z.string(), name: z.string(), job_name: z.string().nullish(), job_details: details() }),
  );

/** A canary with all that its page shows and edits. `updated_at` is text: a Date would lose its microseconds. */
export const canaryDetailRow = view(
  "canaries",
  z.object({
    id: z.string(),
    name: z.string(),
    namespace: z.string(),
    labels: Labels,
    spec: json(z.record(z.string(), z.unknown())),
    source: z.string().nullish(),
    agent: embed("agents!canaries_agent_id_fkey", Person).nullish(),
    created_at: moment,
    created_by: embed("people!canaries_created_by_fkey", Person).nullish(),
    updated_at: z.string().nullish(),
    deleted_at: moment,
  }),
);
export type CanaryDetailRow = RowOf<typeof canaryDetailRow>;

/** Jobs write what they like there: errors as text, a list or a map, and summaries of their own. */
function details() {
  return json(
    z
      .object({
        errors: z.unknown().optional(),
        scrape_summary: z.unknown().optional(),
        summary: z.unknown().optional(),
      })
      .nullish()
      .catch(null),
  );
}
export type JobDetails = NonNullable<z.output<ReturnType<typeof details>>>;

/** One run of a job. Duration in ms. */
export const jobRow = view(
  "job_histories",
  z.object({
    id: z.string(),
    name: z.string().nullish(),
    status: z.string().nullish(),
    success_count: z.number().nullish(),
    error_count: z.number().nullish(),
    duration_millis: z.number().nullish(),
    time_start: moment,
    created_at: moment,
    agent: Agent,
    details: details(),
  }),
);
export type JobRow = RowOf<typeof jobRow>;
