import fc from "fast-check";
import { expect, test } from "vitest";
import { pathOf, safeReturnTo } from "./return-to.ts";

test.each(["/", "/health?query=a%20b&page=2", "/catalog/1#top", "/health?return_to=//evil"])(
  "%s is a way back",
  (path) => {
    expect(safeReturnTo(path)).toBe(path);
  },
);

test.each([
  ["", null, undefined],
  ["https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil"],
  [
    "/\t/evil.example",
    "/\n/evil",
    "javascript:alert(1)",
    "health",
    "/a\\..\\b",
    "/.//evil.example",
    "/a/..//evil",
  ],
])("%j are not", (...values) => {
  for (const value of values) expect(safeReturnTo(value)).toBeNull();
});

test("whatever comes in, what goes out stays on this site", () => {
  const parts = fc.constantFrom(
    "/",
    "\\",
    "..",
    ".",
    "evil.example",
    ":",
    "@",
    "%2f",
    "\t",
    "?",
    "#",
    "a",
    "http:",
  );
  fc.assert(
    fc.property(
      fc.array(parts).map((list) => `/${list.join("")}`),
      (value) => {
        const safe = safeReturnTo(value);
        if (safe !== null) expect(new URL(safe, "https://ours.example").origin).toBe("https://ours.example");
      },
    ),
    { numRuns: 2000 },
  );
});

test("the way back leaves out what a data request adds", () => {
  expect(pathOf(new Request("http://x/health?query=a&_routes=b"))).toBe("/health?query=a");
  expect(pathOf(new Request("http://x/health"))).toBe("/health");
});
