import type { SubmissionResult } from "@conform-to/react";

/**
 * A short form of plain fields: what a refused one says of each, and what was typed, which is never lost. Answers to
 * another form of the page (another `intent`) are left out.
 */
export function plainForm(result: SubmissionResult | null | undefined, intent: string) {
  const own = result?.initialValue?.["intent"] === intent ? result : undefined;
  const errors = (name: string): readonly string[] | null => own?.error?.[name] ?? null;
  return {
    /** Was this the form that was refused? */
    isRefused: own !== undefined,
    /** What is wrong with the form as a whole. */
    refusal: errors(""),
    errors,
    typed: (name: string, fallback = ""): string => (own ? String(own.initialValue?.[name] ?? "") : fallback),
    /** The attributes of a field's control; its note is `<id>-error`. */
    field: (id: string, name: string) => ({
      id,
      name,
      "aria-describedby": `${id}-error`,
      "aria-invalid": errors(name) ? true : undefined,
    }),
  };
}

/** What was refused without being one of these forms: a button's. */
export const refusalOf = (
  result: SubmissionResult | null | undefined,
  ...intents: readonly string[]
): readonly string[] | null =>
  intents.includes(String(result?.initialValue?.["intent"])) ? (result?.error?.[""] ?? null) : null;
