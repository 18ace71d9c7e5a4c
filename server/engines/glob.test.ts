import { expect, test } from "vitest";
import { globMatches } from "./glob.ts";

test.each([
  ["*.txt", "a.txt", true],
  ["*.txt", "a.txt.gz", false],
  ["*", "a/b", false],
  ["**", "a/b", true],
  ["**/*", "a", true],
  ["**/*.gz", "x/y/z.gz", true],
  ["**/b", "ab", false],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/xb", false],
  ["?", "ab", false],
  ["[a-c]x", "bx", true],
  ["[^a-c]x", "bx", false],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["*.conf", ".conf", true],
  ["", "", true],
])("%s and %s: %s", (pattern, text, expected) => {
  expect(globMatches(pattern, text)).toBe(expected);
});

test("a pattern of stars is no trap", () => {
  const started = performance.now();
  expect(globMatches(`${"*a".repeat(30)}b`, "a".repeat(250))).toBe(false);
  expect(performance.now() - started).toBeLessThan(200);
});
