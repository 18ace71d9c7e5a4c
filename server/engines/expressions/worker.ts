/** A thread of the pool: takes one task at a time, answers it, and is killed when it takes too long. */
import { parentPort } from "node:worker_threads";
import type { CelInput, CelValue } from "@bufbuild/cel";
import { evaluate } from "./compile.ts";
import { renew } from "./functions/budget.ts";
import { untilReady } from "./functions/jq.ts";
import { LAST_RESULT } from "./prepare.ts";
import type { Answer, Answers, Environment, Question, Task } from "./protocol.ts";
import { render, renderString } from "./template/index.ts";
import { durationOf, fromCel, textOf, toCel } from "./values.ts";

/** Longest text an expression may come to, in characters: more is no message. */
const TEXT_LIMIT = 1_000_000;

type Variables = Record<string, CelInput>;

/** The same environment as the languages want it. */
interface Given {
  /** For CEL and templates: whole numbers are integers, durations and times are such. */
  cel: Variables;
  /** For JavaScript and JSONPath: durations are milliseconds, times are text. */
  plain(): Record<string, unknown>;
}

function given({ values, durations, json, lastResult }: Environment): Given {
  const document = json === undefined ? undefined : (parsed(json) ?? {});
  const all: Variables = Object.create(null);
  for (const [name, value] of Object.entries(values)) all[name] = toCel(value);
  for (const [name, ms] of Object.entries(durations ?? {}))
    all[name] = durationOf(BigInt(Math.round(ms * 1e6)));
  if (json !== undefined) all["json"] = toCel(document);
  if (lastResult !== undefined) all[LAST_RESULT] = toCel(lastResult ?? {});
  return {
    cel: all,
    plain: () => ({
      ...values,
      ...durations,
      ...(json === undefined ? {} : { json: document }),
      ...(lastResult === undefined ? {} : { [LAST_RESULT]: lastResult ?? {} }),
    }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const failed = (error: unknown): Answer => ({
  error: error instanceof Error ? error.message : String(error),
});

async function answer(question: Question, seen: Given): Promise<Answer> {
  renew();
  try {
    return { value: shaped(await valueOf(question, seen), question.as) };
  } catch (error) {
    return failed(error);
  }
}

/** Exactly one language is given: specs are checked before they come here. The big libraries come when they are asked for. */
async function valueOf(
  { expr, template, javascript, jsonPath }: Question,
  { cel, plain }: Given,
): Promise<CelValue> {
  if (expr !== undefined) return untilReady(() => evaluate(expr, cel));
  if (template !== undefined) return untilReady(() => render(template, cel));
  if (javascript !== undefined) {
    const { runJavaScript } = await import("./javascript/index.ts");
    return toCel(await runJavaScript(javascript, plain())) as CelValue;
  }
  if (jsonPath === undefined) throw new Error("there is nothing to evaluate");
  const { queryJsonPath } = await import("./json-path.ts");
  return toCel(queryJsonPath(jsonPath, plain())) as CelValue;
}

function shaped(value: CelValue, as: Question["as"]): unknown {
  if (as === "value") return fromCel(value);
  if (as === "json") return typeof value === "string" ? fromJson(value) : fromCel(value);
  const text = textOf(value);
  if (as === "text") return text.length > TEXT_LIMIT ? text.slice(0, TEXT_LIMIT) : text;
  const truth = text.trim();
  if (truth !== "true" && truth !== "false")
    throw new Error(`the expression must be true or false, not ${text.slice(0, 200)}`);
  return truth === "true";
}

function fromJson(text: string): unknown {
  const value = parsed(text);
  if (value === undefined) throw new Error("the expression must come to an object, a list or JSON");
  return value;
}

async function perform(task: Task): Promise<Answers> {
  if (task.kind === "parse")
    return { parse: parsed(task.text) === undefined ? { error: "no JSON" } : { value: true } };
  const seen = given(task.environment);
  const answers: Answers = {};
  if (task.kind === "evaluate")
    for (const [name, question] of Object.entries(task.questions))
      answers[name] = await answer(question, seen);
  else
    for (const [name, { text, dollar }] of Object.entries(task.blanks))
      try {
        renew();
        answers[name] = { value: await untilReady(() => renderString(text, seen.cel, { dollar })) };
      } catch (error) {
        answers[name] = failed(error);
      }
  return answers;
}

parentPort?.on("message", (task: Task) => {
  void perform(task)
    .catch((error: unknown): Answers => ({ "": failed(error) }))
    .then((answers) => parentPort?.postMessage(answers));
});
parentPort?.postMessage("ready");
