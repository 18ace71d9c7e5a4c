/** `/kratos/*` of the control plane, passed on to Kratos (facts/backend-http.md §6.10). */
import type { Context } from "hono";

const TIMEOUT_MS = 30_000;
/** Headers that Kratos reads. `Authorization` is for us and stays here. */
const SENT = [
  "accept",
  "accept-language",
  "content-type",
  "cookie",
  "origin",
  "user-agent",
  "x-session-token",
];
/** Headers of an answer that belong to the connection to Kratos, or that fetch has undone already. */
const KEPT_BACK = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

/** Sends a request to Kratos and its answer back, redirects as they are. 503 when Kratos does not answer. */
export async function passOn(c: Context, url: string): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const path = pathname.replace(/^\/kratos(?=\/|$)/, "");
  const headers = new Headers();
  for (const name of SENT) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const client = c.req.header("x-ph-client");
  if (client) headers.set("x-forwarded-for", client);
  const hasBody = c.req.method !== "GET" && c.req.method !== "HEAD";
  try {
    const answer = await fetch(url + path + search, {
      method: c.req.method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(hasBody ? { body: await c.req.arrayBuffer() } : {}),
    });
    const kept = new Headers([...answer.headers].filter(([name]) => !KEPT_BACK.has(name)));
    return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers: kept });
  } catch {
    return c.json({ error: "The identity service cannot be reached." }, 503, { "Retry-After": "5" });
  }
}
