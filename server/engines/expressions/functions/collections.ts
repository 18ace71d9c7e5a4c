/** Lists, maps and sets. */
import { celFunc, celList, isCelList, isCelMap, CelScalar, type CelFunc } from "@bufbuild/cel";
import type { CelInput, CelList } from "@bufbuild/cel";
import { jsonOf, toCel, want } from "../values.ts";
import { both, member, plain, type Value } from "./define.ts";

const { DYN } = CelScalar;
/** Longest sequence an expression may make. */
const SEQUENCE_LIMIT = 100_000;

/** The lists that map and filter fill: nothing else holds one while it grows. */
const filling = new WeakMap<CelList, CelInput[]>();

/** Equal in CEL's sense: 1, 1u and 1.0 are the same. */
const key = (value: Value) => (typeof value === "string" ? `"${value}` : jsonOf(value));
const same = (a: Value, b: Value) => key(a) === key(b);
const holds = (list: Value[], value: Value) => list.some((item) => same(item, value));

function compare(a: Value, b: Value): number {
  const text = typeof a === "string" && typeof b === "string";
  const [x, y] = text ? [a, b] : [want.number(a), want.number(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function flatten(list: Value[], depth: number): Value[] {
  return list.flatMap((item) =>
    isCelList(item) && depth > 0 ? flatten(want.list(item), depth - 1) : [item],
  );
}

/** The first map's values win, deeply. */
function merge(first: Value, second: Value): CelInput {
  const merged = new Map<Value, CelInput>(want.map(second));
  for (const [name, value] of want.map(first)) {
    const other = merged.get(name) as Value | undefined;
    merged.set(name, isCelMap(value) && other !== undefined && isCelMap(other) ? merge(value, other) : value);
  }
  return merged as Map<string, CelInput>;
}

const mapOf = (entries: Iterable<[Value, Value]>): CelInput => new Map(entries) as Map<string, Value>;
const total = (list: Value[]): CelInput => {
  const sum = list.reduce<number>((before, item) => before + want.number(item), 0);
  return list.some((item) => typeof item === "number") ? sum : BigInt(sum);
};
const extreme = (list: Value[], sign: 1 | -1): CelInput => {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error("the list is empty");
  return rest.reduce<Value>((best, item) => (compare(item, best) * sign > 0 ? item : best), first);
};

export const collections: CelFunc[] = [
  celFunc("@collect", [], DYN, () => {
    const items: CelInput[] = [];
    const list = celList(items);
    filling.set(list, items);
    return list;
  }),
  celFunc("@push", [DYN, DYN], DYN, (list, item) => {
    filling.get(list as CelList)?.push(item);
    return list;
  }),
  celFunc("@sortBy", [DYN, DYN], DYN, (list, keys) => {
    const by = want.list(keys);
    return want
      .list(list)
      .map((item, index) => ({ item, by: by[index] as Value }))
      .sort((a, b) => compare(a.by, b.by))
      .map(({ item }) => item);
  }),
  celFunc("@pairs", [DYN], DYN, (from) =>
    isCelList(from)
      ? want.list(from).map((item, index) => celList([BigInt(index), item as CelInput]))
      : [...want.map(from)].map(([name, item]) => celList([name as CelInput, item as CelInput])),
  ),
  celFunc("@key", [DYN], DYN, (pair) => want.list(pair)[0] as Value),
  celFunc("@item", [DYN], DYN, (pair) => want.list(pair)[1] as Value),
  celFunc("@mapOf", [DYN], DYN, (pairs) =>
    mapOf(want.list(pairs).map((pair) => want.list(pair) as [Value, Value])),
  ),
  celFunc("@together", [DYN], DYN, (maps) => mapOf(want.list(maps).flatMap((map) => [...want.map(map)]))),
  ...both("keys", 1, (map) => [...want.map(map).keys()].sort(compare)),
  ...both("values", 1, (map) =>
    [...want.map(map)].sort(([a], [b]) => compare(a, b)).map(([, value]) => value),
  ),
  ...both("Has", 2, (inside, item) =>
    isCelList(inside) ? holds(want.list(inside), item) : holds([...want.map(inside).keys()], item),
  ),
  ...plain("Dict", 1, (given) => {
    const list = want.list(given);
    return mapOf(
      Array.from({ length: Math.ceil(list.length / 2) }, (_, n) => [
        want.text(list[2 * n] as Value),
        list[2 * n + 1] ?? "",
      ]),
    );
  }),
  ...plain("Append", 2, (item, list) => [...want.list(list), item]),
  ...member("Append", 2, (list, item) => [...want.list(list), item]),
  ...plain("Prepend", 2, (item, list) => [item, ...want.list(list)]),
  ...member("Prepend", 2, (list, item) => [item, ...want.list(list)]),
  ...["uniq", "distinct"].flatMap((name) =>
    both(name, 1, (list) => [...new Map(want.list(list).map((item) => [key(item), item])).values()]),
  ),
  ...both("reverse", 1, (given) =>
    typeof given === "string" ? [...given].reverse().join("") : want.list(given).reverse(),
  ),
  ...both("merge", 2, merge),
  ...both("sort", 1, (given) =>
    typeof given === "string" ? [...given].sort().join("") : want.list(given).sort(compare),
  ),
  ...both("flatten", [1, 2], (list, depth) =>
    flatten(want.list(list), depth === undefined ? 100 : want.whole(depth)),
  ),
  ...both("pick", 2, (map, names) => {
    const wanted = want.list(names);
    return mapOf([...want.map(map)].filter(([name]) => holds(wanted, name)));
  }),
  ...both("omit", 2, (map, names) => {
    const unwanted = want.list(names);
    return mapOf([...want.map(map)].filter(([name]) => !holds(unwanted, name)));
  }),
  ...member("slice", 3, (list, from, to) => {
    const all = want.list(list);
    const [start, end] = [want.whole(from), want.whole(to)];
    if (start < 0 || end < start || end > all.length)
      throw new Error(`slice(${start}, ${end}) of a list of ${all.length}`);
    return all.slice(start, end);
  }),
  ...member("sum", 1, (list) => total(want.list(list))),
  ...member("min", 1, (list) => extreme(want.list(list), -1)),
  ...member("max", 1, (list) => extreme(want.list(list), 1)),
  ...plain("lists.range", 1, (count) => {
    const length = want.whole(count);
    if (length > SEQUENCE_LIMIT) throw new Error(`more than ${SEQUENCE_LIMIT} numbers`);
    return Array.from({ length }, (_, n) => BigInt(n));
  }),
  ...plain("sets.contains", 2, (list, part) => {
    const all = want.list(list);
    return want.list(part).every((item) => holds(all, item));
  }),
  ...plain("sets.equivalent", 2, (first, second) => {
    const [a, b] = [want.list(first), want.list(second)];
    return a.every((item) => holds(b, item)) && b.every((item) => holds(a, item));
  }),
  ...plain("sets.intersects", 2, (first, second) => {
    const b = want.list(second);
    return want.list(first).some((item) => holds(b, item));
  }),
  // AWS writes maps as lists of names and values.
  ...["aws.fromAWSMap", "fromAWSMap"].flatMap((name) =>
    plain(name, 1, (list) => {
      const pairs = want.list(list).map((pair) => want.map(pair));
      return mapOf(pairs.map((pair) => [pair.get("Name") ?? pair.get("Key") ?? "", pair.get("Value") ?? ""]));
    }),
  ),
  ...["aws.arnToMap", "arnToMap"].flatMap((name) =>
    plain(name, 1, (arn) => {
      const [head, , service, region, account, ...resource] = want.text(arn).split(":");
      if (head !== "arn" || resource.length === 0) throw new Error("expected an ARN");
      return toCel({ service, region, account, resource: resource.join(":") });
    }),
  ),
];
