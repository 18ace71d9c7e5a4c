import { fillIn } from "./ask.ts";
import type { Blank, Environment } from "./protocol.ts";

export interface Rendering {
  /** `$( )` is a template too; false for what has its own meaning for it, such as a script. */
  dollar?: boolean;
  /** Which strings, by their path such as `http.0.url`; all of them when absent. */
  only?: (path: string) => boolean;
}

/** A template of a spec that cannot be filled in, with the name of its field. */
export class TemplateError extends Error {}

/** The marks of a template; `dollar` marks are looked at only where they count. */
const BRACES = /\{\{|gotemplate:\s*left-delim=/;
const DOLLAR = /\$\(/;

/**
 * A copy of the value in which every string has its templates filled in (facts: engines §2, struct templating). What has no
 * template costs nothing and asks no thread. Throws a sentence that names the field: a template that cannot be read, or one
 * with a value that is not there.
 */
export async function renderStrings<T>(
  value: T,
  environment: Environment,
  { dollar = true, only = () => true }: Rendering = {},
): Promise<T> {
  const blanks: Record<string, Blank> = {};
  const collect = (text: string, path: string) => {
    if (only(path) && (BRACES.test(text) || (dollar && DOLLAR.test(text)))) blanks[path] = { text, dollar };
    return text;
  };
  walk(value, "", collect);
  if (Object.keys(blanks).length === 0) return value;
  const answers = await fillIn(environment, blanks);
  return walk(value, "", (text, path) => {
    if (!Object.hasOwn(blanks, path)) return text;
    const answer = answers[path] ?? answers[""] ?? { error: "there is no answer" };
    if ("error" in answer) throw new TemplateError(path === "" ? answer.error : `${path}: ${answer.error}`);
    return String(answer.value);
  }) as T;
}

function walk(value: unknown, path: string, change: (text: string, path: string) => string): unknown {
  const inside = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) return value.map((part, index) => walk(part, inside(index), change));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, walk(part, inside(name), change)]),
  );
}
