/**
 * Expressions that mean harm, in each language: they end within the limit as one sentence, the process and its event loop are
 * unharmed, and what others asked meanwhile is answered.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, type Pool, type Question } from "./index.ts";

/** Half of the product's: there are many cases. */
const LIMIT_MS = 1000;
/** A machine that is busy with other tests is slow by itself; a loop that was held up would show seconds. */
const LAG_MS = 700;
const PUMPED = `${"a".repeat(60)}!`;

let pool: Pool;
beforeAll(async () => {
  pool = createPool({ limitMs: LIMIT_MS, threads: 2 });
  await ask({ javascript: "1", as: "value" });
});
afterAll(() => pool.close());

const deep = (levels: number) => Array.from({ length: levels }).reduce((inner) => ({ a: inner }), 1);
const tree = (levels: number): unknown =>
  levels === 0 ? 1 : Array.from({ length: 6 }, () => ({ next: tree(levels - 1) }));
const VALUES = { text: PUMPED, words: Array.from({ length: 30 }, () => PUMPED) };
const TREE = { ...VALUES, tree: tree(5) };

async function ask(question: Question, values: Record<string, unknown> = VALUES): Promise<string> {
  const environment = { values };
  try {
    const { it } = (await pool.run({ kind: "evaluate", environment, questions: { it: question } })) as {
      it: { value?: unknown; error?: string };
    };
    return it.error === undefined ? `came to ${JSON.stringify(it.value).length} characters` : it.error;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const LATE = /^the (expression|script) took more than \d+ ms$/;
const GREEDY = /used too much memory|took more than/;
const HUGE =
  /^(came to 100000\d characters|it came to more than 1000000 characters|the value is longer|.*used too much memory|.*took more than)/;

const text = (question: Omit<Question, "as">): Question => ({ ...question, as: "text" });
const CASES: [name: string, question: Question, expected: RegExp, values?: Record<string, unknown>][] = [
  // endless
  ["CEL loop", text({ expr: "lists.range(90000).map(x, lists.range(90000).map(y, x * y)).size()" }), LATE],
  ["template loop", text({ template: "{{range 1000000}}{{range 1000000}}{{end}}{{end}}" }), LATE],
  ["JavaScript loop", text({ javascript: "while (true) {}" }), LATE],
  [
    "JavaScript loop that catches",
    text({ javascript: "while (true) { try { while (true) {} } catch (e) {} }" }),
    LATE,
  ],
  [
    "JSONPath over everything again and again",
    text({ jsonPath: "$..*..*..*..*..*..*..*" }),
    /took more than|too much memory/,
    TREE,
  ],
  ["jq loop", text({ expr: "jq('def f: f; f', 1)" }), /took more than|too much memory/],
  ["jq loop of values", text({ expr: "jq('[limit(1e12; repeat(1))] | length', 1)" }), GREEDY],
  // regular expressions
  ["CEL pattern", text({ expr: "regexp.Match('^(a+)+$', text)" }), LATE],
  ["CEL's own matches", text({ expr: "text.matches('^(a+)+$')" }), /^came to/],
  ["template pattern", text({ template: "{{regexp.Match `^(a+)+$` .text}}" }), LATE],
  ["JavaScript pattern", text({ javascript: "/^(a+)+$/.test(text)" }), /took more than/],
  ["JSONPath pattern", text({ jsonPath: "$.words[?search(@, '^(a+)+$')]" }), LATE],
  // memory
  ["CEL lists", text({ expr: "lists.range(100000).map(x, lists.range(3000)).size()" }), GREEDY],
  ["CEL bytes", text({ expr: "lists.range(100000).map(x, bytes('x'.repeat(1000000))).size()" }), GREEDY],
  [
    "CEL bytes that double",
    text({ expr: `${"cel.bind(a, ".repeat(40)}b'x'${", a + a)".repeat(40)}.size()` }),
    /used too much memory/,
  ],
  [
    "CEL text that doubles",
    text({ expr: `${"cel.bind(a, ".repeat(40)}'x'${", a + a)".repeat(40)}.size()` }),
    /memory|longer|took/,
  ],
  [
    "template text that doubles",
    text({ template: "{{$x := `aaaaaaaa`}}{{range 100}}{{$x = print $x $x}}{{end}}{{len $x}}" }),
    /memory|longer|took/,
  ],
  [
    "JavaScript lists",
    text({ javascript: "var a = []; while (true) a.push(new Array(100000).fill(1))" }),
    GREEDY,
  ],
  [
    "JavaScript text",
    text({ javascript: "var s = 'x'; while (true) s += s" }),
    /memory|string too long|took more/,
  ],
  ["jq lists", text({ expr: "jq('[range(1e9)] | length', 1)" }), GREEDY],
  // depth
  [
    "CEL brackets",
    text({ expr: `${"(".repeat(7000)}1${")".repeat(7000)}` }),
    /nested|recursion|stack|line 1|came to/i,
  ],
  ["CEL value", text({ expr: "deep" }), /nested|came to/, { ...VALUES, deep: deep(2000) }],
  [
    "template brackets",
    text({ template: `{{${"(".repeat(9000)}1${")".repeat(9000)}}}` }),
    /nested too deeply/,
  ],
  [
    "template that calls itself",
    text({ template: "{{define `r`}}{{template `r`}}{{end}}{{template `r`}}" }),
    /too deeply/,
  ],
  ["JavaScript recursion", text({ javascript: "(function f() { return f() + 1 })()" }), /nested too deeply/],
  [
    "JavaScript value",
    text({ javascript: "var v = {}; for (var i = 0; i < 100000; i++) v = {v: v}; v" }),
    /nested|memory|took more/,
  ],
  [
    "JSONPath brackets",
    text({ jsonPath: `$[?${"(".repeat(1500)}@.a${")".repeat(1500)}]` }),
    /JSONPath|came to|nested/,
  ],
  // output
  ["CEL output", text({ expr: "lists.range(100).map(x, 'x'.repeat(1000000)).join('')" }), HUGE],
  ["template output", text({ template: "{{range 100}}{{repeat 1000000 `x`}}{{end}}" }), HUGE],
  ["JavaScript output", text({ javascript: "'x'.repeat(100000000)" }), /too much memory|the value is longer/],
  ["JSONPath output", text({ jsonPath: "$..*" }), /^came to 1\d{6} characters$|took more than/, TREE],
  ["jq output", text({ expr: "jq('\"x\" * 100000000', 1)" }), /more than|memory|took/],
];

test.each(CASES)(
  "%s",
  async (_, question, expected, values) => {
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const started = performance.now();
    const hostile = ask(question, values);
    const others = Promise.all([1, 2, 3].map((n) => ask({ expr: `text.size() + ${n}`, as: "text" })));
    expect(await hostile).toMatch(expected);
    expect(performance.now() - started).toBeLessThan(LIMIT_MS + 6000);
    expect(await others).toEqual(Array.from({ length: 3 }, () => "came to 4 characters"));
    lag.disable();
    expect(lag.max / 1e6).toBeLessThan(LAG_MS);
  },
  30_000,
);

describe("nothing of the process is in reach", () => {
  test.each<[Question, RegExp]>([
    ...["process", "require", "globalThis", "constructor", "__proto__", "import"].map(
      (name): [Question, RegExp] => [text({ expr: name }), /^(unknown name|line 1, column)/],
    ),
    [text({ expr: "'a'.constructor" }), /./],
    [text({ expr: "{'a': 1}.constructor" }), /no such key|constructor/],
    [text({ expr: "{'a': 1}['__proto__']" }), /no such key|__proto__/],
    [text({ template: "{{.constructor}} {{.__proto__}}" }), /^came to 23/],
    [text({ template: "{{.text.constructor}}" }), /there is no constructor/],
    [text({ template: "{{process}}" }), /unknown function process/],
    [text({ template: "{{constructor}} {{toString}} {{hasOwnProperty}}" }), /unknown function/],
    [text({ template: "{{env.Getenv `PATH`}}" }), /unknown function env.Getenv/],
    [text({ jsonPath: "$.constructor" }), /^came to 6/],
    [text({ jsonPath: "$.__proto__" }), /^came to 6/],
    ...[
      "process.env",
      "require('fs')",
      "fetch('http://x')",
      "setTimeout(function () {}, 1)",
      "std.exit(1)",
      "os.exec",
    ].map((script): [Question, RegExp] => [
      text({ javascript: script }),
      /ReferenceError: '?\w+'? is not defined/,
    ]),
    [text({ javascript: "import('fs'); 1" }), /^came to|Error/],
    [text({ expr: "jq('$ENV.PATH + env.HOME', 1)" }), /^came to 17/], // "/" and "/home/web_user": jq's own, made up
    [text({ expr: "jq('input_filename', 1)" }), /^came to/],
    [text({ expr: "jq('import \"/etc/passwd\" as x; x', 1)" }), /jq: /],
    [text({ expr: "jq('1) | (.', 1)" }), /^came to/],
  ])("%j", async (question, expected) => {
    expect(await ask(question)).toMatch(expected);
  });

  test("the way out that works elsewhere leads to the engine's own globals", async () => {
    const escape =
      "[].constructor.constructor('return typeof process + typeof require + typeof globalThis.text')()";
    const answers = await pool.run({
      kind: "evaluate",
      environment: { values: { text: "x" } },
      questions: { it: { javascript: escape, as: "text" } },
    });
    expect(answers).toEqual({ it: { value: "undefinedundefinedstring" } });
  });
});

test("afterwards all is as before", async () => {
  expect(await ask({ expr: "1 + 1", as: "text" })).toBe("came to 3 characters");
  expect(process.exitCode ?? 0).toBe(0);
});
