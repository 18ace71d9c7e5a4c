/**
 * `GET /ph/badges/{check|group}/:name`: what a badge says. Whoever may read checks may ask; `/ph/public/badges/…` answers
 * everybody while the property `badges.public` is `true`, and says of nothing whether it is there while it is not.
 */
import type pg from "pg";
import { TIME_RANGES } from "#app/contract/words/checks.ts";
import type { BadgeFacts } from "#app/contract/rows/badges.ts";
import type { AsCaller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import type { ApiContext, Route } from "./router.ts";

interface Needs {
  asCaller: AsCaller;
  /** The owner's pool, for the sums that are no relation of the contract, and for those without a session. */
  pool: pg.Pool;
  now?: () => Date;
}
type Queryable = Pick<pg.ClientBase, "query">;
interface Asked {
  kind: "check" | "group";
  name: string;
  namespace: string | null;
  range: (typeof TIME_RANGES)[number];
}

/** The property (specification 1 §6) that shows badges to everybody. */
const PUBLIC_PROPERTY = "badges.public";
/** Badges stand on pages that many look at: the same one is worked out once in this time, ms. */
const KEPT_MS = 15_000;
const MOST_KEPT = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function badgeRoutes({ asCaller, pool, now = () => new Date() }: Needs): Route[] {
  const kept = new Map<string, { until: number; facts: BadgeFacts }>();

  /** From memory for those without a session only: others must be seen to be allowed each time. */
  async function publicFacts(asked: Asked): Promise<BadgeFacts> {
    const key = JSON.stringify([asked.kind, asked.name, asked.namespace, asked.range.value]);
    const at = now().getTime();
    const known = kept.get(key);
    if (known && known.until > at) return known.facts;
    const facts = await factsOf(pool, pool, asked, now());
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, { until: at + KEPT_MS, facts });
    return facts;
  }

  async function everybody(c: ApiContext): Promise<Response> {
    if (!(await isPublic(pool))) throw new ApiError(401, "Badges are not public here");
    return c.json(await publicFacts(askedOf(c)));
  }
  async function signedIn(c: ApiContext): Promise<Response> {
    const asked = askedOf(c);
    return c.json(await asCaller(c.get("principal"), (client) => factsOf(client, pool, asked, now())));
  }
  return ["check", "group"].flatMap((kind): Route[] => [
    { method: "GET", path: `/ph/badges/${kind}/:name`, who: "read:canaries", handler: signedIn },
    { method: "GET", path: `/ph/public/badges/${kind}/:name`, who: "anyone", handler: everybody },
  ]);
}

async function isPublic(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "badges.public",
    text: "select from public.properties where name = $1 and value = 'true' and deleted_at is null limit 1",
    values: [PUBLIC_PROPERTY],
  });
  return rowCount === 1;
}

function askedOf(c: ApiContext): Asked {
  const kind = c.req.path.includes("/badges/check/") ? "check" : "group";
  const name = c.req.param("name") ?? "";
  if (kind === "check" && !UUID.test(name)) throw new ApiError(404, "There is no such check");
  const wanted = c.req.query("range") || "1d";
  const range = TIME_RANGES.find(({ value }) => value === wanted);
  if (!range)
    throw new ApiError(400, `range must be one of ${TIME_RANGES.map(({ value }) => value).join(", ")}`);
  return { kind, name, namespace: c.req.query("namespace") || null, range };
}

interface Row {
  id: string;
  name: string;
  status: string | null;
}

/** The checks as `reader` sees them, their runs in the range as the owner of the sums does. Throws ApiError 404. */
async function factsOf(
  reader: Queryable,
  owner: Queryable,
  { kind, name, namespace, range }: Asked,
  now: Date,
): Promise<BadgeFacts> {
  const { rows } = await reader.query<Row>(
    kind === "check"
      ? `select id, coalesce(nullif(name, ''), description, type) as name, status
         from public.checks where id = $1 and deleted_at is null`
      : `select checks.id, canaries.name, checks.status
         from public.checks join public.canaries on canaries.id = checks.canary_id
         where canaries.name = $1 and canaries.deleted_at is null and checks.deleted_at is null
           and ($2::text is null or canaries.namespace = $2)`,
    kind === "check" ? [name] : [name, namespace],
  );
  if (!rows[0]) throw new ApiError(404, `There is no such ${kind}`);
  const { rows: sums } = await owner.query<{ passed: number; failed: number }>(
    `select coalesce(sum(passed), 0)::float8 as passed, coalesce(sum(failed), 0)::float8 as failed
     from internal.sum_check_buckets($1::uuid[], $2, $3)`,
    [rows.map(({ id }) => id), new Date(now.getTime() - range.minutes * 60_000), now],
  );
  const having = (status: string) => rows.filter((row) => row.status === status).length;
  return {
    name: rows[0].name,
    checks: rows.length,
    healthy: having("healthy"),
    unhealthy: having("unhealthy"),
    passed: sums[0]?.passed ?? 0,
    failed: sums[0]?.failed ?? 0,
    range: range.label,
  };
}
