/** The drawer's chart as data: points of a time range, failed spans and one sentence. Pure. */
import { counted } from "#app/lib/format/count.ts";
import { duration } from "#app/lib/format/duration.ts";
import { utc } from "#app/lib/format/age.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** More marks than this stand on one another in a drawer: neighbours become one. */
const MOST_POINTS = 120;

/** A point of `GET /canary/api/graph`. `time` is the middle of its window; `duration` the average in ms. */
export interface GraphPoint {
  time: Date;
  duration?: number | null | undefined;
  passed?: number | null | undefined;
  failed?: number | null | undefined;
}
/** A mark of the chart: ms since the epoch, average ms, and how many runs it stands for. */
export interface ChartPoint {
  time: number;
  duration: number;
  passed: number;
  failed: number;
}

/** Ranges begin with a whole minute and end now: "2 hours" may be 59 seconds longer. */
const wholeOf = (length: number) => Math.floor(length / MINUTE) * MINUTE;

/**
 * How wide the windows of the graph call are, ms, for a range of this length (1 min to 2 h, 15 min to 24 h, 1 h to 7 d,
 * else 4 h).
 */
export function windowOf(asked: number): number {
  const length = wholeOf(asked);
  if (length <= 2 * HOUR) return MINUTE;
  if (length <= DAY) return 15 * MINUTE;
  return length <= 7 * DAY ? HOUR : 4 * HOUR;
}

/** How wide a mark of the chart is, ms: a window, or as many whole windows as keep the marks apart. */
export function widthOf(length: number): number {
  const window = windowOf(length);
  return window * Math.ceil(wholeOf(length) / window / MOST_POINTS);
}

/** The graph's points of a range of this length (ms) as marks, oldest first. Merged ones keep their sums; their duration is weighted by runs. */
export function chartPoints(graph: readonly GraphPoint[], length: number): ChartPoint[] {
  const width = widthOf(length);
  const isMerged = width > windowOf(length);
  const marks = new Map<number, ChartPoint & { weight: number }>();
  for (const { time, duration: average, passed, failed } of graph) {
    const at = time.getTime();
    const key = isMerged ? Math.floor(at / width) : at;
    const mark = marks.get(key) ?? {
      time: isMerged ? key * width + width / 2 : at,
      duration: 0,
      passed: 0,
      failed: 0,
      weight: 0,
    };
    const runs = (passed ?? 0) + (failed ?? 0);
    const weight = Math.max(runs, 1);
    mark.duration = (mark.duration * mark.weight + (average ?? 0) * weight) / (mark.weight + weight);
    mark.weight += weight;
    mark.passed += passed ?? 0;
    mark.failed += failed ?? 0;
    marks.set(key, mark);
  }
  return [...marks.values()]
    .map(({ weight: _, ...point }) => ({ ...point, duration: Math.round(point.duration) }))
    .sort((a, b) => a.time - b.time);
}

export const toneOf = ({ passed, failed }: ChartPoint) =>
  failed > 0 ? "unhealthy" : passed > 0 ? "healthy" : "unknown";

/** From the first to the last of neighbouring points with failures, half a mark to either side. */
export function failedSpans(points: readonly ChartPoint[], width: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let wasFailing = false;
  for (const { time, failed } of points) {
    const last = spans.at(-1);
    if (failed > 0 && wasFailing && last) last.to = time + width / 2;
    else if (failed > 0) spans.push({ from: time - width / 2, to: time + width / 2 });
    wasFailing = failed > 0;
  }
  return spans;
}

/** "2 passed, 1 failed"; what is zero is left out. */
export const runsOf = ({ passed, failed }: Pick<ChartPoint, "passed" | "failed">): string =>
  [passed > 0 ? `${passed} passed` : "", failed > 0 ? `${failed} failed` : ""].filter(Boolean).join(", ") ||
  "no result";

/** The chart in one sentence, for those who do not see it. `words`: "in the last 1 hour". */
export function summaryOf(points: readonly ChartPoint[], words: string): string {
  if (points.length === 0) return `No run ${words}.`;
  const sorted = points.map(({ duration: ms }) => ms).sort((a, b) => a - b);
  const [middle = 0, most = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  const sum = (part: "passed" | "failed") => points.reduce((all, point) => all + point[part], 0);
  const [passed, failed] = [sum("passed"), sum("failed")];
  const lastFailure = points.findLast((point) => point.failed > 0);
  const failures = lastFailure
    ? `${failed} of ${counted(passed + failed, "run")} failed, the last of them about ${utc(lastFailure.time)}`
    : `none of ${counted(passed + failed, "run")} failed`;
  return `Latency ${words}: usually ${duration(middle)}, at most ${duration(most)}; ${failures}.`;
}

const label = (upTo: number, format: Intl.DateTimeFormatOptions) => ({
  upTo,
  format: new Intl.DateTimeFormat("en-US", { ...format, timeZone: "UTC" }),
});
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
/** Of all charts the same: to make one takes longer than to write a whole axis with it. */
const LABELS = [
  label(DAY, TIME),
  label(30 * DAY, { month: "short", day: "numeric", ...TIME }),
  label(360 * DAY, { month: "long", day: "numeric" }),
  label(Infinity, { year: "numeric" }),
];

/** How a moment is written under the chart, in UTC (facts/ui-screens §3.7): the shorter the range (ms), the finer. */
export function axisLabel(length: number): (time: Date) => string {
  const { format } = LABELS.find(({ upTo }) => wholeOf(length) <= upTo) ?? LABELS[0]!;
  return (time) => format.format(time);
}
