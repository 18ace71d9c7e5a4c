/** Numbers: CEL's math extension, gomplate's functions, and arithmetic that mixes whole numbers with others. */
import { celFunc, CelScalar, isCelUint, type CelFunc } from "@bufbuild/cel";
import type { CelInput } from "@bufbuild/cel";
import { want } from "../values.ts";
import { plain, type Value } from "./define.ts";

const { INT, DOUBLE } = CelScalar;
const SEQUENCE_LIMIT = 100_000;

const isWhole = (value: Value) => typeof value === "bigint" || isCelUint(value);
/** Whole if all of these are, so that sums of whole numbers stay whole. */
const like = (given: Value[], result: number): CelInput =>
  given.every(isWhole) && Number.isSafeInteger(result) ? BigInt(result) : result;

/** One list, or several arguments. */
const numbers = (args: Value[]): Value[] =>
  args.length === 1 && !isNumber(args[0]!) ? want.list(args[0]!) : args;
const isNumber = (value: Value) => typeof value === "number" || isWhole(value);
const fold = (name: string, work: (a: number, b: number) => number, start: number) =>
  plain(name, [1, 2, 3, 4], (...args) => {
    const all = numbers(args);
    return like(
      all,
      all.reduce<number>((before, item) => work(before, want.number(item)), start),
    );
  });
const two = (name: string, work: (a: number, b: number) => number) =>
  plain(name, 2, (a, b) => like([a, b], work(want.number(a), want.number(b))));
const one = (name: string, work: (a: number) => number) =>
  plain(name, 1, (a) => like([a], work(want.number(a))));
const says = (name: string, work: (a: Value) => boolean) => plain(name, 1, (a) => work(a));
const bits = (name: string, work: (a: bigint, b: bigint) => bigint) =>
  plain(name, 2, (a, b) => BigInt.asIntN(64, work(BigInt(want.whole(a)), BigInt(want.whole(b)))));

/** Away from zero at the half, as Go rounds. */
const round = (value: number) => Math.sign(value) * Math.round(Math.abs(value));
const numeric = (value: Value) =>
  isNumber(value) || (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)));
const fractional = (value: Value) =>
  typeof value === "number" || (typeof value === "string" && numeric(value) && /[.eE]/.test(value));

const ARITHMETIC: [string, (a: number, b: number) => number][] = [
  ["_+_", (a, b) => a + b],
  ["_-_", (a, b) => a - b],
  ["_*_", (a, b) => a * b],
  ["_/_", (a, b) => a / b],
];

export const mathematics: CelFunc[] = [
  ...ARITHMETIC.flatMap(([name, work]) => [
    celFunc(name, [INT, DOUBLE], DOUBLE, (a, b) => work(Number(a), b)),
    celFunc(name, [DOUBLE, INT], DOUBLE, (a, b) => work(a, Number(b))),
  ]),
  ...fold("math.Add", (a, b) => a + b, 0),
  ...fold("math.Mul", (a, b) => a * b, 1),
  ...two("math.Sub", (a, b) => a - b),
  ...plain("math.Div", 2, (a, b) => {
    if (want.number(b) === 0) throw new Error("division by zero");
    return want.number(a) / want.number(b);
  }),
  ...plain("math.Rem", 2, (a, b) => {
    if (want.number(b) === 0) throw new Error("division by zero");
    return like([a, b], want.number(a) % want.number(b));
  }),
  ...two("math.Pow", (a, b) => a ** b),
  ...plain("math.Seq", 1, (range) => {
    const [start = 1, end = start, step = 1] = want.list(range).map(want.whole);
    const [from, to] = want.list(range).length === 1 ? [1, start] : [start, end];
    const stride = Math.abs(step) * (to >= from ? 1 : -1);
    if (stride === 0) throw new Error("the step is zero");
    const length = Math.floor((to - from) / stride) + 1;
    if (length > SEQUENCE_LIMIT) throw new Error(`more than ${SEQUENCE_LIMIT} numbers`);
    return Array.from({ length }, (_, n) => BigInt(from + n * stride));
  }),
  ...["math.Abs", "math.abs"].flatMap((name) => one(name, Math.abs)),
  ...["math.Ceil", "math.ceil"].flatMap((name) => one(name, Math.ceil)),
  ...["math.Floor", "math.floor"].flatMap((name) => one(name, Math.floor)),
  ...["math.Round", "math.round"].flatMap((name) => one(name, round)),
  ...one("math.trunc", Math.trunc),
  ...one("math.sign", Math.sign),
  ...one("math.sqrt", Math.sqrt),
  ...says("math.IsNum", numeric),
  ...says("math.IsInt", (value) => numeric(value) && !fractional(value)),
  ...says("math.IsFloat", fractional),
  ...says("math.containsFloat", (list) => want.list(list).some(fractional)),
  ...says("math.isNaN", (value) => Number.isNaN(want.number(value))),
  ...says("math.isInf", (value) => Math.abs(want.number(value)) === Infinity),
  ...says("math.isFinite", (value) => Number.isFinite(want.number(value))),
  ...plain("math.greatest", [1, 2, 3, 4], (...args) =>
    numbers(args).reduce((best, item) => (want.number(item) > want.number(best) ? item : best)),
  ),
  ...plain("math.least", [1, 2, 3, 4], (...args) =>
    numbers(args).reduce((best, item) => (want.number(item) < want.number(best) ? item : best)),
  ),
  ...bits("math.bitAnd", (a, b) => a & b),
  ...bits("math.bitOr", (a, b) => a | b),
  ...bits("math.bitXor", (a, b) => a ^ b),
  ...plain("math.bitNot", 1, (a) => ~BigInt(want.whole(a))),
  ...bits("math.bitShiftLeft", (a, b) => (b > 63n ? 0n : a << b)),
  ...bits("math.bitShiftRight", (a, b) => (b > 63n ? 0n : BigInt.asUintN(64, a) >> b)),
];
