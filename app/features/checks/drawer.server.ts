import { CheckGraph, checkDetailRow, checkStatusRow } from "#app/contract/rows/checks.ts";
import { STATUS_HISTORY_PAGE_SIZE, TIME_RANGES, type TimeRange } from "#app/contract/words/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { duration, measureDuration } from "#app/lib/format/duration.ts";
import { utc } from "#app/lib/format/age.ts";
import { eq, gt, gte, is, orderBy } from "#app/lib/filter.ts";
import { drawDots } from "#app/ui/chart.server.tsx";
import {
  axisLabel,
  chartPoints,
  failedSpans,
  runsOf,
  summaryOf,
  toneOf,
  widthOf,
  type ChartPoint,
} from "./chart-points.ts";
import { longerThan } from "./history-filter.ts";
import { displayName, endpointOf, isCheckId, rangeFor, startOf } from "./model.ts";
import type { HealthSearch } from "./paths.ts";

/**
 * What the drawer shows of one check: itself, its figures, its chart and a page of its history, over the asked time
 * range or the one its last run needs. Null when there is no such check; the spec stays on the server.
 */
export async function findCheck(api: Api, search: HealthSearch, now: number) {
  const { checkId, timeRange } = search;
  const check = isCheckId(checkId) ? await api.find(checkDetailRow, { id: eq(checkId) }) : null;
  if (!check) return null;
  const range = timeRange || rangeFor(check.last_runtime, now);
  const { spec, ...rest } = check;
  const [{ status, ...figures }, history] = await Promise.all([
    checkGraph(api, check.id, range, now),
    checkHistory(api, check.id, range, now, search),
  ]);
  const endpoint = endpointOf(spec);
  return {
    ...rest,
    displayName: displayName({ ...check, endpoint }),
    endpoint,
    range,
    figures,
    chart: chartOf(chartPoints(status ?? [], range), range, now, limitOf(spec)),
    history,
  };
}
export type CheckInDrawer = NonNullable<Awaited<ReturnType<typeof findCheck>>>;

/** Uptime and latency over the range, both null when nothing ran in it, and its points. */
function checkGraph(api: Api, check: string, range: TimeRange, now: number) {
  const asked = new URLSearchParams({ check, start: startOf(range, now) });
  return api.call(`/canary/api/graph?${asked.toString()}`, CheckGraph);
}

/** Newest first, with the number of all runs in the range that the filters leave. */
async function checkHistory(api: Api, id: string, range: TimeRange, now: number, search: HealthSearch) {
  const { historyPage, historyStatus, historyDuration } = search;
  const { ms, error } = longerThan(historyDuration);
  const page = await api.page(checkStatusRow, {
    check_id: eq(id),
    time: gt(startOf(range, now)),
    status: historyStatus === "all" ? undefined : is(historyStatus === "healthy" ? "true" : "false"),
    duration: gte(ms),
    order: orderBy("time.desc"),
    limit: STATUS_HISTORY_PAGE_SIZE,
    offset: (historyPage - 1) * STATUS_HISTORY_PAGE_SIZE,
  });
  return { ...page, error };
}

/** Slower than this fails, in ms; undefined where the spec sets no limit (0 is none). */
function limitOf(spec: Readonly<Record<string, unknown>> | null | undefined): number | undefined {
  const limit = Number(spec?.["thresholdMillis"] ?? 0);
  return Number.isFinite(limit) && limit > 0 ? limit : undefined;
}

/** Below this the axis would have labels of half milliseconds. */
const LEAST_MAX_MS = 4;

/** The picture, its sentence, its read-outs and its rows; null when nothing ran in the range. */
function chartOf(points: readonly ChartPoint[], range: TimeRange, now: number, limit: number | undefined) {
  if (points.length === 0) return null;
  const from = Date.parse(startOf(range, now));
  const width = widthOf(range);
  // A limit far above every run would press them to the floor: then it is said and not drawn.
  const slowest = Math.max(...points.map(({ duration: ms }) => ms));
  const isLimitNear = limit !== undefined && limit <= Math.max(slowest * 4, 10);
  const max = Math.max(slowest, isLimitNear ? limit : 0, LEAST_MAX_MS);
  const label = TIME_RANGES.find(({ value }) => value === range)?.label ?? range;
  return {
    picture: drawDots({
      from,
      to: now,
      max,
      unit: unitOf(max),
      xLabel: axisLabel(range),
      yLabel: (ms) => (ms === 0 ? "0" : duration(ms)),
      dots: points.map((point) => ({ time: point.time, value: point.duration, tone: toneOf(point) })),
      spans: failedSpans(points, width),
      limit: isLimitNear ? limit : undefined,
    }),
    summary: summaryOf(points, label),
    limit: limit === undefined ? null : { words: duration(limit), isDrawn: isLimitNear },
    hasFailures: points.some(({ failed }) => failed > 0),
    readOut: points.map((point) => ({
      at: Math.round(Math.min(Math.max((point.time - from) / (now - from), 0), 1) * 1000) / 10,
      when: utc(point.time),
      words: `${duration(point.duration)}, ${runsOf(point)}`,
    })),
    rows: points.map((point) => [
      utc(point.time),
      String(point.passed),
      String(point.failed),
      duration(point.duration),
    ]),
  };
}

const SIZES = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
/** Milliseconds in the unit the greatest value is read in, so that the axis has round figures. */
const unitOf = (max: number) => SIZES.get(measureDuration(max)?.unit ?? "") ?? 1;
