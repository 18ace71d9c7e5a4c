import type { FieldDescription } from "#app/contract/fields.ts";
import type { Entry } from "./draft.ts";
import { isMap, type Json } from "./values.ts";

/** What the pages must know about specs that are written by type: canaries now, scrapers later. */
export interface SpecTable {
  /** The settings beside the lists, in the order of the form. */
  settings: FieldDescription[];
  /** The fields of an entry; null: it can only be written as code. */
  fieldsOf(type: string): FieldDescription[] | null;
  labelOf(type: string): string;
  /** What can be chosen for a new one. */
  types: readonly { type: string; label: string; icon: string; runs: boolean }[];
  isEntryList(name: string, value: unknown): boolean;
  /** The spec a new one of this type begins with. */
  begin(type: string): Json;
  /** Everything that is wrong with a spec, by its path in it. */
  problems(spec: Json): { path: PropertyKey[]; message: string }[];
}

/** The entries of a spec, in its order. */
export const entriesOf = ({ isEntryList }: SpecTable, spec: Json): Entry[] =>
  Object.entries(spec).flatMap(([type, value]) =>
    isEntryList(type, value) ? (value as unknown[]).map((_, index) => ({ type, index })) : [],
  );

/** One entry of a spec. */
export function entryAt(spec: Json, { type, index }: Entry): unknown {
  const list = spec[type];
  return Array.isArray(list) ? (list as unknown[])[index] : undefined;
}

/** The spec with one entry put into its place. */
export function withEntry(spec: Json, { type, index }: Entry, entry: Json): Json {
  const list = Array.isArray(spec[type]) ? [...(spec[type] as unknown[])] : [];
  list[index] = entry;
  return { ...spec, [type]: list };
}

/** The first entry that has a form. */
export const firstWithForm = (table: SpecTable, spec: Json): Entry | null =>
  entriesOf(table, spec).find((entry) => table.fieldsOf(entry.type) && isMap(entryAt(spec, entry))) ?? null;
