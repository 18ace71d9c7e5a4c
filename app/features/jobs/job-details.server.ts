import { stringify } from "yaml";
import type { JobDetails } from "#app/contract/rows/resources.ts";

/** One tab of a job's details: a list of lines, or code to read. */
export type DetailPart =
  { title: string; kind: "lines"; lines: string[] } | { title: string; kind: "code"; code: string };

const hasSomething = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== "" &&
  !(typeof value === "object" && Object.keys(value).length === 0);

/**
 * What a run of a job has to say (specification 3 §2.4): errors as lines, or as a map where the job wrote one; its
 * summaries as YAML. Only what is there.
 */
export function partsOfDetails(details: JobDetails | null | undefined): DetailPart[] {
  const { errors, scrape_summary, summary } = details ?? {};
  const code = (title: string, value: unknown): DetailPart[] =>
    hasSomething(value) ? [{ title, kind: "code", code: stringify(value) }] : [];
  return [
    ...(typeof errors === "string" && errors !== ""
      ? [{ title: "Errors", kind: "lines" as const, lines: errors.split("\n") }]
      : Array.isArray(errors)
        ? errors.length > 0
          ? [{ title: "Errors", kind: "lines" as const, lines: errors.map(inWords) }]
          : []
        : code("Errors", errors)),
    ...code("Scrape Summary", scrape_summary),
    ...code("Reconcile Summary", summary),
  ];
}

const inWords = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
