import { z } from "zod";
import { json, view, type RowOf } from "../view.ts";

const columns = z.object({
  id: z.number(),
  at: z.coerce.date(),
  actor_id: z.string().nullish(),
  actor: z.string().nullish(),
  via: z.string().nullish(),
  client: z.string().nullish(),
  action: z.string(),
  kind: z.string(),
  record_id: z.string().nullish(),
  record: z.string().nullish(),
});
const Image = json(z.record(z.string(), z.unknown()).nullish());

/** One line of the audit log. */
export const auditRow = view("audit_log", columns);
export type AuditRow = RowOf<typeof auditRow>;

/** An entry with what the record was before and after. */
export const auditEntryRow = view(
  "audit_log",
  columns.extend({ before: Image, after: Image, request_id: z.string().nullish() }),
);
export type AuditEntryRow = RowOf<typeof auditEntryRow>;
