import type { FieldDescription } from "#app/contract/fields.ts";

/**
 * A form's state as its inputs have it: name → text. What was typed is drawn again as it was typed, whatever it is worth;
 * only reading it makes values of it. Names are the path of the field; what a control needs besides stands after an `@`.
 */
export type Values = Record<string, string>;
export type Json = Record<string, unknown>;

/** How an expression may be written, and what the form calls it (specification 3 §3.8). */
export const SCRIPT_KINDS = [
  { value: "template", label: "Go Template" },
  { value: "javascript", label: "Javascript" },
  { value: "expr", label: "Expr" },
  { value: "jsonPath", label: "JSONPath" },
] as const;
/** Other spellings of the same languages. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["jsonpath", "jsonPath"],
  ["gotemplate", "template"],
]);
const SCRIPTS: ReadonlySet<string> = new Set([
  ...SCRIPT_KINDS.map(({ value }) => value),
  ...SPELLINGS.keys(),
]);

/** Is it a group of nothing but languages? Then it is one script with a switch. */
export const isScript = ({ widget, fields = [] }: FieldDescription): boolean =>
  widget === "group" &&
  fields.some(({ name }) => name === "expr") &&
  fields.every(({ name }) => SCRIPTS.has(name));

/** Where the rows of a list or a map are counted. */
export const rowsName = (path: string) => `${path}@rows`;
export const rowCount = (values: Values, path: string): number => {
  const count = Number(values[rowsName(path)] ?? 0);
  return Number.isInteger(count) && count > 0 ? Math.min(count, MOST_ROWS) : 0;
};
/** More rows than anybody types; a number from outside must not make a page of any size. */
const MOST_ROWS = 500;

/** The inputs of a map of fields. */
export function toValues(fields: readonly FieldDescription[], value: unknown, path: string): Values {
  const given = isMap(value) ? value : {};
  return Object.assign(
    {},
    ...fields.map((field) => valuesOf(field, given[field.name], under(path, field.name))),
  ) as Values;
}

export const under = (path: string, name: string | number) => `${path}.${name}`;

/** The inputs of one field. */
export function valuesOf(field: FieldDescription, value: unknown, path: string): Values {
  if (isScript(field)) return scriptValues(value, path);
  switch (field.widget) {
    case "group":
      return toValues(field.fields ?? [], value, path);
    case "list":
      return listValues(field, value, path);
    case "keyValue":
      return pairValues(value, path);
    case "secret":
      return secretValues(value, path);
    case "flag":
      return { [`${path}@shown`]: "1", ...(value === true || value === "true" ? { [path]: "true" } : {}) };
    case "values":
      return {
        [path]: Array.isArray(value)
          ? value.map(inText).join(field.item === "number" ? ", " : "\n")
          : inText(value),
      };
    default:
      return { [path]: inText(value) };
  }
}

function listValues(field: FieldDescription, value: unknown, path: string): Values {
  const rows = Array.isArray(value) ? value : [];
  return Object.assign(
    { [rowsName(path)]: String(rows.length) },
    ...rows.map((row, index) => ({
      ...toValues(field.fields ?? [], rowIn(row), under(path, index)),
      [`${under(path, index)}@from`]: String(index),
    })),
  ) as Values;
}

/** A row with a name says `valueFrom` beside it, not inside its value; the form has one control for the two. */
export const rowIn = (row: unknown): unknown => {
  if (!isMap(row) || !("valueFrom" in row) || "value" in row) return row;
  const { valueFrom, ...rest } = row;
  return { ...rest, value: { valueFrom } };
};
export const rowOut = (row: Json): Json => {
  const { value, ...rest } = row;
  return isMap(value) && "valueFrom" in value ? { ...rest, valueFrom: value["valueFrom"] } : row;
};

/** A map of text to text as pairs of inputs; so two rows may say the same key while somebody types. */
export function pairValues(value: unknown, path: string): Values {
  const pairs = isMap(value) ? Object.entries(value) : [];
  return Object.assign(
    { [rowsName(path)]: String(pairs.length) },
    ...pairs.map(([key, text], index) => ({
      [`${under(path, index)}@key`]: key,
      [`${under(path, index)}@value`]: inText(text),
    })),
  ) as Values;
}

const REFERENCE = /^(secret|configmap):\/\/([^/]+)\/(.+)$/;

/** A value that may be a secret: typed here, or looked up where it is kept. */
function secretValues(value: unknown, path: string): Values {
  const made = (kind: string, name: unknown, key: unknown) => ({
    [`${path}@kind`]: kind,
    [`${path}@name`]: inText(name),
    [`${path}@key`]: inText(key),
  });
  if (typeof value === "string") {
    const [, kind, name, key] = REFERENCE.exec(value) ?? [];
    return kind ? made(kind, name, key) : { [`${path}@kind`]: "static", [path]: value };
  }
  if (isMap(value)) {
    const from = isMap(value["valueFrom"]) ? value["valueFrom"] : {};
    const { secretKeyRef: secret, configMapKeyRef: map } = from;
    if (isMap(secret)) return made("secret", secret["name"], secret["key"]);
    if (isMap(map)) return made("configmap", map["name"], map["key"]);
    if ("value" in value) return { [`${path}@kind`]: "static", [path]: inText(value["value"]) };
  }
  return { [`${path}@kind`]: "static", [path]: inText(value) };
}

function scriptValues(value: unknown, path: string): Values {
  const [kind, text] = isMap(value)
    ? (Object.entries(value).find(([name]) => SCRIPTS.has(name)) ?? ["none", ""])
    : ["none", inText(value)];
  return { [`${path}@kind`]: SPELLINGS.get(kind) ?? kind, [path]: inText(text) };
}

/** What an input shows of a value that is no text: nothing, its figure, or JSON for what a field has no place for. */
export function inText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value as string);
}

export const isMap = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
