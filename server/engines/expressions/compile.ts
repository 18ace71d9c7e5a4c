/** Compiles expressions once and evaluates them. Runs in the threads of the pool and nowhere else. */
import { celEnv, isCelError, plan, type CelError, type CelInput, type CelValue } from "@bufbuild/cel";
import { functions } from "./functions/index.ts";
import { LAST_RESULT, prepare, type Prepared } from "./prepare.ts";
import { call, ident, methodCall } from "./tree.ts";

type Program = Pick<Prepared, "names"> & { run: ReturnType<typeof plan> };

/** Longest expression, in characters. Ours to choose. */
export const EXPRESSION_LIMIT = 16_000;
/** How many compiled expressions are kept; a change of specs must not fill the memory. */
const KEPT = 2000;

const environment = celEnv({ funcs: functions });
/** What the library's planner does itself. */
const OPERATORS = new Set(["_[_]", "_?_:_", "_&&_", "_||_", "@not_strictly_false"]);
const known = (name: string) => OPERATORS.has(name) || environment.funcs.find(name) !== undefined;
/** Names that are values without being given: types. */
const TYPES = new Set([
  "int",
  "uint",
  "double",
  "bool",
  "string",
  "bytes",
  "list",
  "map",
  "null_type",
  "type",
]);
const programs = new Map<string, Program>();

function compile(text: string): Program {
  const ready = programs.get(text);
  if (ready) return ready;
  if (text.length > EXPRESSION_LIMIT)
    throw new Error(`the expression is longer than ${EXPRESSION_LIMIT} characters`);
  const { expr, names } = prepare(text, known);
  const program = { names, run: plan(environment, expr) };
  if (programs.size >= KEPT) programs.delete(programs.keys().next().value as string);
  programs.set(text, program);
  return program;
}

/** The value of the expression with these variables; throws one sentence. */
export function evaluate(text: string, variables: Readonly<Record<string, CelInput>>): CelValue {
  const { names, run } = sentence(() => compile(text));
  for (const name of names)
    if (!Object.hasOwn(variables, name) && !TYPES.has(name) && !name.startsWith("google."))
      throw new Error(name === LAST_RESULT ? "last_result() is not there" : `unknown name ${name}`);
  const result = sentence(() => run(variables));
  if (isCelError(result)) throw new Error(said(result));
  return result;
}

/** Whether there is a function of that name, such as `regexp.Find`. */
export const isFunction = (name: string): boolean => /^[A-Za-z]/.test(name) && known(name);

const calls = new Map<string, Program["run"]>();

/**
 * Calls a function of the library from another language: `name(args)`, or as a member `args[0].name(…)`. Throws one
 * sentence.
 */
export function callFunction(
  name: string,
  args: readonly CelInput[],
  as: "plain" | "member" = "plain",
): CelValue {
  const key = `${as} ${name} ${args.length}`;
  let run = calls.get(key);
  if (!run) {
    const [first, ...rest] = args.map((_, index) => ident(`a${index}`));
    const expr =
      as === "member" && first
        ? methodCall(name, first, ...rest)
        : call(name, ...(first ? [first, ...rest] : []));
    run = plan(environment, expr);
    calls.set(key, run);
  }
  const given = Object.fromEntries(args.map((value, index) => [`a${index}`, value]));
  const result = sentence(() => run(given));
  if (isCelError(result)) throw new Error(`${name}: ${said(result)}`);
  return result;
}

function sentence<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`the expression ${outOf(error)}`, { cause: error });
    throw new Error(short(error instanceof Error ? error.message : String(error)), { cause: error });
  }
}

function said({ message, cause }: CelError): string {
  return cause instanceof RangeError ? `the expression ${outOf(cause)}` : short(message);
}

/** What a RangeError says in our words: the stack has an end, and so has the length of texts and lists. */
export const outOf = (error: RangeError): string =>
  /call stack/i.test(error.message) ? "is nested too deeply" : "used too much memory";

const short = (message: string) => message.replace(/^<input>:(\d+):(\d+): /, "line $1, column $2: ");
