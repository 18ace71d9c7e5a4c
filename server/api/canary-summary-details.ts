/** What a page of checks draws of its lines. */
import type { CheckPageQuestion } from "#app/contract/rows/check-page.ts";
import { NAMESPACE, sinceOf, statement, stripOf, TITLE, type Statement } from "./canary-summary-sql.ts";

/** The checks of the page and the sums of its groups, given with their members: two lists in one row. */
export const detailsOf = (
  question: CheckPageQuestion,
  { ids, members }: { ids: readonly string[]; members: Readonly<Record<string, readonly string[]>> },
): Statement =>
  statement((given) => {
    const since = sinceOf(question, given);
    const checks = `select checks.id, ${TITLE} as title, canaries.name as canary, checks.type, nullif(checks.icon, '') as icon,
        ${NAMESPACE} as namespace, nullif(checks.status, '') as status, checks.last_transition_time as moved,
        checks.last_runtime as ran, figures.passed, figures.failed, figures.p95 as latency, ${stripOf("checks.id", given)} as results
      from public.checks join public.canaries on canaries.id = checks.canary_id
      left join public.check_figures(${given(ids)}, ${since}, true) as figures on figures.check_id = checks.id
      where checks.id = any (${given(ids)})`;
    const groups = Object.entries(members);
    if (groups.length === 0)
      return `select (select coalesce(json_agg(drawn), '[]') from (${checks}) as drawn) as checks, '[]'::json as groups`;
    const all = given(groups.flatMap(([, list]) => list));
    const of = given(groups.flatMap(([grp, list]) => list.map(() => grp)));
    return `with members as (select id, grp from unnest(${all}::uuid[], ${of}::text[]) as drawn (id, grp))
      select (select coalesce(json_agg(drawn), '[]') from (${checks}) as drawn) as checks,
        (select coalesce(json_agg(summed), '[]') from (
          select grp, coalesce(sum(passed), 0)::integer as passed, coalesce(sum(failed), 0)::integer as failed,
            (count(*) filter (where failed = 0 and passed > 0))::integer as perfect,
            round(avg(round(mean::numeric))) as latency, case when min(type) = max(type) then min(type) end as type,
            array_agg(distinct ${NAMESPACE}) as namespaces
          from members join public.checks using (id) join public.canaries on canaries.id = checks.canary_id
          left join public.check_figures(${all}::uuid[], ${since}, false) as figures on figures.check_id = checks.id
          group by grp) as summed) as groups`;
  });
