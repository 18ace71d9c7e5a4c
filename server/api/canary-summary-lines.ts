/** The lines of a page of checks: what is paged is closed groups and checks. */
import type { CheckPageQuestion } from "#app/contract/rows/check-page.ts";
import { checksOf, sinceOf, statement, TABS, type Given, type Statement } from "./canary-summary-sql.ts";

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
  latency: { check: "p95", group: "latency" },
  last_transition_time: { check: "moved", group: "moved" },
};

/** Only what is sorted by is worked out for every check; percentiles cost the most. */
function figures(question: CheckPageQuestion, given: Given): { join: string; sums: string } {
  const { sortBy } = question;
  if (sortBy !== "uptime" && sortBy !== "latency") return { join: "", sums: "" };
  const since = sinceOf(question, given);
  return {
    join: `left join public.check_figures(array(select id from here), ${since}, ${sortBy === "latency"}) as figures
      on figures.check_id = here.id`,
    sums:
      sortBy === "uptime"
        ? "sum(passed) as passed, sum(failed) as failed,"
        : "round(avg(round(mean::numeric))) as latency,",
  };
}

/** The page, the number of all there is to page, the tabs, and who is in the groups that are drawn: one row. */
export const linesOf = (question: CheckPageQuestion): Statement =>
  statement((given) => {
    const { sortBy, sortDesc, query, limit, offset, flat, open } = question;
    const key = KEYS[sortBy];
    const direction = `${sortDesc ? "desc" : "asc"} nulls last`;
    const byHand = flat
      ? "true"
      : `coalesce((${given(JSON.stringify(open))}::jsonb ->> grp)::integer = 1, ${query.trim() === "" ? "passing < n" : "true"})`;
    const { join, sums } = figures(question, given);
    return `with ${checksOf(question, given)},
  figured as (select * from here ${join}),
  counted as (
    select grp, count(*)::integer as n, count(status)::integer as known, max(moved) as moved, ${sums}
      (count(*) filter (where status = 'healthy'))::integer as passing,
      (count(*) filter (where status = 'unhealthy'))::integer as failing
    from figured group by grp),
  groups as (
    select grp, n, passing, failing, moved, n > 1 and ${byHand} as open, ${key.group} as group_key from counted),
  checks_here as (select id, grp, lower(title) collate "C" as name, ${key.check} as check_key from figured),
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
    (select coalesce(json_object_agg(grp, ids), '{}') from (
      select grp, array_agg(id) as ids from here where grp in (select grp from page where n > 1) group by grp) as drawn)
      as members,
    ${TABS} as tabs`;
  });
