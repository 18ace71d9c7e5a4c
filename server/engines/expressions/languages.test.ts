/** The four languages through the pool, as checks ask them. */
import { afterAll, describe, expect, test } from "vitest";
import { createPool, type Question } from "./index.ts";

const pool = createPool();
afterAll(() => pool.close());

const environment = {
  values: {
    code: 200,
    results: {
      list: [3, 1, 2],
      pods: [
        { name: "web", ready: true },
        { name: "db", ready: false },
      ],
    },
    check: { name: "stock" },
    "weird-name": 1,
  },
  durations: { elapsed: 1500 },
  json: '{"items": [{"price": 5, "tag": "a"}, {"price": 9, "tag": "b"}]}',
  lastResult: { results: { max: 7 } },
};
const ask = async (question: Question) => {
  const answers = await pool.run({ kind: "evaluate", environment, questions: { it: question } });
  const { it } = answers as { it: { value?: unknown; error?: string } };
  return it.error === undefined ? it.value : `error: ${it.error}`;
};

describe("each language answers as text, truth, value and JSON", () => {
  test.each<[Question, unknown]>([
    [{ template: "code={{.code}} in {{.elapsed}}", as: "text" }, "code=200 in 1.5s"],
    [{ template: " {{ eq .code 200 }}\n", as: "truth" }, true],
    [
      { template: "{{.json.items | toJSON}}", as: "json" },
      [
        { price: 5, tag: "a" },
        { price: 9, tag: "b" },
      ],
    ],
    [
      { template: "{{ jq `[.items[].price] | add` .json }} {{.json | jq `.items[0].tag`}}", as: "text" },
      "14 a",
    ],
    [{ javascript: "code + 1", as: "text" }, "201"],
    [{ javascript: "elapsed > 1000 && json.items.length == 2", as: "truth" }, true],
    [{ javascript: "var x = results.list; x.sort(); x", as: "value" }, [1, 2, 3]],
    [{ javascript: "JSON.stringify([{name: 'n'}])", as: "json" }, [{ name: "n" }]],
    [{ javascript: "last_result().results.max", as: "value" }, 7],
    [{ javascript: "_.map(_.filter(results.pods, {ready: true}), 'name')", as: "value" }, ["web"]],
    [{ javascript: "_.chain(json.items).sortBy('price').pluck('tag').last().value()", as: "text" }, "b"],
    [
      {
        javascript: "_.reduce(results.list, function (m, n) { return m + n }, 0) + _.max(results.list)",
        as: "value",
      },
      9,
    ],
    [
      {
        javascript: "_.isEqual(_.countBy(json.items, 'tag'), {a: 1, b: 1}) && _.uniq([1, 1]).length == 1",
        as: "truth",
      },
      true,
    ],
    [
      { javascript: "_.keys(_.groupBy(json.items, function (i) { return i.price > 5 })).join()", as: "text" },
      "false,true",
    ],
    [
      {
        javascript: "[fromMillicores('250m'), fromMillicores('2'), fromSI('10Ki'), fromSI('1M')]",
        as: "value",
      },
      [250, 2000, 10240, 1_000_000],
    ],
    [{ javascript: "startsWith(check.name, 'st') && endsWith(check.name, 'ck')", as: "truth" }, true],
    [
      {
        javascript: "k8s.conditions.isReady({status: {conditions: [{type: 'Ready', status: 'True'}]}})",
        as: "truth",
      },
      true,
    ],
    [
      {
        javascript:
          "k8s.conditions.getError({status: {conditions: [{type: 'Ready', status: 'False', message: 'no'}]}})",
        as: "text",
      },
      "Ready: no",
    ],
    [
      { javascript: "k8s.getAlertName({alertname: 'Down', namespace: 'n', pod: 'p'})", as: "text" },
      "Down/n/p",
    ],
    [
      {
        javascript: "k8s.getLabelMap({metadata: {labels: {app: 'a', 'pod-template-hash': 'x'}}})",
        as: "value",
      },
      { app: "a" },
    ],
    [
      {
        javascript:
          "k8s.getPodTopology({metadata: {name: 'p'}, spec: {containers: [{resources: {limits: {cpu: '1'}}}]}}).properties[1].max",
        as: "value",
      },
      1000,
    ],
    [
      {
        javascript:
          "k8s.getNodeTopology({metadata: {name: 'n'}, status: {conditions: [{type: 'Ready', status: 'True'}]}}).status",
        as: "text",
      },
      "healthy",
    ],
    [{ javascript: "undefined", as: "value" }, null],
    [{ jsonPath: "$.json.items[0].price", as: "text" }, "5"],
    [{ jsonPath: "{.json.items[*].tag}", as: "value" }, ["a", "b"]],
    [{ jsonPath: "json.items[?@.price > 5].tag", as: "text" }, "b"],
    [{ jsonPath: "$.nothing.here", as: "value" }, null],
    [{ jsonPath: "$.results.pods[0].ready", as: "truth" }, true],
    [{ expr: "jq('.items | map(.price) | max', json) + json.jq('.items | length')", as: "value" }, 11],
    [{ expr: "[1, 2].map(n, jq('. * 10', n))", as: "value" }, [10, 20]],
  ])("%j", async (question, expected) => {
    expect(await ask(question)).toEqual(expected);
  });
});

describe("what is wrong is said with its place", () => {
  test.each<[Question, RegExp]>([
    [{ template: "a\n{{.code", as: "text" }, /^error: line 2, column 3: /],
    [{ template: "maybe", as: "truth" }, /must be true or false, not maybe/],
    [{ javascript: "code +", as: "text" }, /^error: line 1(, column \d+)?: SyntaxError: /],
    [{ javascript: "\n nosuch.x", as: "text" }, /^error: line 2, column \d+: ReferenceError: .*nosuch/],
    [{ javascript: "throw 'as told'", as: "text" }, /^error: thrown: as told/],
    [{ jsonPath: "$.a[", as: "text" }, /^error: JSONPath /],
    [{ expr: "jq('.[', json)", as: "value" }, /^error: jq: syntax error/],
    [{ expr: "jq('error(\"no\")', json)", as: "value" }, /^error: jq: no/],
  ])("%j", async (question, words) => {
    expect(await ask(question)).toMatch(words);
  });
});

test("a script starts afresh, and changes nothing for the next", async () => {
  await ask({
    javascript: "JSON.parse = null; Object.prototype.x = 1; leaked = 5; _.map = null; code = 0",
    as: "value",
  });
  expect(
    await ask({
      javascript: "typeof leaked + typeof ({}).x + typeof JSON.parse + typeof _.map + code",
      as: "text",
    }),
  ).toBe("undefinedundefinedfunctionfunction200");
});
