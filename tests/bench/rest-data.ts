/** A believable volume in the product's schema, and the ten shapes of acceptance 3. */
import type pg from "pg";

export const CANARIES = 500;
export const CHECKS = 2000;
export const STATUSES = 200_000;
export const PERSON = "00000001-0000-4000-8000-000000000001";

const canaryId = (n: number) => `00000004-0000-4000-8000-${n.toString().padStart(12, "0")}`;
const checkId = (n: number) => `00000005-0000-4000-8000-${n.toString().padStart(12, "0")}`;

const id = (group: number, n: string) =>
  `('0000000${group}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

const ROWS = `
insert into public.people (id, name, email, avatar)
  select ${id(1, "n")}, 'Person ' || n, 'person' || n || '@example.org', '/avatar/' || n from generate_series(1, 40) n;
insert into public.agents (id, name, description)
  select ${id(3, "n")}, 'agent-' || n, 'cluster ' || n from generate_series(1, 10) n;
insert into public.canaries (id, agent_id, name, namespace, labels, spec, source, created_by, created_at)
  select ${id(4, "n")}, ${id(3, "1 + n % 10")}, 'canary-' || n, 'team-' || n % 12,
    jsonb_build_object('app', 'app-' || n % 50, 'tier', (array['gold', 'silver', 'bronze'])[1 + n % 3]),
    jsonb_build_object('schedule', '@every 1m', 'http', jsonb_build_array(jsonb_build_object('name', 'front', 'url', 'https://app-' || n || '.example.org'))),
    'UI', ${id(1, "1 + n % 40")}, now() - n * interval '1 hour'
  from generate_series(1, ${CANARIES}) n;
insert into public.checks (id, canary_id, agent_id, type, name, namespace, severity, labels, status, last_runtime)
  select ${id(5, "n")}, ${id(4, `1 + n % ${CANARIES}`)}, ${id(3, `1 + (1 + n % ${CANARIES}) % 10`)},
    (array['http', 'sql', 'tcp', 'dns', 'exec'])[1 + n % 5], 'check-' || n, 'team-' || n % 12,
    (array['critical', 'high', 'medium', 'low'])[1 + n % 4], jsonb_build_object('app', 'app-' || n % 50),
    case when n % 13 = 0 then 'unhealthy' else 'healthy' end, now()
  from generate_series(1, ${CHECKS}) n;
insert into public.check_statuses (check_id, time, status, duration, message)
  select ${id(5, `1 + n % ${CHECKS}`)}, now() - (n / ${CHECKS}) * interval '5 minutes', n % 13 <> 0, 10 + n % 700, 'run ' || n
  from generate_series(0, ${STATUSES - 1}) n;
insert into public.job_history (name, status, resource_type, resource_id, duration_millis, success_count, error_count, time_start, time_end, created_at)
  select 'Canary', case when n % 9 = 0 then 'FAILED' else 'SUCCESS' end, 'canary', (${id(4, `1 + n % ${CANARIES}`)})::text, n % 900, 1, 0,
    now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '1 minute'
  from generate_series(1, 5000) n;
insert into public.components (id, name, external_id, type, status, labels)
  select ${id(6, "n")}, 'component-' || n, 'external-' || n, (array['Service', 'Job', 'Store', 'Queue'])[1 + n % 4], 'healthy',
    jsonb_build_object('app', 'app-' || n % 50)
  from generate_series(1, 100) n;
insert into public.check_component_relationships (component_id, check_id, canary_id, selector_id)
  select ${id(6, "1 + (n * 7 + k * 3) % 100")}, ${id(5, "n")}, ${id(4, `1 + n % ${CANARIES}`)}, 'bench'
  from generate_series(1, ${CHECKS}) n, generate_series(1, 20) k;
`;

/** Fills a migrated database; the trigger-made sums and links come by themselves. */
export async function loadVolume(client: pg.ClientBase): Promise<void> {
  await client.query(ROWS);
  await client.query("vacuum analyze");
}

/** The same question as one statement of SQL whose first column is the body, for the side without a layer. */
export interface Bare {
  sql: string;
  /** Of each target. */
  values: unknown[][];
}
export interface Shape {
  name: string;
  method: "GET" | "PATCH";
  targets: string[];
  prefer?: string;
  body?: string;
  bare: Bare;
}

const numbers = (count = 40) => Array.from({ length: count }, (_, n) => 1 + n * 7);
const LIST = "id,name,namespace,labels,created_at";
const LABELS = { app: "patched", tier: "gold" };
/** A body made by PostgreSQL, as both other sides have it. */
const json = (select: string) => `select coalesce(json_agg(page), '[]')::text from (${select}) as page`;

/** `target` and `values` are given the same numbers. */
function shape(
  name: string,
  target: (n: number) => string,
  sql: string,
  values: (n: number) => unknown[],
  { count, ...rest }: Partial<Pick<Shape, "method" | "prefer" | "body">> & { count?: number } = {},
): Shape {
  const taken = numbers(count);
  return {
    name,
    method: "GET",
    ...rest,
    targets: taken.map(target),
    bare: { sql, values: taken.map(values) },
  };
}

const HISTORY = "select * from public.check_statuses where check_id = $1 order by time desc limit 50";
const historyOf = (n: number) => `/check_statuses?check_id=eq.${checkId(n)}&order=time.desc&limit=50`;

export const SHAPES: Shape[] = [
  shape(
    "key look-up",
    (n) => `/canaries?id=eq.${canaryId(n)}`,
    json("select * from public.canaries where id = $1"),
    (n) => [canaryId(n)],
  ),
  shape("page of 50 by indexed order", historyOf, json(HISTORY), (n) => [checkId(n)]),
  shape(
    "the same with count=exact",
    historyOf,
    `select coalesce(json_agg(page), '[]')::text, (select count(*) from public.check_statuses where check_id = $1)
     from (${HISTORY}) as page`,
    (n) => [checkId(n)],
    { prefer: "count=exact" },
  ),
  shape(
    "filtered page with in and ilike",
    (n) =>
      `/checks?type=in.(http,sql,tcp)&name=ilike.*ck-${1 + (n % 19)}*&select=id,name,type,status,severity&deleted_at=is.null&order=name&limit=50`,
    json(`select id, name, type, status, severity from public.checks
      where type = any ($1) and name ilike $2 and deleted_at is null order by name limit 50`),
    (n) => [["http", "sql", "tcp"], `%ck-${1 + (n % 19)}%`],
  ),
  shape(
    "to-one embed",
    (n) =>
      `/checks?select=id,name,type,status,canaries(id,name,namespace)&deleted_at=is.null&order=name&limit=50&offset=${n}`,
    json(`select id, name, type, status, (select row_to_json(one) from (
        select id, name, namespace from public.canaries where id = definition.canary_id) as one) as canaries
      from public.checks as definition where deleted_at is null order by name limit 50 offset $1`),
    (n) => [n],
  ),
  shape(
    "to-many embed with limit",
    (n) =>
      `/canaries?select=${LIST},checks(id,name,status)&checks.order=name&checks.limit=3&deleted_at=is.null&order=created_at.desc&limit=20&offset=${n}`,
    json(`select ${LIST}, (select coalesce(json_agg(few), '[]') from (
        select id, name, status from public.checks where canary_id = canary.id order by name limit 3) as few) as checks
      from public.canaries as canary where deleted_at is null order by created_at desc limit 20 offset $1`),
    (n) => [n],
  ),
  shape(
    "view with two embeds",
    (n) =>
      `/canaries_with_status?select=*,created_by(id,name,avatar),checks(id,name,status)&checks.order=name&deleted_at=is.null&order=created_at.desc&limit=50&offset=${n}`,
    json(`select canary.*, (select row_to_json(one) from (
        select id, name, avatar from public.people where id = canary.created_by) as one) as created_by,
        (select coalesce(json_agg(few), '[]') from (
          select id, name, status from public.checks where canary_id = canary.id order by name) as few) as checks
      from public.canaries_with_status as canary where deleted_at is null order by created_at desc limit 50 offset $1`),
    (n) => [n],
    { count: 20 },
  ),
  shape(
    "or tree",
    (n) =>
      `/checks?or=(and(status.eq.unhealthy,type.in.(http,sql)),name.eq.check-${n},severity.is.null)&select=id,name,status&deleted_at=is.null&order=name&limit=50`,
    json(`select id, name, status from public.checks
      where ((status = 'unhealthy' and type in ('http', 'sql')) or name = $1 or severity is null) and deleted_at is null
      order by name limit 50`),
    (n) => [`check-${n}`],
  ),
  shape(
    "rpc with result filters",
    (n) =>
      `/rpc/lookup_components_by_check?id=${checkId(n)}&type=in.(Service,Job)&name=like.component-*&select=id,name,type,status,labels&order=name&limit=20`,
    json(`select id, name, type, status, labels from public.lookup_components_by_check(id => $1)
      where type in ('Service', 'Job') and name like 'component-%' order by name limit 20`),
    (n) => [checkId(n)],
  ),
  shape(
    "PATCH with representation",
    (n) => `/canaries?id=eq.${canaryId(n)}&select=${LIST}`,
    `with changed as (update public.canaries set labels = $2 where id = $1 returning ${LIST})
     select coalesce(json_agg(changed), '[]')::text from changed`,
    (n) => [canaryId(n), JSON.stringify(LABELS)],
    {
      method: "PATCH",
      prefer: "return=representation",
      body: JSON.stringify({ labels: LABELS }),
      count: 70,
    },
  ),
];
