/** The pivot of a page of checks: groups by the values of a label. */
import type { CheckPageQuestion } from "#app/contract/rows/check-page.ts";
import { MOST_PIVOT_COLUMNS } from "#app/contract/words/checks.ts";
import {
  checksOf,
  everythingOf,
  sinceOf,
  statement,
  stripOf,
  TABS,
  type Statement,
} from "./canary-summary-sql.ts";

/** Checks without the label are in no cell, and a group of only such checks in no row. Without grouping a row is a name. */
export const pivotOf = (question: CheckPageQuestion): Statement =>
  statement((given) => {
    const { groupBy, sortBy, sortDesc, limit, offset } = question;
    const row = groupBy === "no-group" ? "title" : "grp";
    const order = `lower(key) collate "C" ${sortBy === "name" && sortDesc ? "desc" : "asc"}, key collate "C"`;
    const since = sinceOf(question, given);
    return `with ${checksOf(question, given)},
  placed as (select id, ${row} as key, col, status from here where col is not null),
  columns as (select col from placed group by col order by lower(col) collate "C", col collate "C" limit ${given(MOST_PIVOT_COLUMNS)}),
  kept as (select * from placed where col in (select col from columns)),
  keys as (select key from kept group by key order by ${order} limit ${given(limit)} offset ${given(offset)}),
  drawn as (select * from kept where key in (select key from keys)),
  cells as (
    select key, col as "column", count(*)::integer as checks,
      (count(*) filter (where status = 'healthy'))::integer as passing,
      (count(*) filter (where status = 'unhealthy'))::integer as failing,
      coalesce(sum(passed), 0)::integer as passed, coalesce(sum(failed), 0)::integer as failed,
      round(avg(round(mean::numeric))) as latency, case when count(*) = 1 then (array_agg(id))[1] end as id
    from drawn left join public.check_figures(array(select id from drawn), ${since}, false) as figures
      on figures.check_id = drawn.id
    group by key, col)
  select (select coalesce(json_agg(col order by lower(col) collate "C", col collate "C"), '[]') from columns) as columns,
    (select count(distinct col)::integer from placed) as all_columns,
    (select count(distinct key)::integer from kept) as total,
    (select coalesce(json_agg(json_build_object('key', key, 'cells', (
        select json_agg(drawn_cell order by lower("column") collate "C", "column" collate "C") from (
          select "column", checks, passing, failing, passed, failed, latency, id,
            case when id is null then '' else ${stripOf("cells.id", given)} end as results
          from cells where cells.key = keys.key) as drawn_cell)) order by ${order}), '[]') from keys) as rows,
    ${TABS} as tabs, ${everythingOf(question, given)}`;
  });
