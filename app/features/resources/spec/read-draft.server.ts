import { pairValues, toValues, type Json, type Values } from "./values.ts";
import { OF_ENTRY, OF_RESOURCE, OF_SETTINGS, type Draft, type Entry } from "./draft.ts";
import { entryAt, firstWithForm, type SpecTable } from "./table.server.ts";
import { isMap } from "./values.ts";
import { writeSpec } from "./yaml.server.ts";

/** What a resource is besides its spec. */
export interface Identity {
  name: string;
  namespace: string;
  labels: Readonly<Record<string, string>>;
}

/** The inputs of the fields that a spec's form shows. */
export function specValues(table: SpecTable, spec: Json, at: Entry | null): Values {
  return {
    ...toValues(table.settings, spec, OF_SETTINGS),
    ...(at ? toValues(table.fieldsOf(at.type) ?? [], entryAt(spec, at), OF_ENTRY) : {}),
  };
}

/** The draft of something as it is; written as code where it has no form. */
export function draftOf(
  table: SpecTable,
  { name, namespace, labels }: Identity,
  spec: Json,
  { as, seen = "" }: { as: Draft["as"]; seen?: string },
): Draft {
  const at = firstWithForm(table, spec);
  return {
    values: {
      [`${OF_RESOURCE}.name`]: name,
      [`${OF_RESOURCE}.namespace`]: namespace,
      ...pairValues(labels, `${OF_RESOURCE}.labels`),
      ...specValues(table, spec, at),
    },
    as: at ? as : "code",
    code: writeSpec(spec),
    base: spec,
    at,
    seen,
    round: 0,
  };
}

const OURS = new RegExp(`^[${OF_RESOURCE}${OF_SETTINGS}${OF_ENTRY}]\\.`);

/** The draft that a form carries. What cannot be one is a form that nobody drew: the 400 page. */
export function readDraft(form: FormData): Draft {
  const values: Values = {};
  for (const [name, value] of form) {
    if (!OURS.test(name) || typeof value !== "string") continue;
    const text = value.replaceAll("\r\n", "\n");
    values[name] = name in values ? [values[name], text].filter(Boolean).join(", ") : text; // ticked and typed together
  }
  const text = (name: string) => String(form.get(name) ?? "").replaceAll("\r\n", "\n");
  return {
    values,
    as: text("as") === "code" ? "code" : "form",
    code: text("code"),
    base: readBase(text("base")),
    at: readEntry(text("at")),
    seen: text("seen"),
    round: Number.parseInt(text("round"), 10) || 0,
  };
}

function readBase(text: string): Json {
  try {
    const base: unknown = JSON.parse(text === "" ? "{}" : text);
    if (isMap(base)) return base;
  } catch {
    // refused below like every other text that is no map
  }
  throw new Response("The form could not be read.", { status: 400 });
}

export function readEntry(text: string): Entry | null {
  const [, type, index] = /^([\w-]+)\.(\d+)$/.exec(text) ?? [];
  return type === undefined || type === "__proto__" ? null : { type, index: Number(index) };
}
