/** What an import did, or would do: the answer of `POST /ph/import`, the lines of `npm run import` (feature `import.canaries`). */
import { z } from "zod";
import { json, view } from "../view.ts";

/** The feature's name in `GET /canary/about`. */
export const IMPORT_CANARIES = "import.canaries";
/** Longest text that is taken, in bytes: some 10,000 checks. */
export const IMPORT_LIMIT = 5_000_000;

/** Something to know about a place in a file. Lines and columns count from 1. */
export const Remark = z.object({
  line: z.int().min(1),
  column: z.int().min(1).nullable(),
  /** Where in the document, as `spec.http.0.url`; empty for the whole. */
  path: z.string(),
  message: z.string(),
});
export type Remark = z.output<typeof Remark>;

/** `applied` was not there before; `skipped` is what is no check and needs nothing done. */
export const IMPORT_STATUSES = ["applied", "changed", "unchanged", "refused", "skipped"] as const;

/** One document of a file: a Canary, an endpoint of Gatus, a monitor of Uptime Kuma. */
const ImportedDocument = z.object({
  line: z.int().min(1),
  /** What the file calls it. */
  title: z.string(),
  /** `namespace/name` of the canary; null when there is none. */
  canary: z.string().nullable(),
  status: z.enum(IMPORT_STATUSES),
  /** Why it was refused or skipped. */
  reason: Remark.nullable(),
  /** What of it has no counterpart, or reads otherwise here. */
  warnings: z.array(Remark),
});
export type ImportedDocument = z.output<typeof ImportedDocument>;

/** Whose files are read. */
export const FORMATS = ["canary", "gatus", "kuma"] as const;
export type Format = (typeof FORMATS)[number];

export const ImportReport = z.object({
  file: z.string(),
  /** Null: nobody's that is known. */
  format: z.enum(FORMATS).nullable(),
  /** Nothing was written. */
  dry: z.boolean(),
  documents: z.array(ImportedDocument),
  /** About the file as a whole, e.g. settings of the other product that have no counterpart. */
  notes: z.array(Remark),
});
export type ImportReport = z.output<typeof ImportReport>;

/** A canary as its file has it. */
export const canaryFileRow = view(
  "canaries",
  z.object({
    id: z.string(),
    name: z.string(),
    namespace: z.string(),
    source: z.string().nullish(),
    labels: json(z.record(z.string(), z.string()).nullish()),
    annotations: json(z.record(z.string(), z.string()).nullish()),
    spec: json(z.record(z.string(), z.unknown())),
  }),
);
