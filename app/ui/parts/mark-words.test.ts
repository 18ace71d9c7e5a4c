import { expect, test } from "vitest";
import { choiceWords, markWords } from "./mark-words.ts";

test.each([
  [{}, "All"],
  [{ "eu-west": 1, platform: -1 } as const, "eu-west, not platform"],
  [{ a: 1, b: 1, c: 1 } as const, "a, b, c"],
  [{ a: 1, b: 1, c: 1, d: 1 } as const, "including 4 labels"],
  [{ a: 1, b: -1, c: -1, d: -1, e: -1 } as const, "a, excluding 4 labels"],
])("marks %j read %s", (marks, words) => {
  expect(markWords(marks, "labels")).toBe(words);
});

test("a multiple select lists three and counts from four (specification 1 §2)", () => {
  expect(choiceWords([], "kinds")).toBe("All");
  expect(choiceWords(["http", "tcp", "dns"], "kinds")).toBe("http, tcp, dns");
  expect(choiceWords(["http", "tcp", "dns", "sql"], "kinds")).toBe("including 4 kinds");
});
