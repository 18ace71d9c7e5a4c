/** JSONPath (RFC 9535) over the environment, also in braces as Kubernetes writes it. */
import { compile as compileQuery, type JSONPathQuery } from "json-p3";

/** Longest query, in characters. Ours to choose. */
const QUERY_LIMIT = 4000;
/** How many compiled queries are kept. */
const KEPT = 1000;
const compiled = new Map<string, JSONPathQuery>();

/** `{.a.b}`, `.a.b`, `a.b` and `$.a.b` are the same. */
function standard(text: string): string {
  const bare = text
    .trim()
    .replace(/^\{([\s\S]*)\}$/, "$1")
    .trim();
  if (bare.startsWith("$")) return bare;
  return bare.startsWith(".") || bare.startsWith("[") ? `$${bare}` : `$.${bare}`;
}

function compile(text: string): JSONPathQuery {
  const ready = compiled.get(text);
  if (ready) return ready;
  if (text.length > QUERY_LIMIT) throw new Error(`the JSONPath is longer than ${QUERY_LIMIT} characters`);
  try {
    const query = compileQuery(standard(text));
    if (compiled.size >= KEPT) compiled.delete(compiled.keys().next().value as string);
    compiled.set(text, query);
    return query;
  } catch (error) {
    if (error instanceof RangeError) throw new Error("the JSONPath is nested too deeply", { cause: error });
    throw new Error(`JSONPath ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** One match is its value, several are a list, none is null. Throws a sentence. */
export function queryJsonPath(text: string, values: Record<string, unknown>): unknown {
  const query = compile(text);
  try {
    const all = query.query(JSON.parse(JSON.stringify(values))).values();
    return all.length > 1 ? all : (all[0] ?? null);
  } catch (error) {
    if (error instanceof RangeError) throw new Error("the JSONPath used too much memory", { cause: error });
    throw new Error(`JSONPath ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
