/** One line or more per function: what it comes to, as text. */
import { celEnv, type CelInput } from "@bufbuild/cel";
import { describe, expect, test } from "vitest";
import { evaluate } from "../compile.ts";
import { durationOf, textOf, toCel } from "../values.ts";
import { functions } from "./index.ts";

const variables: Record<string, CelInput> = Object.assign(Object.create(null), {
  results: toCel({ code: 200, share: 0.5, list: [3, 1, 2], map: { a: "1", b: "2", c: "3" }, none: null }),
  files: toCel([
    { name: "b", size: 2, modified: new Date("2024-01-02T03:04:05.678Z") },
    { name: "a", size: 1, modified: new Date("2024-01-01T00:00:00Z") },
  ]),
  elapsed: durationOf(1_500_000_000n),
  pod: toCel({
    metadata: { namespace: "kube", labels: { app: "dns", "pod-template-hash": "x" } },
    spec: {
      containers: [
        { resources: { limits: { cpu: "250m", memory: "1Gi" } } },
        { resources: { limits: { cpu: "1" } } },
      ],
    },
  }),
  service: toCel({
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "s",
      uid: "1",
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "x" },
    },
    spec: { type: "ClusterIP" },
    status: {},
  }),
  "@last_result": toCel({ results: { max: "then" } }),
});
const say = (expr: string) => textOf(evaluate(expr, variables));

const TABLE: [string, string][] = [
  // the language itself, and whole numbers from JavaScript
  ["1 + 2 * 3", "7"],
  ["results.code + 1", "201"],
  ["results.share * 2", "1"],
  ["results.code * 1.5", "300"],
  ["results.code == 200 && results.share < 1.0", "true"],
  ["type(results.code) == int", "true"],
  ["results.list.exists(x, x == 3) && results.list.all(x, x > 0)", "true"],
  ["results.list.exists_one(x, x == 3)", "true"],
  ["has(results.code) && !has(results.nothing)", "true"],
  ["'a' in results.map ? results.map.a : 'none'", "1"],
  ["results.map['b']", "2"],
  ["[1, 2, 3].map(x, x > 1, x * 2)", "[4,6]"],
  ["{'b': 1, 'a': [true, null]}", '{"a":[true,null],"b":1}'],
  ["elapsed > duration('1s')", "true"],
  ["elapsed", "1.5s"],
  ["files[0].modified", "2024-01-02T03:04:05.678Z"],
  ["files[0].modified - files[1].modified", "27h4m5.678s"],
  ["string(timestamp('1986-12-18T10:00:20.021-05:00').getDayOfMonth())", "17"],
  ["'%s has %d'.format(['it', 2])", "it has 2"],
  // optional values
  ["results.?code.orValue(1)", "200"],
  ["results.?missing.deep.er.orValue('none')", "none"],
  ["results.?map.a.orValue('none')", "1"],
  ["results.?missing.or(results.?code).orValue(1)", "200"],
  ["results.?missing.or(results.?gone).orValue(1)", "1"],
  ["results.map[?'a'].orValue('x') + results.map[?'zz'].orValue('x')", "1x"],
  ["results.list[?9].orValue(0)", "0"],
  ["results.?code.hasValue() && !results.?missing.hasValue()", "true"],
  ["results.?code.value()", "200"],
  ["results.?code.optMap(x, x + 1).orValue(0)", "201"],
  ["results.?code.optFlatMap(x, optional.of(x)).orValue(0)", "200"],
  ["optional.none().orValue(4) + optional.ofNonZeroValue(0).orValue(5)", "9"],
  ["'.?a [?1]' + r'\\.?b'", ".?a [?1]\\.?b"],
  ["results.?list.orValue([]).map(i, i * 2).size()", "3"],
  ["cel.bind(x, 5, x * x)", "25"],
  ["last_result().results.max", "then"],
  ["last_result().results.?min.orValue('now-60d')", "now-60d"],
  // macros with a key and a value
  ["[10, 20].all(i, v, v == (i + 1) * 10) && {'a': 1}.exists(k, v, k == 'a' && v == 1)", "true"],
  ["[1, 2].existsOne(i, v, i + v == 1) && ![1, 2].exists_one(i, v, v > 0)", "true"],
  [
    "[3, 4].transformList(i, v, i * v) + {'b': 1, 'a': 2}.transformList(k, v, v > 1, k).map(k, k.size())",
    "[0,4,1]",
  ],
  ["{'a': 1, 'b': 2}.transformMap(k, v, v * 10)", '{"a":10,"b":20}'],
  ["{'a': 1, 'b': 2}.transformMap(k, v, k == 'a', [v].transformMap(i, w, w + i + v))", '{"a":{"0":2}}'],
  ["['x', 'y'].transformMapEntry(i, v, {v: i})", '{"x":0,"y":1}'],
  // collections
  ["{'b': 1, 'a': 2}.keys()", '["a","b"]'],
  ["keys({'b': 1, 'a': 2}).join(',')", "a,b"],
  ["{'a': 1, 'b': 2}.values()", "[1,2]"],
  ["Has({'a': 1}, 'a') && Has([1, 2], 2) && !{'a': 1}.Has('b')", "true"],
  ["Dict(['a', 1, 'b', 2])", '{"a":1,"b":2}'],
  ["Append(4, [1]) + [1].Append(5)", "[1,4,1,5]"],
  ["Prepend(4, [1]) + [1].Prepend(5)", "[4,1,5,1]"],
  ["['a', 'a', 'b', 'c'].uniq().join(',')", "a,b,c"],
  ["[1, 1.0, 2].distinct()", "[1,2]"],
  ["[1, 2, 3].reverse()", "[3,2,1]"],
  ["'gums'.reverse()", "smug"],
  [
    "{'a': 'c', 'x': {'p': 1}}.merge({'b': 'd', 'a': 'z', 'x': {'q': 2}})",
    '{"a":"c","b":"d","x":{"p":1,"q":2}}',
  ],
  ["['b', 'a', 'c'].sort().join(',') + [10, 9].sort().map(x, string(x)).join(',')", "a,b,c9,10"],
  ["'hello'.sort()", "ehllo"],
  ["files.sortBy(f, f.size).map(f, f.name)", '["a","b"]'],
  ["['a', ['b', ['c']], 'd'].flatten().join(',')", "a,b,c,d"],
  ["[[1, [2]]].flatten(1)", "[1,[2]]"],
  ["results.map.pick(['a', 'c']).keys()", '["a","c"]'],
  ["results.map.omit(['b']).keys()", '["a","c"]'],
  ["[1, 2, 3, 4].slice(1, 3)", "[2,3]"],
  ["[1, 2, 3].sum() + [1, 2, 3].min() + [1, 2, 3].max()", "10"],
  ["lists.range(3)", "[0,1,2]"],
  ["sets.contains([1, 2.0, 3u], [1.0, 2u, 3])", "true"],
  ["sets.equivalent([1], [1, 1]) && !sets.equivalent([1], [2])", "true"],
  ["sets.intersects([1], [1, 2]) && !sets.intersects([1], [])", "true"],
  ["aws.arnToMap('arn:aws:sns:eu-west-1:123:MMS-Topic').region", "eu-west-1"],
  ["arnToMap('arn:aws:sns:eu-west-1:123:MMS-Topic').account", "123"],
  ["aws.fromAWSMap([{'Name': 'hello', 'Value': 'world'}]).hello", "world"],
  // formats
  [`'{"name": "Alice", "age": 30}'.JSON().age`, "30"],
  [`JSONArray('["a", "b"]')[1]`, "b"],
  ["YAML('a: [1, 2]').a[1]", "2"],
  ["YAMLArray('- a\\n- b').size()", "2"],
  ["CSV(['Alice,30', 'Bob,31'])[1][0]", "Bob"],
  [`data.CSVByRow('name,age\\n"A, B",30')[0].name`, "A, B"],
  ["data.CSVByColumn('name,age\\nA,30\\nB,31').age", '["30","31"]'],
  ["[{'name': 'John', 'age': 30}].toJSON()", '[{"age":30,"name":"John"}]'],
  ["toJSONPretty({'a': 1}, '\\t')", '{\n\t"a": 1\n}'],
  ["{'b': 1, 'a': [1]}.toYAML()", "a:\n  - 1\nb: 1\n"],
  ["[['a', 'b,c'], ['d', 'e']].toCSV()", 'a,"b,c"\nd,e'],
  ["[{'n': 1, 'm': 2}].toCSV()", "n,m\n1,2"],
  ["urlencode('hello world ?')", "hello+world+%3F"],
  ["urldecode('hello+world+%3F')", "hello world ?"],
  ["base64.encode(b'flanksource') + base64.encode('a')", "Zmxhbmtzb3VyY2U=YQ=="],
  ["string(base64.decode('Zmxhbmtzb3VyY2U='))", "flanksource"],
  ["crypto.SHA1('hello')", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"],
  ["crypto.SHA256('hello')", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"],
  [
    "[crypto.SHA224('a'), crypto.SHA384('a'), crypto.SHA512('a'), crypto.SHA512_224('a'), crypto.SHA512_256('a')].map(x, x.size())",
    "[56,96,128,56,64]",
  ],
  ["crypto.SHA1Bytes('a').size()", "20"],
  [
    "uuid.IsValid(uuid.V4()) && uuid.IsValid(uuid.V1()) && uuid.V4() != uuid.V4() && !uuid.IsValid('x')",
    "true",
  ],
  [
    "uuid.Parse('ABCDEF00-0000-1000-8000-000000000000') + uuid.Nil().size().toJSON()",
    "abcdef00-0000-1000-8000-00000000000036",
  ],
  ["TOML('a = 1\\n[b]\\nc = \"x\"').b.c + {'a': {'b': [1, 2]}}.toTOML()", "x[a]\nb = [ 1, 2 ]\n"],
  ["'a = 1'.TOML().a", "1"],
  // by chance
  ["[random.ASCII(5), random.Alpha(5), random.AlphaNum(5), random.String(5)].map(x, x.size())", "[5,5,5,5]"],
  [
    "random.String(20, '[a-f0-9]').matches('^[a-f0-9]{20}$') && random.String(9, 'a', 'c').matches('^[abc]+$')",
    "true",
  ],
  ["random.Item(['a']) + string(random.Number(3, 3)) + string(random.Number() <= 100)", "a3true"],
  ["random.Float() < 1.0 && random.Float(5.0, 6.0) >= 5.0 && random.Number(5) <= 5", "true"],
  // numbers
  ["math.Add([1, 2, 3, 4, 5])", "15"],
  ["math.Add([1.5, 2])", "3.5"],
  ["math.Mul([1, 2, 3, 4, 5])", "120"],
  ["math.Sub(5, 4) + math.Rem(4, 3) + math.Pow(4, 2)", "18"],
  ["math.Div(4, 2)", "2"],
  ["math.Seq([1, 5]) + math.Seq([1, 6, 2]) + math.Seq([3, 1])", "[1,2,3,4,5,1,3,5,3,2,1]"],
  ["[math.Abs(-1), math.Ceil(2.3), math.Floor(2.7), math.Round(2.5), math.Round(-2.5)]", "[1,3,2,3,-3]"],
  [
    "[math.abs(-1), math.ceil(2.3), math.floor(2.7), math.round(2.4), math.trunc(2.9), math.sign(-3), math.sqrt(9)]",
    "[1,3,2,2,2,-1,3]",
  ],
  ["math.greatest(-42.0, -21.5, -100.0)", "-21.5"],
  ["math.least([3, 1, 2])", "1"],
  ["math.IsInt(1) && !math.IsInt(1.5) && math.IsFloat('1.5') && math.IsNum('2') && !math.IsNum('x')", "true"],
  ["math.containsFloat([1, 2.5]) && !math.containsFloat([1])", "true"],
  ["math.isNaN(0.0 / 0.0) && math.isInf(1.0 / 0.0) && math.isFinite(1.0)", "true"],
  [
    "[math.bitAnd(6, 3), math.bitOr(6, 3), math.bitXor(6, 3), math.bitNot(0), math.bitShiftLeft(1, 4), math.bitShiftRight(16, 4)]",
    "[2,7,5,-1,16,1]",
  ],
  // text
  ["'apple'.matches('^a.*e$') && 'world'.startsWith('wo') && 'cherry'.contains('err')", "true"],
  [
    "'TacoCat'.lowerAscii() + 'a b'.replace(' ', '-') + 'x,y'.split(',')[1] + 'tacocat'.substring(4)",
    "tacocata-bycat",
  ],
  ["['hello', 'mellow'].join('-') + '  t '.trim() + 'abc'.charAt(1)", "hello-mellowtb"],
  ["HumanSize(123456) + ' ' + humanSize(1048576) + ' ' + HumanSize(0)", "120.6K 1M 0B"],
  ["Semver('1.2.3-beta.1+c0ff33').prerelease + Semver('v1.2').patch.toJSON()", "beta.10"],
  ["SemverCompare('1.2.3', '1.2.3') && !SemverCompare('1.2.4', '1.2.3')", "true"],
  [
    "SemverCompare('>= 1.2, < 2', '1.9.0') && SemverCompare('~1.2', '1.2.9') && !SemverCompare('^1.2.0', '2.0.0') && SemverCompare('^0.2.1 || 3', '3.0.0')",
    "true",
  ],
  ["SemverCompare('> 1.0.0-rc.2', '1.0.0-rc.10') && !SemverCompare('>1.0.0', '1.0.0-rc.1')", "true"],
  ["'Now is the time for all good men'.abbrev(5, 20)", "...s the time for..."],
  ["'KubernetesPod'.abbrev(6)", "Kub..."],
  ["'I have an apple'.replaceAll('apple', 'orange') + replaceAll('a', 'b', 'aa')", "I have an orangebb"],
  ["'apple'.Contains('pp') && Contains('pp', 'apple')", "true"],
  ["'ab'.repeat(3)", "ababab"],
  ["'a,b,c'.SplitN(',', 2)", '["a","b,c"]'],
  ["'Mr. Smith'.trimPrefix('Mr. ') + trimSuffix('.jpg', 'image.jpg')", "Smithimage"],
  [
    "'hello world'.title() + 'aB'.toUpper() + 'aB'.toLower() + ' x '.trimSpace() + 'hello'.trunc(2)",
    "Hello WorldABabxhe",
  ],
  ["'a\\nb'.indent('==') + 'c'.indent(3, '-')", "==a\n==b---c"],
  ["'Hello, World!'.slug() + ' ' + 'Café & Co'.slug()", "hello-world cafe-and-co"],
  [`'hel"lo'.quote() + "it's".squote() + 'a b'.shellQuote() + 'ab'.shellQuote()`, `"hel\\"lo"'it''s''a b'ab`],
  [
    "'HelloWorld wide'.snakeCase() + ' ' + 'Hello World'.kebabCase() + ' ' + 'hello world'.camelCase()",
    "hello_world_wide hello-world helloWorld",
  ],
  ["'aaa bbb ccc'.wordWrap(7)", "aaa bbb\nccc"],
  ["'héé'.runeCount()", "3"],
  // regular expressions
  ["regexp.Find('[0-9]+', '/path/i-213213/') + regexp.Find('xyz', 'hello')", "213213"],
  ["regexp.FindAll('a.', -1, 'banana') + regexp.FindAll('\\\\d', 2, '12345')", '["an","an","1","2"]'],
  [
    "regexp.Match('^h.llo', 'hello') && !regexp.Match('^b', 'apple') && regexp.Match('(?i)HEL', 'hello')",
    "true",
  ],
  ["regexp.QuoteMeta('a.b')", "a\\.b"],
  [
    "regexp.Replace('[0-9]', '.', '/path/i-213/') + regexp.Replace('(?P<first>a)(b)', '${first}-$2$$', 'ab')",
    "/path/i-.../a-b$",
  ],
  ["regexp.ReplaceLiteral('a.', '$1', 'abc')", "$1c"],
  [
    "regexp.Split('\\\\s', 2, 'apple pie is delicious') + regexp.Split('z', -1, 'hello')",
    '["apple","pie is delicious","hello"]',
  ],
  ["'abc 123'.find('[0-9]+') + ' asdsa A123'.find(r'A\\d{3}')", "123A123"],
  ["'ABC-123 DEF-456'.findAll(r'\\w{3}-\\d{3}').size()", "2"],
  // paths
  ["filepath.Base('/home/x/gencel') + filepath.Base('') + filepath.Base('/')", "gencel./"],
  [
    "filepath.Clean('/foo/bar/../baz/') + filepath.Dir('/home/x/gencel') + filepath.Dir('')",
    "/foo/baz/home/x.",
  ],
  ["filepath.Ext('/opt/image.jpg') + filepath.Ext('.bashrc') + filepath.Ext('x')", ".jpg.bashrc"],
  ["filepath.IsAbs('/a') && !filepath.IsAbs('a') && filepath.VolumeName('/a') == ''", "true"],
  ["filepath.Join(['/home/flanksource', '', 'projects', '../gencel'])", "/home/flanksource/gencel"],
  [
    "filepath.Match('*.txt', 'foo.txt') && !filepath.Match('*.txt', 'foo.json') && !filepath.Match('*', 'a/b')",
    "true",
  ],
  [
    "filepath.Rel('/foo/bar', '/foo/bar/baz') + filepath.Split('/foo/bar/baz')[0] + filepath.ToSlash('a/b') + filepath.FromSlash('/')",
    "baz/foo/bar/a/b/",
  ],
  // times
  ["Duration('7d').getHours()", "168"],
  ["duration('1h30m') + duration('1w')", "169h30m0s"],
  ["duration('-1.5h')", "-1h30m0s"],
  ["elapsed.getMilliseconds()", "1500"],
  ["Age('2020-01-01T00:00:00Z') > Duration('3d') && '2020-01-01'.age() > duration('1y')", "true"],
  [
    "HumanDuration(duration('1008h')) + ' ' + HumanDuration(3600) + ' ' + humanDuration(duration('26h'))",
    "6w0d0h 1h0m0s 1d2h",
  ],
  ["time.Parse('2006-01-02', '2023-09-26')", "2023-09-26T00:00:00Z"],
  ["time.Parse('15:04 02-01-2006', '14:30 26-09-2023')", "2023-09-26T14:30:00Z"],
  [
    "time.Parse('Mon, 2 Jan 2006 3:04:05 PM -0700', 'Tue, 26 Sep 2023 1:02:03 PM +0200')",
    "2023-09-26T11:02:03Z",
  ],
  ["time.ParseInLocation('2006-01-02', 'America/New_York', '2023-09-26')", "2023-09-26T04:00:00Z"],
  [
    "time.ParseLocal('2006-01-02', '2023-09-26') == time.Parse('2006-01-02', '2023-09-26') || time.ZoneOffset() != 0",
    "true",
  ],
  ["time.Unix(1700000000)", "2023-11-14T22:13:20Z"],
  [
    "[time.Hour(2), time.Minute(1), time.Second(3), time.Millisecond(4), time.Microsecond(5), time.Nanosecond(6)]",
    '["2h0m0s","1m0s","3s","4ms","5µs","6ns"]',
  ],
  ["time.ParseDuration('-2h45m')", "-2h45m0s"],
  [
    "time.Since(time.Now()) < duration('1m') && time.Until(time.Now() + duration('1h')) > duration('59m')",
    "true",
  ],
  ["time.ZoneName().size() > 0", "true"],
  // quantities of Kubernetes, and checks of values
  [
    "[k8s.cpuAsMillicores('10m'), k8s.cpuAsMillicores('0.5'), k8s.cpuAsMillicores('1.234'), k8s.cpuAsMillicores('5')]",
    "[10,500,1234,5000]",
  ],
  [
    "[k8s.memoryAsBytes('10Ki'), k8s.memoryAsBytes('1.234gi'), k8s.memoryAsBytes('1M'), k8s.memoryAsBytes('7')]",
    "[10240,1324997410,1000000,7]",
  ],
  ["k8s.labels(pod)", '{"app":"dns","namespace":"kube"}'],
  [
    "[k8s.getResourcesLimit(pod, 'cpu'), k8s.getResourcesLimit(pod, 'memory'), k8s.getResourcesRequests(pod, 'cpu')]",
    "[1250,1073741824,0]",
  ],
  ["k8s.isHealthy(service) || k8s.is_healthy(pod) || IsHealthy([pod, service])", "false"],
  ["k8s.isReady(service) && service.IsReady() && IsReady([service])", "true"],
  ["k8s.getHealth(service).health + GetHealth('kind: Namespace\\napiVersion: v1').status", "unknownHealthy"],
  ["k8s.getStatus(service) + GetStatus(service)", "UnknownUnknown"],
  [
    "k8s.neat(service).toJSON()",
    '{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"type":"ClusterIP"}}',
  ],
  ["k8s.neat('kind: A\\nmetadata:\\n  uid: x\\n  name: n\\nstatus: {}')", "kind: A\nmetadata:\n  name: n\n"],
  ["k8s.neat(service, 'json').JSON().metadata.name + k8s.neat('{\"kind\": \"B\"}')", 's{"kind":"B"}'],
  [
    "k8s.podProperties(pod).filter(p, p.name in ['cpu', 'namespace'])",
    '[{"headline":true,"max":1250,"name":"cpu","unit":"millicores"},{"name":"namespace","text":"kube"}]',
  ],
  [
    "k8s.nodeProperties({'status': {'allocatable': {'memory': '1Ki'}, 'nodeInfo': {'kubeletVersion': 'v1'}}}).filter(p, p.name in ['memory', 'kubelet']).map(p, p.?text.orValue(''))",
    '["","v1"]',
  ],
  ["test.Kind([1]) + test.Kind('a') + test.Kind(1) + test.Kind({})", "slicestringint64map"],
  [
    "test.IsKind('number', 1.5) && test.Ternary('yes', 'no', true) == 'yes' && test.Required('x') == 'x' && test.Assert(true) == ''",
    "true",
  ],
];

test.each(TABLE)("%s", (expr, expected) => {
  expect(say(expr)).toBe(expected);
});

describe("what is wrong is said in one sentence", () => {
  test.each<[string, string | RegExp]>([
    ["1 +", /^line 1, column 3: /],
    ["nothing.here", "unknown name nothing"],
    ["constructor", "unknown name constructor"],
    ["__proto__.x", "unknown name __proto__"],
    ["k8s.isHealthy(5)", "expected an object of Kubernetes"],
    ["random.ASCII(1000000000)", "between 0 and 100000 characters can be made"],
    ["random.Item([])", "the list is empty"],
    ["random.Number(5, 1)", "there is no number between 5 and 1"],
    ["random.String(3, '[^ -~]')", "no character fits"],
    ["toTOML([1])", "TOML is a map"],
    ["TOML('= 1')", /Invalid TOML/],
    ["results.missing", /missing/],
    ["results.code + 'a'", /found no matching overload/],
    ["results.?missing.value()", "the optional value is not there"],
    ["keys('a')", "expected a map"],
    ["'{'.JSON()", /^this is no JSON/],
    ["math.Div(1, 0)", "division by zero"],
    ["duration('soon')", /is no duration/],
    ["'a'.repeat(100000000)", "more than 1000000 characters"],
    ["math.Seq([1, 100000000])", "more than 100000 numbers"],
    ["test.Fail('as told')", "as told"],
    ["test.Assert('must hold', 1 > 2)", "must hold"],
    ["test.Required('give it', '')", "give it"],
    ["time.Parse('2006-01-02', '2023-02-30')", /is no time/],
    ["regexp.Match('(', 'a')", /Invalid regular expression/],
    [`${"(".repeat(8000)}1${")".repeat(7999)}`, /./],
    [`"${"x".repeat(20_000)}"`, "the expression is longer than 16000 characters"],
  ])("%.40s", (expr, words) => {
    expect(() => say(expr)).toThrow(words);
  });
});

/** The whole list of the specification (facts: engines §2). */
const PLAIN = `keys values Has Dict Append Prepend uniq reverse merge sort jq flatten pick omit JSON JSONArray YAML
  YAMLArray TOML CSV data.CSVByRow data.CSVByColumn toJSON toJSONPretty toYAML toTOML toCSV urlencode urldecode
  base64.encode base64.decode crypto.SHA1 crypto.SHA224 crypto.SHA256 crypto.SHA384 crypto.SHA512 crypto.SHA512_224
  crypto.SHA512_256 crypto.SHA1Bytes crypto.SHA224Bytes crypto.SHA256Bytes crypto.SHA384Bytes crypto.SHA512Bytes
  crypto.SHA512_224Bytes crypto.SHA512_256Bytes regexp.Find regexp.FindAll regexp.Match regexp.QuoteMeta regexp.Replace
  regexp.ReplaceLiteral regexp.Split filepath.Base filepath.Clean filepath.Dir filepath.Ext filepath.FromSlash
  filepath.IsAbs filepath.Join filepath.Match filepath.Rel filepath.Split filepath.ToSlash filepath.VolumeName
  math.IsInt math.IsFloat math.containsFloat math.IsNum math.Abs math.Add math.Mul math.Sub math.Div math.Rem math.Pow
  math.Seq math.Ceil math.Floor math.Round random.ASCII random.Alpha random.AlphaNum random.String random.Item
  random.Number random.Float HumanDuration HumanSize Semver SemverCompare replaceAll Contains repeat SplitN trimPrefix
  trimSuffix title toUpper toLower trimSpace trunc indent slug quote shellQuote squote snakeCase camelCase kebabCase
  wordWrap runeCount test.Assert test.Fail test.Required test.Ternary test.Kind test.IsKind time.ZoneName
  time.ZoneOffset time.Parse time.ParseLocal time.ParseInLocation time.Now time.Unix time.Nanosecond time.Microsecond
  time.Millisecond time.Second time.Minute time.Hour time.ParseDuration time.Since time.Until age Age duration Duration
  uuid.V1 uuid.V4 uuid.Nil uuid.IsValid uuid.Parse aws.arnToMap aws.fromAWSMap k8s.isHealthy k8s.is_healthy IsHealthy
  k8s.isReady IsReady k8s.getHealth GetHealth k8s.getStatus GetStatus k8s.neat k8s.cpuAsMillicores k8s.memoryAsBytes
  k8s.labels k8s.podProperties k8s.nodeProperties k8s.getResourcesLimit k8s.getResourcesRequests`;
const MEMBERS = `keys values Has Append Prepend uniq reverse merge sort jq flatten pick omit JSON JSONArray YAML YAMLArray
  TOML CSV toJSON toJSONPretty toYAML toTOML toCSV urlencode urldecode HumanDuration HumanSize Semver abbrev replaceAll
  Contains repeat SplitN trimPrefix trimSuffix title toUpper toLower trimSpace trunc indent slug quote shellQuote squote
  snakeCase camelCase kebabCase wordWrap runeCount age Age getMilliseconds getSeconds getHours IsHealthy IsReady
  GetHealth GetStatus`;
const names = (list: string) => list.trim().split(/\s+/);
const defined = celEnv({ funcs: functions }).funcs;
const forms = new Set(
  functions.map(({ name, target }) => `${target === undefined ? "plain" : "member"} ${name}`),
);

test.each(names(PLAIN))("%s is there", (name) => {
  expect(defined.find(name)).toBeDefined();
  if (name !== "duration") expect(forms).toContain(`plain ${name}`);
});
test.each(names(MEMBERS))("x.%s() is there", (name) => {
  expect(defined.find(name)).toBeDefined();
  if (!/^get(Seconds|Hours)$/.test(name)) expect(forms).toContain(`member ${name}`);
});
test("sortBy is a macro", () => expect(say("[2, 1].sortBy(x, x)")).toBe("[1,2]"));

test("map and filter take time by the length of a list, not by its square", () => {
  const started = performance.now();
  expect(say("lists.range(50000).map(x, x + 1).filter(x, x % 2 == 0).size()")).toBe("25000");
  expect(performance.now() - started).toBeLessThan(3000);
});
