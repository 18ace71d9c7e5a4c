import { createPool, type Pool } from "./pool.ts";
import type { Answers, Blank, Environment, Question } from "./protocol.ts";

/** Texts up to this many characters are parsed where they are. */
const PARSE_HERE = 256 * 1024;

let shared: Pool | undefined;
/** One pool per process. It has no thread until the first expression, and none again a minute after the last. */
const pool = () => (shared ??= createPool());

/** The answers to all questions, in one go; rejects with a sentence when they could not be asked. */
export const evaluate = (environment: Environment, questions: Record<string, Question>): Promise<Answers> =>
  pool().run({ kind: "evaluate", environment, questions });

/** The strings with their templates filled in, in one go; rejects as `evaluate` does. */
export const fillIn = (environment: Environment, blanks: Record<string, Blank>): Promise<Answers> =>
  pool().run({ kind: "fill", environment, blanks });

/** Whether the text is JSON. Big ones are read in a thread; one that takes too long counts as none. */
export async function isJson(text: string): Promise<boolean> {
  if (text.length <= PARSE_HERE) {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }
  const { parse } = await pool().run({ kind: "parse", text });
  return parse !== undefined && "value" in parse;
}
