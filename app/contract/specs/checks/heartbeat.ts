import { z } from "zod";
import { optional, schemaOf, text, type Field } from "#app/contract/fields.ts";
import { commonFields } from "./common.ts";

/** Milliseconds of the units of a duration; no months and years here, a heartbeat is at most a year apart. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);
const YEAR_MS = 366 * 86_400_000;

/** `1h30m` in milliseconds; NaN when it is no duration. */
function milliseconds(given: string): number {
  if (!/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(given)) return Number.NaN;
  return [...given.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (UNITS.get(unit) ?? 0),
    0,
  );
}

/** A duration between two limits, read as milliseconds. */
function between(label: string, hint: string, min: string, max = "366d") {
  const words = `This field must be a duration from ${min} to ${max}, such as 90s, 5m or 1d`;
  const schema = z
    .string({
      error: ({ input }) => (input === undefined || input === null ? "This field is required" : words),
    })
    .refine((given) => milliseconds(given) >= milliseconds(min) && milliseconds(given) <= YEAR_MS, words);
  return { ...text(label, hint), schema } satisfies Field;
}

/** Something that reports by itself, e.g. a nightly job: it is unhealthy when it is silent for too long. */
export const heartbeatFields = {
  ...commonFields,
  period: between("Period", "How often a ping is expected, such as 5m or 1d", "1s"),
  grace: optional(between("Grace", "How late it may be; 1m unless given", "0s")),
};
export const HeartbeatSpec = schemaOf(heartbeatFields);

const DEFAULT_GRACE = "1m";

/** How often a ping is expected and how long silence is borne, in milliseconds. */
export function heartbeatTerms(spec: z.output<typeof HeartbeatSpec>): { periodMs: number; holdMs: number } {
  const periodMs = milliseconds(spec.period);
  return { periodMs, holdMs: periodMs + milliseconds(spec.grace ?? DEFAULT_GRACE) };
}
