import { stringify } from "csv-stringify/sync";
import { auditEntryRow, type AuditEntryRow } from "#app/contract/rows/audit.ts";
import type { Api } from "#app/lib/api.server.ts";
import { lt, orderBy } from "#app/lib/filter.ts";
import { iso } from "#app/lib/format/age.ts";
import type { AuditSearch } from "./paths.ts";
import { auditQuery } from "./queries.server.ts";
import type { Span } from "./span.ts";

const ROWS_PER_CALL = 500;
const COLUMNS = [
  "time",
  "person",
  "action",
  "kind",
  "record",
  "record_id",
  "address",
  "via",
  "before",
  "after",
];

const csvOf = (rows: readonly AuditEntryRow[], isFirst: boolean) =>
  stringify(
    rows.map(({ at, actor, action, kind, record, record_id, client, via, before, after }) => ({
      time: iso(at),
      person: actor ?? "",
      action,
      kind,
      record: record ?? "",
      record_id: record_id ?? "",
      address: client ?? "",
      via: via ?? "",
      before: before ? JSON.stringify(before) : "",
      after: after ? JSON.stringify(after) : "",
    })),
    // A spreadsheet takes what begins like a formula for one, unless a quote stands before it.
    { header: isFirst, columns: COLUMNS, escape_formulas: true, bom: isFirst },
  );

/**
 * What an address shows of the log as a file, newest first, sent as it is read. The first part is there when this returns,
 * so that what upstream refuses is refused by our answer too.
 */
export async function exportAudit(
  api: Api,
  search: AuditSearch,
  span: Span,
): Promise<ReadableStream<Uint8Array>> {
  // Rows that are written meanwhile are newer than the first one, and ids only grow: no row comes twice.
  const ask = (before: number | undefined) =>
    api.list(auditEntryRow, {
      ...auditQuery(search, span),
      id: lt(before),
      order: orderBy("id.desc"),
      limit: ROWS_PER_CALL,
    });
  const first = await ask(undefined);
  const encoder = new TextEncoder();
  let rows: AuditEntryRow[] | null = first;
  return new ReadableStream({
    async pull(controller) {
      rows ??= [];
      controller.enqueue(encoder.encode(csvOf(rows, rows === first)));
      if (rows.length < ROWS_PER_CALL) controller.close();
      else rows = await ask(rows.at(-1)?.id);
    },
  });
}
