/** One comparison: a request, what the real PostgREST must answer, and where ours may differ, with the reason. */
import type { FactId } from "./facts.ts";

/** Server configurations of the run; every one is started on both sides. */
export type Variant = "main" | "small" | "closed" | "unsigned";
type Caller = "anon" | "reader" | "writer" | "slow";

export interface Case {
  facts: FactId;
  method: string;
  /** The raw request target as sent: path and query, not normalised by anything. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whose token is sent; "anon" sends none. */
  as: Caller;
  variant: Variant;
  /** What the yardstick answers, so that a case cannot turn into a comparison of two 404s. */
  status: number;
  code: string | undefined;
  /** A token other than the caller's own. */
  token: Token | undefined;
  /** Send nothing to roll the write back; the fixture's rows are put back afterwards. */
  commits: boolean;
  except: Exception | undefined;
}

/** Claims are signed with the server's secret unless another is given; the role is one of ours, prefixed by the harness. */
type Token = { claims: Record<string, unknown>; secret?: string; algorithm?: string } | { raw: string };

/** A documented difference. `ours` is the status our layer answers instead; `ignore` names what is not compared. */
interface Exception {
  why: string;
  ours?: { status: number };
  ignore?: (
    | "message"
    | "details"
    | "hint"
    | "body"
    | "content-type"
    | "content-range"
    | "content-location"
    | "location"
  )[];
}

interface Options {
  headers?: Record<string, string>;
  prefer?: string;
  as?: Caller;
  variant?: Variant;
  commits?: boolean;
  token?: Token;
  except?: Exception;
}

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * `expected` is a status, or a status and an error code: `"400 PGRST100"`. A body that is not a string is sent as
 * JSON. Writes roll back (`Prefer: tx=rollback`) unless they commit.
 */
export function request(
  facts: FactId,
  line: string,
  expected: number | string,
  options: Options & { body?: unknown } = {},
): Case {
  const gap = line.indexOf(" ");
  const method = line.slice(0, gap);
  const headers: Record<string, string> = { ...options.headers };
  const writes = !READS.has(method);
  const prefer = [options.prefer, writes && !options.commits ? "tx=rollback" : undefined]
    .filter(Boolean)
    .join(", ");
  if (prefer) headers["Prefer"] = prefer;
  const { body } = options;
  if (body !== undefined && typeof body !== "string") headers["Content-Type"] ??= "application/json";
  const [status, code] = String(expected).split(" ");
  return {
    facts,
    method,
    target: line.slice(gap + 1),
    headers,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    as: options.as ?? (writes ? "writer" : "reader"),
    variant: options.variant ?? "main",
    status: Number(status),
    code,
    commits: options.commits ?? false,
    token: options.token,
    except: options.except,
  };
}

/** A GET as the reader. */
export function get(
  facts: FactId,
  target: string,
  expected: number | string = 200,
  options: Options = {},
): Case {
  return request(facts, `GET ${target}`, expected, options);
}

/** The same line of the facts asked in many ways; each target answers `expected`. */
export function gets(
  facts: FactId,
  expected: number | string,
  targets: string[],
  options: Options = {},
): Case[] {
  return targets.map((target) => get(facts, target, expected, options));
}
