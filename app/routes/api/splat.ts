import type { LoaderFunctionArgs } from "@remix-run/node";
import { env } from "#app/lib/env.server.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { relay, upstreamTarget } from "#app/lib/relay.server.ts";
import { upstreamAway } from "#app/lib/upstream.server.ts";

/**
 * `/api/*`: the backend, with the credentials of the session or the caller's own (issue §2). Upstream decides who may;
 * we only see to it that a write that leans on the cookie comes from this site.
 */
async function relayed({ request }: LoaderFunctionArgs): Promise<Response> {
  if (!request.headers.has("authorization")) requireThisSite(request);
  // Remix has rebuilt the query by now; the preload recorded the target as it came.
  const { pathname, search } = new URL(request.url);
  const target = upstreamTarget(request.headers.get("x-ph-target") ?? pathname + search);
  if (target === null) return Response.json({ error: "Not found" }, { status: 404 });
  try {
    return await relay(request, env().upstreamUrl, target);
  } catch (error) {
    if (request.signal.aborted) throw error;
    const { statusText } = upstreamAway(request, error);
    return Response.json({ error: statusText }, { status: 503, headers: { "Retry-After": "5" } });
  }
}

export const loader = relayed;
export const action = relayed;
