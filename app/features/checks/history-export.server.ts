/** A check's history as CSV: what the drawer's address filters, all pages of it, sent as they are read. */
import { stringify } from "csv-stringify/sync";
import { checkStatusRow, type CheckStatusRow } from "#app/contract/rows/check-drawer.ts";
import type { Api } from "#app/lib/api.server.ts";
import { iso } from "#app/lib/format/age.ts";
import { lt, orderBy } from "#app/lib/filter.ts";
import { findRow } from "./drawer.server.ts";
import { drawerRangeOf } from "./drawer-range.ts";
import { healthOfRun } from "./run-words.ts";
import { historyQuery } from "./history.server.ts";
import { longerThan } from "./history-filter.ts";
import { displayName } from "./model.ts";
import type { HealthSearch } from "./paths.ts";

const ROWS_PER_CALL = 1000;
const COLUMNS = ["time", "status", "duration_ms", "message", "error"];

const csvOf = (rows: readonly CheckStatusRow[], isFirst: boolean) =>
  stringify(
    rows.map(({ time, status, duration, message, error }) => ({
      time: iso(time),
      status: healthOfRun(status),
      duration_ms: duration ?? "",
      message: message ?? "",
      error: error ?? "",
    })),
    // A spreadsheet takes what begins like a formula for one, unless a quote stands before it.
    { header: isFirst, columns: COLUMNS, escape_formulas: true, bom: isFirst },
  );

/**
 * The file and its name. Its first part is there when this returns, so that what upstream refuses is refused by our
 * answer too; the next is asked for when the reader has taken the last. Throws a Response: 404 when there is no such
 * check, 400 for a filter that cannot be read.
 */
export async function exportHistory(api: Api, id: string, search: HealthSearch, now: number) {
  const check = await findRow(api, id);
  if (!check) throw new Response("There is no such check", { status: 404 });
  const range = drawerRangeOf(search, check.last_runtime, now);
  const wrong = range.error ?? longerThan(search.historyDuration).error;
  if (wrong) throw new Response(range.error ? wrong : `historyDuration: ${wrong}`, { status: 400 });

  const { time, ...query } = historyQuery(check.id, range, search);
  const ask = (before: string | undefined) =>
    api.list(checkStatusRow, {
      ...query,
      time: [...(Array.isArray(time) ? time : []), lt(before)],
      order: orderBy("time.desc"),
      limit: ROWS_PER_CALL,
    });
  const first = await ask(undefined);
  const parts = async function* () {
    for (let rows = first; ; rows = await ask(rows.at(-1)?.time)) {
      yield csvOf(rows, rows === first);
      if (rows.length < ROWS_PER_CALL) return;
    }
  };
  return { name: `${fileName(displayName(check))}-history.csv`, body: streamOf(parts()) };
}

/** Letters, digits and dashes: what every system takes for a name. */
const fileName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "check";

function streamOf(source: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => source.return(undefined).then(() => undefined),
  });
}
