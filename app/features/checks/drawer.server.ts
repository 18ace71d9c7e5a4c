import { CheckGraph, checkDetailRow, publicCheckRow } from "#app/contract/rows/check-drawer.ts";
import { notRunHere } from "#app/contract/words/check-types.ts";
import type { Backend } from "#app/lib/about.server.ts";
import type { Api } from "#app/lib/api.server.ts";
import { env } from "#app/lib/env.server.ts";
import { eq, isNull } from "#app/lib/filter.ts";
import type { RowOf } from "#app/contract/view.ts";
import { chartPoints } from "./chart-points.ts";
import { chartOf, limitOf } from "./drawer-chart.server.ts";
import { drawerRangeOf, type DrawerRange, type Span } from "./drawer-range.ts";
import { checkHistory, runOf } from "./history.server.ts";
import { displayName, endpointOf, isCheckId } from "./model.ts";
import type { HealthSearch } from "./paths.ts";
import { sourceOf } from "./source.server.ts";
import { specOf } from "./spec.server.ts";
import { checkEvents } from "./transitions.server.ts";

interface Reader {
  api: Api;
  backend(): Promise<Backend>;
  /** May change canaries: others see their secrets masked. Waited for only where it matters. */
  canWrite: Promise<boolean>;
  /** Under which address people reach us, for what is shown elsewhere. */
  origin: string;
}

/**
 * What the drawer shows of one check: itself, its figures and its chart, and what its open tab needs, over the asked
 * time range or the one its last run needs. Null when there is no such check; the spec stays on the server.
 */
export async function findCheck(reader: Reader, search: HealthSearch, now: number) {
  const { api } = reader;
  if (!isCheckId(search.checkId)) return null;
  // What is told of a range is asked for with the check: either the address names it, or the check ran within the hour.
  const likely = drawerRangeOf(search, now, now);
  const begun = overRange(reader, search, likely);
  begun.catch(() => undefined); // of no use where the check is not there, or needs another range
  const check = await findRow(api, search.checkId);
  if (!check) return null;
  const range = drawerRangeOf(search, check.last_runtime, now);
  const isLikely = range.value === likely.value && range.from === likely.from && range.to === likely.to;
  const { canary } = check;
  const [{ graph, history, events, run, historyRun }, spec, source] = await Promise.all([
    isLikely ? begun : overRange(reader, search, range),
    search.drawerTab === "spec" && canary && !env().isStandalone
      ? reader.canWrite.then((canWrite) => specOf(api, canary.id, check, canWrite))
      : null,
    sourceOf(api, check),
  ]);
  const { status, ...figures } = graph;
  const { spec: _, components, configs, ...rest } = check;
  const endpoint = endpointOf(check.spec);
  return {
    ...rest,
    displayName: displayName({ ...check, endpoint }),
    endpoint,
    range,
    origin: reader.origin,
    figures,
    chart: chartOf(chartPoints(status ?? [], range.to - range.from), range, limitOf(check.spec)),
    /** Why it never runs; null for types that do. */
    notRun: notRunHere(check.type),
    related: relatedOf({ components, configs }),
    source,
    run,
    /** What may hold secrets, and what leads elsewhere, is not shown. */
    isPublic: env().isStandalone,
    tab: { history: history && { ...history, open: historyRun }, events, spec },
  };
}
export type CheckInDrawer = NonNullable<Awaited<ReturnType<typeof findCheck>>>;

/** What the drawer asks for of its check over a range, all at once. */
async function overRange(reader: Reader, search: HealthSearch, range: DrawerRange) {
  const { api } = reader;
  const { checkId: id, drawerTab } = search;
  const hasHistory = drawerTab === "history" || drawerTab === "graph"; // both are in the page, see `Overview`
  const [graph, history, events, run, historyRun] = await Promise.all([
    checkGraph(api, id, range, range.value !== null),
    hasHistory ? checkHistory(api, id, range, search) : null,
    drawerTab === "events" ? checkEvents(reader, id, range, search.eventsPage) : null,
    search.run ? runOf(api, id, search.run) : null,
    search.historyRun && hasHistory ? runOf(api, id, search.historyRun) : null,
  ]);
  return { graph, history, events, run, historyRun };
}

/** The check an address names, with what it is linked to; null for an id that is none. */
export async function findRow(api: Api, id: string): Promise<CheckRow | null> {
  if (!isCheckId(id)) return null;
  if (env().isStandalone) return api.find(publicCheckRow, { id: eq(id) });
  return api.find(checkDetailRow, {
    id: eq(id),
    "components.deleted_at": isNull,
    "configs.deleted_at": isNull,
  });
}
export type CheckRow = RowOf<typeof checkDetailRow>;

/** Uptime and latency over the range, both null when nothing ran in it, and its points. */
function checkGraph(api: Api, check: string, { from, to }: Span, isUntilNow: boolean) {
  const asked = new URLSearchParams({ check, start: new Date(from).toISOString() });
  if (!isUntilNow) asked.set("end", new Date(to).toISOString());
  return api.call(`/canary/api/graph?${asked.toString()}`, CheckGraph);
}

/** What the check is linked to, each once, by name (facts/ui-screens §3.7). */
function relatedOf({ components, configs }: Pick<CheckRow, "components" | "configs">) {
  const rows = [
    ...(components ?? []).flatMap(({ components: one }) =>
      one ? [{ id: one.id, name: one.name, kind: "Component" as const, type: null }] : [],
    ),
    ...(configs ?? []).flatMap(({ configs: one }) =>
      one ? [{ id: one.id, name: one.name, kind: "Config" as const, type: one.type ?? null }] : [],
    ),
  ];
  return [...new Map(rows.map((row) => [row.kind + row.id, row])).values()].sort(
    (a, b) => a.name.localeCompare(b.name, "en") || (a.id < b.id ? -1 : 1),
  );
}
