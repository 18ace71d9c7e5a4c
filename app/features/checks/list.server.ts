import { z } from "zod";
import {
  CheckPage,
  PlainSummary,
  type CheckPageQuestion,
  type PlainCheck,
} from "#app/contract/rows/check-page.ts";
import { STRIP } from "#app/contract/words/checks.ts";
import { checkAgentRow, checkIdRow, checkResultsRow } from "#app/contract/rows/checks.ts";
import { notRunHere } from "#app/contract/words/check-types.ts";
import type { View } from "#app/contract/view.ts";
import type { Api } from "#app/lib/api.server.ts";
import { ilike, inList, isNull, neq, or, orderBy, type Query } from "#app/lib/filter.ts";
import { scope } from "#app/lib/scope.server.ts";
import { checkPageOf, type Besides } from "./page-of.ts";
import { listRange, type HealthSearch } from "./paths.ts";
import { CHECK_COUNTS } from "./queries.server.ts";

/** Without the feature the web reads everything; more than this it does not. */
const MOST = 5000;
/** Ids in one address: 200 are 9 kB, and servers refuse more than 16 kB. */
const IDS_PER_CALL = 200;
/** Rows in one answer of `/db`. */
const ROWS_PER_CALL = 1000;
const NO_AGENT = "00000000-0000-0000-0000-000000000000";
const PATH = "/canary/api/summary";

/** Either answer to a question: the page, or everything there is from a backend that cannot make pages. */
const Answer = z
  .record(z.string(), z.unknown())
  .transform((answer): { page: CheckPage } | { plain: PlainCheck[] } =>
    "page" in answer
      ? { page: CheckPage.parse(answer["page"]) }
      : { plain: PlainSummary.parse(answer).checks_summary ?? [] },
  );

export type ListedChecks = CheckPage & {
  /** Why the drawn checks of a type have no result, by the type. */
  notes: Record<string, string>;
  /** How many checks there are more than the web reads of such a backend. */
  unread: number;
};

const questionOf = (search: HealthSearch, flat: boolean): CheckPageQuestion => ({
  flat,
  query: search.query,
  status: search.status,
  hidePassing: search.hidePassing,
  tabBy: search.tabBy,
  tab: search.tab,
  groupBy: search.groupBy,
  open: search.open,
  labels: search.labels,
  timeRange: listRange(search),
  pivotLabel: search.pivotLabel,
  sortBy: search.sort.by,
  sortDesc: search.sort.desc,
  limit: search.pageSize,
  offset: Math.min((search.page - 1) * search.pageSize, Number.MAX_SAFE_INTEGER),
});

/**
 * One page of the list with its tabs, groups, figures and strips, and the counts of everything: one call where the backend
 * has the feature `summary.page`, else the plain summary and what it does not tell.
 */
export async function listChecks(
  api: Api,
  search: HealthSearch,
  { flat = false } = {},
): Promise<ListedChecks> {
  const question = questionOf(search, flat);
  const answer = await api.call(PATH, Answer, { method: "POST", body: { page: question } });
  if ("page" in answer) return { ...answer.page, notes: notesOf(answer.page), unread: 0 };
  const checks = answer.plain.slice(0, MOST);
  const page = checkPageOf(checks, question, await besides(api, question));
  const strips = await stripsOf(api, page);
  const strip = (id: string | null) => (id === null ? "" : (strips.get(id) ?? ""));
  return {
    ...page,
    lines: page.lines.map((line) => (line.kind === "check" ? { ...line, results: strip(line.id) } : line)),
    pivot: page.pivot && {
      ...page.pivot,
      rows: page.pivot.rows.map(({ key, cells }) => ({
        key,
        cells: cells.map((cell) => ({ ...cell, results: strip(cell.id) })),
      })),
    },
    notes: notesOf(page),
    unread: answer.plain.length - checks.length,
  };
}

/** Types that are known and not run here say so (contract/words/check-types.ts). */
function notesOf({ lines }: CheckPage): Record<string, string> {
  const types = new Set(lines.flatMap((line) => (line.kind === "check" ? line.type : [])));
  return Object.fromEntries(
    [...types].flatMap((type) => {
      const note = notRunHere(type);
      return note ? [[type, note] as const] : [];
    }),
  );
}

/** What a plain summary does not tell and this question needs. */
async function besides(api: Api, { query, tabBy }: CheckPageQuestion): Promise<Besides> {
  const needle = ilike(query);
  const parts = ["spec->>url", "spec->>endpoint", "spec->>host"];
  const [agents, byEndpoint] = await Promise.all([
    tabBy === "agent_id" ? all(api, checkAgentRow, { agent_id: neq(NO_AGENT) }) : [],
    needle ? all(api, checkIdRow, { or: or(parts.map((part) => [part, needle] as const)) }) : [],
  ]);
  return {
    agents: new Map(agents.flatMap(({ id, agent }) => (agent ? [[id, agent.name] as const] : []))),
    byEndpoint: new Set(byEndpoint.map(({ id }) => id)),
  };
}

/** All rows that match, as far as the web reads. */
async function all<Row>(api: Api, view: View<Row>, query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; offset < MOST; offset += ROWS_PER_CALL) {
    const asked = { deleted_at: isNull, ...query, order: orderBy("id"), limit: ROWS_PER_CALL, offset };
    const some = await api.list(view, asked);
    rows.push(...some);
    if (some.length < ROWS_PER_CALL) break;
  }
  return rows;
}

/** The last results of the checks that are drawn, and of no others, by id. */
async function stripsOf(api: Api, { lines, pivot }: CheckPage): Promise<ReadonlyMap<string, string>> {
  const cells = pivot?.rows.flatMap((row) => row.cells) ?? [];
  const ids = [
    ...lines.flatMap((line) => (line.kind === "check" ? line.id : [])),
    ...cells.flatMap(({ id }) => id ?? []),
  ];
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_PER_CALL) }, (_, index) =>
    ids.slice(index * IDS_PER_CALL, (index + 1) * IDS_PER_CALL),
  );
  const newest = { "results.order": orderBy("time.desc"), "results.limit": STRIP };
  const rows = await Promise.all(
    parts.map((part) => api.list(checkResultsRow, { id: inList(part), ...newest })),
  );
  return new Map(rows.flat().map(({ id, results }) => [id, stripOf(results)]));
}

const stripOf = (newestFirst: readonly { status?: boolean | null | undefined }[]) =>
  newestFirst
    .map(({ status }) => (status === true ? "1" : status === false ? "0" : "?"))
    .reverse()
    .join("");

/** The page's answer has the counts: whoever asks for them in this request waits for it instead of asking again. */
export function shareCounts(list: Promise<ListedChecks>): void {
  const { memo } = scope();
  const counts = list.then((checks) => checks.counts);
  counts.catch(() => undefined); // its failure is the page's own, and nobody else may be waiting
  if (!memo.has(CHECK_COUNTS)) memo.set(CHECK_COUNTS, counts);
}
