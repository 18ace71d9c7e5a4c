import { BadgeFacts } from "#app/contract/rows/badges.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import { parseCookies } from "#app/lib/cookies.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import { upstreamFetch } from "#app/lib/upstream.server.ts";
import { BADGE_SHOWS, badgeOf, badgeWithout, type BadgeWords } from "./badge.ts";

/** Should a browser open it as a document, it may do nothing but draw itself. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
const SESSION_COOKIE = "ory_kratos_session";
/** A badge may be this old, in seconds. */
const MAX_AGE = 60;
const MOST_LABEL = 80;

type Answer = { words: BadgeWords; status: number; cache: "public" | "private" };

/**
 * The picture of a badge: to everybody where the installation shows badges to everybody, else to whoever has a session.
 * What cannot be shown is a badge that says so, with the status that fits: an image on somebody's page has no other words.
 */
export async function drawBadge({
  request,
  params,
}: {
  request: Request;
  params: Record<string, string | undefined>;
}) {
  const { words, status, cache } = await answerTo(request, params["kind"] ?? "", params["file"] ?? "");
  const { makeBadge } = await import("badge-maker");
  const svg = makeBadge({ ...words, labelColor: "#363c45", style: "flat" });
  return new Response(svg, {
    status,
    headers: {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": status === 200 ? `${cache}, max-age=${MAX_AGE}` : "no-store",
      Vary: "Cookie",
    },
  });
}

async function answerTo(request: Request, kind: string, file: string): Promise<Answer> {
  const without = (words: string, status: number): Answer => ({
    words: badgeWithout(words),
    status,
    cache: "private",
  });
  const name = file.endsWith(".svg") ? file.slice(0, -".svg".length) : "";
  if ((kind !== "check" && kind !== "group") || name === "") return without("unknown", 404);
  const query = new URL(request.url).searchParams;
  const show = BADGE_SHOWS.find((word) => word === (query.get("show") ?? "both"));
  if (!show) return without(`show: ${BADGE_SHOWS.join(", ")}`, 400);
  const label = (query.get("label") ?? "").slice(0, MOST_LABEL);
  const asked = new URLSearchParams(
    [...query].filter(([key, value]) => ["range", "namespace"].includes(key) && value !== ""),
  );
  const path = `badges/${kind}/${encodeURIComponent(name)}?${asked}`;

  const open = await upstreamFetch(request, `/ph/public/${path}`);
  if (open.ok) {
    const facts = BadgeFacts.parse(open.json());
    return { words: badgeOf(facts, show, label), status: 200, cache: "public" };
  }
  if (open.status === 400) return without("range: 1h, 1d, 1mo …", 400);
  if (!parseCookies(request.headers.get("cookie")).has(SESSION_COOKIE))
    return open.status === 401 ? without("sign in to see", 401) : without("unknown", 404);
  try {
    const { api } = await authorize({ request }, "read:canaries", { feature: "health" });
    const facts = await api.call(`/ph/${path}`, BadgeFacts);
    return { words: badgeOf(facts, show, label), status: 200, cache: "private" };
  } catch (error) {
    if (error instanceof UpstreamError) return without("unknown", error.status === 400 ? 400 : 404);
    if (error instanceof Response)
      return without("sign in to see", error.status === 302 ? 401 : error.status);
    throw error;
  }
}
