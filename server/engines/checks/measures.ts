/** Numbers that a check measures for Prometheus (facts: engines §3.3): asked for in its spec, or given by its transform. */
import type { Answers, Question } from "../expressions/index.ts";

export interface MetricSpec {
  name: string;
  type: Sample["type"];
  /** A CEL expression that comes to a number. */
  value: string;
  labels?: readonly { name: string; value?: string; valueExpr?: string }[];
}

/** One number of one run. */
export interface Sample {
  name: string;
  type: "counter" | "gauge" | "histogram";
  value: number;
  labels: Record<string, string>;
}

/** Samples that one result may give. Ours to choose. */
const SAMPLES = 500;
const TYPES: readonly unknown[] = ["counter", "gauge", "histogram"] satisfies Sample["type"][];
const NAME = /^[A-Za-z_:][A-Za-z0-9_:]{0,127}$/;
const LABEL = /^(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** What the metrics of a spec ask, to be put beside its other questions. */
export function metricQuestions(metrics: readonly MetricSpec[] = []): Record<string, Question> {
  const asked: Record<string, Question> = {};
  for (const [index, { value, labels = [] }] of metrics.entries()) {
    asked[`metrics.${index}.value`] = { expr: value, as: "value" };
    for (const [at, { valueExpr }] of labels.entries())
      if (valueExpr !== undefined)
        asked[`metrics.${index}.labels.${at}.valueExpr`] = { expr: valueExpr, as: "text" };
  }
  return asked;
}

/** Their samples; throws a sentence with the field that is wrong. */
export function samplesOf(metrics: readonly MetricSpec[] = [], answers: Answers): Sample[] {
  const answered = (field: string): unknown => {
    const answer = answers[field] ?? { error: "there is no answer" };
    if ("error" in answer) throw new Error(`${field}: ${answer.error}`);
    return answer.value;
  };
  return metrics.map(({ name, type, labels = [] }, index) => {
    const field = `metrics.${index}.value`;
    return {
      name,
      type,
      value: numberOf(answered(field), field, type),
      labels: Object.fromEntries(
        labels.map(({ name: label, value, valueExpr }, at) => [
          label,
          valueExpr === undefined
            ? (value ?? "")
            : String(answered(`metrics.${index}.labels.${at}.valueExpr`)),
        ]),
      ),
    };
  });
}

function numberOf(value: unknown, field: string, type: Sample["type"]): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "boolean") return number ? 1 : 0;
  if (typeof number !== "number" || Number.isNaN(number))
    throw new Error(`${field}: it must come to a number, not ${JSON.stringify(value).slice(0, 100)}`);
  if (type === "counter" && number < 0) throw new Error(`${field}: a counter only goes up, not by ${number}`);
  return number;
}

/** The `metrics` of an entry of a transform: `{name, type, value, labels}`, the labels a map or a list. Throws a sentence. */
export function readSamples(given: unknown): Sample[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw new Error("metrics must be a list");
  if (given.length > SAMPLES) throw new Error(`metrics has more than ${SAMPLES} entries`);
  return given.map((entry: unknown, index) => {
    const field = `metrics.${index}`;
    if (typeof entry !== "object" || entry === null) throw new Error(`${field} must be an object`);
    const { name, type = "gauge", value, labels } = entry as Record<string, unknown>;
    if (typeof name !== "string" || !NAME.test(name)) throw new Error(`${field}.name is no name of a metric`);
    if (!TYPES.includes(type)) throw new Error(`${field}.type must be one of ${TYPES.join(", ")}`);
    const kind = type as Sample["type"];
    return {
      name,
      type: kind,
      value: numberOf(value, `${field}.value`, kind),
      labels: labelsOf(labels, field),
    };
  });
}

function labelsOf(given: unknown, field: string): Record<string, string> {
  const pairs = Array.isArray(given)
    ? given.map((label: unknown) => {
        const { name, value } = (label ?? {}) as Record<string, unknown>;
        return [name, value] as const;
      })
    : Object.entries((given ?? {}) as object);
  return Object.fromEntries(
    pairs.map(([name, value]) => {
      if (typeof name !== "string" || !LABEL.test(name))
        throw new Error(`${field}.labels: ${JSON.stringify(name)} is no name of a label`);
      return [name, value === null || value === undefined ? "" : String(value)];
    }),
  );
}
