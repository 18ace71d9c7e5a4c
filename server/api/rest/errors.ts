/**
 * Everything the REST layer refuses, in one class: PostgREST's codes and statuses, and PostgreSQL's errors mapped to
 * statuses the way PostgREST 12.0 does. The body always has the four keys code, details, hint, message.
 */
export interface ErrorFields {
  status: number;
  code: string;
  message: string;
  details?: unknown;
  hint?: string | null;
  headers?: Record<string, string>;
  /** Overrides the whole body: `{}` for paths and tables that nothing is known about. */
  body?: string;
}

export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Record<string, string>;
  readonly #body: string | undefined;

  constructor(fields: ErrorFields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? null;
    this.hint = fields.hint ?? null;
    this.headers = fields.headers ?? {};
    this.#body = fields.body;
  }

  /** The JSON body of the answer. */
  get body(): string {
    const { code, details, hint, message } = this;
    return this.#body ?? JSON.stringify({ code, details, hint, message });
  }
}

type Extra = Pick<ErrorFields, "details" | "hint" | "headers">;

/** An error with one of PostgREST's own codes. */
export function refuse(status: number, code: string, message: string, extra: Extra = {}): RestError {
  return new RestError({ status, code: `PGRST${code}`, message, ...extra });
}

/** 404 with the body `{}`: no such path, or no such table to write to. */
export function nothingHere(): RestError {
  return new RestError({ status: 404, code: "", message: "Not Found", body: "{}" });
}

/** What PostgreSQL itself says about a relation that does not exist. */
export function unknownRelation(schema: string, name: string): RestError {
  return new RestError({
    status: 404,
    code: "42P01",
    message: `relation "${schema}.${name}" does not exist`,
  });
}

/** As PostgreSQL refuses: a known caller with 403, a stranger with 401. */
export function forbidden(message: string, { authenticated }: { authenticated: boolean }): RestError {
  if (authenticated) return new RestError({ status: 403, code: "42501", message });
  return new RestError({ status: 401, code: "42501", message, headers: { "WWW-Authenticate": "Bearer" } });
}

/** The fields of an error message of PostgreSQL, as `pg` hands them over. */
export interface PgError {
  code: string;
  message: string;
  detail?: string | undefined;
  hint?: string | undefined;
  /** The server's function that reported it. */
  routine?: string | undefined;
}

export function isPgError(error: unknown): error is PgError {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    error instanceof Error && typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && "severity" in error
  );
}

const BY_STATE = new Map([
  ["23503", 409],
  ["23505", 409],
  ["25006", 405],
  ["21000", 400],
  ["57P01", 503],
  ["P0001", 400],
  ["42883", 404],
  ["42P01", 404],
]);
const BY_CLASS = new Map([
  ["08", 503],
  ["09", 500],
  ["0L", 403],
  ["0P", 403],
  ["25", 500],
  ["28", 403],
  ["2D", 500],
  ["38", 500],
  ["39", 500],
  ["3B", 500],
  ["40", 500],
  ["53", 503],
  ["54", 413],
  ["55", 500],
  ["57", 500],
  ["58", 500],
  ["F0", 500],
  ["HV", 500],
  ["P0", 500],
  ["XX", 500],
]);

/** Classes whose messages describe the server, not the request: nothing a caller should read. */
const INTERNAL = new Map([
  ["28", "The database refused the connection"],
  ["53", "The database is out of resources"],
  ["57", "The database stopped the statement"],
  ["58", "The database met a system error"],
]);
/** The routine of an error that a function of the schema raised by itself: its words are meant for the caller. */
const RAISED = "exec_stmt_raise";

/** A PostgreSQL error as an answer. `authenticated`: a known caller is refused with 403, a stranger with 401. */
export function fromPgError(error: PgError, authenticated: boolean): RestError {
  const { code, message } = error;
  const kind = code.slice(0, 2);
  if (code === "PGRST") return raisedJson(error);
  // Details of a broken constraint show the row.
  const details = kind === "23" && !authenticated ? null : (error.detail ?? null);
  const hint = error.hint ?? null;
  if (kind === "PT") {
    const status = /^[2-9]\d\d$/.test(code.slice(2)) ? Number(code.slice(2)) : 500;
    return new RestError({ status, code, message, details, hint });
  }
  if (code === "42501") {
    if (authenticated) return new RestError({ status: 403, code, message, details, hint });
    return new RestError({
      status: 401,
      code,
      message,
      details,
      hint,
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const status = BY_STATE.get(code) ?? BY_CLASS.get(kind) ?? 400;
  const headers: Record<string, string> = status === 503 ? { "Retry-After": "0" } : {};
  const generic = error.routine === RAISED ? undefined : INTERNAL.get(kind);
  if (generic !== undefined) {
    const said = /due to (statement timeout|lock timeout|user request)$/.test(message) ? message : generic;
    return new RestError({ status, code, message: said, headers });
  }
  return new RestError({ status, code, message, details, hint, headers });
}

/** `RAISE SQLSTATE 'PGRST'`: message and detail are JSON that says the whole answer. */
function raisedJson(error: PgError): RestError {
  const bad = refuse(500, "121", "The message and detail field of RAISE 'PGRST' error expects JSON");
  try {
    const said = JSON.parse(error.message) as Record<string, unknown> | null;
    const how = JSON.parse(error.detail ?? "") as Record<string, unknown> | null;
    if (typeof said?.["code"] !== "string" || typeof said["message"] !== "string") return bad;
    if (typeof how?.["status"] !== "number" || how["status"] < 200 || how["status"] > 599) return bad;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(how["headers"] as Record<string, unknown>)) {
      if (typeof value !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n\0]/.test(value))
        return bad;
      headers[name] = value;
    }
    const hint = typeof said["hint"] === "string" ? said["hint"] : null;
    const details = typeof said["details"] === "string" ? said["details"] : null;
    return new RestError({
      status: how["status"],
      code: said["code"],
      message: said["message"],
      details,
      hint,
      headers,
    });
  } catch {
    return bad;
  }
}

/** Anything thrown while talking to the database that is not an answer yet. */
export function fromFailure(error: unknown, authenticated: boolean): RestError {
  if (error instanceof RestError) return error;
  if (isPgError(error)) return fromPgError(error, authenticated);
  const message = error instanceof Error ? error.message : "";
  if (message.startsWith("timeout exceeded when trying to connect"))
    return refuse(504, "003", "Timed out acquiring connection from connection pool.");
  return refuse(503, "000", "Database connection error. Retrying the connection.", {
    headers: { "Retry-After": "1" },
  });
}
