/** What every kind of request needs: read once from the HTTP request, before anything is planned. */
import type { RestQuery } from "./parse/ast.ts";
import { headerPath } from "./parse/query-string.ts";
import { type ReadNode } from "./plan/read-node.ts";
import { forbidden, unknownRelation } from "./errors.ts";
import type { Elsewhere, RestOptions, Use } from "./options.ts";
import type { Media, Preferences, Range } from "./parse/headers.ts";
import { preferenceApplied } from "./parse/headers.ts";
import type { PlanContext } from "./plan/plan.ts";
import type { Name } from "./schema/schema.ts";
import type { RunTransaction } from "./tx.ts";

export type Method = "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";

export interface Caller {
  dbRole: string;
  /** With the role filled in. */
  claims: Record<string, unknown>;
  /** Known by a token or by the caller of `handle`, so a refusal is 403 and not 401. */
  authenticated: boolean;
  /** Relations that are read instead of those asked for. */
  readsFrom?: Elsewhere;
}

export interface RestRequest {
  method: Method;
  /** The relation or function of the path, in the chosen schema. */
  target: Name;
  query: RestQuery;
  range: Range;
  preferences: Preferences;
  caller: Caller;
  /** Lazily: making it is dear, and few requests wait long enough to need it. */
  media: () => Media;
  header: (name: string) => string | null;
  readBody: () => Promise<string>;
  plan: PlanContext;
  options: RestOptions;
  run: RunTransaction;
  /** The settings of this request's transaction; `extra` are those of a function. */
  settings: (readOnly: boolean, extra?: [string, string][]) => [string, string][];
  isolation: string | null;
  /** `select "schema"."function"()`, if there is one to call first. */
  preRequest: string | null;
  signal: () => AbortSignal | undefined;
}

/** Asks `allow` about one relation. A hidden one answers like one that does not exist. */
export function assertAllowed(request: RestRequest, use: Use): void {
  const verdict = request.options.allow?.(use, request.caller) ?? "yes";
  if (verdict === "unknown") throw unknownRelation(request.target.schema, use.name);
  if (verdict === "no")
    throw forbidden(
      `permission denied for ${use.kind === "rpc" ? "function" : "table"} ${use.name}`,
      request.caller,
    );
}

/** Every relation below the root, junctions included. */
export function assertEmbedsAllowed(request: RestRequest, node: ReadNode): void {
  if (!request.options.allow) return;
  for (const child of node.children) {
    const { relationship } = child;
    const junction = relationship?.kind === "key" ? relationship.junction : undefined;
    if (junction)
      assertAllowed(request, { kind: "relation", name: junction.name, action: "read", embedded: true });
    assertAllowed(request, { kind: "relation", name: child.relation.name, action: "read", embedded: true });
    assertEmbedsAllowed(request, child);
  }
}

/** Does the transaction end with a commit? By configuration, or by Prefer where that may override. */
export function endOf({ options, preferences }: RestRequest): "commit" | "rollback" {
  const { txEnd = "commit" } = options;
  const fallback = txEnd.startsWith("rollback") ? "rollback" : "commit";
  return txEnd.endsWith("-allow-override") ? (preferences.tx ?? fallback) : fallback;
}

/** The Preference-Applied header of the kinds that mattered, as an object to spread. */
export function applied(request: RestRequest, kinds: (keyof Preferences)[]): Record<string, string> {
  const all = [...kinds, "handling", "timezone"] as (keyof Preferences)[];
  if (request.options.txEnd?.endsWith("-allow-override")) all.push("tx");
  const value = preferenceApplied(request.preferences, all);
  return value === undefined ? {} : { "Preference-Applied": value };
}

/** The path of the answer's own query. */
export function contentLocation({ target, query }: RestRequest): string {
  return `${headerPath(target.name)}${query.canonical === "" ? "" : `?${query.canonical}`}`;
}
