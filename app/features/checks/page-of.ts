/**
 * A page of checks out of a plain summary: what our control plane does in SQL (feature `summary.page`), done here for a
 * backend that cannot. Pure; a test runs both over the same checks and compares. A plain summary has no endpoints, so a
 * check with neither a name nor a description goes without one here.
 */
import type { CheckPage, CheckPageQuestion, PlainCheck } from "#app/contract/rows/check-page.ts";
import { LOCAL_TAB, MOST_LABEL_VALUES } from "#app/contract/words/checks.ts";
import { latencyOf } from "./model.ts";
import { byName, failingOf, groupsOf, headed, linesOf, type Known } from "./page-lines.ts";
import { pivotOf } from "./page-pivot.ts";

/** What the plain summary does not tell, by the id of a check. */
export interface Besides {
  /** Names of the agents of those that have one. */
  agents: ReadonlyMap<string, string>;
  /** Those whose endpoint holds the words that are searched for. */
  byEndpoint: ReadonlySet<string>;
}

/** The canaries with which the product watches itself, as far as a plain summary tells. */
const SELF_NAMESPACE = "pilothouse";

export function checkPageOf(
  checks: readonly PlainCheck[],
  question: CheckPageQuestion,
  besides: Besides,
): CheckPage {
  const matched = checks.filter((check) => matches(check, question, besides));
  const filtered = matched
    .filter((check) => passes(check, question))
    .map((check) => known(check, question, besides));
  const found = question.status === "warning" ? mixedOf(filtered, question) : filtered;
  const here = question.tab === "" ? found : found.filter(({ tab }) => tab === question.tab);
  const page = {
    counts: countsOf(checks),
    matched: countsOf(matched),
    own: checks.some(({ canary_namespace }) => canary_namespace !== SELF_NAMESPACE),
    labels: labelsOf(checks),
    ranged: false,
    tabs: tabsOf(found),
    found: { checks: found.length, failing: failingOf(found) },
  };
  if (question.pivotLabel !== "") return { ...page, ...pivotOf(here, question), lines: [] };
  const lines = linesOf(groupsOf(here, question), question);
  const { offset, limit } = question;
  return { ...page, total: lines.length, lines: headed(lines.slice(offset, offset + limit)), pivot: null };
}

const countsOf = (checks: readonly PlainCheck[]) => ({
  failing: checks.filter(({ status }) => status === "unhealthy").length,
  passing: checks.filter(({ status }) => status === "healthy").length,
  total: checks.length,
});

/** Labels are few, values may be many: the first of each, by alphabet. */
function labelsOf(checks: readonly PlainCheck[]): CheckPage["labels"] {
  const values = new Map<string, Set<string>>();
  for (const { labels } of checks)
    for (const [key, value] of Object.entries(labels ?? {})) {
      const known = values.get(key) ?? new Set();
      values.set(key, value === "" ? known : known.add(value));
    }
  return [...values]
    .sort(([a], [b]) => byName(a, b))
    .map(([key, known]) => ({
      key,
      values: [...known].sort(byName).slice(0, MOST_LABEL_VALUES),
      total: known.size,
    }));
}

/** Groups that are neither well nor wholly failing, and what says so of itself. */
function mixedOf(checks: readonly Known[], question: CheckPageQuestion): Known[] {
  const mixed = groupsOf(checks, question).filter(
    ({ members, passing, failing }) =>
      members.length > 1 &&
      members.some(({ status }) => status !== null) &&
      passing < members.length &&
      failing < members.length,
  );
  const keys = new Set(mixed.map(({ grp }) => grp));
  return checks.filter(({ status, grp }) => status === "warning" || keys.has(grp));
}

function passes({ status }: PlainCheck, { status: asked, hidePassing }: CheckPageQuestion): boolean {
  if (asked === "unknown") return ["", "unknown"].includes(status);
  if (asked === "healthy" || asked === "unhealthy") return status === asked;
  return asked === "warning" || !hidePassing || status !== "healthy";
}

/** What the search and the labels leave: excluding wins, one of the included is enough. */
function matches(check: PlainCheck, { query, labels }: CheckPageQuestion, besides: Besides): boolean {
  const needle = query.trim().toLowerCase();
  const words = [check.name, check.description ?? "", check.canary_name];
  const found =
    needle === "" ||
    words.some((text) => text.toLowerCase().includes(needle)) ||
    besides.byEndpoint.has(check.id);
  const own = new Set(
    Object.entries(check.labels ?? {}).flatMap(([key, value]) => (value ? `canary:${key}:${value}` : [])),
  );
  const marked = (mark: 1 | -1) => Object.keys(labels).filter((id) => labels[id] === mark);
  const included = marked(1);
  return (
    found &&
    !marked(-1).some((id) => own.has(id)) &&
    (included.length === 0 || included.some((id) => own.has(id)))
  );
}

function known(check: PlainCheck, question: CheckPageQuestion, { agents }: Besides): Known {
  const label = (key: string) =>
    (Object.hasOwn(check.labels ?? {}, key) ? check.labels?.[key] : undefined) || null;
  const namespace = check.namespace || check.canary_namespace;
  const groups = new Map([
    ["no-group", check.id],
    ["canary_name", check.canary_name || "(none)"],
    ["name", check.name.split("/")[0] || "(none)"],
    ["description", check.description || "(none)"],
    ["type", check.type || "(none)"],
  ]);
  const tabs = new Map([
    ["namespace", namespace || "none"],
    ["agent_id", agents.get(check.id) ?? LOCAL_TAB],
  ]);
  return {
    id: check.id,
    title: check.name || check.description || "(no name)",
    canary: check.canary_name,
    type: check.type,
    icon: check.icon || null,
    namespace,
    status: check.status || null,
    moved: check.last_transition_time ?? null,
    ran: check.last_runtime ?? null,
    passed: check.uptime?.passed ?? null,
    failed: check.uptime?.failed ?? null,
    latency: latencyOf(check.latency),
    mean: check.latency?.rolling1h ?? null,
    grp: groups.get(question.groupBy) ?? label(question.groupBy) ?? "Others",
    tab: tabs.has(question.tabBy) ? (tabs.get(question.tabBy) ?? null) : label(question.tabBy),
    col: question.pivotLabel === "" ? null : label(question.pivotLabel),
  };
}

function tabsOf(found: readonly Known[]): CheckPage["tabs"] {
  const tabs = new Map<string, Known[]>();
  for (const check of found)
    if (check.tab !== null) tabs.set(check.tab, [...(tabs.get(check.tab) ?? []), check]);
  return [...tabs].map(([value, checks]) => ({ value, checks: checks.length, failing: failingOf(checks) }));
}
