import { duration, measureDuration } from "#app/lib/format/duration.ts";
import { utc } from "#app/lib/format/age.ts";
import { drawDots, writeLines, writeReadOut } from "#app/ui/chart.server.tsx";
import {
  axisLabel,
  failedSpans,
  runsOf,
  summaryOf,
  toneOf,
  widthOf,
  type ChartPoint,
} from "./chart-points.ts";
import type { DrawerRange } from "./drawer-range.ts";

/** Below this the axis would have labels of half milliseconds. */
const LEAST_MAX_MS = 4;

/** The picture, its sentence, its read-outs and its rows; null when nothing ran in the range. `limit` in ms. */
export function chartOf(points: readonly ChartPoint[], range: DrawerRange, limit: number | undefined) {
  if (points.length === 0) return null;
  const { from, to } = range;
  const length = to - from;
  // A limit far above every run would press them to the floor: then it is said and not drawn.
  const slowest = Math.max(...points.map(({ duration: ms }) => ms));
  const isLimitNear = limit !== undefined && limit <= Math.max(slowest * 4, 10);
  const max = Math.max(slowest, isLimitNear ? limit : 0, LEAST_MAX_MS);
  return {
    picture: drawDots({
      from,
      to,
      max,
      unit: unitOf(max),
      xLabel: axisLabel(length),
      yLabel: (ms) => (ms === 0 ? "0" : duration(ms)),
      dots: points.map((point) => ({ time: point.time, value: point.duration, tone: toneOf(point) })),
      spans: failedSpans(points, widthOf(length)),
      limit: isLimitNear ? limit : undefined,
    }),
    summary: summaryOf(points, range.words),
    limit: limit === undefined ? null : { words: duration(limit), isDrawn: isLimitNear },
    hasFailures: points.some(({ failed }) => failed > 0),
    readOut: writeReadOut(
      points.map((point) => ({
        at: Math.round(Math.min(Math.max((point.time - from) / length, 0), 1) * 1000) / 10,
        when: utc(point.time),
        words: `${duration(point.duration)}, ${runsOf(point)}`,
      })),
    ),
    rows: writeLines(
      points.map(({ time, passed, failed, duration: ms }) => [
        utc(time),
        String(passed),
        String(failed),
        duration(ms),
      ]),
    ),
  };
}

/** Slower than this fails, in ms; undefined where the spec sets no limit (0 is none). */
export function limitOf(spec: Readonly<Record<string, unknown>> | null | undefined): number | undefined {
  const limit = Number(spec?.["thresholdMillis"] ?? 0);
  return Number.isFinite(limit) && limit > 0 ? limit : undefined;
}

const SIZES = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);
/** Milliseconds in the unit the greatest value is read in, so that the axis has round figures. */
const unitOf = (max: number) => SIZES.get(measureDuration(max)?.unit ?? "") ?? 1;
