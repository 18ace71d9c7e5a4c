/** One test of a report, as results have it. Times are in seconds. */
export interface JunitTest {
  name: string;
  classname: string;
  status: "passed" | "failed" | "error" | "skipped";
  message: string;
  duration: number;
  error: string;
  properties: Record<string, string>;
  stdout: string;
  stderr: string;
}
export interface JunitSuite {
  name: string;
  tests: JunitTest[];
}

/** How long each text of a test is kept, in characters. Ours to choose: it is stored with every run. */
const TEXT = 2000;
/** How deep elements may be. Reports are four deep. */
const DEPTH = 20;

type Node = Record<string, unknown>;

/**
 * The suites of a report in JUnit's format, also of suites within suites. A document that declares entities or a type is
 * refused: none of these reports has any, and they are how a small file becomes a big one. Throws a sentence.
 */
export async function readReport(text: string): Promise<JunitSuite[]> {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error("it declares a document type, which no report needs");
  const { XMLParser, XMLValidator } = await import("fast-xml-parser");
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`it is no XML: line ${valid.err.line}: ${valid.err.msg}`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    textNodeName: "#",
    parseTagValue: false,
    parseAttributeValue: false,
    maxNestedTags: DEPTH,
    isArray: (name) => ["testsuite", "testcase", "property"].includes(name),
  });
  const root = parser.parse(text) as Node;
  const outer = childOf(root, "testsuites") ?? root;
  const suites = listOf(outer, "testsuite");
  if (suites.length === 0 && !("testsuites" in root)) throw new Error("it has no test suites");
  return suites.flatMap(suitesOf);
}

function suitesOf(node: Node): JunitSuite[] {
  const inner = listOf(node, "testsuite").flatMap(suitesOf);
  const tests = listOf(node, "testcase").map(testOf);
  return tests.length > 0 || inner.length === 0 ? [{ name: word(node, "@name"), tests }, ...inner] : inner;
}

function testOf(node: Node): JunitTest {
  const failed = (["failure", "error", "skipped"] as const).find((name) => name in node);
  const about = failed ? first(node[failed]) : undefined;
  const [message, body] = [word(about, "@message"), typeof about === "string" ? about : word(about, "#")];
  const properties = listOf(childOf(node, "properties") ?? {}, "property");
  return {
    name: word(node, "@name"),
    classname: word(node, "@classname"),
    status: failed === undefined ? "passed" : failed === "failure" ? "failed" : failed,
    message: failed === "skipped" ? message || cut(body) : message,
    duration: Number(word(node, "@time").replaceAll(",", "")) || 0,
    error: failed && failed !== "skipped" ? cut(body.trim() || message) : "",
    properties: Object.fromEntries(
      properties.map((given) => [word(given, "@name"), word(given, "@value") || word(given, "#")]),
    ),
    stdout: word(node, "system-out"),
    stderr: word(node, "system-err"),
  };
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const cut = (text: string) => (text.length > TEXT ? `${text.slice(0, TEXT)} …` : text);
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function childOf(node: Node, name: string): Node | undefined {
  const found = first(node[name]);
  return isNode(found) ? found : undefined;
}

function listOf(node: Node, name: string): Node[] {
  const found = node[name];
  return (Array.isArray(found) ? found : []).map((part: unknown) => (isNode(part) ? part : {}));
}

/** An attribute or the text of an element; "" when there is none. */
function word(node: unknown, name: string): string {
  const found = isNode(node) ? first(node[name]) : undefined;
  const text = isNode(found) ? found["#"] : found;
  return typeof text === "string" ? cut(text) : "";
}
