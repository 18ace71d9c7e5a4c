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

export interface Shape {
  name: string;
  method: "GET" | "PATCH";
  targets: string[];
  prefer?: string;
  body?: string;
}

const many = (make: (n: number) => string, count = 40) =>
  Array.from({ length: count }, (_, n) => make(1 + n * 7));
const LIST = "id,name,namespace,labels,created_at";

export const SHAPES: Shape[] = [
  { name: "key look-up", method: "GET", targets: many((n) => `/canaries?id=eq.${canaryId(n)}`) },
  {
    name: "page of 50 by indexed order",
    method: "GET",
    targets: many((n) => `/check_statuses?check_id=eq.${checkId(n)}&order=time.desc&limit=50`),
  },
  {
    name: "the same with count=exact",
    method: "GET",
    targets: many((n) => `/check_statuses?check_id=eq.${checkId(n)}&order=time.desc&limit=50`),
    prefer: "count=exact",
  },
  {
    name: "filtered page with in and ilike",
    method: "GET",
    targets: many(
      (n) =>
        `/checks?type=in.(http,sql,tcp)&name=ilike.*ck-${1 + (n % 19)}*&select=id,name,type,status,severity&deleted_at=is.null&order=name&limit=50`,
    ),
  },
  {
    name: "to-one embed",
    method: "GET",
    targets: many(
      (n) =>
        `/checks?select=id,name,type,status,canaries(id,name,namespace)&deleted_at=is.null&order=name&limit=50&offset=${n}`,
    ),
  },
  {
    name: "to-many embed with limit",
    method: "GET",
    targets: many(
      (n) =>
        `/canaries?select=${LIST},checks(id,name,status)&checks.order=name&checks.limit=3&deleted_at=is.null&order=created_at.desc&limit=20&offset=${n}`,
    ),
  },
  {
    name: "view with two embeds",
    method: "GET",
    targets: many(
      (n) =>
        `/canaries_with_status?select=*,created_by(id,name,avatar),checks(id,name,status)&checks.order=name&deleted_at=is.null&order=created_at.desc&limit=50&offset=${n}`,
      20,
    ),
  },
  {
    name: "or tree",
    method: "GET",
    targets: many(
      (n) =>
        `/checks?or=(and(status.eq.unhealthy,type.in.(http,sql)),name.eq.check-${n},severity.is.null)&select=id,name,status&deleted_at=is.null&order=name&limit=50`,
    ),
  },
  {
    name: "rpc with result filters",
    method: "GET",
    targets: many(
      (n) =>
        `/rpc/lookup_components_by_check?id=${checkId(n)}&type=in.(Service,Job)&name=like.component-*&select=id,name,type,status,labels&order=name&limit=20`,
    ),
  },
  {
    name: "PATCH with representation",
    method: "PATCH",
    targets: many((n) => `/canaries?id=eq.${canaryId(n)}&select=${LIST}`, 70),
    prefer: "return=representation",
    body: JSON.stringify({ labels: { app: "patched", tier: "gold" } }),
  },
];
