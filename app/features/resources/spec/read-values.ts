import type { FieldDescription } from "#app/contract/fields.ts";
import {
  inText,
  isMap,
  isScript,
  rowCount,
  rowIn,
  rowOut,
  under,
  valuesOf,
  type Json,
  type Values,
} from "./values.ts";

/** Which input a part of the spec was read from, by its path in the spec. */
export type Where = Map<string, { name: string; label: string }>;

const ABSENT = Symbol("absent");
type Read = unknown;

/**
 * A map of fields from its inputs, laid over what was there (`base`): fields the table does not have are kept, a field
 * that says what it said before keeps the very value it had (its type, its spelling), an emptied one goes. Text that is
 * no number stays text, for the schema to refuse. `path` is of the inputs, `at` of the spec.
 */
export function readFields(
  fields: readonly FieldDescription[],
  values: Values,
  base: unknown,
  { path, at, where }: { path: string; at: string; where: Where },
): Json {
  const result = new Map<string, unknown>(isMap(base) ? Object.entries(base) : []);
  for (const field of fields) {
    const place = {
      path: under(path, field.name),
      at: at === "" ? field.name : `${at}.${field.name}`,
      where,
    };
    where.set(place.at, { name: place.path, label: field.label });
    const read = readField(field, values, result.get(field.name), place);
    if (read === ABSENT) result.delete(field.name);
    else result.set(field.name, read);
  }
  return Object.fromEntries(result);
}

type Place = { path: string; at: string; where: Where };

function readField(field: FieldDescription, values: Values, base: unknown, place: Place): Read {
  const { path } = place;
  if (!isShown(values, path)) return base === undefined ? ABSENT : base;
  if (field.widget === "list") return readList(field, values, base, place);
  if (field.widget === "group" && !isScript(field)) {
    const read = readFields(field.fields ?? [], values, base, place);
    return Object.keys(read).length > 0 || (isMap(base) && Object.keys(base).length === 0) ? read : ABSENT;
  }
  if (saysTheSame(field, values, base, path)) return base === undefined ? ABSENT : base;
  if (isScript(field)) return readScript(field, values, path);
  switch (field.widget) {
    case "keyValue":
      return readPairs(values, path);
    case "secret":
      return readSecret(values, base, path);
    case "flag":
      return values[path] === "true" ? true : ABSENT;
    case "values":
      return readMany(field, values[path] ?? "");
    case "number":
      return readNumber(values[path] ?? "");
    default:
      return values[path] ? values[path] : ABSENT;
  }
}

/** Was the field in the form at all? A form that does not draw it does not take it away. */
const isShown = (values: Values, path: string): boolean =>
  Object.keys(values).some(
    (name) => name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}@`),
  );

function saysTheSame(field: FieldDescription, values: Values, base: unknown, path: string): boolean {
  const before = valuesOf(field, base, path);
  const now = Object.entries(values).filter(
    ([name]) => name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}@`),
  );
  const kind = values[`${path}@kind`];
  if (kind !== undefined && kind !== (before[`${path}@kind`] ?? "")) return false;
  return (
    now.every(([name, text]) => text === (before[name] ?? "")) &&
    Object.entries(before).every(([name, text]) => (values[name] ?? "") === text)
  );
}

/** Rows that say nothing are none. What a row had besides its fields stays with it, wherever it stands now. */
function readList(field: FieldDescription, values: Values, base: unknown, { path, at, where }: Place): Read {
  const before = Array.isArray(base) ? (base as unknown[]) : [];
  const rows: Json[] = [];
  for (let index = 0; index < rowCount(values, path); index += 1) {
    const row = under(path, index);
    const from = values[`${row}@from`];
    const known = from === undefined || from === "" ? undefined : before[Number(from)];
    const read = readFields(field.fields ?? [], values, rowIn(known), {
      path: row,
      at: `${at}.${rows.length}`,
      where,
    });
    if (Object.keys(read).length > 0) rows.push(rowOut(read));
  }
  if (rows.length > 0) return rows;
  return Array.isArray(base) && base.length === 0 ? base : ABSENT;
}

/** A map; a key that is said twice is reported by `doubled`. */
export function readPairs(values: Values, path: string): Json | typeof ABSENT {
  const pairs = pairsOf(values, path);
  return pairs.length > 0 ? Object.fromEntries(pairs) : ABSENT;
}
export const isAbsent = (read: unknown): read is typeof ABSENT => read === ABSENT;

const pairsOf = (values: Values, path: string): [string, string][] =>
  Array.from({ length: rowCount(values, path) }, (_, index): [string, string] => [
    (values[`${under(path, index)}@key`] ?? "").trim(),
    values[`${under(path, index)}@value`] ?? "",
  ]).filter(([key, value]) => key !== "" || value !== "");

/** What is wrong with the rows of a map: a key twice, or a value without one. */
export function pairProblem(values: Values, path: string): string | null {
  const keys = pairsOf(values, path).map(([key]) => key);
  if (keys.includes("")) return "Each value needs a key";
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  return twice === undefined ? null : `${twice} is there twice`;
}

function readSecret(values: Values, base: unknown, path: string): Read {
  const kind = values[`${path}@kind`];
  const [name, key] = [values[`${path}@name`] ?? "", values[`${path}@key`] ?? ""].map((text) => text.trim());
  if (kind === "secret" || kind === "configmap") {
    if (!name && !key) return ABSENT;
    return { valueFrom: { [kind === "secret" ? "secretKeyRef" : "configMapKeyRef"]: { name, key } } };
  }
  const text = values[path] ?? "";
  if (text === "") return ABSENT;
  return isMap(base) && !("valueFrom" in base) && "value" in base ? { ...base, value: text } : text;
}

function readScript(field: FieldDescription, values: Values, path: string): Read {
  const kind = values[`${path}@kind`] ?? "none";
  const text = values[path] ?? "";
  if (kind === "none" || text.trim() === "") return ABSENT;
  const spelled = field.fields?.find(({ name }) => name.toLowerCase() === kind.toLowerCase())?.name ?? kind;
  return { [spelled]: text };
}

function readMany(field: FieldDescription, text: string): Read {
  const parts = text
    .split(field.item === "number" ? /[,\s]+/ : "\n")
    .map((part) => (field.item === "number" ? part : part.replace(/\r$/, "")))
    .filter((part) => part.trim() !== "");
  if (parts.length === 0) return ABSENT;
  return field.item === "number" ? [...new Set(parts)].map(readNumber) : parts;
}

function readNumber(text: string): Read {
  const typed = text.trim();
  if (typed === "") return ABSENT;
  return Number.isFinite(Number(typed)) ? Number(typed) : inText(text);
}
