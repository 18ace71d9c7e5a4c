import { isMap, isSeq, LineCounter, parseDocument, stringify } from "yaml";
import { canarySpecRow } from "#app/contract/rows/check-drawer.ts";
import { MASK, masked } from "#app/contract/specs/masked.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq } from "#app/lib/filter.ts";

/** More lines than this are not put into a page. */
const MOST_LINES = 1500;

/**
 * The canary's spec as YAML, with the lines of this check. Whoever may not change it sees secrets masked: what is masked
 * never leaves the server.
 */
export async function specOf(
  api: Api,
  canaryId: string,
  check: { type: string; name: string },
  canWrite: boolean,
) {
  const canary = await api.find(canarySpecRow, { id: eq(canaryId) });
  if (!canary?.spec) return null;
  const text = stringify(canWrite ? canary.spec : masked(canary.spec), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
  const lines = text.trimEnd().split("\n");
  return {
    yaml: lines.slice(0, MOST_LINES).join("\n"),
    unshown: Math.max(lines.length - MOST_LINES, 0),
    selected: linesOf(text, check).filter((line) => line <= MOST_LINES),
    isMasked: !canWrite && text.includes(MASK),
  };
}
export type SpecInDrawer = NonNullable<Awaited<ReturnType<typeof specOf>>>;

/** The lines of the one entry that a check was made of, from 1; none when the spec has only that, or it is not found. */
export function linesOf(yaml: string, { type, name }: { type: string; name: string }): number[] {
  const counter = new LineCounter();
  const list = parseDocument(yaml, { lineCounter: counter }).get(type);
  if (!isSeq(list)) return [];
  const entry = list.items.find((item) => isMap(item) && item.get("name") === name);
  if (!isMap(entry) || !entry.range) return [];
  const [start, end] = entry.range;
  const first = counter.linePos(start).line;
  const last = counter.linePos(Math.max(end - 1, start)).line;
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}
