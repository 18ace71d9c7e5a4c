import type { FieldDescription } from "#app/contract/fields.ts";
import type { Json, Values } from "./values.ts";
import type { LineProblem } from "./yaml.server.ts";

/** Which entry of a spec the form shows: its list and its place there. */
export interface Entry {
  type: string;
  index: number;
}
export const entryName = ({ type, index }: Entry) => `${type}.${index}`;

/** What somebody is writing: everything the form carries from one answer to the next. */
export interface Draft {
  /** name, namespace, labels and the fields of the spec, as typed. */
  values: Values;
  as: "form" | "code";
  /** The YAML, while it is written as such. */
  code: string;
  /** The spec as it was when the form was drawn: what the form has no fields for is kept in it. */
  base: Json;
  /** The entry that the form shows; null where only code can be written. */
  at: Entry | null;
  /** `updated_at` of the row that is edited. */
  seen: string;
  /** Which answer this is: inputs are drawn anew when it changes. */
  round: number;
}

/** Prefixes of the inputs: of the resource itself, of the spec's settings, of the entry. */
export const OF_RESOURCE = "r";
export const OF_SETTINGS = "s";
export const OF_ENTRY = "f";

/** Something to mend: where, what it is called, what is wrong. */
export interface FieldProblem {
  name: string;
  label: string;
  message: string;
}

/** How one check went in a test before saving. Duration in ms. */
export interface TestedCheck {
  type: string;
  name: string;
  pass: boolean | null;
  duration: number;
  message?: string | undefined;
  error?: string | undefined;
}

/** What a form gets back. */
export interface Answer {
  draft: Draft;
  problems: FieldProblem[];
  lines: LineProblem[];
  /** Of the whole form. */
  errors: string[];
  /** A whole manifest was pasted: its spec can be taken out. */
  isWrapped: boolean;
  /** Somebody else saved meanwhile: what they changed, line by line. */
  conflict: { seen: string; changes: string[] } | null;
  tested: TestedCheck[] | null;
  /** The input that should have the focus. */
  focus: string | null;
}

/** What a page needs to draw the form of a draft. */
export interface Drawing {
  /** What is edited: "HTTP check". */
  title: string;
  settings: FieldDescription[];
  /** Of the entry; null when its type has none. */
  fields: FieldDescription[] | null;
  entries: { name: string; label: string }[];
}
