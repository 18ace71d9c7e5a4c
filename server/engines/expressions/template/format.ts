/** Values as Go's fmt prints them: `%v` and the other verbs of printf. */
import { isCelList, isCelMap, isCelUint, type CelValue } from "@bufbuild/cel";
import { textOf } from "../values.ts";

/** A value, or none where a field is missing. */
export type Value = CelValue | undefined;

/** As `%v`: lists are `[1 2]`, maps `map[a:1]` with their keys in order. */
export function goText(value: Value): string {
  if (value === undefined || value === null) return "<nil>";
  if (typeof value === "string") return value;
  if (typeof value === "number") return floatText(value);
  if (isCelList(value)) return `[${Array.from(value, (item) => goText(item as CelValue)).join(" ")}]`;
  if (isCelMap(value))
    return `map[${entriesOf(value)
      .map(([key, item]) => `${goText(key)}:${goText(item)}`)
      .join(" ")}]`;
  return textOf(value);
}

/** The entries of a map in the order of its keys. */
export function entriesOf(map: Iterable<unknown>): [CelValue, CelValue][] {
  const entries = Array.from(map) as [CelValue, CelValue][];
  return entries.sort(([a], [b]) => {
    if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
    return Number(goText(a)) - Number(goText(b));
  });
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

const VERB = /%(?<flags>[-+# 0]*)(?<width>\d+|\*)?(?:\.(?<precision>\d+|\*)?)?(?<verb>[\s\S])/gu;
/** Widest field that a verb may ask for. Ours to choose. */
const WIDTH_LIMIT = 10_000;

/** As fmt.Sprintf, with its words for what does not fit: `%!d(string=x)`, `%!s(MISSING)`, `%!(EXTRA int=1)`. */
export function sprintf(format: string, given: readonly Value[]): string {
  let used = 0;
  const written = format.replace(VERB, (...match: unknown[]) => {
    const { flags = "", width, precision, verb = "" } = match.at(-1) as Record<string, string | undefined>;
    if (verb === "%") return "%";
    const number = (text: string | undefined) =>
      Math.min(WIDTH_LIMIT, text === "*" ? Number(given[used++] ?? 0) : Number(text));
    const wide = width === undefined ? 0 : number(width);
    const exact = precision === undefined ? undefined : number(precision);
    if (used >= given.length) return `%!${verb}(MISSING)`;
    const value = given[used++];
    return padded(shown(verb, value, flags, exact), flags, wide, value);
  });
  const extra = given.slice(used);
  if (extra.length === 0) return written;
  return `${written}%!(EXTRA ${extra.map((value) => `${goType(value)}=${goText(value)}`).join(", ")})`;
}

function padded(text: string, flags: string, width: number, value: Value): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  if (!flags.includes("0") || !isNumber(value)) return " ".repeat(missing) + text;
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}

const isNumber = (value: Value): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint" || isCelUint(value);
const whole = (value: Value): bigint | null =>
  typeof value === "bigint" ? value : isCelUint(value) ? value.value : null;

function shown(verb: string, value: Value, flags: string, precision: number | undefined): string {
  const plus = (text: string) => {
    if (text.startsWith("-")) return text;
    return flags.includes("+") ? `+${text}` : flags.includes(" ") ? ` ${text}` : text;
  };
  const integer = whole(value);
  const bad = `%!${verb}(${goType(value)}=${goText(value)})`;
  switch (verb) {
    case "v":
      return isNumber(value) ? plus(goText(value)) : goText(value);
    case "s": {
      if (isNumber(value) || typeof value === "boolean") return bad;
      return precision === undefined ? goText(value) : [...goText(value)].slice(0, precision).join("");
    }
    case "q":
      return isNumber(value)
        ? `'${String.fromCodePoint(Number(integer ?? 0))}'`
        : JSON.stringify(goText(value));
    case "d":
      return integer === null ? bad : plus(String(integer));
    case "t":
      return typeof value === "boolean" ? String(value) : bad;
    case "T":
      return goType(value);
    case "c":
    case "U":
      if (integer === null) return bad;
      return verb === "c"
        ? String.fromCodePoint(Number(integer))
        : `U+${integer.toString(16).toUpperCase().padStart(4, "0")}`;
    case "b":
    case "o":
      return integer === null ? bad : plus(integer.toString(verb === "b" ? 2 : 8));
    case "x":
    case "X":
      return cased(
        verb,
        integer === null ? Buffer.from(goText(value)).toString("hex") : integer.toString(16),
      );
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
      return isNumber(value)
        ? plus(cased(verb, fraction(verb.toLowerCase(), Number(value), precision)))
        : bad;
    default:
      return bad;
  }
}

const cased = (verb: string, text: string) => (verb === verb.toUpperCase() ? text.toUpperCase() : text);

function fraction(verb: string, value: number, precision: number | undefined): string {
  const digits = Math.min(precision ?? 6, 100);
  if (!Number.isFinite(value)) return floatText(value);
  if (verb === "f") return value.toFixed(digits);
  if (verb === "e") return value.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
  return precision === undefined
    ? floatText(value)
    : floatText(Number(value.toPrecision(Math.max(1, digits))));
}

function goType(value: Value): string {
  if (value === undefined || value === null) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return "float64";
  if (isCelList(value)) return "[]interface {}";
  if (isCelMap(value)) return "map[string]interface {}";
  return whole(value) === null ? "time" : "int";
}
