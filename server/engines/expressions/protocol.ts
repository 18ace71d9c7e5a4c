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

/** What to evaluate, in exactly one language: CEL, a Go template, JavaScript, JSONPath. */
export interface Script {
  expr?: string;
  template?: string;
  javascript?: string;
  jsonPath?: string;
}

/** One script: `text` wants words, `value` plain data, `json` the same or JSON that says it, `truth` true or false. */
export interface Question extends Script {
  as: "text" | "value" | "json" | "truth";
}

/** A string of a spec to be filled in: `{{ }}`, and `$( )` unless `dollar` is false. */
export interface Blank {
  text: string;
  dollar: boolean;
}

export type Task =
  | { kind: "evaluate"; environment: Environment; questions: Record<string, Question> }
  | { kind: "fill"; environment: Environment; blanks: Record<string, Blank> }
  | { kind: "parse"; text: string };

/** The answer to one question: what it came to, or one sentence. */
export type Answer = { value: unknown } | { error: string };
export type Answers = Record<string, Answer>;
