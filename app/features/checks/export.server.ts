/** The list of checks as JSON and CSV: what the address filters, all pages of it, sent as they are read. */
import { stringify } from "csv-stringify/sync";
import type { CheckLine } from "#app/contract/rows/check-page.ts";
import type { Api } from "#app/lib/api.server.ts";
import { iso } from "#app/lib/format/age.ts";
import { uptime } from "#app/lib/format/percent.ts";
import { listChecks, type ListedChecks } from "./list.server.ts";
import type { HealthSearch } from "./paths.ts";

const ROWS_PER_CALL = 1000;
export type ExportFormat = "json" | "csv";

/** A check as others read it. Times are RFC3339 in UTC, durations milliseconds, uptime a share from 0 to 1. */
const exported = ({
  id,
  title,
  canary,
  namespace,
  type,
  status,
  ran,
  moved,
  passed,
  failed,
  latency,
  results,
}: CheckLine) => ({
  id,
  name: title,
  group: canary,
  namespace,
  type,
  status: status ?? "unknown",
  last_run: iso(ran) ?? null,
  last_transition: iso(moved) ?? null,
  passed,
  failed,
  uptime: passed === null || failed === null ? null : uptime({ passed, failed }),
  latency_ms: latency,
  /** The last runs, oldest first: 1 passed, 0 failed, ? neither. */
  results,
});
type Exported = ReturnType<typeof exported>;

const rowsOf = ({ lines }: ListedChecks): Exported[] =>
  lines.flatMap((line) => (line.kind === "check" ? exported(line) : []));

/** A spreadsheet takes what begins like a formula for one, unless a quote stands before it (`escape_formulas`). */
const csvOf = (rows: Exported[], isFirst: boolean) =>
  stringify(rows, { header: isFirst, columns: Object.keys(exported(NOBODY)), escape_formulas: true });
const NOBODY: CheckLine = {
  kind: "check",
  group: null,
  id: "",
  title: "",
  canary: "",
  type: "",
  icon: null,
  namespace: "",
  status: null,
  moved: null,
  ran: null,
  passed: null,
  failed: null,
  latency: null,
  results: "",
};

/** Each check as one line of JSON, in one array. */
const jsonOf = (rows: Exported[], isFirst: boolean) =>
  rows.map((row, index) => `${isFirst && index === 0 ? "" : ",\n"}${JSON.stringify(row)}`).join("");

/**
 * The file, in parts: the first is there when this returns, so that what upstream refuses is refused by our answer too;
 * the next is asked for when the reader has taken the last.
 */
export async function exportChecks(
  api: Api,
  search: HealthSearch,
  format: ExportFormat,
): Promise<ReadableStream<Uint8Array>> {
  const ask = (page: number) =>
    listChecks(api, { ...search, pivotLabel: "", page, pageSize: ROWS_PER_CALL }, { flat: true });
  const first = await ask(1);
  const parts = async function* () {
    const write = format === "csv" ? csvOf : jsonOf;
    if (format === "json") yield '{"checks":[\n';
    yield write(rowsOf(first), true);
    for (let page = 2; (page - 1) * ROWS_PER_CALL < first.total; page += 1)
      yield write(rowsOf(await ask(page)), false);
    if (format === "json") yield "\n]}\n";
  };
  const source = parts();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => source.return().then(() => undefined),
  });
}
