/** Go templates with gomplate's functions (decision 0065): compiled once, run in the threads of the pool and nowhere else. */
import type { CelInput } from "@bufbuild/cel";
import { outOf } from "../compile.ts";
import type { Delimiters } from "./lex.ts";
import { parseTemplate, type Template } from "./parse.ts";
import { runTemplate, type Run } from "./run.ts";

/** Longest template, in characters. Ours to choose. */
const TEMPLATE_LIMIT = 64_000;
/** How many compiled templates are kept. */
const KEPT = 1000;
const BRACES: Delimiters = { left: "{{", right: "}}" };
const DOLLAR: Delimiters = { left: "$(", right: ")" };

const compiled = new Map<string, Template>();

function compile(source: string, delimiters: Delimiters): Template {
  const key = `${delimiters.left} ${delimiters.right} ${source}`;
  const ready = compiled.get(key);
  if (ready) return ready;
  if (source.length > TEMPLATE_LIMIT)
    throw new Error(`the template is longer than ${TEMPLATE_LIMIT} characters`);
  const template = parseTemplate(source, delimiters);
  if (compiled.size >= KEPT) compiled.delete(compiled.keys().next().value as string);
  compiled.set(key, template);
  return template;
}

const HEADER =
  /^[^\S\n]*(?:#|\/\/)?[^\S\n]*gotemplate:[^\S\n]*left-delim=(\S+)[^\S\n]+right-delim=(\S+)[^\S\n]*(?:\n|$)/m;

/** Takes the line that names other delimiters out of the text. */
function delimitersOf(source: string): { source: string; delimiters: Delimiters } {
  const header = HEADER.exec(source);
  if (!header) return { source, delimiters: BRACES };
  const [line, left = "", right = ""] = header;
  return {
    source: source.slice(0, header.index) + source.slice(header.index + line.length),
    delimiters: { left, right },
  };
}

/** The text of a template; throws a sentence with line and column. */
export function render(source: string, variables: Readonly<Record<string, CelInput>>): string {
  const { source: text, delimiters } = delimitersOf(source);
  return run(text, delimiters, { variables });
}

/**
 * A string of a spec: `{{ }}`, and `$( )` unless `dollar` is false (a script has its own). A value that is not there is an
 * error, for it would be sent as `<no value>`.
 */
export function renderString(
  source: string,
  variables: Readonly<Record<string, CelInput>>,
  { dollar = true }: { dollar?: boolean } = {},
): string {
  const { source: text, delimiters } = delimitersOf(source);
  if (delimiters !== BRACES) return run(text, delimiters, { variables, strict: true, bare: true });
  // `$( )` first: what `{{ }}` gives is a value, and never read as a template again.
  return dollar ? both(text, variables) : run(text, BRACES, { variables, strict: true, bare: true });
}

/** Both kinds of delimiters in one text, from left to right; what one gives is not read by the other. */
function both(text: string, variables: Readonly<Record<string, CelInput>>): string {
  if (!text.includes(DOLLAR.left)) return run(text, BRACES, { variables, strict: true, bare: true });
  if (!text.includes(BRACES.left)) return run(text, DOLLAR, { variables, strict: true, bare: true });
  const mark = marker(text);
  const values: string[] = [];
  const marked = text.replace(/\$\(([^(){}]*)\)/g, (whole) => {
    values.push(run(whole, DOLLAR, { variables, strict: true, bare: true }));
    return `${mark}${values.length - 1}${mark}`;
  });
  const written = run(marked, BRACES, { variables, strict: true, bare: true });
  return written
    .split(mark)
    .map((part, index) => (index % 2 === 1 ? (values[Number(part)] ?? "") : part))
    .join("");
}

/** A text that does not occur in the other. */
function marker(text: string): string {
  let mark = "\u0001";
  while (text.includes(mark)) mark += "\u0001";
  return mark;
}

function run(source: string, delimiters: Delimiters, options: Run): string {
  try {
    return runTemplate(compile(source, delimiters), options);
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`the template ${outOf(error)}`, { cause: error });
    throw error;
  }
}
