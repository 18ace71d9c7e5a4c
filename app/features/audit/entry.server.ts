import { stringify } from "yaml";
import type { AuditEntryRow } from "#app/contract/rows/audit.ts";
import { diffLines, type DiffLine } from "./diff.ts";

/** More lines than this are not put into a page. */
const MOST_LINES = 2000;

/** What changed, as lines of YAML, and how many were left out. */
export function changesOf({ before, after }: Pick<AuditEntryRow, "before" | "after">): {
  lines: DiffLine[];
  unshown: number;
} {
  const lines = diffLines(linesOf(before), linesOf(after));
  return { lines: lines.slice(0, MOST_LINES), unshown: Math.max(lines.length - MOST_LINES, 0) };
}

function linesOf(image: AuditEntryRow["before"]): string[] {
  if (!image || Object.keys(image).length === 0) return [];
  return stringify(image, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: true })
    .trimEnd()
    .split("\n");
}
