/**
 * The PostgREST-compatible layer: requests to tables, views and functions of one schema become one SQL statement each,
 * run as the caller's PostgreSQL role. Mountable anywhere: `handle` takes a Request whose path begins at the relation.
 */
import { RestError, fromFailure, nothingHere, refuse } from "./errors.ts";
import { anonymousOff, bearerOf, noSecret, verifyToken } from "./jwt.ts";
import { DEFAULT_LIMITS, type RestOptions, type RestPrincipal } from "./options.ts";
import { intersectRange, negotiate, parsePrefer, type Media } from "./parse/headers.ts";
import { parseQuery } from "./parse/query.ts";
import { allowOrigin, errorAnswer, preflight, toResponse, type Answer } from "./respond.ts";
import { capabilities, checkMethod, chooseSchema, parsePath } from "./route.ts";
import { assertAllowed, type Caller, type RestRequest } from "./request.ts";
import { handleCall } from "./call.ts";
import { handleRead } from "./read.ts";
import { handleWrite } from "./write.ts";
import { createSchemaCache } from "./schema/cache.ts";
import { assertSettingNames, requestSettings } from "./settings.ts";
import { ident } from "./sql/sql.ts";
import { createTransactions } from "./tx.ts";

export type { RestOptions, RestPrincipal, Use, Verdict } from "./options.ts";

export interface HandleContext {
  /** Who calls, when that was found out already; null for a stranger. Absent: a Bearer token is verified here. */
  principal?: RestPrincipal | null;
  /** The request target byte for byte, without the mount prefix: a Request's own URL has been re-encoded. */
  rawTarget?: string;
}

export interface Rest {
  /** Never rejects: every failure is an answer. */
  handle(request: Request, context?: HandleContext): Promise<Response>;
  /** Reads the schema again; resolves when the new one is in use. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export function createRest(options: RestOptions): Rest {
  const schemas = typeof options.schema === "string" ? [options.schema] : options.schema;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const observe = options.observe ?? (() => undefined);
  const now = options.now ?? (() => new Date());
  assertSettingNames(options.settings ?? {});
  const cache = createSchemaCache({ pool: options.pool, schemas, observe });
  const run = createTransactions(options.pool);
  const preRequest =
    options.preRequest === undefined
      ? null
      : `select ${options.preRequest.split(".").map(ident).join(".")}()`;

  function callerOf(request: Request, context: HandleContext): Caller {
    const known = context.principal;
    if (known) {
      const { dbRole, claims, readsFrom, isStranger = false } = known;
      return {
        dbRole,
        claims: { ...claims, role: dbRole },
        authenticated: !isStranger,
        ...(readsFrom && { readsFrom }),
      };
    }
    const token = known === null ? null : bearerOf(request.headers.get("authorization"));
    const anonymous = options.anonymousRole;
    let claims: Record<string, unknown> = {};
    if (token !== null) {
      if (options.jwtSecret === undefined) throw noSecret();
      claims = verifyToken(token, options.jwtSecret, now().getTime());
    }
    const role = claims["role"];
    const named = role === undefined ? anonymous : typeof role === "string" ? role : JSON.stringify(role);
    if (named === undefined) throw anonymousOff();
    return { dbRole: named, claims: { ...claims, role: named }, authenticated: role !== undefined };
  }

  async function answer(request: Request, context: HandleContext): Promise<Answer> {
    const { headers } = request;
    const header = (name: string) => headers.get(name);
    if (
      request.method === "OPTIONS" &&
      header("origin") !== null &&
      header("access-control-request-method") !== null
    )
      return preflight(header("access-control-request-headers"));
    const raw = context.rawTarget ?? targetOf(request.url);
    const mark = raw.indexOf("?");
    const [path, text] = mark < 0 ? [raw, ""] : [raw.slice(0, mark), raw.slice(mark + 1)];
    if (text.length > limits.queryLength)
      throw refuse(414, "100", `The query is longer than ${limits.queryLength}`);

    const schema = await cache.current();
    const caller = callerOf(request, context);
    const resource = parsePath(path);
    const method = checkMethod(request.method, resource);
    const name = chooseSchema(method, schemas, header);
    const target = { schema: name, name: resource.kind === "root" ? "" : resource.name };
    const profile: Record<string, string> = schemas.length > 1 ? { "Content-Profile": name } : {};
    const withProfile = (done: Answer) =>
      done.headers["Content-Type"] === undefined
        ? done
        : { ...done, headers: { ...done.headers, ...profile } };

    const isCall = resource.kind === "rpc";
    const isCallByGet = isCall && method !== "POST";
    const query = parseQuery(text, { isCallByGet, maxLogicNodes: limits.logicNodes, now: now() });
    const top = <T>(list: { path: string[]; value: T }[]) =>
      list.find((item) => item.path.length === 0)?.value;
    const range = intersectRange(
      { offset: top(query.offsets) ?? 0, limit: top(query.limits) ?? null },
      method === "GET" ? header("range") : null,
    );
    const prefer = header("prefer");
    if (prefer?.includes("timezone=")) await cache.loadTimezones();
    const preferences = parsePrefer(prefer, cache.isTimezone);
    const roleSettings = schema.roles.get(caller.dbRole);
    let media: Media | null = null;
    const settingsInput = {
      options,
      schema: name,
      caller,
      role: roleSettings,
      method,
      path,
      headers,
      timezone: preferences.timezone,
    };
    const rest: RestRequest = {
      method,
      target,
      query,
      range,
      preferences,
      caller,
      media: () => (media ??= negotiate(header("accept"))),
      header,
      readBody: () => readBody(request, limits.bodySize),
      plan: { schema, maxRows: options.maxRows ?? 2000, aggregates: options.aggregates ?? false, limits },
      options,
      run,
      settings: (isReadOnly, extra = []) => requestSettings(settingsInput, isReadOnly, extra),
      isolation: roleSettings?.isolation ?? null,
      preRequest,
      signal: () => request.signal,
    };
    if (method === "OPTIONS") {
      if (isCall) assertAllowed(rest, { kind: "rpc", name: target.name, action: "call", embedded: false });
      else if (resource.kind === "relation")
        assertAllowed(rest, { kind: "relation", name: target.name, action: "read", embedded: false });
      return withProfile(capabilities(resource, target, schema));
    }
    if (resource.kind === "root") throw nothingHere();
    if (isCall) return withProfile(await handleCall(rest));
    return withProfile(
      method === "GET" || method === "HEAD" ? await handleRead(rest) : await handleWrite(rest),
    );
  }

  return {
    async handle(request, context = {}) {
      const origin = request.headers.get("origin");
      try {
        const done = await answer(request, context);
        allowOrigin(done, origin);
        return toResponse(done, request.method);
      } catch (error) {
        const failed = errorAnswer(failureOf(error));
        allowOrigin(failed, origin);
        return toResponse(failed, request.method);
      }
    },
    reload: () => cache.reload(),
    close: () => cache.close(),
  };

  /** A fault of ours is reported, and answered without its words. */
  function failureOf(error: unknown): RestError {
    if (error instanceof RestError) return error;
    if ((error as { name?: string } | null)?.name === "AbortError") return fromFailure(error, false);
    observe({
      kind: "rest.failed",
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return new RestError({ status: 500, code: "XX000", message: "Something went wrong" });
  }
}

/** Path and query of an absolute URL, without parsing it. */
function targetOf(url: string): string {
  const at = url.indexOf("/", url.indexOf("//") + 2);
  const target = at < 0 ? "/" : url.slice(at);
  const hash = target.indexOf("#");
  return hash < 0 ? target : target.slice(0, hash);
}

async function readBody(request: Request, most: number): Promise<string> {
  const tooLarge = () => refuse(413, "102", `The body is larger than ${most} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge();
  const text = await request.text();
  if (text.length > most || Buffer.byteLength(text) > most) throw tooLarge();
  return text;
}
