/** What an entry is about, and where it can be looked at. Pure. */
import type { AuditRow } from "#app/contract/rows/audit.ts";
import { AUDIT_KINDS, wordOf } from "#app/contract/words/audit.ts";
import { checkPath, healthSearch } from "#app/features/checks/paths.ts";
import { resourcePath } from "#app/features/resources/paths.ts";

type Subject = Pick<AuditRow, "kind" | "record" | "record_id" | "action">;

const NOTHING_CHOSEN = healthSearch.read(new URLSearchParams());

/** Its name, else its id, else what kind of thing it is. */
export const nameOfRecord = ({ kind, record, record_id }: Subject): string =>
  record || record_id || wordOf(AUDIT_KINDS, kind);

/** The page of the record; null where there is none, or the record may be gone. */
export function pathOfRecord({ kind, record_id, action }: Subject): string | null {
  if (!record_id || action === "delete") return null;
  if (kind === "canaries") return resourcePath("canaries", record_id);
  if (kind === "checks" || kind === "heartbeats") return checkPath(NOTHING_CHOSEN, record_id);
  return null;
}
