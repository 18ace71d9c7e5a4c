/** Status, Content-Range and the other headers of an answer (facts of PostgREST §9, §10, §17). */
import { refuse, type RestError } from "./errors.ts";

const EXPOSED =
  "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit";

/** `0-4/15`, `0-14/*`, `*∕0`: rows `first` to `last` of `total`; total null when nobody counted. */
export function contentRange(first: number, last: number, total: number | null): string {
  const range = total !== 0 && first <= last ? `${first}-${last}` : "*";
  return `${range}/${total ?? "*"}`;
}

/** 200, 206 for a part of the counted rows, 416 for an offset beyond them. */
export function rangeStatus(first: number, last: number, total: number | null): 200 | 206 | 416 {
  if (total === null) return 200;
  if (first > total) return 416;
  return last - first + 1 < total ? 206 : 200;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

export function toResponse({ status, headers, body }: Answer, method: string): Response {
  return new Response(method === "HEAD" ? null : body, { status, headers });
}

export function errorAnswer(error: RestError, contentType = "application/json; charset=utf-8"): Answer {
  return {
    status: error.status,
    headers: { "Content-Type": contentType, ...error.headers },
    body: error.body,
  };
}

/** Any origin may read answers; credentials are never let through by a browser. */
export function allowOrigin(answer: Answer, origin: string | null): void {
  if (origin === null || answer.headers["Access-Control-Allow-Methods"] !== undefined) return;
  answer.headers["Access-Control-Allow-Origin"] = "*";
  answer.headers["Access-Control-Expose-Headers"] = EXPOSED;
}

export function preflight(requestedHeaders: string | null): Answer {
  const asked = (requestedHeaders ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  const headers = ["Authorization", ...asked, "Accept", "Accept-Language", "Content-Language"].join(", ");
  return {
    status: 200,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD",
      ...(requestedHeaders !== null && { "Access-Control-Allow-Headers": headers }),
      "Access-Control-Max-Age": "86400",
    },
    body: null,
  };
}

/** `response.status` and `response.headers`, set by functions, override the answer's own. */
export function applyResponseSettings(answer: Answer, status: string | null, headers: string | null): void {
  if (headers !== null) {
    let list: unknown;
    try {
      list = JSON.parse(headers);
    } catch {
      list = null;
    }
    const wrong = refuse(
      500,
      "111",
      "response.headers guc must be a JSON array composed of objects with a single key and a string value",
    );
    if (!Array.isArray(list)) throw wrong;
    for (const item of list as unknown[]) {
      const entries = typeof item === "object" && item !== null ? Object.entries(item) : [];
      const [name, value] = entries[0] ?? [];
      if (entries.length !== 1 || typeof value !== "string" || name === undefined) throw wrong;
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n\0]/.test(value)) throw wrong;
      const own = Object.keys(answer.headers).find((key) => key.toLowerCase() === name.toLowerCase());
      answer.headers[own ?? name] = value;
    }
  }
  if (status !== null) {
    if (!/^[2-5]\d\d$/.test(status))
      throw refuse(500, "112", "response.status guc must be a valid status code");
    answer.status = Number(status);
    if (answer.status === 204 || answer.status === 304) answer.body = null;
  }
}
