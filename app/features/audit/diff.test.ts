import { expect, test } from "vitest";
import { diffLines } from "./diff.ts";
import { spanOf } from "./span.ts";

const lines = (text: string) => (text === "" ? [] : text.split(" "));
const shown = (before: string, after: string) =>
  diffLines(lines(before), lines(after))
    .map(({ sign, text }) => sign.trim() + text)
    .join(" ");

test.each([
  ["a b c", "a x c", "a -b +x c"],
  ["", "a b", "+a +b"],
  ["a b", "", "-a -b"],
  ["a b c", "a b c", ""],
  ["a b", "b a", "-a b +a"],
  ["1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 x", "… 6 7 8 -9 +x"],
  ["x 2 3 4 5 6 7 8 9 10 y", "a 2 3 4 5 6 7 8 9 10 b", "-x +a 2 3 4 … 8 9 10 -y +b"],
])("%j to %j is %j", (before, after, expected) => expect(shown(before, after)).toBe(expected));

test("both texts can be made of it again, whatever they are", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 300; round++) {
    const [before, after] = [0, 1].map(() => Array.from({ length: random(8) }, () => "abc"[random(3)]!));
    const diff = diffLines(before!, after!);
    if (diff.some(({ sign }) => sign === "…")) continue;
    const side = (sign: "-" | "+") => diff.filter((line) => line.sign !== sign).map(({ text }) => text);
    if (before!.join() === after!.join()) expect(diff).toEqual([]);
    else {
      expect(side("+")).toEqual(before);
      expect(side("-")).toEqual(after);
    }
  }
});

test("a time that cannot be read is said, and the usual one is shown", () => {
  const now = Date.parse("2026-01-31T00:00:00Z");
  const usual = { from: Date.parse("2026-01-01T00:00:00Z"), to: null, words: "in the last 30 days" };
  expect(spanOf({ from: "", to: "", range: "30d" }, now)).toEqual({ ...usual, error: null });
  expect(spanOf({ from: "yesterday", to: "", range: "30d" }, now)).toMatchObject({
    ...usual,
    error: "From must be a time like 2026-10-14T09:41, in UTC",
  });
  expect(spanOf({ from: "2026-01-03", to: "2026-01-02", range: "30d" }, now).error).toBe(
    "The range must begin before it ends",
  );
  expect(spanOf({ from: "2026-01-02T03:04", to: "2026-01-03", range: "30d" }, now)).toMatchObject({
    from: Date.parse("2026-01-02T03:04:00Z"),
    to: Date.parse("2026-01-03T00:00:00Z"),
    error: null,
  });
});
