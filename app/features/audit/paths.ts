import { AUDIT_RANGES } from "#app/contract/words/audit.ts";
import { int, oneOf, search, text, type SearchOf } from "#app/lib/search.ts";

const RANGES = AUDIT_RANGES.map(({ value }) => value);

/** What of the log is shown, and which entry is open. */
export const auditSearch = search({
  /** Part of a name. */
  person: text(),
  action: text(),
  kind: text(),
  /** Part of the record's name, or its id. */
  record: text(),
  range: oneOf(RANGES, RANGES[0]!),
  /** Two instants instead of the range, as a field for date and time writes them, in UTC. */
  from: text(),
  to: text(),
  page: int(1, { min: 1 }),
  id: int(0),
});
export type AuditSearch = SearchOf<typeof auditSearch>;

export const auditPath = (values: Partial<AuditSearch> = {}): string =>
  auditSearch.href("/settings/audit", values);
/** The same as a file. */
export const auditCsvPath = (values: AuditSearch): string =>
  auditSearch.href("/settings/audit.csv", { ...values, page: 1, id: 0 });
