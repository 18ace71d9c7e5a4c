import fc from "fast-check";
import { expect, test } from "vitest";
import { wordsOfLine, type Language } from "./code-words.ts";

const said = (line: string, language: Language) =>
  wordsOfLine(line, language)
    .map(({ voice, text }) => (voice === "plain" ? text : `${voice}<${text}>`))
    .join("");

test.each([
  ["apiVersion: apps/v1", "key<apiVersion>: string<apps/v1>"],
  ["  replicas: 6", "  key<replicas>: number<6>"],
  ["  - name: gateway # the edge", "  - key<name>: string<gateway>comment< # the edge>"],
  ['  revision: "87"', '  key<revision>: string<"87">'],
  ["  url: https://a.example/#top", "  key<url>: string<https://a.example/#top>"],
  ["  app.kubernetes.io/name: x", "  key<app.kubernetes.io/name>: string<x>"],
  ["# a note: nothing else", "comment<# a note: nothing else>"],
  ["script: |", "key<script>: |"],
  ["- 250m", "- string<250m>"],
  ["- true", "- number<true>"],
  ['flow: {a: 1, "b": [2]}', 'key<flow>: {a: number<1>, key<"b">: [number<2>]}'],
  ["---", "---"],
  ["", ""],
])("YAML: %s", (line, expected) => {
  expect(said(line, "yaml")).toBe(expected);
});

test.each([
  ['  "name": "a\\"b", "n": -1.5e3', '  key<"name">: string<"a\\"b">, key<"n">: number<-1.5e3>'],
  ["[true, null]", "[number<true>, number<null>]"],
])("JSON: %s", (line, expected) => {
  expect(said(line, "json")).toBe(expected);
});

test("whatever the line, its words joined are the line", () => {
  const awkward = fc.string({ unit: fc.constantFrom(..."ab :#-'\"\\{}[],|>&*!1.~\t%@`é") });
  fc.assert(
    fc.property(awkward, fc.constantFrom<Language>("yaml", "json", "text"), (line, language) => {
      expect(
        wordsOfLine(line, language)
          .map(({ text }) => text)
          .join(""),
      ).toBe(line);
    }),
  );
});
