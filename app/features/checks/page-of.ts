/**
 * A page of checks out of a plain summary: what our control plane does in SQL (feature `summary.page`), done here for a
 * backend that cannot. Pure; a test runs both over the same checks and compares. A plain summary has no endpoints, so a
 * check with neither a name nor a description goes without one here.
 */
import type {
  CheckLine,
  CheckPage,
  CheckPageQuestion,
  GroupLine,
  PlainCheck,
} from "#app/contract/rows/check-page.ts";
import { latencyOf } from "./model.ts";

/** What the plain summary does not tell, by the id of a check. */
export interface Besides {
  /** Names of the agents of those that have one. */
  agents: ReadonlyMap<string, string>;
  /** Those whose endpoint holds the words that are searched for. */
  byEndpoint: ReadonlySet<string>;
}

type Key = string | number | null;
/** A check with what it is filtered, grouped and sorted by. */
interface Known extends Omit<CheckLine, "kind" | "group" | "results"> {
  grp: string;
  tab: string | null;
}
interface Group {
  grp: string;
  members: Known[];
  passing: number;
  failing: number;
  open: boolean;
}

/** The canaries with which the product watches itself, as far as a plain summary tells. */
const SELF_NAMESPACE = "pilothouse";

export function checkPageOf(
  checks: readonly PlainCheck[],
  question: CheckPageQuestion,
  besides: Besides,
): CheckPage {
  const found = checks
    .filter((check) => passes(check, question, besides))
    .map((check) => known(check, question, besides));
  const here = question.tab === "" ? found : found.filter(({ tab }) => tab === question.tab);
  const lines = linesOf(groupsOf(here, question), question);
  const page = lines.slice(question.offset, question.offset + question.limit);
  return {
    counts: {
      failing: checks.filter(({ status }) => status === "unhealthy").length,
      passing: checks.filter(({ status }) => status === "healthy").length,
      total: checks.length,
    },
    own: checks.some(({ canary_namespace }) => canary_namespace !== SELF_NAMESPACE),
    labelKeys: [...new Set(checks.flatMap(({ labels }) => Object.keys(labels ?? {})))].sort(byName),
    tabs: tabsOf(found),
    found: { checks: found.length, failing: failingOf(found) },
    total: lines.length,
    lines: headed(page),
  };
}

const byName = (a: string, b: string) => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b);
const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
const failingOf = (checks: readonly { status: string | null }[]) =>
  checks.filter(({ status }) => status === "unhealthy").length;

function passes(check: PlainCheck, { query, status, hidePassing }: CheckPageQuestion, besides: Besides) {
  if (status === "unknown" && !["", "unknown"].includes(check.status)) return false;
  if (!["all", "unknown", check.status].includes(status)) return false;
  if (status === "all" && hidePassing && check.status === "healthy") return false;
  const needle = query.trim().toLowerCase();
  const words = [check.name, check.description ?? "", check.canary_name];
  return (
    needle === "" ||
    words.some((text) => text.toLowerCase().includes(needle)) ||
    besides.byEndpoint.has(check.id)
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
    ["agent_id", agents.get(check.id) ?? null],
  ]);
  return {
    id: check.id,
    title: check.name || check.description || "(no name)",
    canary: check.canary_name,
    type: check.type,
    namespace,
    status: check.status || null,
    moved: check.last_transition_time ?? null,
    passed: check.uptime?.passed ?? null,
    failed: check.uptime?.failed ?? null,
    latency: latencyOf(check.latency),
    grp: groups.get(question.groupBy) ?? label(question.groupBy) ?? "Others",
    tab: tabs.has(question.tabBy) ? (tabs.get(question.tabBy) ?? null) : label(question.tabBy),
  };
}

function tabsOf(found: readonly Known[]): CheckPage["tabs"] {
  const tabs = new Map<string, Known[]>();
  for (const check of found)
    if (check.tab !== null) tabs.set(check.tab, [...(tabs.get(check.tab) ?? []), check]);
  return [...tabs].map(([value, checks]) => ({ value, checks: checks.length, failing: failingOf(checks) }));
}

function groupsOf(here: readonly Known[], { open, query }: CheckPageQuestion): Group[] {
  const groups = new Map<string, Known[]>();
  for (const check of here) {
    const members = groups.get(check.grp);
    if (members) members.push(check);
    else groups.set(check.grp, [check]);
  }
  return [...groups].map(([grp, members]) => {
    const passing = members.filter(({ status }) => status === "healthy").length;
    const byHand = Object.hasOwn(open, grp) ? open[grp] === 1 : undefined;
    const isOpen = byHand ?? (query.trim() !== "" || passing < members.length);
    return { grp, members, passing, failing: failingOf(members), open: isOpen };
  });
}

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, one) => total + (one ?? 0), 0);

const slowest = (members: readonly Known[]): number | null => {
  const known = members.flatMap(({ latency }) => latency ?? []);
  return known.length === 0 ? null : Math.max(...known);
};

const latest = (members: readonly Known[]): string | null =>
  members.reduce<string | null>(
    (found, { moved }) => (moved && (!found || Date.parse(moved) > Date.parse(found)) ? moved : found),
    null,
  );

const share = (passed: number | null, failed: number | null): number | null =>
  passed === null || failed === null || passed + failed === 0 ? null : passed / (passed + failed);
const instant = (moved: string | null) => (moved === null ? null : Date.parse(moved));
const RANKS = new Map([
  ["healthy", 0],
  ["warning", 1],
  ["unhealthy", 2],
]);

function checkKey(check: Known, sortBy: CheckPageQuestion["sortBy"]): Key {
  if (sortBy === "name") return check.title.toLowerCase();
  if (sortBy === "status") return RANKS.get(check.status ?? "") ?? null;
  if (sortBy === "uptime") return share(check.passed, check.failed);
  return sortBy === "latency" ? check.latency : instant(check.moved);
}

function groupKey({ grp, members, passing, failing }: Group, sortBy: CheckPageQuestion["sortBy"]): Key {
  if (sortBy === "name") return grp.toLowerCase();
  if (sortBy === "status") {
    if (passing === members.length) return 0;
    if (failing === members.length) return 2;
    return members.some(({ status }) => status !== null) ? 1 : null;
  }
  if (sortBy === "uptime")
    return share(sum(members.map(({ passed }) => passed)), sum(members.map(({ failed }) => failed)));
  return sortBy === "latency" ? slowest(members) : instant(latest(members));
}

/** What is not known comes last, in either direction. */
const byKey = (desc: boolean) => (a: Key, b: Key) => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return desc ? compare(b, a) : compare(a, b);
};

type Line = { group: Group; check: Known | null };

function linesOf(groups: readonly Group[], { sortBy, sortDesc }: CheckPageQuestion): Line[] {
  const ordered = byKey(sortDesc);
  const sorted = (members: readonly Known[]) =>
    [...members].sort(
      (a, b) =>
        ordered(checkKey(a, sortBy), checkKey(b, sortBy)) ||
        compare(a.title.toLowerCase(), b.title.toLowerCase()) ||
        compare(a.id, b.id),
    );
  const entries = groups.map((group) => {
    const [only] = group.members;
    const single = group.members.length === 1 && only;
    return {
      group,
      key: single ? checkKey(single, sortBy) : groupKey(group, sortBy),
      name: (single ? single.title : group.grp).toLowerCase(),
    };
  });
  entries.sort(
    (a, b) => ordered(a.key, b.key) || compare(a.name, b.name) || compare(a.group.grp, b.group.grp),
  );
  return entries.flatMap(({ group }): Line[] => {
    const checks = (): Line[] => sorted(group.members).map((check) => ({ group, check }));
    if (group.members.length === 1) return checks();
    return group.open ? checks() : [{ group, check: null }];
  });
}

/** Before the checks of an open group, its own line; also on a page that begins inside one. */
const headed = (page: readonly Line[]): CheckPage["lines"] =>
  page.flatMap(({ group, check }, index) => {
    if (!check) return groupLine(group);
    const begins = group.members.length > 1 && page[index - 1]?.group !== group;
    return begins ? [groupLine(group), checkLine(check, group)] : checkLine(check, group);
  });

function checkLine({ grp, tab: _tab, ...check }: Known, { members }: Group): CheckLine {
  return { kind: "check", group: members.length > 1 ? grp : null, ...check, results: "" };
}

function groupLine({ grp, members, passing, failing, open }: Group): GroupLine {
  const types = new Set(members.map(({ type }) => type));
  return {
    kind: "group",
    key: grp,
    open,
    checks: members.length,
    passing,
    failing,
    perfect: members.filter(({ passed, failed }) => failed === 0 && (passed ?? 0) > 0).length,
    passed: sum(members.map(({ passed }) => passed)),
    failed: sum(members.map(({ failed }) => failed)),
    moved: latest(members),
    type: types.size === 1 ? (members[0]?.type ?? null) : null,
    namespaces: [...new Set(members.map(({ namespace }) => namespace))].sort(),
  };
}
