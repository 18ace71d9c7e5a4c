/** What differs every time: gomplate's `random`. For names and samples; nothing here is a secret's source but its strength is. */
import { randomInt } from "node:crypto";
import type { CelFunc } from "@bufbuild/cel";
import { want } from "../values.ts";
import { plain, type Value } from "./define.ts";

/** Longest text made by chance, in characters. */
const LENGTH_LIMIT = 100_000;
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");
const ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";

function made(count: Value, signs: string): string {
  const length = want.whole(count);
  if (length < 0 || length > LENGTH_LIMIT)
    throw new Error(`between 0 and ${LENGTH_LIMIT} characters can be made`);
  if (signs === "") throw new Error("no character fits");
  return Array.from({ length }, () => signs[randomInt(signs.length)]).join("");
}

/** A class of characters such as `[a-f0-9]`, or its first and last one. */
function between(first: Value | undefined, last: Value | undefined): string {
  if (first === undefined) return `${ALPHA}${DIGITS}_.-`;
  const range = (from: number, to: number) =>
    Array.from({ length: Math.min(5000, Math.max(0, to - from + 1)) }, (_, index) =>
      String.fromCharCode(from + index),
    ).join("");
  if (last !== undefined) return range(code(first), code(last));
  const fits = new RegExp(`^(?:${want.text(first)})$`, "u");
  return [...ASCII].filter((sign) => fits.test(sign)).join("");
}
const code = (value: Value) => (typeof value === "string" ? (value.codePointAt(0) ?? 0) : want.whole(value));

/** `(max)`, `(min, max)` or nothing. */
const bounds = (given: Value[], most: number): [number, number] => {
  const [a, b] = given.map(want.number);
  if (a === undefined) return [0, most];
  return b === undefined ? [0, a] : [a, b];
};

export const random: CelFunc[] = [
  ...plain("random.ASCII", 1, (count) => made(count, ASCII)),
  ...plain("random.Alpha", 1, (count) => made(count, ALPHA)),
  ...plain("random.AlphaNum", 1, (count) => made(count, ALPHA + DIGITS)),
  ...plain("random.String", [1, 2, 3], (count, first, last) => made(count, between(first, last))),
  ...plain("random.Item", 1, (list) => {
    const all = want.list(list);
    if (all.length === 0) throw new Error("the list is empty");
    return all[randomInt(all.length)] as Value;
  }),
  ...plain("random.Number", [0, 1, 2], (...given) => {
    const [least, most] = bounds(given, 100).map(Math.trunc) as [number, number];
    if (most < least || most - least > 2 ** 47)
      throw new Error(`there is no number between ${least} and ${most}`);
    return BigInt(randomInt(least, most + 1));
  }),
  ...plain("random.Float", [0, 1, 2], (...given) => {
    const [least, most] = bounds(given, 1);
    if (most < least) throw new Error(`there is no number between ${least} and ${most}`);
    return least + (randomInt(2 ** 47) / 2 ** 47) * (most - least);
  }),
];
