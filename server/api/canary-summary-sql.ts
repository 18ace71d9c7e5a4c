/** The SQL of a page of checks (feature `summary.page`), put together from fixed pieces; what was asked is a parameter. */
import type { CheckPageQuestion } from "#app/contract/rows/check-page.ts";
import { LOCAL_TAB, MOST_LABEL_VALUES, STRIP, TIME_RANGES } from "#app/contract/words/checks.ts";

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
export type Given = (value: unknown) => string;

/** From when on uptime and latency count; null is the last hour, else the newest result. */
export const sinceOf = ({ timeRange }: CheckPageQuestion, given: Given): string => {
  const minutes = TIME_RANGES.find(({ value }) => value === timeRange)?.minutes;
  return minutes === undefined
    ? "null"
    : `date_trunc('minute', now()) - make_interval(mins => ${given(minutes)})`;
};

const ENDPOINT = `coalesce(nullif(checks.spec ->> 'url', ''), nullif(checks.spec ->> 'endpoint', ''),
    nullif(checks.spec ->> 'host', ''))`;
/** An address without what it may carry in secret: nobody finds that out by searching for it either. */
const withoutSecrets = (address: string) => `case when ${address} ~ '[@?]'
    then regexp_replace(regexp_replace(${address}, '(^|//)[^/@\\s]*@', '\\1'), '\\?.*$', '', 'n') else ${address} end`;
/** What a check is called: its name, else its description, else its endpoint. */
export const TITLE = `coalesce(nullif(checks.name, ''), nullif(checks.description, ''),
    ${withoutSecrets(ENDPOINT)}, '(no name)')`;
export const NAMESPACE = `coalesce(nullif(checks.namespace, ''), canaries.namespace)`;
const NO_AGENT = "00000000-0000-0000-0000-000000000000";

/** A label of a check, or else of its canary. */
const label = (key: string) => `nullif(coalesce(checks.labels ->> ${key}, canaries.labels ->> ${key}), '')`;

function tabOf(tabBy: string, given: Given): string {
  if (tabBy === "namespace") return `coalesce(nullif(${NAMESPACE}, ''), 'none')`;
  if (tabBy === "agent_id")
    return `case when checks.agent_id = '${NO_AGENT}' then '${LOCAL_TAB}'
      else (select name from public.agents where agents.id = checks.agent_id) end`;
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

/** A label is `canary:{key}:{value}`; as either part may hold colons, it is every pair that reads so. */
function labelled(id: string, given: Given): string {
  const parts = id.split(":").slice(1);
  const pairs = parts.slice(1).map((_, index) => {
    const [key, value] = [parts.slice(0, index + 1).join(":"), parts.slice(index + 1).join(":")];
    return `${label(given(key))} = ${given(value)}`;
  });
  return pairs.length > 0 ? `(${pairs.join(" or ")})` : "false";
}

/** What the search and the labels leave: excluding wins, one of the included is enough. */
function matching({ query, labels }: CheckPageQuestion, given: Given): string[] {
  const found = ["checks.deleted_at is null"];
  const needle = query.trim();
  if (needle !== "") {
    const like = `ilike ${given(`%${needle.replace(/[\\%_]/g, "\\$&")}%`)}`;
    const columns = ["checks.name", "checks.description", "canaries.name"];
    const parts = ["url", "endpoint", "host"].map((part) => withoutSecrets(`checks.spec ->> '${part}'`));
    found.push(`(${[...columns, ...parts].map((column) => `${column} ${like}`).join(" or ")})`);
  }
  const marked = (mark: 1 | -1) => Object.keys(labels).filter((id) => labels[id] === mark);
  const [included, excluded] = [marked(1), marked(-1)];
  if (included.length > 0) found.push(`(${included.map((id) => labelled(id, given)).join(" or ")})`);
  for (const id of excluded) found.push(`${labelled(id, given)} is not true`);
  return found;
}

function conditions(question: CheckPageQuestion, given: Given): string[] {
  const { status, hidePassing } = question;
  const found = matching(question, given);
  if (status === "unknown") found.push("coalesce(checks.status, '') in ('', 'unknown')");
  else if (status === "healthy" || status === "unhealthy") found.push(`checks.status = ${given(status)}`);
  else if (status === "all" && hidePassing) found.push("checks.status is distinct from 'healthy'");
  return found;
}

/** Groups that are neither well nor wholly failing (specification 1 §4), and what says so of itself. */
const MIXED = `
  where status = 'warning' or grp in (
    select grp from filtered group by grp
    having count(*) > 1 and count(status) > 0
      and count(*) filter (where status = 'healthy') < count(*)
      and count(*) filter (where status = 'unhealthy') < count(*))`;

/** Is `found` everything there is? */
const findsAll = (question: CheckPageQuestion): boolean =>
  question.status !== "warning" && conditions(question, () => "").length === 1;

/** `found`: every check that the filters leave; `here`: those of the tab. */
export function checksOf(question: CheckPageQuestion, given: Given): string {
  const { tabBy, tab, groupBy, status, pivotLabel } = question;
  return `filtered as (
    select checks.id, ${TITLE} as title, nullif(checks.status, '') as status,
      checks.last_transition_time as moved, ${tabOf(tabBy, given)} as tab,
      ${groupOf(groupBy, given)} as grp${pivotLabel === "" ? "" : `, ${label(given(pivotLabel))} as col`}
    from public.checks join public.canaries on canaries.id = checks.canary_id
    where ${conditions(question, given).join(" and ")}),
  found as (select * from filtered ${status === "warning" ? MIXED : ""}),
  here as not materialized (select * from found ${tab === "" ? "" : `where tab = ${given(tab)}`})`;
}

const COUNTS = `json_build_object('failing', count(*) filter (where status = 'unhealthy'),
        'passing', count(*) filter (where status = 'healthy'), 'total', count(*))`;

/** The canaries with which the product watches itself: they are there before anybody added anything. */
const SELF = { namespace: "pilothouse", source: "ConfigFile" };

/**
 * What a page says of everything there is, whatever it is filtered by, beside `checksOf`. `matched` is null where neither a
 * search nor a label leaves anything out. A page of everything counts what it has read anyway.
 */
export function everythingOf(question: CheckPageQuestion, given: Given): string {
  const all = findsAll(question) ? "found" : "public.checks where deleted_at is null";
  const searched = matching(question, given);
  const matched =
    searched.length === 1
      ? "null::json"
      : `(select ${COUNTS} from (
      select checks.status from public.checks join public.canaries on canaries.id = checks.canary_id
      where ${searched.join(" and ")}) as matched)`;
  return `(select ${COUNTS} from ${all}) as counts, ${matched} as matched,
    exists (
      select from public.checks join public.canaries on canaries.id = checks.canary_id
      where checks.deleted_at is null and (canaries.namespace, coalesce(canaries.source, ''))
        <> (${given(SELF.namespace)}, ${given(SELF.source)})) as own,
    public.check_label_values(${given(MOST_LABEL_VALUES)}) as labels`;
}

/** The tabs of `found`, as JSON. */
export const TABS = `(select coalesce(json_agg(json_build_object('value', tab, 'checks', checks, 'failing', failing)), '[]') from (
      select tab, count(*) as checks, count(*) filter (where status = 'unhealthy') as failing
      from found group by tab) as tabs)`;

/** The last results of a check, oldest first. */
export const stripOf = (check: string, given: Given): string => `(
      select coalesce(string_agg(case status when true then '1' when false then '0' else '?' end, '' order by time), '')
      from (select status, time from public.check_statuses where check_id = ${check}
        order by time desc limit ${given(STRIP)}) as newest)`;
