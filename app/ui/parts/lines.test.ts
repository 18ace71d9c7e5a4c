import { expect, test } from "vitest";
import { readLines, rowsOf, writeLines } from "./lines.ts";

test("a table is read as it was written, without the signs it is written with", () => {
  const rows = [
    ["10:00", "1 passed", ""],
    ["a\tb\nc", "é < & >", "x"],
  ];
  expect(readLines(writeLines(rows))).toEqual([rows[0], ["a b c", "é < & >", "x"]]);
  expect(readLines(writeLines([]))).toEqual([]);
});

test("whatever a cell holds is text in the markup", () => {
  expect(rowsOf(writeLines([["<img src=x onerror=alert(1)>", "&amp;"]]))).toBe(
    "<tr><td>&lt;img src=x onerror=alert(1)&gt;</td><td>&amp;amp;</td></tr>",
  );
});
