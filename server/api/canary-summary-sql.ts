/** The SQL of a page of checks (feature `summary.page`), put together from fixed pieces; what was asked is a parameter. */
import type { CheckPageQuestion } from "#app/contract/rows/check-page.ts";

export interface Statement {
  text: string;
  values: unknown[];
}

/** A statement in the making: `given(value)` is the placeholder of a parameter. */
export function statement(write: (given: (value: unknown) => string) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return { text, values };
}
type Given = (value: unknown) => string;

/**
 * The last hour of each check, or its last run when that was earlier. Uptime is a matter of microseconds; percentiles are
 * not, so they are reckoned only where they are shown or sorted by, and once a row (the OFFSET keeps them from being copied
 * into each place that names them).
 */
const UPTIMES = `(
    select id as check_id, (uptime ->> 'passed')::integer as passed, (uptime ->> 'failed')::integer as failed
    from public.check_summary) as figures`;
const FIGURES = `lateral (
    select (uptime ->> 'passed')::integer as passed, (uptime ->> 'failed')::integer as failed,
      coalesce(nullif((latency ->> 'p95')::float8, 0), nullif((latency ->> 'p97')::float8, 0),
        nullif((latency ->> 'p99')::float8, 0), (latency ->> 'p95')::float8) as latency
    from (select uptime, latency from public.check_summary where id = checks.id offset 0) as once) as figures on true`;
type Needed = "nothing" | "uptime" | "latency";
const JOINED: Record<Needed, { columns: string; join: string }> = {
  nothing: { columns: "", join: "" },
  uptime: {
    columns: ", figures.passed, figures.failed",
    join: `left join ${UPTIMES} on figures.check_id = checks.id`,
  },
  latency: { columns: ", figures.passed, figures.failed, figures.latency", join: `left join ${FIGURES}` },
};

const ENDPOINT = `coalesce(nullif(checks.spec ->> 'url', ''), nullif(checks.spec ->> 'endpoint', ''),
    nullif(checks.spec ->> 'host', ''))`;
/** What a check is called: its name, else its description, else its endpoint without what a URL may carry in secret. */
const TITLE = `coalesce(nullif(checks.name, ''), nullif(checks.description, ''),
    regexp_replace(regexp_replace(${ENDPOINT}, '(^|//)[^/@\\s]*@', '\\1'), '\\?.*$', '', 'n'), '(no name)')`;
const NAMESPACE = `coalesce(nullif(checks.namespace, ''), canaries.namespace)`;
const NO_AGENT = "00000000-0000-0000-0000-000000000000";

/** A label of a check, or else of its canary. */
const label = (key: string) => `nullif(coalesce(checks.labels ->> ${key}, canaries.labels ->> ${key}), '')`;

function tabOf(tabBy: string, given: Given): string {
  if (tabBy === "namespace") return `coalesce(nullif(${NAMESPACE}, ''), 'none')`;
  if (tabBy === "agent_id")
    return `case when checks.agent_id <> '${NO_AGENT}' then
      (select name from public.agents where agents.id = checks.agent_id) end`;
  return label(given(tabBy));
}

function groupOf(groupBy: string, given: Given): string {
  switch (groupBy) {
    case "no-group":
      return "checks.id::text";
    case "canary_name":
      return "coalesce(nullif(canaries.name, ''), '(none)')";
    case "name":
      return "coalesce(nullif(split_part(checks.name, '/', 1), ''), '(none)')";
    case "description":
    case "type":
      return `coalesce(nullif(checks.${groupBy}, ''), '(none)')`;
    default:
      return `coalesce(${label(given(groupBy))}, 'Others')`;
  }
}

function conditions({ query, status, hidePassing }: CheckPageQuestion, given: Given): string[] {
  const found = ["checks.deleted_at is null"];
  if (status === "unknown") found.push("coalesce(checks.status, '') in ('', 'unknown')");
  else if (status !== "all") found.push(`checks.status = ${given(status)}`);
  else if (hidePassing) found.push("checks.status is distinct from 'healthy'");
  const needle = query.trim();
  if (needle !== "") {
    const like = `ilike ${given(`%${needle.replace(/[\\%_]/g, "\\$&")}%`)}`;
    const columns = ["checks.name", "checks.description", "canaries.name"];
    const parts = ["url", "endpoint", "host"].map((part) => `checks.spec ->> '${part}'`);
    found.push(`(${[...columns, ...parts].map((column) => `${column} ${like}`).join(" or ")})`);
  }
  return found;
}

/** `found`: every check that the filters leave; `here`: those of the tab. */
function checksOf(question: CheckPageQuestion, given: Given, needed: Needed): string {
  const { columns, join } = JOINED[needed];
  return `found as (
    select checks.id, ${TITLE} as title, checks.type, nullif(checks.status, '') as status,
      checks.last_transition_time as moved, ${NAMESPACE} as namespace,
      ${tabOf(question.tabBy, given)} as tab, ${groupOf(question.groupBy, given)} as grp
      ${columns}
    from public.checks join public.canaries on canaries.id = checks.canary_id
    ${join}
    where ${conditions(question, given).join(" and ")}),
  here as (select * from found ${question.tab === "" ? "" : `where tab = ${given(question.tab)}`})`;
}

/** By what a check and a group of checks are ordered; texts as PostgreSQL's C collation has them, on every server. */
const KEYS: Record<CheckPageQuestion["sortBy"], { check: string; group: string }> = {
  name: { check: `lower(title) collate "C"`, group: `lower(grp) collate "C"` },
  status: {
    check: "case status when 'healthy' then 0 when 'warning' then 1 when 'unhealthy' then 2 end",
    group: "case n when passing then 0 when failing then 2 else case when known > 0 then 1 end end",
  },
  uptime: {
    check: "passed::float8 / nullif(passed + failed, 0)",
    group: "passed::float8 / nullif(passed + failed, 0)",
  },
  latency: { check: "latency", group: "slowest" },
  last_transition_time: { check: "moved", group: "moved" },
};

/** The page, the number of all there is to page, and the tabs: one row. What is paged is closed groups and checks. */
export const linesOf = (question: CheckPageQuestion): Statement =>
  statement((given) => {
    const { sortBy, sortDesc, query, limit, offset } = question;
    const key = KEYS[sortBy];
    const needed = sortBy === "uptime" || sortBy === "latency" ? sortBy : "nothing";
    const direction = `${sortDesc ? "desc" : "asc"} nulls last`;
    const mark = `(${given(JSON.stringify(question.open))}::jsonb ->> grp)::integer`;
    const byHand = `coalesce(${mark} = 1, ${query.trim() === "" ? "passing < n" : "true"})`;
    const sums = {
      nothing: "",
      uptime: "sum(passed) as passed, sum(failed) as failed,",
      latency: "max(latency) as slowest,",
    }[needed];
    return `with ${checksOf(question, given, needed)},
  counted as (
    select grp, count(*)::integer as n, count(status)::integer as known, max(moved) as moved, ${sums}
      (count(*) filter (where status = 'healthy'))::integer as passing,
      (count(*) filter (where status = 'unhealthy'))::integer as failing
    from here group by grp),
  groups as (
    select grp, n, passing, failing, moved, n > 1 and ${byHand} as open, ${key.group} as group_key from counted),
  checks_here as (select id, grp, lower(title) collate "C" as name, ${key.check} as check_key from here),
  lines as (
    select null::uuid as id, grp, n, passing, failing, moved, open, group_key as entry_key,
      lower(grp) collate "C" as entry_name, null as check_key, null as name
    from groups where n > 1 and not open
    union all
    select id, grp, n, passing, failing, groups.moved, open, case when n > 1 then group_key else check_key end,
      case when n > 1 then lower(grp) collate "C" else name end, check_key, name
    from checks_here join groups using (grp) where n = 1 or open),
  page as (
    select id, grp, n, passing, failing, moved, open from lines
    order by entry_key ${direction}, entry_name, grp collate "C", check_key ${direction}, name, id
    limit ${given(limit)} offset ${given(offset)})
  select (select coalesce(json_agg(page), '[]') from page) as lines,
    (select count(*)::integer from lines) as total,
    (select coalesce(json_agg(json_build_object('value', tab, 'checks', checks, 'failing', failing)), '[]') from (
      select tab, count(*) as checks, count(*) filter (where status = 'unhealthy') as failing
      from found group by tab) as tabs) as tabs`;
  });

/** Of everything there is, whatever the page is filtered by: one row. */
export const everythingOf = (self: { namespace: string; source: string }): Statement =>
  statement(
    (given) => `select
    (select json_build_object('failing', count(*) filter (where status = 'unhealthy'),
        'passing', count(*) filter (where status = 'healthy'), 'total', count(*))
      from public.checks where deleted_at is null) as counts,
    exists (
      select from public.checks join public.canaries on canaries.id = checks.canary_id
      where checks.deleted_at is null and (canaries.namespace, coalesce(canaries.source, ''))
        <> (${given(self.namespace)}, ${given(self.source)})) as own,
    (select coalesce(json_agg(key order by lower(key) collate "C", key collate "C"), '[]') from (
      select jsonb_object_keys(labels) as key from (
        select distinct labels from public.checks where deleted_at is null and jsonb_typeof(labels) = 'object') as own
      union
      select jsonb_object_keys(labels) from (
        select distinct labels from public.canaries
        where deleted_at is null and jsonb_typeof(labels) = 'object'
          and exists (select from public.checks where canary_id = canaries.id and deleted_at is null)) as theirs
      ) as keys) as label_keys`,
  );

/** What is drawn of the page's checks and groups, figures and strips with it: two lists in one row. */
export const detailsOf = (
  question: CheckPageQuestion,
  { ids, groups, strip }: { ids: readonly string[]; groups: readonly string[]; strip: number },
): Statement =>
  statement((given) => {
    const checks = `select checks.id, ${TITLE} as title, canaries.name as canary, checks.type, ${NAMESPACE} as namespace,
        nullif(checks.status, '') as status, checks.last_transition_time as moved, figures.passed, figures.failed,
        figures.latency,
        (select coalesce(string_agg(case status when true then '1' when false then '0' else '?' end, '' order by time), '')
          from (select status, time from public.check_statuses where check_id = checks.id
            order by time desc limit ${given(strip)}) as newest) as results
      from public.checks join public.canaries on canaries.id = checks.canary_id
      left join ${FIGURES}
      where checks.id = any (${given(ids)})`;
    if (groups.length === 0)
      return `select (select coalesce(json_agg(drawn), '[]') from (${checks}) as drawn) as checks, '[]'::json as groups`;
    return `with ${checksOf(question, given, "uptime")}
      select (select coalesce(json_agg(drawn), '[]') from (${checks}) as drawn) as checks,
        (select coalesce(json_agg(summed), '[]') from (
          select grp, coalesce(sum(passed), 0)::integer as passed, coalesce(sum(failed), 0)::integer as failed,
            (count(*) filter (where failed = 0 and passed > 0))::integer as perfect,
            case when min(type) = max(type) then min(type) end as type,
            array_agg(distinct namespace) as namespaces
          from here where grp = any (${given(groups)}) group by grp) as summed) as groups`;
  });
