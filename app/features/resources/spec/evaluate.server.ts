import { OF_ENTRY, OF_RESOURCE, OF_SETTINGS, type Draft, type FieldProblem } from "./draft.ts";
import { pairProblem, readFields, readPairs, isAbsent, type Where } from "./read-values.ts";
import type { Identity } from "./read-draft.server.ts";
import { entryAt, withEntry, type SpecTable } from "./table.server.ts";
import type { Json, Values } from "./values.ts";
import { readSpec, wrappedSpec, type LineProblem } from "./yaml.server.ts";

/** What a draft says: who it is and its spec, with everything that is wrong with it where it is wrong. */
export interface Evaluated {
  identity: Identity;
  /** Null when the code cannot be read at all. */
  spec: Json | null;
  problems: FieldProblem[];
  lines: LineProblem[];
  /** What belongs to no field. */
  errors: string[];
  isWrapped: boolean;
}

const REQUIRED = "This field is required";
/** Names are used in addresses of other systems and in labels: what they allow is enough for everybody. */
const LONGEST_NAME = 253;

/** The spec of a draft as it stands, right or wrong; null when its code cannot be read. */
export function specOf(table: SpecTable, draft: Draft): Json | null {
  return draft.as === "code" ? readSpec(draft.code).spec : specOfForm(table, draft, new Map());
}

function specOfForm(table: SpecTable, { values: typed, base, at, seen }: Draft, where: Where): Json {
  const values = seen === "" ? withName(typed) : typed;
  const spec = readFields(table.settings, values, base, { path: OF_SETTINGS, at: "", where });
  const fields = at && table.fieldsOf(at.type);
  if (!at || !fields) return spec;
  const place = { path: OF_ENTRY, at: `${at.type}.${at.index}`, where };
  return withEntry(spec, at, readFields(fields, values, entryAt(base, at), place));
}

/** In a new one, an entry that nobody named is called like the whole, as a script writes while one types. */
function withName(values: Values): Values {
  const [entry, whole] = [`${OF_ENTRY}.name`, `${OF_RESOURCE}.name`];
  return values[entry]?.trim() === "" ? { ...values, [entry]: values[whole]?.trim() ?? "" } : values;
}

/** Reads a draft and checks all of it. */
export function evaluate(table: SpecTable, draft: Draft): Evaluated {
  const { identity, problems } = evaluateIdentity(draft);
  const found = { identity, problems, lines: [] as LineProblem[], errors: [] as string[], isWrapped: false };
  if (draft.as === "code") {
    const read = readSpec(draft.code);
    if (!read.spec) return { ...found, spec: null, lines: read.problems };
    const lines = table.problems(read.spec).map(({ path, message }) => ({
      line: read.lineOf(path),
      message: path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message,
    }));
    lines.sort((one, other) => one.line - other.line);
    return { ...found, spec: read.spec, lines, isWrapped: wrappedSpec(read.spec) !== null };
  }
  const where: Where = new Map();
  const spec = specOfForm(table, draft, where);
  for (const { path, message } of table.problems(spec)) {
    const field = nearest(where, path);
    if (field) found.problems.push({ ...field, message });
    else found.errors.push(path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message);
  }
  return { ...found, spec };
}

/** The input of a path, or of the nearest part around it that has one. */
function nearest(where: Where, path: readonly PropertyKey[]): { name: string; label: string } | null {
  for (let length = path.length; length > 0; length -= 1) {
    const found = where.get(path.slice(0, length).map(String).join("."));
    if (found) return found;
  }
  return null;
}

function evaluateIdentity({ values }: Draft): { identity: Identity; problems: FieldProblem[] } {
  const at = (field: string) => `${OF_RESOURCE}.${field}`;
  const name = (values[at("name")] ?? "").trim();
  const namespace = (values[at("namespace")] ?? "").trim();
  const labels = readPairs(values, at("labels"));
  const problems: FieldProblem[] = [];
  const wrong = (field: string, label: string, message: string | null) => {
    if (message !== null) problems.push({ name: at(field), label, message });
  };
  const length = (text: string) => (text.length > LONGEST_NAME ? `At most ${LONGEST_NAME} characters` : null);
  wrong("name", "Name", name === "" ? REQUIRED : length(name));
  wrong("namespace", "Namespace", length(namespace));
  wrong("labels", "Labels", pairProblem(values, at("labels")));
  return {
    identity: {
      name,
      namespace: namespace || "default",
      labels: isAbsent(labels) ? {} : (labels as Record<string, string>),
    },
    problems,
  };
}
