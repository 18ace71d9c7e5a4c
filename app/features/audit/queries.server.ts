import { auditEntryRow, auditRow } from "#app/contract/rows/audit.ts";
import { AUDIT_PAGE_SIZE } from "#app/contract/words/audit.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, gte, ilike, lt, or, orderBy, type Query } from "#app/lib/filter.ts";
import { iso } from "#app/lib/format/age.ts";
import type { AuditSearch } from "./paths.ts";
import type { Span } from "./span.ts";

/** What of the log an address asks for. */
export const auditQuery = (
  { person, action, kind, record }: AuditSearch,
  { from, to }: Pick<Span, "from" | "to">,
): Query => ({
  at: [gte(iso(from)), to === null ? undefined : lt(iso(to))],
  actor: ilike(person),
  action: eq(action),
  kind: eq(kind),
  or: or([
    ["record", ilike(record)],
    ["record_id", eq(record.trim())],
  ]),
});

/** One page, newest first, and how many entries there are. */
export const listAudit = (api: Api, search: AuditSearch, span: Span) =>
  api.page(auditRow, {
    ...auditQuery(search, span),
    order: orderBy("at.desc", "id.desc"),
    limit: AUDIT_PAGE_SIZE,
    offset: (search.page - 1) * AUDIT_PAGE_SIZE,
  });

/** One entry with all that it keeps, or null. */
export const findAuditEntry = (api: Api, id: number) =>
  id > 0 ? api.find(auditEntryRow, { id: eq(id) }) : Promise.resolve(null);
