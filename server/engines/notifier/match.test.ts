import { expect, test } from "vitest";
import { afterFailuresOf, match, subjectOf, type Rule, type Situation } from "./match.ts";

const rule: Rule = {
  id: "r",
  events: ["check.failed", "check.passed"],
  afterFailures: 3,
  hasRecipient: true,
};
const bad: Situation = {
  event: "check.failed",
  failures: 1,
  remembered: null,
  passes: true,
  silenced: false,
};
const well: Situation = { ...bad, event: "check.passed", failures: 0 };

test("the first failures are counted, the one that is enough is told", () => {
  expect(match(rule, bad)).toEqual({ send: null, remember: "waiting" });
  expect(match(rule, { ...bad, failures: 2, remembered: "waiting" })).toEqual({
    send: null,
    remember: "waiting",
  });
  expect(match(rule, { ...bad, failures: 3, remembered: "waiting" })).toEqual({
    send: "send",
    remember: "told",
  });
  expect(match({ ...rule, afterFailures: 1 }, bad)).toEqual({ send: "send", remember: "told" });
});

test("what was told is not told again, and its recovery is told once", () => {
  expect(match(rule, { ...bad, failures: 9, remembered: "told" })).toEqual({ send: null, remember: "told" });
  expect(match(rule, { ...well, remembered: "told" })).toEqual({ send: "send", remember: "nothing" });
});

test("nobody hears of the recovery from a failure that nobody was told of", () => {
  expect(match(rule, { ...well, remembered: "waiting" })).toEqual({ send: null, remember: "nothing" });
  expect(match(rule, well)).toEqual({ send: null, remember: "nothing" });
});

test("a silence is written down, and ends with the failure it covered", () => {
  expect(match(rule, { ...bad, failures: 3, silenced: true })).toEqual({
    send: "silence",
    remember: "nothing",
  });
  expect(match(rule, { ...well, remembered: "told", silenced: true })).toEqual({
    send: "silence",
    remember: "nothing",
  });
});

test("a rule that does not count tells of every event it names", () => {
  const plain: Rule = { ...rule, afterFailures: null, events: ["check.failed"] };
  expect(match(plain, bad).send).toBe("send");
  expect(match(plain, well).send).toBeNull();
  expect(match(plain, { ...bad, passes: false }).send).toBeNull();
});

test("without a recipient, or when the filter does not hold, nothing is begun", () => {
  expect(match({ ...rule, hasRecipient: false }, { ...bad, failures: 3 }).send).toBeNull();
  expect(match(rule, { ...bad, failures: 3, passes: false })).toEqual({ send: null, remember: "nothing" });
});

test("the number of failures is read, or there is none", () => {
  expect(
    ["3", 1, "0", "x", undefined, 2.5, 1e9].map((given) => afterFailuresOf({ afterFailures: given })),
  ).toEqual([3, 1, null, null, null, null, 1000]);
});

test("the filters of one check or canary are known without evaluating them", () => {
  const id = "0192ab00-0000-0000-0000-00000000000a";
  expect(subjectOf(`check.id == '${id}'`)).toEqual({ kind: "check", id });
  expect(subjectOf(`canary.id == "${id}" `)).toEqual({ kind: "canary", id });
  expect(subjectOf(`check.id == '${id}' || true`)).toBeNull();
  expect(subjectOf("check.name == 'x'")).toBeNull();
});
