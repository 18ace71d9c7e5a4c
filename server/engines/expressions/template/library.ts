/**
 * The functions of templates by the names gomplate has for them. Nearly all are functions of CEL: here is how their names
 * and the order of their arguments differ. What reads files, addresses or the environment of the process is not there.
 */
import { celList, isCelList, type CelInput, type CelValue } from "@bufbuild/cel";
import { callFunction, isFunction } from "../compile.ts";
import { textOf, toCel, want } from "../values.ts";
import { isTrue } from "./builtins.ts";
import { goText, type Value } from "./format.ts";

type Work = (given: Value[]) => Value;

const cel = (value: Value): CelValue => value ?? null;
const text = (value: Value): string => (value === undefined || value === null ? "" : goText(value));
const list = (values: readonly Value[]) => celList(values.map((value) => cel(value) as CelInput)) as CelValue;

/** The function of CEL with these arguments, in their order. */
const plain =
  (name: string): Work =>
  (given) =>
    callFunction(name, given.map(cel));
/** `name(a, b, x)` here is `x.name(a, b)` there. */
const onLast =
  (name: string): Work =>
  (given) =>
    callFunction(name, [cel(given.at(-1)), ...given.slice(0, -1).map(cel)], "member");
/** All arguments are one list there. */
const asList =
  (name: string): Work =>
  (given) =>
    callFunction(name, [list(given)]);
/** The names come one by one, or as a list, and the map last. */
const named =
  (name: string): Work =>
  (given) => {
    const names = given.slice(0, -1);
    const [only] = names;
    return callFunction(name, [
      cel(given.at(-1)),
      names.length === 1 && only && isCelList(only) ? only : list(names),
    ]);
  };
const on =
  (work: (text: string) => Value): Work =>
  ([value]) =>
    work(text(value));
/** `(argument, …, text)`: the text comes last. */
const withText =
  (work: (text: string, ...rest: string[]) => Value): Work =>
  (given) =>
    work(text(given.at(-1)), ...given.slice(0, -1).map(text));

const escaped = (signs: string) => signs.replace(/[\\\]^-]/g, "\\$&");
const trim = (where: "start" | "end" | "both"): Work =>
  withText((given, cutset = " ") => {
    const set = `[${escaped(cutset)}]+`;
    const pattern = where === "both" ? `^${set}|${set}$` : where === "start" ? `^${set}` : `${set}$`;
    return cutset === "" ? given : given.replace(new RegExp(pattern, "gu"), "");
  });

function number(value: Value): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  const found = value === undefined || value === null || value === "" ? 0 : want.number(value);
  if (Number.isNaN(found)) throw new Error(`"${text(value)}" is no number`);
  return found;
}
const whole: Work = ([value]) => BigInt(Math.trunc(number(value)));
const truth: Work = ([value]) =>
  typeof value === "string" ? /^(true|t|yes|1)$/i.test(value.trim()) : isTrue(value);

function sorted(given: Value[]): Value {
  const items = want.list(cel(given.at(-1)));
  const key = given.length > 1 ? text(given[0]) : null;
  if (key === null) return callFunction("sort", [cel(given.at(-1))]);
  const by = items.map((item) => (want.map(item).get(key) ?? null) as CelInput);
  return callFunction("@sortBy", [list(items), celList(by) as CelValue]);
}

function url(given: string): Value {
  if (!URL.canParse(given)) throw new Error(`"${given}" is no address`);
  const { protocol, host, hostname, port, pathname, search, hash } = new URL(given);
  const parts = { Scheme: protocol.slice(0, -1), Host: host, Hostname: hostname, Port: port, Path: pathname };
  return toCel({ ...parts, RawQuery: search.slice(1), Fragment: hash.slice(1) }) as CelValue;
}

/** What is not simply the function of CEL with the same name; a name in front of the dot may be left out for some. */
const TABLE: Record<string, Work | undefined> = Object.assign(Object.create(null), {
  "strings.Abbrev": onLast("abbrev"),
  "strings.Contains": plain("Contains"),
  "strings.HasPrefix": withText((given, prefix = "") => given.startsWith(prefix)),
  "strings.HasSuffix": withText((given, suffix = "") => given.endsWith(suffix)),
  "strings.Split": withText((given, by = "") => list(given.split(by))),
  "strings.Trim": trim("both"),
  "strings.TrimLeft": trim("start"),
  "strings.TrimRight": trim("end"),
  "strings.WordWrap": (given) =>
    callFunction("wordWrap", given.length === 1 ? [80n, cel(given[0])] : given.map(cel)),
  "strings.RuneCount": (given) => BigInt([...given.map(text).join("")].length),
  "strings.Sort": sorted,
  "coll.Sort": sorted,
  "coll.Dict": (given) => callFunction("Dict", [list(given)]),
  "coll.Slice": list,
  "coll.Pick": named("pick"),
  "coll.Omit": named("omit"),
  "coll.Flatten": (given) => callFunction("flatten", [...given].reverse().map(cel)),
  "coll.Merge": (given) => given.map(cel).reduce((first, next) => callFunction("merge", [first, next])),
  "coll.JQ": (given) => callFunction("jq", given.map(cel)),
  "data.CSV": (given) => callFunction("CSV", [cel(given.at(-1))]),
  "data.ToJSONPretty": (given) => callFunction("toJSONPretty", [...given].reverse().map(cel)),
  "conv.Bool": truth,
  "conv.ToBool": truth,
  "conv.Default": ([fallback, value]) => (isTrue(value) ? value : fallback),
  "conv.Join": ([items, by]) =>
    typeof items === "string" && by !== undefined && by !== null && isCelList(by)
      ? want.list(by).map(text).join(items)
      : want.list(cel(items)).map(text).join(text(by)),
  "conv.ToString": on((given) => given),
  "conv.ToStrings": (given) => list(given.map(text)),
  "conv.ToInt": whole,
  "conv.ToInt64": whole,
  "conv.Atoi": whole,
  "conv.ToFloat64": ([value]) => number(value),
  "conv.ParseFloat": ([value]) => number(value),
  "conv.ParseInt": ([value, base]) => {
    const found = Number.parseInt(text(value), Number(base ?? 10) || 10);
    if (Number.isNaN(found)) throw new Error(`"${text(value)}" is no number`);
    return BigInt(found);
  },
  "conv.URL": on(url),
  "conv.Has": plain("Has"),
  "math.Add": asList("math.Add"),
  "math.Mul": asList("math.Mul"),
  "math.Seq": asList("math.Seq"),
  "math.Max": asList("math.greatest"),
  "math.Min": asList("math.least"),
  "filepath.Join": asList("filepath.Join"),
  "base64.Encode": plain("base64.encode"),
  "base64.Decode": ([value]) => textOf(callFunction("base64.decode", [cel(value)])),
  "time.Format": ([at, layout]) => callFunction("time.Format", [cel(layout), cel(at)]),
} satisfies Record<string, Work>);

/** Names of gomplate without the part in front, where they are not that part's name with a small letter. */
const SHORT: Record<string, string> = Object.assign(Object.create(null), {
  dict: "coll.Dict",
  append: "coll.Append",
  prepend: "coll.Prepend",
  pick: "coll.Pick",
  omit: "coll.Omit",
  flatten: "coll.Flatten",
  merge: "coll.Merge",
  has: "coll.Has",
  uniq: "coll.Uniq",
  sort: "coll.Sort",
  add: "math.Add",
  mul: "math.Mul",
  sub: "math.Sub",
  div: "math.Div",
  rem: "math.Rem",
  pow: "math.Pow",
  seq: "math.Seq",
  json: "data.JSON",
  jsonArray: "data.JSONArray",
  yaml: "data.YAML",
  yamlArray: "data.YAMLArray",
  toml: "data.TOML",
  csv: "data.CSV",
  csvByRow: "data.CSVByRow",
  csvByColumn: "data.CSVByColumn",
  urlParse: "conv.URL",
  default: "conv.Default",
  list: "coll.Slice",
  fail: "test.Fail",
  assert: "test.Assert",
  required: "test.Required",
  ternary: "test.Ternary",
  kind: "test.Kind",
  isKind: "test.IsKind",
  isHealthy: "k8s.isHealthy",
  isReady: "k8s.isReady",
  getHealth: "k8s.getHealth",
  getStatus: "k8s.getStatus",
  neat: "k8s.neat",
  parseDateTime: "time.Parse",
});

const found = new Map<string, Work | null>();
/** Names that templates asked for and that are kept; others ask again. */
const KEPT = 2000;

/** The function of that name, as gomplate or CEL has it; undefined when there is none. */
export function findFunction(name: string): Work | undefined {
  let work = found.get(name);
  if (work === undefined) {
    work = lookUp(name) ?? null;
    if (found.size < KEPT) found.set(name, work);
  }
  return work ?? undefined;
}

function lookUp(name: string): Work | undefined {
  const full = SHORT[name] ?? name;
  const direct = TABLE[full];
  if (direct) return direct;
  const [space, last] = full.split(".") as [string, string | undefined];
  if (last === undefined) {
    const capital = space.charAt(0).toUpperCase() + space.slice(1);
    for (const front of ["strings", "coll", "conv", "data"]) {
      const short = TABLE[`${front}.${capital}`];
      if (short) return short;
    }
    return [space, capital].filter(isFunction).map(plain)[0];
  }
  const small = last.charAt(0).toLowerCase() + last.slice(1);
  if (isFunction(full)) return plain(full);
  if (space === "path") return lookUp(`filepath.${last}`);
  if (space === "k8s") return [`k8s.${small}`, last].filter(isFunction).map(plain)[0];
  return ["strings", "coll", "data", "conv"].includes(space)
    ? [last, small].filter(isFunction).map(plain)[0]
    : undefined;
}
