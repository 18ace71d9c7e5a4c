import { useForm, type DefaultValue, type SubmissionResult } from "@conform-to/react";

/** What the browser itself can check about a field, by field name. */
export type Constraints = NonNullable<NonNullable<Parameters<typeof useForm>[0]>["constraint"]>;

/**
 * Conform, wired once. The schema stays on the server: the page's loader sends its constraints
 * (`getZodConstraint(schema)`), which become `required`, `min`, `pattern`; the action validates and answers.
 */
export function useConstrainedForm<T extends Record<string, unknown>>({
  id,
  constraint,
  result,
  defaults,
}: {
  id: string;
  constraint: Constraints;
  result?: SubmissionResult | null | undefined;
  defaults?: DefaultValue<T>;
}) {
  return useForm<T>({ id, lastResult: result ?? null, defaultValue: defaults, constraint });
}
