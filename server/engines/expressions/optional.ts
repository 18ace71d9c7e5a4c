/** Optional values (`x.?y.orValue(z)`), which the CEL library does not have: marked lists of one value or none. */
import { celFunc, celList, celMethod, isCelList, isCelMap, CelScalar, type CelFunc } from "@bufbuild/cel";
import type { CelInput, CelList, CelValue } from "@bufbuild/cel";

const { DYN } = CelScalar;
const optionals = new WeakMap<object, readonly CelInput[]>();

function make(...held: [] | [CelInput]): CelList {
  const value = celList(held);
  optionals.set(value, held);
  return value;
}

/** What an optional holds: no value or one; undefined when it is no optional. */
export function optionalValue(value: CelValue): readonly CelInput[] | undefined {
  return typeof value === "object" && value !== null ? optionals.get(value) : undefined;
}

/** One step into a value that may not be there: a key of a map, an index of a list, through an optional if it is one. */
function step(from: CelValue, key: CelValue): CelList {
  const held = optionalValue(from);
  if (held?.length === 0) return make();
  const inner = held ? (celList(held).get(0) as CelValue) : from;
  const found = isCelMap(inner)
    ? inner.get(key as string)
    : isCelList(inner)
      ? inner.get(Number(key))
      : undefined;
  return found === undefined ? make() : make(found);
}

const held = (value: CelValue) => {
  const found = optionalValue(value);
  if (!found) throw new Error("expected an optional value");
  return found;
};

/** Zero values, for optional.ofNonZeroValue. */
function isZero(value: CelValue): boolean {
  if (isCelList(value) || isCelMap(value)) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  return value === null || value === false || value === "" || value === 0 || value === 0n;
}

/** What `prepare` writes for `.?`, `[?…]`, orValue and or, and what people call themselves. */
export const optionalFunctions: CelFunc[] = [
  celFunc("@step", [DYN, DYN], DYN, step),
  celFunc("@has", [DYN], DYN, (value) => held(value).length > 0),
  celFunc("@value", [DYN], DYN, (value) => {
    const [found] = held(value);
    if (found === undefined) throw new Error("the optional value is not there");
    return found;
  }),
  celMethod("hasValue", DYN, [], DYN, function () {
    return held(this).length > 0;
  }),
  celMethod("value", DYN, [], DYN, function () {
    const [found] = held(this);
    if (found === undefined) throw new Error("the optional value is not there");
    return found;
  }),
  celFunc("optional.of", [DYN], DYN, (value) => make(value)),
  celFunc("optional.none", [], DYN, () => make()),
  celFunc("optional.ofNonZeroValue", [DYN], DYN, (value) => (isZero(value) ? make() : make(value))),
];
