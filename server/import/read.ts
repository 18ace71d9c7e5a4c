/** Whose file it is, told by its shape, and what is in it. Pure. */
import type { Format } from "#app/contract/rows/import-report.ts";
import { isCanary, readCanary } from "./canary.ts";
import { readDocuments, type Part } from "./documents.ts";
import { isFields, skippedEntry, textOf, type Entry, type Fields, type Reading } from "./entry.ts";
import { isGatus, readGatus } from "./gatus.ts";
import { isKuma, readKuma } from "./kuma.ts";

/** Reads a text of any known format. Never throws: what cannot be read is a refused entry with its line. */
export function readImport(text: string): Reading {
  const formats = new Set<Format>();
  const notes: Reading["notes"] = [];
  const entries = readDocuments(text).flatMap(({ part, broken }): Entry[] => {
    if (!part)
      return [{ line: broken.line, title: "", canary: null, refused: broken, skipped: null, warnings: [] }];
    const [format, reading] = readOne(part);
    if (format) formats.add(format);
    notes.push(...reading.notes);
    return reading.entries;
  });
  return { format: [...formats][0] ?? null, entries: refuseTwins(entries), notes };
}

function readOne(part: Part): [Format | null, Pick<Reading, "entries" | "notes">] {
  const { value } = part;
  if (isCanary(value)) return ["canary", { entries: [readCanary(part)], notes: [] }];
  if (isGatus(value)) return ["gatus", readGatus(part)];
  if (isKuma(value)) return ["kuma", readKuma(part)];
  const kind = isFields(value) ? textOf(value["kind"]) : null;
  return [null, { entries: [kind ? otherKind(part, value as Fields, kind) : nobodys(part)], notes: [] }];
}

/** Files hold other objects besides: they are nobody's mistake. */
function otherKind(part: Part, value: Fields, kind: string): Entry {
  const metadata = isFields(value["metadata"]) ? value["metadata"] : {};
  const title = [kind, textOf(metadata["name"])].filter(Boolean).join(" ");
  return skippedEntry(part, title, `only Canaries are read here, ${kind} is left out`);
}

const nobodys = (part: Part): Entry => ({
  line: part.line,
  title: "",
  canary: null,
  refused: part.remark(
    [],
    "this is no Canary (kind is missing), no configuration of Gatus (endpoints is missing) and no backup of Uptime Kuma (monitorList is missing)",
  ),
  skipped: null,
  warnings: [],
});

/** Two of one name in a file would take turns: the second is sent back. */
function refuseTwins(entries: Entry[]): Entry[] {
  const seen = new Map<string, Entry>();
  return entries.map((entry) => {
    if (!entry.canary) return entry;
    const key = keyOf(entry.canary);
    const first = seen.get(key);
    if (!first) {
      seen.set(key, entry);
      return entry;
    }
    const message = `${key} is in this file already, at line ${first.line}: give one of them another name`;
    return {
      ...entry,
      canary: null,
      refused: { line: entry.line, column: null, path: "metadata.name", message },
    };
  });
}

export const keyOf = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;
