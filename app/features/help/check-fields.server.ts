import { describe, type FieldDescription } from "#app/contract/fields.ts";
import { commonFields } from "#app/contract/specs/checks/common.ts";
import { checkKinds } from "#app/contract/specs/checks/index.ts";

/** A line of a page in whose place the table of a type's fields is put. */
const PLACE = /^<!-- fields: (\w+) -->$/gm;

/**
 * The page with the tables of fields in their places, made of the tables that checks are read with. A type that the page
 * says nothing about comes at its end: none is left out.
 */
export function withCheckFields(markdown: string): string {
  const told = new Set([...markdown.matchAll(PLACE)].map(([, type]) => type));
  const untold = [...checkKinds].filter(([type]) => !told.has(type));
  const filled = markdown.replace(PLACE, (_, type: string) => tableOf(type));
  return [filled.trimEnd(), ...untold.map(([type]) => `## ${type}\n\n${tableOf(type)}`)].join("\n\n");
}

function tableOf(type: string): string {
  const kind = checkKinds.get(type);
  if (!kind) throw new Error(`There is no check type ${type} whose fields could be listed.`);
  const own = describe(kind.fields).filter(({ name }) => !Object.hasOwn(commonFields, name));
  return ["| Field | Meaning |", "|---|---|", ...own.flatMap((field) => rowsOf(field, ""))].join("\n");
}

function rowsOf(field: FieldDescription, above: string): string[] {
  const { name, label, hint, required, options, fields, widget } = field;
  const path = `${above}${name}`;
  const isNamedValues = widget === "list" && fields?.map((inner) => inner.name).join() === "name,value";
  const words = [
    `${label}${required ? ", required" : ""}`,
    options ? `One of ${options.join(", ")}` : null,
    isNamedValues ? "A list of names and values" : null,
    hint,
  ].filter((part) => part !== null && part !== undefined);
  const inside = isNamedValues ? [] : (fields ?? []);
  const below = widget === "list" ? `${path}[].` : `${path}.`;
  return [
    `| \`${path}\` | ${escaped(words.join(". "))} |`,
    ...inside.flatMap((inner) => rowsOf(inner, below)),
  ];
}

/** As words: no sign of Markdown counts, and an address is no link. */
const escaped = (text: string) => text.replace(/[\\`*_[\]|<>:@]/g, "\\$&");
