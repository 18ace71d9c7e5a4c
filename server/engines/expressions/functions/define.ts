/** How the functions of expressions are written down: a name, how many arguments, and what it does with them. */
import { celFunc, celMethod, CelScalar, type CelFunc } from "@bufbuild/cel";
import type { CelInput, CelValue } from "@bufbuild/cel";

const { DYN } = CelScalar;
export type Value = CelValue;
type Work = (...args: CelValue[]) => CelInput;

/** Arguments are of any type: the work itself says what it cannot take, by throwing. */
const types = (count: number) => Array.from({ length: count }, () => DYN);

/** `name(a, b)`, with as many arguments as `counts` says. */
export function plain(name: string, counts: number | readonly number[], work: Work): CelFunc[] {
  return [counts]
    .flat()
    .map((count) => celFunc(name, types(count), DYN, work as (...args: unknown[]) => CelInput));
}

/** `x.name(a)`: `x` is the first argument and counted with the others. */
export function member(name: string, counts: number | readonly number[], work: Work): CelFunc[] {
  return [counts].flat().map((count) =>
    celMethod(name, DYN, types(count - 1), DYN, function (this: CelValue, ...args: unknown[]) {
      return work(this, ...(args as CelValue[]));
    }),
  );
}

/** `name(x, a)` and `x.name(a)`. */
export const both = (name: string, counts: number | readonly number[], work: Work): CelFunc[] => [
  ...plain(name, counts, work),
  ...member(name, counts, work),
];

/** `x.name(a)` and, as in a pipe, `name(a, x)`: what is worked on comes last. */
export const piped = (name: string, counts: number | readonly number[], work: Work): CelFunc[] => [
  ...plain(name, counts, (...args) => work(args.at(-1) as CelValue, ...args.slice(0, -1))),
  ...member(name, counts, work),
];
