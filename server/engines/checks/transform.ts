import { readSamples } from "./measures.ts";
import type { Outcome, Transformed } from "./runner.ts";

/** What a transform came to: checks of their own, or this result with changes. */
export type Change =
  | { kind: "none" }
  | { kind: "checks"; checks: Transformed[] }
  | { kind: "edit"; outcome: Outcome; values: Record<string, unknown>; dropResults: boolean };

/** Checks that one transform may make. Ours to choose. */
const CHECK_LIMIT = 2000;

type Entry = Record<string, unknown>;

/**
 * Reads what a transform returned (facts: engines §3.3): entries with names other than the check's are checks of their
 * own; one entry without changes the result itself. Throws a sentence when it is neither.
 */
export function readTransform(value: unknown, check: { name: string }, outcome: Outcome): Change {
  const entries = (Array.isArray(value) ? value : [value]).filter((entry) => entry !== null);
  if (!entries.every(isEntry)) throw new Error("it must be an object or a list of objects");
  const [first] = entries;
  if (first === undefined) return { kind: "none" };
  if (named(first) && first["name"] !== check.name) {
    if (entries.length > CHECK_LIMIT) throw new Error(`it makes more than ${CHECK_LIMIT} checks`);
    const checks = new Map(entries.map((entry) => [key(entry, check.name), transformed(entry, check.name)]));
    return { kind: "checks", checks: [...checks.values()] };
  }
  if (entries.length > 1) throw new Error("several entries must have names, each another than the check's");
  return edit(first, outcome);
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null;
const named = (entry: Entry) => text(entry["name"]) !== null;
const key = (entry: Entry, fallback: string) =>
  JSON.stringify([text(entry["type"]), text(entry["name"]) ?? fallback]);
const milliseconds = (value: unknown) =>
  typeof value === "number" && value >= 0 && value < 2 ** 31 ? Math.round(value) : undefined;
const details = (value: unknown) =>
  value === undefined || value === null ? undefined : isEntry(value) ? value : { result: value };
const date = (value: unknown): Date | null => {
  const at = typeof value === "string" ? new Date(value) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
};

const labelsOf = ({ labels }: Entry): Record<string, string> =>
  isEntry(labels)
    ? Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, text(value) ?? String(value)]))
    : {};

function transformed(entry: Entry, parent: string): Transformed {
  const samples = readSamples(entry["metrics"]);
  return {
    name: text(entry["name"]) ?? parent,
    type: text(entry["type"]),
    namespace: text(entry["namespace"]),
    description: text(entry["description"]),
    icon: text(entry["icon"]),
    labels: labelsOf(entry),
    deleted: date(entry["deletedAt"]) !== null,
    start: date(entry["start"]),
    outcome: {
      status: entry["pass"] === true ? "healthy" : "unhealthy",
      message: text(entry["message"]) ?? undefined,
      error: text(entry["error"]) ?? undefined,
      invalid: entry["invalid"] === true,
      ms: milliseconds(entry["duration"]) ?? 0,
      details: details(entry["detail"] ?? entry["data"]),
      ...(samples.length > 0 && entry["pass"] === true ? { samples } : {}),
    },
  };
}

/** Each field that is given replaces the result's. */
function edit(entry: Entry, outcome: Outcome): Change {
  const { pass, message, error, invalid, duration, detail, data } = entry;
  const samples = readSamples(entry["metrics"]);
  const labels = labelsOf(entry);
  const dropResults = detail === "$delete";
  return {
    kind: "edit",
    dropResults,
    values: isEntry(data) ? data : {},
    outcome: {
      ...outcome,
      ...(typeof pass === "boolean" ? { status: pass ? "healthy" : "unhealthy" } : {}),
      ...(text(message) === null ? {} : { message: text(message) as string }),
      ...(typeof error === "string" ? { error: error || undefined } : {}),
      ...(typeof invalid === "boolean" ? { invalid } : {}),
      ...(milliseconds(duration) === undefined ? {} : { ms: milliseconds(duration) }),
      ...(detail === undefined ? {} : { details: dropResults ? undefined : details(detail) }),
      ...(Object.keys(labels).length > 0 ? { labels: { ...outcome.labels, ...labels } } : {}),
      ...(samples.length > 0 ? { samples: [...(outcome.samples ?? []), ...samples] } : {}),
    },
  };
}
