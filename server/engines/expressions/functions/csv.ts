/** Comma-separated values (RFC 4180), read and written. */

/** Rows of fields; a quoted field may hold commas, quotes written twice and line ends. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const fields = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (fields.lastIndex < text.length) {
    const match = fields.exec(text);
    if (!match) throw new Error(`row ${rows.length + 1} of the CSV cannot be read`);
    const [, quoted, bare = "", end] = match;
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") {
      if (fields.lastIndex === text.length) row.push("");
      else continue;
    }
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

export const writeCsv = (rows: string[][]): string =>
  rows
    .map((row) =>
      row.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(","),
    )
    .join("\n");
