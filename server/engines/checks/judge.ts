import {
  evaluate,
  type Answers,
  type Environment,
  type Question,
  type Script,
} from "../expressions/index.ts";
import { metricQuestions, samplesOf, type MetricSpec } from "./measures.ts";
import type { Outcome } from "./runner.ts";
import { readTransform, type Change } from "./transform.ts";

/** The expressions of a spec. Every table of fields has them among the common ones. */
export interface Expressions {
  test?: Script;
  display?: Script;
  transform?: Script;
  metrics?: readonly MetricSpec[];
}

/** What the expressions see of where they are. */
export interface About {
  canary: { id: string; name: string; namespace: string; labels: Record<string, string> };
  check: { id: string; name: string; description: string; labels: Record<string, string>; endpoint: string };
  /** The newest stored result, for `last_result()`; null when there is none. */
  lastResult(): Promise<Record<string, unknown> | null>;
}

/** How long the words of an expression are in an error, in characters. */
const QUOTED = 200;

/**
 * Transforms the result, then gives it its message, then tests it (facts: engines §3.3). A true test does not make good
 * what failed before. A check without expressions costs nothing here.
 */
export async function judge(outcome: Outcome, spec: Expressions, about: About, ms: number): Promise<Outcome> {
  const { environment, ...result } = outcome;
  const { test, display, transform } = spec;
  if (!asksOf(spec)) return result;
  const metrics = metricQuestions(spec.metrics);
  const texts = [test, display, transform, ...Object.values(metrics)].map(sourceOf).join("\n");
  const seen: Environment = {
    ...environment,
    values: {
      results: result.details ?? {},
      ...environment?.values,
      canary: about.canary,
      check: about.check,
      duration: Math.round(result.ms ?? ms),
    },
    ...(texts.includes("last_result") ? { lastResult: await about.lastResult() } : {}),
  };
  const verdict: Record<string, Question> = {
    ...(display ? { display: { ...display, as: "text" } } : {}),
    ...(test ? { test: { ...test, as: "truth" } } : {}),
    ...metrics,
  };
  const asked: Record<string, Question> = transform
    ? { ...verdict, transform: { ...transform, as: "json" } }
    : verdict;

  const answers = await evaluate(seen, asked);
  const changed = changes(answers["transform"], about, result);
  if ("error" in changed)
    return { ...result, status: "unhealthy", invalid: true, error: add(result.error, changed.error) };
  if (changed.kind === "edit") {
    const { outcome: edited, values, dropResults } = changed;
    if (Object.keys(values).length === 0 && !dropResults) return pronounce(edited, answers, spec);
    const again = { ...seen, values: { ...seen.values, ...values, ...(dropResults ? { results: {} } : {}) } };
    return pronounce(edited, await evaluate(again, verdict), spec);
  }
  const judged = pronounce(result, answers, spec);
  return changed.kind === "checks" ? { ...judged, details: undefined, transformed: changed.checks } : judged;
}

function changes(
  answer: Answers[string] | undefined,
  about: About,
  result: Outcome,
): Change | { error: string } {
  if (!answer) return { kind: "none" };
  try {
    if ("error" in answer) throw new Error(answer.error);
    return readTransform(answer.value, about.check, result);
  } catch (error) {
    return { error: `error transforming result: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The message, the verdict and, when it passes, what it measured. */
function pronounce(result: Outcome, answers: Answers, { test: asked, metrics }: Expressions): Outcome {
  const { display, test } = answers;
  const wrong: string[] = [];
  if (display && "error" in display) wrong.push(`display: ${display.error}`);
  if (test && "error" in test) wrong.push(`test: ${test.error}`);
  let invalid = wrong.length > 0;
  if (test && "value" in test && test.value !== true)
    wrong.push(`the test is not true: ${quoted(sourceOf(asked))}`);
  let samples = result.samples ?? [];
  if (metrics && wrong.length === 0 && result.status === "healthy")
    try {
      samples = [...samples, ...samplesOf(metrics, answers)];
    } catch (error) {
      wrong.push(error instanceof Error ? error.message : String(error));
      invalid = true;
    }
  const message = display && "value" in display ? String(display.value) : result.message;
  const told = { ...result, ...(message === undefined ? {} : { message }) };
  if (wrong.length === 0) return samples.length === 0 ? told : { ...told, samples };
  return {
    ...told,
    status: "unhealthy",
    ...(invalid ? { invalid } : {}),
    error: add(result.error, wrong.join("\n")),
  };
}

/** Whether a spec has expressions at all, so that a runner knows whether to keep what only they see. */
export const asksOf = ({ test, display, transform, metrics }: Expressions): boolean =>
  Boolean(test ?? display ?? transform) || (metrics?.length ?? 0) > 0;

const add = (before: string | undefined, words: string) => (before ? `${before}\n${words}` : words);
const sourceOf = (script: Script | undefined) =>
  script?.expr ?? script?.template ?? script?.javascript ?? script?.jsonPath ?? "";
const quoted = (expr: string) => {
  const words = expr.trim().replace(/\s+/g, " ");
  return words.length > QUOTED ? `${words.slice(0, QUOTED)} …` : words;
};
