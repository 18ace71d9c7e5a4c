import type { Resource as Access } from "#app/contract/access.ts";
import type { Feature } from "#app/contract/features.ts";

/** The columns a list of resources may have, in the order they are drawn (specification 3 §2.3). */
export const COLUMNS = [
  "name",
  "source",
  "schedule",
  "namespace",
  "job_status",
  "last_runtime",
  "job_last_failed",
  "labels",
  "created_at",
  "updated_at",
  "created_by",
] as const;
export type Column = (typeof COLUMNS)[number];

/** One kind of thing in the settings: all that the generic pages need to know about it, without any validator. */
export interface ResourceKind {
  /** The relation, and the last part of the address. */
  table: string;
  /** What one of them is called, also in the menu: "Health Check". */
  name: string;
  /** The button that adds one. */
  add: string;
  /** What to do when there is none yet. */
  empty: string;
  access: Access;
  feature: Feature;
  columns: readonly Column[];
  /** Agents bring some of them: the list says which. */
  hasAgent: boolean;
  /** What its rows are called in job history. */
  jobType: string;
  /** Said in the question before a deletion: what goes with it. */
  deletes: string;
}

const ALL: ReadonlySet<Column> = new Set(COLUMNS);

/** A kind, with the columns it does not hide. */
export function resource({
  hides,
  hasAgent = true,
  ...kind
}: Omit<ResourceKind, "columns" | "hasAgent"> & {
  hides: readonly Column[];
  hasAgent?: boolean;
}): ResourceKind {
  return { ...kind, hasAgent, columns: [...ALL].filter((column) => !hides.includes(column)) };
}
