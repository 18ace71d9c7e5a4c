/** The lines of a page of checks: what is paged is closed groups and checks. */
import type { CheckPageQuestion } from "#app/contract/rows/check-page.ts";
import {
  checksOf,
  everythingOf,
  sinceOf,
  statement,
  TABS,
  type Given,
  type Statement,
} from "./canary-summary-sql.ts";

/**
 * By what a check and a group of checks are ordered; texts as PostgreSQL's C collation has them, on every server. The key
 * of a check is also worked out for groups of one, of whose columns there is only one value.
 */
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

/** Only what is sorted by is worked out for every check; percentiles cost the most. `from`: the checks with it. */
function figures(question: CheckPageQuestion, given: Given): { from: string; known: string; sums: string } {
  const { sortBy } = question;
  if (sortBy !== "uptime" && sortBy !== "latency") return { from: "here", known: "", sums: "" };
  const since = sinceOf(question, given);
  return {
    from: "figured",
    known: `,
  figured as (
    select * from here
    left join public.check_figures(array(select id from here), ${since}, ${sortBy === "latency"}) as figures
      on figures.check_id = here.id)`,
    sums:
      sortBy === "uptime"
        ? "sum(passed) as passed, sum(failed) as failed,"
        : "round(avg(round(mean::numeric))) as latency, max(p95) as p95,",
  };
}

/**
 * The page, the number of all there is to page, the tabs, who is in the groups that are drawn, and what there is at all:
 * one row. Groups are put in order first, with how many lines each takes; only those that reach into the page are opened,
 * and only their checks are put in order. Every check is read once and every text of it compared as seldom as can be.
 */
export const linesOf = (question: CheckPageQuestion): Statement =>
  statement((given) => {
    const { sortBy, sortDesc, query, limit, offset, flat, open } = question;
    const key = KEYS[sortBy];
    const direction = `${sortDesc ? "desc" : "asc"} nulls last`;
    const byHand = flat
      ? "true"
      : `coalesce((${given(JSON.stringify(open))}::jsonb ->> grp)::integer = 1,
        ${query.trim() === "" ? "passing < n" : "true"})`;
    const { from, known, sums } = figures(question, given);
    const [first, end] = [given(offset), given(offset + limit)];
    return `with ${checksOf(question, given)}${known},
  counted as (
    select grp, count(*)::integer as n, count(status)::integer as known, max(moved) as moved, ${sums}
      (count(*) filter (where status = 'healthy'))::integer as passing,
      (count(*) filter (where status = 'unhealthy'))::integer as failing,
      min(title collate "C") as title, min(status collate "C") as status
    from ${from} group by grp),
  groups as (
    select grp, n, passing, failing, moved, n > 1 and ${byHand} as open,
      case when n > 1 then ${key.group} else ${key.check} end as group_key,
      lower(case when n > 1 then grp else title end) collate "C" as group_name
    from counted),
  placed as (
    select grp, n, passing, failing, moved, open, case when open then n else 1 end as size,
      sum(case when open then n else 1 end)
        over (order by group_key ${direction}, group_name, grp collate "C" rows unbounded preceding) as place
    from groups),
  drawn as (select *, place - size as start from placed where place > ${first}::bigint and place - size < ${end}::bigint),
  inside as (
    select id, grp, title, ${key.check} as check_key from ${from} where grp in (select grp from drawn)),
  page as (
    select null::uuid as id, grp, n, passing, failing, moved, open, start as place from drawn where n > 1 and not open
    union all
    select id, grp, n, passing, failing, moved, open, start - 1 + row_number()
      over (partition by grp order by check_key ${direction}, lower(title) collate "C", id)
    from inside join drawn using (grp) where n = 1 or open)
  select (
      select coalesce(json_agg(json_build_object('id', id, 'grp', grp, 'n', n, 'passing', passing, 'failing', failing,
        'moved', moved, 'open', open) order by place), '[]')
      from page where place >= ${first}::bigint and place < ${end}::bigint) as lines,
    (select coalesce(sum(size), 0)::integer from placed) as total,
    (select coalesce(json_object_agg(grp, ids), '{}') from (
      select grp, array_agg(id) as ids from inside join drawn using (grp) where n > 1 group by grp) as members) as members,
    ${TABS} as tabs, ${everythingOf(question, given)}`;
  });
