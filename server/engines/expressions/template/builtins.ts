/** The functions that Go's text/template has by itself. `and` and `or` are in run.ts: they do not look at everything. */
import { celList, isCelList, isCelMap, isCelUint, type CelInput, type CelValue } from "@bufbuild/cel";
import { LAST_RESULT } from "../prepare.ts";
import { isDuration, isTimestamp, nanosOf, toCel } from "../values.ts";
import { goText, sprintf, type Value } from "./format.ts";

/** A function of a template: its arguments, the piped one last, and the variables of the run. */
export type Work = (given: Value[], variables: Readonly<Record<string, CelInput>>) => Value;

/** Empty values are false: false, 0, no value, and texts, lists and maps without anything in them. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (value === 0 || value === 0n) return false;
  if (isCelUint(value)) return value.value !== 0n;
  if (isCelList(value) || isCelMap(value)) return value.size > 0;
  if (value instanceof Uint8Array) return value.length > 0;
  return !isDuration(value) || nanosOf(value) !== 0n;
}

const number = (value: Value): number | bigint | null => {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (isCelUint(value)) return value.value;
  if (value === undefined || value === null || typeof value !== "object") return null;
  return isDuration(value) || isTimestamp(value) ? nanosOf(value) : null;
};

/** Below zero, zero or above; throws when the two cannot be compared. */
function order(a: Value, b: Value): number {
  const [x, y] = [number(a), number(b)];
  if (x !== null && y !== null) return x < y ? -1 : x > y ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  throw new Error("incompatible types for comparison");
}

function same(a: Value, b: Value): boolean {
  const [nothing, other] = [a ?? null, b ?? null];
  if (nothing === null || other === null) return nothing === other;
  if (typeof nothing === "boolean" && typeof other === "boolean") return nothing === other;
  if (isCelList(nothing) || isCelMap(nothing)) throw new Error("lists and maps cannot be compared");
  return order(a, b) === 0;
}

const two = (name: string, given: Value[]): [Value, Value] => {
  if (given.length !== 2) throw new Error(`${name} needs two arguments, not ${given.length}`);
  return [given[0], given[1]];
};

function index([from, ...keys]: Value[]): Value {
  let value = from;
  for (const key of keys) {
    if (value === undefined || value === null) throw new Error("index of nothing");
    if (isCelMap(value)) value = value.get(key as string) as Value;
    else if (isCelList(value) || typeof value === "string") {
      const at = Number(number(key) ?? Number.NaN);
      const items = isCelList(value) ? Array.from(value) : Array.from(Buffer.from(value), BigInt);
      if (!Number.isInteger(at)) throw new Error("the index of a list is a whole number");
      if (at < 0 || at >= items.length) throw new Error(`index out of range: ${at} of ${items.length}`);
      value = items[at] as CelValue;
    } else throw new Error(`index of ${goText(value).slice(0, 50)}: it is no list and no map`);
  }
  return value;
}

function slice([from, ...bounds]: Value[]): Value {
  const size = typeof from === "string" ? from.length : from && isCelList(from) ? from.size : null;
  if (size === null) throw new Error("slice needs a text or a list");
  const [start = 0, end = size] = bounds.map((bound) => Number(number(bound) ?? Number.NaN));
  if (!(start >= 0 && end >= start && end <= size)) throw new Error(`slice ${start} to ${end} of ${size}`);
  if (typeof from === "string") return from.slice(start, end);
  return celList(Array.from(from as Iterable<CelInput>).slice(start, end)) as CelValue;
}

function length([value]: Value[]): Value {
  if (typeof value === "string") return BigInt(Buffer.byteLength(value));
  if (value && (isCelList(value) || isCelMap(value))) return BigInt(value.size);
  throw new Error("len needs a text, a list or a map");
}

/** Spaces stand between what is no text. */
const print = (given: Value[]) =>
  given
    .map((value, at) => {
      const apart = at > 0 && typeof value !== "string" && typeof given[at - 1] !== "string";
      return (apart ? " " : "") + goText(value);
    })
    .join("");

const HTML: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
  "\0": "\uFFFD",
};
const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, "0");

export const builtins: Readonly<Record<string, Work | undefined>> = Object.assign(Object.create(null), {
  eq: ([first, ...others]) => {
    if (others.length === 0) throw new Error("eq needs two arguments, not 1");
    return others.some((other) => same(first, other));
  },
  ne: (given) => !same(...two("ne", given)),
  lt: (given) => order(...two("lt", given)) < 0,
  le: (given) => order(...two("le", given)) <= 0,
  gt: (given) => order(...two("gt", given)) > 0,
  ge: (given) => order(...two("ge", given)) >= 0,
  not: (given) => {
    if (given.length !== 1) throw new Error(`not needs one argument, not ${given.length}`);
    return !isTrue(given[0]);
  },
  index,
  slice,
  len: length,
  print,
  println: (given) => `${given.map(goText).join(" ")}\n`,
  printf: ([format, ...given]) => {
    if (typeof format !== "string") throw new Error("printf needs its format first");
    return sprintf(format, given);
  },
  html: (given) => print(given).replace(/[&<>"'\0]/g, (sign) => HTML[sign] ?? sign),
  js: (given) =>
    print(given).replace(/[\\'"<>&=\x00-\x1f\x7f]/g, (sign) =>
      /[\\'"]/.test(sign) ? `\\${sign}` : `\\u${hex(sign.charCodeAt(0))}`,
    ),
  urlquery: (given) =>
    encodeURIComponent(print(given))
      .replaceAll("%20", "+")
      .replace(/[!'()*]/g, (sign) => `%${hex(sign.charCodeAt(0)).slice(2)}`),
  call: () => {
    throw new Error("there are no functions among the values");
  },
  last_result: (_, variables) => {
    if (!Object.hasOwn(variables, LAST_RESULT)) throw new Error("last_result is not there");
    return toCel(variables[LAST_RESULT]) as CelValue;
  },
} satisfies Record<string, Work>);
