import { isMap as isYamlMap, isNode, LineCounter, parseDocument, stringify, type Document } from "yaml";
import { isMap, type Json } from "./values.ts";

/** What is wrong in a text, and where: lines count from 1. */
export interface LineProblem {
  line: number;
  message: string;
}

/** What a text says: a spec, with the place of each of its parts; or why it cannot be read. */
export type ReadSpec =
  | { spec: Json; lineOf: (path: readonly PropertyKey[]) => number; problems: [] }
  | { spec: null; problems: [LineProblem, ...LineProblem[]] };

/** Longest text a page reads itself, in characters: longer ones would hold up everybody else. */
const LONGEST = 256 * 1024;

/** Reads one YAML (or JSON) document that must be a map. Nothing unreadable is ever passed over. */
export function readSpec(text: string): ReadSpec {
  const refuse = (...problems: [LineProblem, ...LineProblem[]]): ReadSpec => ({ spec: null, problems });
  if (text.length > LONGEST) return refuse({ line: 1, message: "This is longer than 256 kB" });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const [first, ...rest] = document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
  if (first) return refuse(first, ...rest);
  if (document.contents === null) return refuse({ line: 1, message: "There is nothing here yet" });
  if (!isYamlMap(document.contents))
    return refuse({ line: 1, message: 'This must be a map of fields, such as schedule: "@every 1m"' });
  const spec = plain(document);
  if (spec instanceof Error) return refuse({ line: 1, message: spec.message });
  return { spec, lineOf: (path) => lineAt(startOf(document, path)), problems: [] };
}

/** As JSON has it; an alias that blows up is refused. */
function plain(document: Document): Json | Error {
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }))) as Json;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Where a part of the document begins: its key, or the nearest part around it that is there. */
function startOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const [around, last] = [path.slice(0, length - 1), path[length - 1]];
    const parent = around.length === 0 ? document.contents : document.getIn(around, true);
    if (isYamlMap(parent)) {
      const pair = parent.items.find(({ key }) => String(isNode(key) ? key.toJSON() : key) === String(last));
      if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** A spec as a person writes it; long lines are not folded. */
export const writeSpec = (spec: Json): string => stringify(spec, { lineWidth: 0 });

/** A whole manifest was pasted where only its spec belongs: that spec, or null. */
export function wrappedSpec(spec: Json): Json | null {
  const inner = spec["spec"];
  return isMap(inner) && ["kind", "apiVersion", "metadata"].some((name) => name in spec) ? inner : null;
}
