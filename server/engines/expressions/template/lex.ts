/** From the text of a Go template to tokens: what stands outside of actions, and what stands in them. */

/** How actions begin and end. */
export interface Delimiters {
  left: string;
  right: string;
}

export type Token = {
  type:
    | "text"
    | "open"
    | "close"
    | "literal"
    | "name"
    | "variable"
    | "field"
    | "dot"
    | "("
    | ")"
    | "|"
    | "="
    | ":="
    | ",";
  /** The words of text, names and literals. */
  value: string | bigint | number;
  /** Where it begins in the template. */
  at: number;
  /** There is white space before it, so that it is no part of what it follows. */
  spaced: boolean;
};

/** A mistake in a template, with the place. */
export class TemplateError extends Error {}

/** Throws the sentence with its line and column, both from 1. */
export function failAt(source: string, at: number, message: string): never {
  const before = source.slice(0, at).split("\n");
  throw new TemplateError(`line ${before.length}, column ${(before.at(-1) ?? "").length + 1}: ${message}`);
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:\\.|[^"\\\n])*"/y;
const RAW = /`[^`]*`/y;
const CHARACTER = /'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|[^'\\\n])'/uy;
const NUMBER = /[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[\d_]*\.?\d[\d_]*(?:[eE][+-]?\d+)?)/y;
const NAME = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const VARIABLE = /\$[\p{L}\p{Nd}_]*/uy;
const FIELD = /\.[\p{L}_][\p{L}\p{Nd}_]*/uy;
const COMMENT = /-?\s*\/\*[\s\S]*?\*\/\s*-?/y;

/** The match of a sticky pattern at this place, or undefined. */
function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** All tokens of a template; throws a TemplateError. Pure, and its time grows with the length alone. */
export function tokens(source: string, { left, right }: Delimiters): Token[] {
  const all: Token[] = [];
  let at = 0;
  let trimNext = false;

  function text(from: number, to: number, trimEnd: boolean): void {
    let words = source.slice(from, to);
    if (trimNext) words = words.trimStart();
    if (trimEnd) words = words.trimEnd();
    if (words !== "") all.push({ type: "text", value: words, at: from, spaced: false });
  }

  while (at < source.length) {
    const open = source.indexOf(left, at);
    if (open < 0) break;
    let inside = open + left.length;
    const trims =
      /^-[ \t\r\n]/.test(source.slice(inside, inside + 2)) || /^-\/\*/.test(source.slice(inside, inside + 3));
    text(at, open, trims);
    trimNext = false;
    const comment = match(COMMENT, source, inside);
    if (comment !== undefined && source.startsWith(right, inside + comment.length)) {
      trimNext = comment.endsWith("-");
      at = inside + comment.length + right.length;
      continue;
    }
    if (trims) inside += 1;
    all.push({ type: "open", value: left, at: open, spaced: false });
    ({ at, trims: trimNext } = action(source, inside, right, all));
  }
  text(at, source.length, false);
  return all;
}

/** The tokens of one action up to its right delimiter. */
function action(source: string, from: number, right: string, all: Token[]): { at: number; trims: boolean } {
  let at = from;
  let depth = 0;
  for (;;) {
    const space = match(SPACE, source, at) ?? "";
    at += space.length;
    const spaced = space !== "";
    if (depth === 0 && spaced && source.startsWith(`-${right}`, at)) {
      all.push({ type: "close", value: right, at, spaced });
      return { at: at + 1 + right.length, trims: true };
    }
    if (depth === 0 && source.startsWith(right, at)) {
      all.push({ type: "close", value: right, at, spaced });
      return { at: at + right.length, trims: false };
    }
    if (at >= source.length) failAt(source, from, `the action is not closed by ${right}`);
    const found = next(source, at);
    if (!found) return failAt(source, at, `unexpected ${JSON.stringify(source[at])}`);
    const [type, value, length] = found;
    if (type === "(") depth += 1;
    if (type === ")" && --depth < 0) failAt(source, at, "unexpected )");
    all.push({ type, value, at, spaced });
    at += length;
  }
}

function next(source: string, at: number): [Token["type"], Token["value"], number] | null {
  const sign = source[at] as string;
  if (source.startsWith(":=", at)) return [":=", ":=", 2];
  if ("()|,=".includes(sign)) return [sign as "(", sign, 1];
  const string = match(STRING, source, at);
  if (string !== undefined) return ["literal", `s${unquote(string)}`, string.length];
  const raw = match(RAW, source, at);
  if (raw !== undefined) return ["literal", `s${raw.slice(1, -1)}`, raw.length];
  const character = match(CHARACTER, source, at);
  if (character !== undefined)
    return ["literal", BigInt(unquote(character).codePointAt(0) ?? 0), character.length];
  const variable = match(VARIABLE, source, at);
  if (variable !== undefined) return ["variable", variable, variable.length];
  const field = match(FIELD, source, at);
  if (field !== undefined) return ["field", field.slice(1), field.length];
  const name = match(NAME, source, at);
  if (name !== undefined) return ["name", name, name.length];
  const number = match(NUMBER, source, at);
  if (number !== undefined && /\d/.test(number)) return ["literal", numeric(number), number.length];
  return sign === "." ? ["dot", ".", 1] : null;
}

function numeric(text: string): bigint | number {
  const plain = text.replaceAll("_", "");
  if (/[.]|^[+-]?\d+[eE]/.test(plain)) return Number(plain);
  const [, sign = "", digits = ""] = /^([+-]?)(.*)$/.exec(plain) ?? [];
  return BigInt(digits) * (sign === "-" ? -1n : 1n);
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };

/** What a Go string or character in quotes says. */
function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(
      /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))/g,
      (_, hex?: string, short?: string, long?: string, octal?: string, sign = "") => {
        const code = hex ?? short ?? long;
        if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
        return ESCAPES[sign] ?? sign;
      },
    );
}
