/** What reading gives, before anything is written: shared by the readers of all formats. */
import type { Format, Remark } from "#app/contract/rows/import-report.ts";
import type { Part } from "./documents.ts";

export type Fields = Record<string, unknown>;

/** A canary as it should be. */
export interface WantedCanary {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  spec: Fields;
}

/** One document: a canary, or why it is none. */
export interface Entry {
  line: number;
  title: string;
  canary: WantedCanary | null;
  /** Why it is not taken. */
  refused: Remark | null;
  /** Why nothing has to be done for it. */
  skipped: Remark | null;
  warnings: Remark[];
}

export interface Reading {
  format: Format | null;
  entries: Entry[];
  notes: Remark[];
}

/** Thrown by a reader where a document cannot be taken; becomes its entry's reason. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly remark: Remark;
  constructor(remark: Remark) {
    super(remark.message);
    this.remark = remark;
  }
}

/** Runs a reader on a part: what it refuses is the entry's reason, what it warns of stays with the entry. */
export function entryOf(
  part: Part,
  title: string,
  read: (warn: (path: readonly (string | number)[], message: string) => void) => WantedCanary,
): Entry {
  const warnings: Remark[] = [];
  const entry = { line: part.line, title, canary: null, refused: null, skipped: null, warnings };
  try {
    return { ...entry, canary: read((path, message) => warnings.push(part.remark(path, message))) };
  } catch (error) {
    if (error instanceof Refusal) return { ...entry, refused: error.remark };
    throw error;
  }
}

export const skippedEntry = (part: Part, title: string, message: string): Entry => ({
  line: part.line,
  title,
  canary: null,
  refused: null,
  skipped: part.remark([], message),
  warnings: [],
});

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text that says something; numbers, as YAML has them, count as text. */
export function textOf(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** Without what is not said. */
export const clean = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
