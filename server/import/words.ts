/** Reports in words, for the terminal and for the log. */
import {
  IMPORT_STATUSES,
  type Format,
  type ImportedDocument,
  type ImportReport,
  type Remark,
} from "#app/contract/rows/import-report.ts";

const FORMAT_WORDS: Record<Format, string> = {
  canary: "Canaries",
  gatus: "a configuration of Gatus",
  kuma: "a backup of Uptime Kuma",
};

/** "2 applied, 1 refused"; "nothing in it" for none. */
export function summary({ documents }: Pick<ImportReport, "documents">): string {
  const counts = IMPORT_STATUSES.flatMap((status) => {
    const count = documents.filter((document) => document.status === status).length;
    return count > 0 ? [`${count} ${status}`] : [];
  });
  return counts.length > 0 ? counts.join(", ") : "nothing in it";
}

/** "line 12, column 5: spec.http.0.url is required" */
export const place = ({ line, column, message }: Remark): string =>
  `line ${line}${column === null ? "" : `, column ${column}`}: ${message}`;

/** The whole report as lines. */
export function reportLines(report: ImportReport): string[] {
  const format = report.format ? ` (${FORMAT_WORDS[report.format]})` : "";
  return [
    `${report.file}${format}: ${summary(report)}${report.dry ? "; nothing was written" : ""}`,
    ...report.documents.flatMap(documentLines),
    ...report.notes.map((note) => `  note: ${place(note)}`),
  ];
}

function documentLines({ line, title, canary, status, reason, warnings }: ImportedDocument): string[] {
  const name = !canary
    ? title
    : canary === title || canary.endsWith(`/${title}`)
      ? canary
      : `${canary} (${title})`;
  return [
    `  ${status.padEnd(9)} ${name || `document at line ${line}`}${reason ? `: ${place(reason)}` : ""}`,
    ...warnings.map((warning) => `            ${place(warning)}`),
  ];
}
