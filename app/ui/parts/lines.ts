/**
 * A table of a chart as one text, a line for each row and a tab between cells: as a list of lists it would be hundreds of
 * values that the server writes one by one, the page carries and the browser reads back.
 */
export const writeLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => cell.replace(/[\t\n]/g, " ")).join("\t")).join("\n");

/** Its cells again, by row. */
export const readLines = (text: string): string[][] =>
  text === "" ? [] : text.split("\n").map((line) => line.split("\t"));

/** Its rows as markup, whatever the cells hold. */
export const rowsOf = (text: string): string =>
  readLines(text)
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`)
    .join("");

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
