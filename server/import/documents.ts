/** Text → documents with places: YAML of one or many documents, JSON as a part of it, lists of kind List taken apart. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Node,
} from "yaml";
import type { Remark } from "#app/contract/rows/import-report.ts";

export type Path = readonly (string | number)[];

/** One value of a file, and where it and its parts stand there. */
export interface Part {
  value: unknown;
  /** The line it begins at, from 1. */
  line: number;
  /** A remark about a place in it; where the path leads nowhere, about the nearest place that is there. */
  remark(path: Path, message: string): Remark;
  /** A part of it, with places of its own. */
  inside(path: Path): Part;
}
/** A part that can be read, or why not. */
export type Read = { part: Part; broken: null } | { part: null; broken: Remark };

/** Aliases may be spread out this often: a text of a few lines must not become gigabytes. */
const MAX_ALIASES = 100;

/** Reads a text. Empty documents are left out; merge keys (`<<`) are understood; a key twice is an error. Never throws. */
export function readDocuments(text: string): Read[] {
  const lines = new LineCounter();
  try {
    const options = { lineCounter: lines, merge: true, prettyErrors: false };
    const given = parseAllDocuments(text.replace(/^\uFEFF/, ""), options);
    return Array.isArray(given) ? given.flatMap((document) => readOne(document, lines)) : [];
  } catch (error) {
    // A text nested thousands deep overflows the reader's stack.
    return [
      broken(lines, 0, sentence(error instanceof RangeError ? "it is nested too deeply" : String(error))),
    ];
  }
}

function readOne(document: Document.Parsed, lines: LineCounter): Read[] {
  const [error] = document.errors;
  if (error) return [broken(lines, error.pos[0], sentence(error.message))];
  const start = document.contents?.range[0] ?? 0;
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (thrown) {
    return [broken(lines, start, sentence(thrown instanceof Error ? thrown.message : String(thrown)))];
  }
  if (value === null || value === undefined) return [];
  const whole = partOf({ document, lines, root: [], value });
  if (!isListOfObjects(value)) return [{ part: whole, broken: null }];
  return value.items.map((_, index) => ({ part: whole.inside(["items", index]), broken: null }));
}

/** `kind: List`, as `kubectl get -o yaml` writes several objects. */
function isListOfObjects(value: unknown): value is { items: unknown[] } {
  if (typeof value !== "object" || value === null) return false;
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  return typeof kind === "string" && kind.endsWith("List") && Array.isArray(items);
}

interface Place {
  document: Document.Parsed;
  lines: LineCounter;
  root: Path;
  value: unknown;
}

function partOf({ document, lines, root, value }: Place): Part {
  const positionOf = (path: Path) => {
    const { line, col } = lines.linePos(offsetOf(document, [...root, ...path]));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return {
    value,
    line: positionOf([]).line,
    remark: (path, message) => ({ ...positionOf(path), path: path.join("."), message }),
    inside: (path) => partOf({ document, lines, root: [...root, ...path], value: valueAt(value, path) }),
  };
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );

/** Where the place begins: of a field its name, of an entry its first sign. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document) ?? null;
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key: name }) => String(isScalar(name) ? name.value : name) === String(key),
      );
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      const item = node.items[Number(key)] as Node | null | undefined;
      if (!item) return offset;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
}

function broken(lines: LineCounter, offset: number, message: string): Read {
  const { line, col } = lines.linePos(offset);
  return { part: null, broken: { line: Math.max(line, 1), column: Math.max(col, 1), path: "", message } };
}

const sentence = (words: string) => `This is not readable as YAML: ${words.replace(/\s+/g, " ").trim()}`;
