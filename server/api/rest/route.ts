/** Path, method and schema of a request: what is addressed, before anything is read of the query. */
import { nothingHere, refuse } from "./errors.ts";
import type { Method } from "./request.ts";
import type { Name, Schema } from "./schema/schema.ts";
import { keyOf } from "./schema/schema.ts";
import { chooseRoutine } from "./sql/call.ts";
import type { Answer } from "./respond.ts";

export type Resource = { kind: "root" } | { kind: "relation"; name: string } | { kind: "rpc"; name: string };

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);
const CALL_METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `/table`, `/rpc/function`, `/`; anything else is 404. */
export function parsePath(path: string): Resource {
  const segments = path.replace(/^\//, "").split("/").map(decodeSegment);
  const [first = "", second, ...more] = segments;
  if (second === undefined) return first === "" ? { kind: "root" } : { kind: "relation", name: first };
  if (first === "rpc" && more.length === 0) return { kind: "rpc", name: second };
  throw nothingHere();
}

export function checkMethod(method: string, resource: Resource): Method {
  if (resource.kind === "rpc" && !CALL_METHODS.has(method))
    throw refuse(405, "101", `Cannot use the ${method} method on RPC`);
  if (!METHODS.has(method)) throw refuse(405, "117", `Unsupported HTTP method: ${method}`);
  return method as Method;
}

/** The exposed schema of Accept-Profile (reads) or Content-Profile; the first when none is named. */
export function chooseSchema(
  method: Method,
  schemas: string[],
  header: (name: string) => string | null,
): string {
  const isRead = method === "GET" || method === "HEAD";
  const asked = header(isRead ? "accept-profile" : "content-profile");
  if (asked === null) return schemas[0] ?? "public";
  if (schemas.includes(asked)) return asked;
  throw refuse(406, "106", `The schema must be one of the following: ${schemas.join(", ")}`);
}

/** OPTIONS: what may be done with the resource. */
export function capabilities(resource: Resource, target: Name, schema: Schema): Answer {
  const allow = (methods: string) => ({
    status: 200,
    headers: { "Access-Control-Allow-Origin": "*", Allow: methods },
    body: null,
  });
  if (resource.kind === "root") return allow("OPTIONS,GET,HEAD");
  if (resource.kind === "rpc") {
    const { routine } = chooseRoutine(target, { kind: "query", values: [] }, false, schema);
    return allow(routine.volatility === "volatile" ? "OPTIONS,POST" : "OPTIONS,GET,HEAD,POST");
  }
  const relation = schema.relations.get(keyOf(target.schema, target.name));
  if (!relation) throw nothingHere();
  const { insertable, updatable, deletable, primaryKey } = relation;
  const methods = ["OPTIONS", "GET", "HEAD"];
  if (insertable) methods.push("POST");
  if (insertable && updatable && primaryKey.length > 0) methods.push("PUT");
  if (updatable) methods.push("PATCH");
  if (deletable) methods.push("DELETE");
  return allow(methods.join(","));
}
