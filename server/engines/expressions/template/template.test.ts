/** Go templates: what each piece of the language comes to, as Go's text/template and gomplate document it. */
import type { CelInput } from "@bufbuild/cel";
import { describe, expect, test } from "vitest";
import { durationOf, toCel } from "../values.ts";
import { render, renderString } from "./index.ts";

const variables: Record<string, CelInput> = Object.assign(Object.create(null), {
  code: 200n,
  share: 0.5,
  name: "shop",
  empty: "",
  ok: true,
  nothing: null,
  elapsed: durationOf(1_234_500_000n),
  at: toCel(new Date("2024-03-09T15:04:05.678Z")),
  list: toCel(["a", "b", "c"]),
  numbers: toCel([3, 1, 2]),
  map: toCel({ b: 2, a: 1, "x-y": { deep: "down" } }),
  pods: toCel([
    { name: "web", ready: true, age: 3 },
    { name: "db", ready: false, age: 9 },
  ]),
  text: "a <b> & 'c'",
  jsonText: '{"k": [1, {"v": "x"}]}',
  username: "me",
  properties: toCel({ host: "h.example" }),
  "@last_result": toCel({ results: { max: "then" } }),
});

const TABLE: [template: string, expected: string][] = [
  // text, trimming, comments
  ["plain text, {braces} and $dollars", "plain text, {braces} and $dollars"],
  ["code={{.code}}, took={{.elapsed}}", "code=200, took=1.2345s"],
  ["a {{- 1 -}} b", "a1b"],
  ["{{23 -}} < {{- 45}}", "23<45"],
  ["a{{/* not shown */}}b {{- /* nor this\n*/ -}} c", "abc"],
  ["{{-3}}", "-3"],
  ['{{"{{"}} {{`}}`}}', "{{ }}"],
  ["{{ \n .name \n }}", "shop"],
  // values
  ["{{.missing}} {{.nothing}}", "<no value> <no value>"],
  ["{{.map.a}} {{.map.b}} {{$.map.a}} {{(index .map `x-y`).deep}}", "1 2 1 down"],
  ["{{.list}} {{.map}}", "[a b c] map[a:1 b:2 x-y:map[deep:down]]"],
  ["{{.share}} {{1.5}} {{0x10}} {{1_000}} {{'a'}} {{true}} {{1e3}}", "0.5 1.5 16 1000 97 true 1000"],
  ['{{"\\u00e9\\t\\x41"}}', "é\tA"],
  ["{{.elapsed.Milliseconds}} {{.elapsed.Seconds}} {{.elapsed.Round 1000000000}}", "1234 1.2345 1s"],
  [
    '{{.at.Format "Mon, 02 Jan 2006 15:04:05 MST"}} {{.at.Year}} {{.at.Unix}} {{.at.Weekday}}',
    "Sat, 09 Mar 2024 15:04:05 UTC 2024 1709996645 Saturday",
  ],
  ['{{.at.Format "3:04PM 06-1-2 05.000 Z07:00"}}', "3:04PM 24-3-9 05.678 Z"],
  ["{{last_result.results.max}} {{(last_result).results.max}}", "then then"],
  // pipelines and variables
  ['{{.name | printf "%s-%s" "x"}}', "x-shop"],
  ['{{"output" | printf "%s" | printf "%q"}}', '"output"'],
  ['{{printf "%q" (print "out" "put")}}', '"output"'],
  ["{{$x := .code}}{{$x}} {{$x = 5}}{{$x}}", "200 5"],
  ["{{$x := 1}}{{if true}}{{$x = 2}}{{$x := 3}}{{end}}{{$x}}", "2"],
  // if
  ["{{if .ok}}yes{{else}}no{{end}} {{if .empty}}yes{{else}}no{{end}}", "yes no"],
  ["{{if eq .code 500}}a{{else if eq .code 200 201}}b{{else}}c{{end}}", "b"],
  ["{{if and .ok .name}}{{or .empty .name}}{{end}} {{not .ok}} {{and .ok 0 .missing.x}}", "shop false 0"],
  ["{{if not (eq .name `x`)}}y{{end}}", "y"],
  [
    "{{lt 1 2}} {{le 2 2}} {{gt 1.5 1}} {{ge 1 2}} {{ne `a` `b`}} {{lt `a` `b`}} {{gt .elapsed 1000000000}}",
    "true true true false true true true",
  ],
  // range
  ["{{range .list}}{{.}},{{end}}", "a,b,c,"],
  ["{{range $i, $e := .list}}{{$i}}={{$e}} {{end}}", "0=a 1=b 2=c "],
  ["{{range $k, $v := .map}}{{$k}} {{end}}", "a b x-y "],
  ["{{range .missing}}x{{else}}none{{end}}", "none"],
  ["{{range .pods}}{{if .ready}}{{continue}}{{end}}{{.name}} of {{$.name}}{{break}}{{end}}", "db of shop"],
  ["{{range 3}}{{.}}{{end}} {{range $i := .list}}{{$i}}{{end}}", "012 abc"],
  ["{{range $i, $p := .pods}}{{if $i}}, {{end}}{{$p.name}}{{end}}", "web, db"],
  // with, define, template, block
  ["{{with .map}}{{.a}}{{end}} {{with .empty}}x{{else}}empty{{end}}", "1 empty"],
  ["{{with .empty}}x{{else with .name}}{{.}}{{end}}", "shop"],
  ["{{with $x := .name}}{{$x}}{{.}}{{end}}", "shopshop"],
  ['{{define "row"}}<{{.name}}>{{end}}{{range .pods}}{{template "row" .}}{{end}}', "<web><db>"],
  ['{{block "b" .map}}{{.a}}{{end}}{{template "b" .map}}', "11"],
  // functions of Go
  ["{{len .list}} {{len .name}} {{index .list 1}} {{index .map `a`}} {{index .pods 1 `name`}}", "3 4 b 1 db"],
  ["{{slice .name 1 3}} {{slice .list 1}}", "ho [b c]"],
  ["{{print 1 2 `a` `b` 3}} {{println `x`}}|", "1 2ab3 x\n|"],
  [
    "{{html .text}} {{js .text}} {{urlquery .text}}",
    "a &lt;b&gt; &amp; &#39;c&#39; a \\u003Cb\\u003E \\u0026 \\'c\\' a+%3Cb%3E+%26+%27c%27",
  ],
  [
    '{{printf "%05d|%-5s|%5.1f|%x|%t|%v|%%|%+d|%c|%T" 42 "ab" 3.14159 255 true .list 7 65 1.5}}',
    "00042|ab   |  3.1|ff|true|[a b c]|%|+7|A|float64",
  ],
  ['{{printf "%d %s" "x"}} {{printf "a" 1}}', "%!d(string=x) %!s(MISSING) a%!(EXTRA int=1)"],
  // gomplate
  ["{{.name | strings.ToUpper}} {{.name | toUpper}} {{title .name}}", "SHOP SHOP Shop"],
  [
    '{{.name | strings.Contains "ho"}} {{hasPrefix "sh" .name}} {{strings.HasSuffix "x" .name}}',
    "true true false",
  ],
  [
    '{{strings.Repeat 2 .name}} {{.name | replaceAll "s" "S"}} {{strings.Trim "sp" .name}} {{"ab" | strings.Indent 2 "-"}}',
    "shopshop Shop ho --ab",
  ],
  [
    '{{(strings.Split "-" "a-b-c") | coll.Reverse | toJSON}} {{"foobarbazquxquux" | strings.Abbrev 9}}',
    '["c","b","a"] foobar...',
  ],
  [
    "{{(json .jsonText).k | toJSON}} {{(data.JSON .jsonText).k | toJSONPretty `  ` | len}}",
    '[1,{"v":"x"}] 29',
  ],
  ["{{dict `a` 1 `b` 2 | toYAML}}{{(coll.Slice 1 2 | append 3) | toJSON}}", "a: 1\nb: 2\n[1,2,3]"],
  [
    "{{coll.Has .map `a`}} {{has .list `z`}} {{keys .map | conv.Join `,`}} {{join .list `+`}}",
    "true false a,b,x-y a+b+c",
  ],
  ["{{range .pods | coll.Sort `name`}}{{.name}} {{end}}{{sort .numbers | toJSON}}", "db web [1,2,3]"],
  [
    "{{coll.Pick `a` .map | toJSON}} {{(merge (dict `a` 1) (dict `a` 2 `b` 3)) | toJSON}}",
    '{"a":1} {"a":1,"b":3}',
  ],
  [
    "{{math.Add 1 2 3}} {{add 1.5 1}} {{math.Max 1 9 3}} {{div 7 2}} {{seq 3 | toJSON}}",
    "6 2.5 9 3.5 [1,2,3]",
  ],
  [
    "{{.missing | default `none`}} {{conv.ToInt `42`}} {{conv.ToBool `yes`}} {{(conv.URL `http://h:1/p?q`).Hostname}}",
    "none 42 true h",
  ],
  [
    '{{base64.Encode "hello"}} {{base64.Decode "aGVsbG8="}} {{crypto.SHA1 "hello"}}',
    "aGVsbG8= hello aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
  ],
  ['{{regexp.Replace "[0-9]+" "N" "a12b3"}} {{"abc" | regexp.Match "^a"}}', "aNbN true"],
  [
    '{{(time.Parse "2006-01-02" "2023-09-26").Format "02.01.2006"}} {{(time.Now).Year | lt 2020}}',
    "26.09.2023 true",
  ],
  [
    "{{humanSize 1048576}} {{humanDuration 3600}} {{semverCompare `>1.0` `1.2.0`}} {{quote .name}} {{filepath.Join `a` `b`}}",
    '1M 1h0m0s true "shop" a/b',
  ],
  [
    "{{ternary `yes` `no` .ok}} {{test.IsKind `map` .map}} {{uuid.IsValid uuid.Nil}} {{k8s.cpuAsMillicores `250m`}}",
    "yes true true 250",
  ],
  ["# gotemplate: left-delim=[[ right-delim=]]\n[[.name]] {{.name}}", "shop {{.name}}"],
];
test.each(TABLE)("%s", (template, expected) => {
  expect(render(template, variables)).toBe(expected);
});

describe("what is wrong is said with its place", () => {
  test.each<[string, string | RegExp]>([
    ["a\nb {{.name", "line 2, column 5: the action is not closed by }}"],
    ["{{if .ok}}x", "line 1, column 3: if has no end"],
    ["x{{end}}", "line 1, column 4: unexpected end"],
    ["{{else}}", /unexpected else/],
    ["{{nosuch 1}}", "line 1, column 3: unknown function nosuch"],
    ["{{env.Getenv `HOME`}}", "unknown function env.Getenv"],
    ["{{file.Read `/etc/passwd`}}", "unknown function file.Read"],
    ["{{.missing.deep}}", "line 1, column 3: missing has no value, so it has no deep"],
    ["{{.name.x}}", "there is no x in shop"],
    ["{{.name.constructor}} {{.list.__proto__}}", "there is no constructor in shop"],
    ["{{$y}}", "undefined variable $y"],
    ["{{index .list 9}}", "index out of range: 9 of 3"],
    ["{{lt 1 `a`}}", "incompatible types"],
    ["{{template `nope`}}", 'there is no template "nope"'],
    ["{{define `r`}}{{template `r`}}{{end}}{{template `r`}}", "too deeply"],
    ["{{break}}", "break outside of range"],
    ["{{printf 5}}", "printf needs its format first"],
    ["{{.name | 5}}", /only functions can stand behind/],
    ["{{.code 5}}", /code is no function|no code/],
    ["{{@}}", 'unexpected "@"'],
    ["{{test.Fail `as told`}}", "as told"],
    ["{{range 1000000}}xxxxxxxxxx{{end}}", "it came to more than 1000000 characters"],
    [`${"{{if true}}".repeat(3000)}${"{{end}}".repeat(3000)}`, "nested too deeply"],
    [`{{${"(".repeat(3000)}1${")".repeat(3000)}}}`, "nested too deeply"],
  ])("%.50s", (template, words) => {
    expect(() => render(template, variables)).toThrow(words);
  });
});

test.each<[string, string]>([
  ["http://$(username):x@$(properties.host)/?$(.name)", "http://me:x@h.example/?shop"],
  ["{{username}} {{.username}} {{ $.name | toUpper }}", "me me SHOP"],
  ["$(username | toUpper)-{{.name}}", "ME-shop"],
  ["no template $ ( ) { }", "no template $ ( ) { }"],
  ["{{ `$(username)` }}", "me"],
  ["# gotemplate: left-delim=<< right-delim=>>\n<<username>> $(username)", "me $(username)"],
])("of a spec: %s", (template, expected) => {
  expect(renderString(template, variables)).toBe(expected);
});

test("of a spec: a value that is not there is an error, and a script keeps its own $( )", () => {
  expect(() => renderString("http://$(nosuch)/", variables)).toThrow(
    "line 1, column 10: there is no value for nosuch",
  );
  expect(() => renderString("{{.nosuch}}", variables)).toThrow("there is no value for .nosuch");
  expect(renderString("echo $(date) {{.name}}", variables, { dollar: false })).toBe("echo $(date) shop");
});

test("what a value says is never read as a template", () => {
  const sly = { a: "{{.b}} $(b)", b: "secret" };
  expect(renderString("{{.a}} $(a)", sly)).toBe("{{.b}} $(b) {{.b}} $(b)");
});
