/** The groups and lines of a page of checks, as `page-of.ts` makes it. Pure. */
import type { CheckLine, CheckPage, CheckPageQuestion, GroupLine } from "#app/contract/rows/check-page.ts";

type Key = string | number | null;
/** A check with what it is filtered, grouped and sorted by. */
export interface Known extends Omit<CheckLine, "kind" | "group" | "results"> {
  grp: string;
  tab: string | null;
  /** The column of the pivot it is in. */
  col: string | null;
  /** The mean of its durations, ms. */
  mean: number | null;
}
export interface Group {
  grp: string;
  members: Known[];
  passing: number;
  failing: number;
  open: boolean;
}

export const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
export const byName = (a: string, b: string) => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b);
export const failingOf = (checks: readonly { status: string | null }[]) =>
  checks.filter(({ status }) => status === "unhealthy").length;

/** Checks by what they are grouped by. */
export function groupsOf(here: readonly Known[], { open, query, flat }: CheckPageQuestion): Group[] {
  const groups = new Map<string, Known[]>();
  for (const check of here) {
    const members = groups.get(check.grp);
    if (members) members.push(check);
    else groups.set(check.grp, [check]);
  }
  return [...groups].map(([grp, members]) => {
    const passing = members.filter(({ status }) => status === "healthy").length;
    const byHand = Object.hasOwn(open, grp) ? open[grp] === 1 : undefined;
    const isOpen = flat || (byHand ?? (query.trim() !== "" || passing < members.length));
    return { grp, members, passing, failing: failingOf(members), open: isOpen };
  });
}

export const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, one) => total + (one ?? 0), 0);

/** The mean of the members' own means, whole milliseconds. */
export const meanOf = (members: readonly Known[]): number | null => {
  const known = members.flatMap(({ mean }) => mean ?? []);
  return known.length === 0 ? null : Math.round(sum(known) / known.length);
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
  return sortBy === "latency" ? meanOf(members) : instant(latest(members));
}

/** What is not known comes last, in either direction. */
const byKey = (desc: boolean) => (a: Key, b: Key) => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return desc ? compare(b, a) : compare(a, b);
};

type Line = { group: Group; check: Known | null };

/** Closed groups and checks in their order. */
export function linesOf(groups: readonly Group[], { sortBy, sortDesc }: CheckPageQuestion): Line[] {
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
export const headed = (page: readonly Line[]): CheckPage["lines"] =>
  page.flatMap(({ group, check }, index) => {
    if (!check) return groupLine(group);
    const begins = group.members.length > 1 && page[index - 1]?.group !== group;
    return begins ? [groupLine(group), checkLine(check, group)] : checkLine(check, group);
  });

function checkLine(
  { grp, tab: _tab, col: _col, mean: _mean, ...check }: Known,
  { members }: Group,
): CheckLine {
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
    latency: meanOf(members),
    moved: latest(members),
    type: types.size === 1 ? (members[0]?.type ?? null) : null,
    namespaces: [...new Set(members.map(({ namespace }) => namespace))].sort(),
  };
}
