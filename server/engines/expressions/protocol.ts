/** What goes to a thread of the pool and comes back. Plain data only: it is copied. */

/** What an expression sees. */
export interface Environment {
  /** Plain data; whole numbers become CEL integers, dates timestamps. */
  values: Record<string, unknown>;
  /** Variables that are durations, in milliseconds. */
  durations?: Record<string, number>;
  /** Text that the variable `json` is read from; one that is no JSON gives an empty map. */
  json?: string;
  /** What `last_result()` answers; absent: nobody asked for it. */
  lastResult?: Record<string, unknown> | null;
}

/** One expression: `text` wants words, `value` plain data, `json` the same or JSON that says it, `truth` true or false. */
export interface Question {
  expr: string;
  as: "text" | "value" | "json" | "truth";
}

export type Task =
  | { kind: "evaluate"; environment: Environment; questions: Record<string, Question> }
  | { kind: "parse"; text: string };

/** The answer to one question: what it came to, or one sentence. */
export type Answer = { value: unknown } | { error: string };
export type Answers = Record<string, Answer>;
