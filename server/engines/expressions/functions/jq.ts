/**
 * `jq(filter, value)`: the jq program as WebAssembly, with no files and none of our environment. It answers later only, and
 * expressions cannot wait: one that asks ends with `Waiting`, and is evaluated again once the answer is there.
 */
import type { CelFunc, CelValue } from "@bufbuild/cel";
import { jsonOf, toCel, want } from "../values.ts";
import { both } from "./define.ts";

/** What jq may be given and may answer, in characters: it holds both several times. Ours to choose. */
const SIZE_LIMIT = 400_000;
/** How many different questions to jq one expression may have. */
const ROUNDS = 50;

interface Jq {
  raw(input: string, filter: string, flags: string[]): Promise<string>;
}
type Answer = { value: unknown } | { error: string };

let asked = new Map<string, { filter: string; input: string; answer?: Answer }>();

/** Evaluates again until no question to jq is open. Its answers are kept for this evaluation only. */
export async function untilReady<T>(work: () => T): Promise<T> {
  asked = new Map();
  for (let round = 0; ; round++) {
    let result: { value: T } | { error: unknown };
    try {
      result = { value: work() };
    } catch (error) {
      result = { error };
    }
    const open = [...asked.values()].filter(({ answer }) => answer === undefined);
    if (open.length === 0) {
      if ("error" in result) throw result.error;
      return result.value;
    }
    if (round >= ROUNDS) throw new Error(`more than ${ROUNDS} questions to jq`);
    for (const question of open) question.answer = await run(question);
  }
}

let program: Promise<Jq> | undefined;
const load = () =>
  (program ??= import("jq-wasm/dist/build/jq.js").then(({ default: create }) =>
    (create as unknown as (options: object) => Promise<Jq>)({ thisProgram: "jq" }),
  ));

/** The value goes as an argument: read from its standard input it would take time by the square of its length. */
async function run({ filter, input }: { filter: string; input: string }): Promise<Answer> {
  try {
    const jq = await load();
    const output = await jq.raw("null", `$input | (${filter}\n)`, ["-c", "--argjson", "input", input]);
    if (output.length > SIZE_LIMIT) throw new Error(`it came to more than ${SIZE_LIMIT} characters`);
    const values = output
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
    return { value: values.length === 1 ? values[0] : values.length === 0 ? null : values };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (!words.startsWith("jq: ")) program = undefined; // it gave up, and what is left of it is not to be trusted
    return { error: reason(words) };
  }
}

function reason(words: string): string {
  if (/^Aborted|memory access|call stack|unreachable/i.test(words)) return "jq used too much memory";
  const first = words.split("\n")[0] ?? "";
  return first
    .replace(/^jq: error(?: \(at [^)]*\))?: /, "jq: ")
    .replace(/ \(Unix shell quoting issues\?\)/, "");
}

function ask(filter: string, value: CelValue): unknown {
  const input = jsonOf(value);
  if (input.length > SIZE_LIMIT) throw new Error(`jq takes at most ${SIZE_LIMIT} characters`);
  const key = `${filter.length} ${filter}${input}`;
  const question = asked.get(key);
  if (!question) {
    asked.set(key, { filter, input });
    throw new Error("jq has not answered yet");
  }
  if (!question.answer) throw new Error("jq has not answered yet");
  if ("error" in question.answer) throw new Error(question.answer.error);
  return question.answer.value;
}

export const jq: CelFunc[] = both("jq", 2, (first, second) =>
  typeof first === "string" ? toCel(ask(first, second)) : toCel(ask(want.text(second), first)),
);
