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

/**
 * The page, the number of all there is to page, the tabs, and who is in the groups that are drawn: one row. Groups are put
 * in order first, with how many lines each takes; only those that reach into the page are opened.
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
    const { join, sums } = figures(question, given);
    const [from, to] = [given(offset), given(offset + limit)];
    return `with ${checksOf(question, given)},
  figured as (select *, ${key.check} as check_key from here ${join}),
  counted as (
    select grp, count(*)::integer as n, count(status)::integer as known, max(moved) as moved, ${sums}
      (count(*) filter (where status = 'healthy'))::integer as passing,
      (count(*) filter (where status = 'unhealthy'))::integer as failing,
      min(title) as only_title, min(check_key) as only_key
    from figured group by grp),
  groups as (
    select grp, n, passing, failing, moved, n > 1 and ${byHand} as open,
      case when n > 1 then ${key.group} else only_key end as group_key,
      lower(case when n > 1 then grp else only_title end) collate "C" as group_name
    from counted),
  placed as (
    select grp, n, passing, failing, moved, open, case when open then n else 1 end as size,
      sum(case when open then n else 1 end)
        over (order by group_key ${direction}, group_name, grp collate "C" rows unbounded preceding) as place
    from groups),
  drawn as (select *, place - size as start from placed where place > ${from}::bigint and place - size < ${to}::bigint),
  page as (
    select null::uuid as id, grp, n, passing, failing, moved, open, start as place from drawn where n > 1 and not open
    union all
    select id, grp, n, passing, failing, drawn.moved, open, start - 1 + row_number()
      over (partition by grp order by check_key ${direction}, lower(title) collate "C", id)
    from figured join drawn using (grp) where n = 1 or open)
  select (
      select coalesce(json_agg(json_build_object('id', id, 'grp', grp, 'n', n, 'passing', passing, 'failing', failing,
        'moved', moved, 'open', open) order by place), '[]')
      from page where place >= ${from}::bigint and place < ${to}::bigint) as lines,
    (select coalesce(sum(size), 0)::integer from placed) as total,
    (select coalesce(json_object_agg(grp, ids), '{}') from (
      select grp, array_agg(id) as ids from figured where grp in (select grp from drawn where n > 1) group by grp) as members)
      as members,
    ${TABS} as tabs`;
  });
