/** A thread of the pool: takes one task at a time, answers it, and is killed when it takes too long. */
import { parentPort } from "node:worker_threads";
import type { CelInput, CelValue } from "@bufbuild/cel";
import { evaluate } from "./compile.ts";
import { LAST_RESULT } from "./prepare.ts";
import type { Answer, Answers, Environment, Question, Task } from "./protocol.ts";
import { durationOf, fromCel, textOf, toCel } from "./values.ts";

/** Longest text an expression may come to, in characters: more is no message. */
const TEXT_LIMIT = 1_000_000;

function variables({ values, durations, json, lastResult }: Environment): Record<string, CelInput> {
  const all: Record<string, CelInput> = Object.create(null);
  for (const [name, value] of Object.entries(values)) all[name] = toCel(value);
  for (const [name, ms] of Object.entries(durations ?? {}))
    all[name] = durationOf(BigInt(Math.round(ms * 1e6)));
  if (json !== undefined) all["json"] = toCel(parsed(json) ?? {});
  if (lastResult !== undefined) all[LAST_RESULT] = toCel(lastResult ?? {});
  return all;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answer({ expr, as }: Question, given: Record<string, CelInput>): Answer {
  try {
    return { value: shaped(evaluate(expr, given), as) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function shaped(value: CelValue, as: Question["as"]): unknown {
  if (as === "value") return fromCel(value);
  if (as === "json") return typeof value === "string" ? fromJson(value) : fromCel(value);
  const text = textOf(value);
  if (as === "text") return text.length > TEXT_LIMIT ? text.slice(0, TEXT_LIMIT) : text;
  if (text !== "true" && text !== "false")
    throw new Error(`the expression must be true or false, not ${text.slice(0, 200)}`);
  return text === "true";
}

function fromJson(text: string): unknown {
  const value = parsed(text);
  if (value === undefined) throw new Error("the expression must come to an object, a list or JSON");
  return value;
}

function perform(task: Task): Answers {
  if (task.kind === "parse")
    return { parse: parsed(task.text) === undefined ? { error: "no JSON" } : { value: true } };
  const given = variables(task.environment);
  return Object.fromEntries(
    Object.entries(task.questions).map(([name, question]) => [name, answer(question, given)]),
  );
}

parentPort?.on("message", (task: Task) => {
  let answers: Answers;
  try {
    answers = perform(task);
  } catch (error) {
    answers = { "": { error: error instanceof Error ? error.message : String(error) } };
  }
  parentPort?.postMessage(answers);
});
parentPort?.postMessage("ready");
