import { redirect } from "@remix-run/node";
import { z } from "zod";
import type { View } from "#app/contract/view.ts";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { WENT_WRONG } from "#app/contract/words/platform.ts";
import { encodePairs, eq, narrows, pairs, type Query } from "./filter.ts";
import { pathOf } from "./return-to.ts";
import { scope } from "./scope.server.ts";
import { Conflict, UpstreamError } from "./upstream-error.ts";
import { upstreamFetch, type Answer, type UpstreamInit } from "./upstream.server.ts";

export type Api = ReturnType<typeof createApi>;
type Call = { method?: string; query?: Query; body?: unknown; timeoutMs?: number };
type Sent = Call & { select?: string; prefer?: string };

/**
 * Everything a page may ask of upstream, as the person of its request. Only `authorize()` hands one out. Refusals are
 * thrown as `UpstreamError`; a read that is forbidden is thrown as the 403 page.
 */
export function createApi(request: Request) {
  async function send(
    path: string,
    { method = "GET", query = {}, body, select, prefer, timeoutMs }: Sent = {},
  ) {
    const search = encodePairs([...(select ? ([["select", select]] as const) : []), ...pairs(query)]);
    const init: UpstreamInit = {
      method,
      headers: prefer ? { prefer } : {},
      ...(timeoutMs ? { timeoutMs } : {}),
    };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { ...init.headers, "content-type": "application/json" };
    }
    return upstreamFetch(request, search ? `${path}?${search}` : path, init);
  }

  /** As `send`, with refusals thrown. */
  async function ask(path: string, sent: Sent = {}) {
    const response = await send(path, sent);
    if (response.ok) return response;
    throw failureOf(response, path, sent.method ?? "GET");
  }

  /** What to throw for an answer that is none: a page for what a person cannot mend, an error for a form. */
  function failureOf(response: Answer, path: string, method: string) {
    if (response.status === 401) return endedSession(request);
    const error = refusal(response);
    if (method !== "GET") return error;
    if (response.status === 403) return new Response(UNAUTHORIZED, { status: 403 });
    if (response.status < 500) return error;
    scope().report({ status: response.status, method, path, error: error.message });
    return new Response(null, { status: 500, statusText: WENT_WRONG });
  }

  /** All rows that match, up to the API's own limit (2,000) or the query's. */
  async function list<Row>(view: View<Row>, query: Query = {}): Promise<Row[]> {
    const response = await ask(`/db/${view.table}`, { query, select: view.select });
    return z.array(view.row).parse(response.json());
  }

  /** One page of rows and the number of all that match. A page behind the last one is empty, not an error. */
  async function page<Row>(view: View<Row>, query: Query): Promise<{ rows: Row[]; total: number }> {
    const response = await send(`/db/${view.table}`, { query, select: view.select, prefer: "count=exact" });
    const counted = Number(response.header("content-range")?.split("/")[1] ?? Number.NaN);
    if (response.status === 416 && Number.isInteger(counted)) return { rows: [], total: counted };
    if (!response.ok) throw failureOf(response, `/db/${view.table}`, "GET");
    const rows = z.array(view.row).parse(response.json());
    return { rows, total: Number.isInteger(counted) ? counted : rows.length };
  }

  /** The first row that matches, or null; also null, without asking, when every filter is blank. */
  async function find<Row>(view: View<Row>, query: Query): Promise<Row | null> {
    if (!narrows(query)) return null;
    const [row] = await list(view, { ...query, limit: 1 });
    return row ?? null;
  }

  /** Adds one row and reads it back. */
  async function insert<Row>(view: View<Row>, body: object): Promise<Row> {
    const [row] = await insertMany(view, [body]);
    if (!row) throw new UpstreamError(502, "The new row was not sent back.");
    return row;
  }

  /** Adds rows that belong together, all or none. */
  async function insertMany<Row>(view: View<Row>, body: readonly object[]): Promise<Row[]> {
    const sent = { method: "POST", body, select: view.select, prefer: "return=representation" };
    return z.array(view.row).parse((await ask(`/db/${view.table}`, sent)).json());
  }

  /**
   * Changes one row, named by its `key` (`id` unless said). `seen` is the row's `updated_at` exactly as upstream wrote
   * it (text: a Date would lose its microseconds); when the row has changed since, nothing is written and `Conflict` is
   * thrown with the row as it is.
   */
  async function update<Row>(
    view: View<Row>,
    id: string,
    changes: object,
    { seen, key = "id" }: { seen?: string; key?: string } = {},
  ): Promise<Row> {
    const named = { [key]: eq(id) };
    const query = { ...named, updated_at: eq(seen) };
    if (!named[key]) throw new UpstreamError(400, "Nothing was chosen to change.");
    const sent = {
      method: "PATCH",
      query,
      body: changes,
      select: view.select,
      prefer: "return=representation",
    };
    const [row] = z.array(view.row).parse((await ask(`/db/${view.table}`, sent)).json());
    if (row) return row;
    const current = seen === undefined ? null : await find(view, named);
    throw current ? new Conflict(current) : new UpstreamError(404, "It does not exist any more.");
  }

  /** Removes the rows that match. Refuses to remove everything. */
  async function remove(table: string, query: Query): Promise<void> {
    if (!narrows(query)) throw new UpstreamError(400, "Nothing was chosen to remove.");
    await ask(`/db/${table}`, { method: "DELETE", query });
  }

  /** Calls a function of the database: `view.table` is its name, `query` its arguments and filters of its rows. */
  const rpc = <Row>(view: View<Row>, query: Query = {}): Promise<Row[]> =>
    list({ ...view, table: `rpc/${view.table}` }, query);

  /** Any other path of the backend (`/canary/…`, `/playbook/…`), its JSON read by `schema`; an empty answer is null. */
  async function call<T>(path: string, schema: z.ZodType<T>, sent: Call = {}): Promise<T> {
    const { text } = await ask(path, sent);
    return schema.parse(text === "" ? null : JSON.parse(text));
  }

  return { list, page, find, insert, insertMany, update, remove, rpc, call };
}

/** The session ended between whoami and this call (specification 1 §8); the page there finds out where to go. */
const endedSession = (request: Request): Response =>
  redirect(`/auth-state-checker?${new URLSearchParams({ return_to: pathOf(request) })}`);

/** Specification 1 §8: the response's `error`, else its `message`, else "An error occurred". */
function refusal({ status, text }: Answer): UpstreamError {
  try {
    const { error, message, code } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    const words = [error, message].find((part): part is string => typeof part === "string" && part !== "");
    return new UpstreamError(status, words ?? "An error occurred", typeof code === "string" ? code : null);
  } catch {
    const isPlain = text !== "" && text.length < 300 && !text.trimStart().startsWith("<");
    return new UpstreamError(status, isPlain ? text : "An error occurred");
  }
}
