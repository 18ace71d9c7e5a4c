/**
 * Charts are drawn on the server (decision 0048): visx turns data into SVG here, the page gets markup and the positions
 * of its labels, and no drawing library reaches the browser. The picture is stretched over its box, so its strokes do
 * not scale, and words are HTML beside it: fluid without script, and text never shrinks.
 */
import { curveLinear, curveMonotoneX } from "@visx/curve";
import { Group } from "@visx/group";
import { scaleLinear, scaleUtc } from "@visx/scale";
import { Bar, Line, LinePath } from "@visx/shape";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ReadOut } from "./parts/chart-read-out.tsx";
import { writeLines } from "./parts/lines.ts";

export { writeLines } from "./parts/lines.ts";

/** The picture's own coordinates. */
const [WIDTH, HEIGHT] = [1000, 100];

/** A label and where it stands, in percent from the left or from the top. */
export interface ChartTick {
  at: number;
  label: string;
}
/** What the page needs to show a chart; plain data, made by a loader. */
export interface ChartPicture {
  /** The inside of the `<svg>`, safe markup: numbers and our own class names. */
  markup: string;
  x: ChartTick[];
  y: ChartTick[];
}
/** A mark of a scatter chart. `time` in ms since the epoch. */
export interface ChartDot {
  time: number;
  value: number;
  tone: "healthy" | "unhealthy" | "unknown";
}
export interface ChartSpan {
  from: number;
  to: number;
}
/** The axes: time from left to right, values from 0 up. */
export interface ChartFrame {
  from: number;
  to: number;
  /** The greatest value that must fit. */
  max: number;
  /** Divides values before round numbers are looked for: 60000 when they are ms and read as minutes. */
  unit?: number;
  xLabel: (time: Date) => string;
  yLabel: (value: number) => string;
}

interface Scales {
  x: (time: number) => number;
  y: (value: number) => number;
}

/** Where things stand, and the labels of both axes. */
function layOut({ from, to, max, unit = 1, xLabel, yLabel }: ChartFrame) {
  const time = scaleUtc<number>({ domain: [new Date(from), new Date(to)], range: [0, WIDTH] });
  const value = scaleLinear<number>({
    domain: [0, max > 0 ? (max / unit) * 1.05 : 1],
    range: [HEIGHT, 0],
    nice: 3,
  });
  const scales: Scales = {
    x: (instant) => clamp(time(new Date(instant)), WIDTH),
    y: (amount) => clamp(value(amount / unit), HEIGHT),
  };
  const x = time.ticks(5).map((tick) => ({ at: percent(time(tick), WIDTH), label: xLabel(tick) }));
  const y = value.ticks(3).map((tick) => ({ at: percent(value(tick), HEIGHT), label: yLabel(tick * unit) }));
  return { scales, x, y };
}

const clamp = (position: number, max: number) => Math.min(Math.max(Math.round(position * 10) / 10, 0), max);
const percent = (position: number, whole: number) => Math.round((position / whole) * 1000) / 10;

/** Zero-length strokes: their round or square caps keep the shape, however the picture is stretched. */
const dotsPath = (dots: readonly ChartDot[], { x, y }: Scales) =>
  dots.map(({ time, value }) => `M${x(time)} ${y(value)}h0`).join("");

const DOTS: Record<ChartDot["tone"], string> = {
  healthy: "fill-none stroke-healthy stroke-6 [stroke-linecap:round]",
  unhealthy: "fill-none stroke-unhealthy stroke-7 [stroke-linecap:square]",
  unknown: "fill-none stroke-unknown stroke-4 [stroke-linecap:round]",
};

/** Single results over time: round where it passed, square where it failed, failed spans shaded, a limit dashed. */
export function drawDots({
  dots,
  spans = [],
  limit,
  ...frame
}: ChartFrame & { dots: readonly ChartDot[]; spans?: readonly ChartSpan[]; limit?: number | undefined }) {
  const { scales, x, y } = layOut(frame);
  return picture(
    x,
    y,
    <>
      {spans.map(({ from, to }) => (
        <Bar
          key={from}
          x={scales.x(from)}
          width={Math.max(scales.x(to) - scales.x(from), 1)}
          y={0}
          height={HEIGHT}
          className="fill-unhealthy-wash opacity-60"
        />
      ))}
      <Grid ticks={y} />
      {limit === undefined ? null : (
        <Across at={scales.y(limit)} className="stroke-muted [stroke-dasharray:5_4]" />
      )}
      {(["unknown", "healthy", "unhealthy"] as const).map((tone) => {
        const path = dotsPath(
          dots.filter((dot) => dot.tone === tone),
          scales,
        );
        return path ? <path key={tone} d={path} data-lamp="" className={DOTS[tone]} /> : null;
      })}
    </>,
  );
}

/** One line of a line chart; `series` picks its colour. */
export interface ChartLine {
  series: 1 | 2 | 3 | 4 | 5;
  points: readonly { time: number; value: number }[];
}
const STROKES: Record<ChartLine["series"], string> = {
  1: "stroke-series-1",
  2: "stroke-series-2",
  3: "stroke-series-3",
  4: "stroke-series-4",
  5: "stroke-series-5",
};

/** Courses over time, one line each; `smooth` never leaves the values it joins. */
export function drawLines({
  lines,
  smooth = false,
  ...frame
}: ChartFrame & { lines: readonly ChartLine[]; smooth?: boolean }): ChartPicture {
  const { scales, x, y } = layOut(frame);
  return picture(
    x,
    y,
    <>
      <Grid ticks={y} />
      {lines.map(({ series, points }) => (
        <LinePath
          key={series}
          data={[...points]}
          x={({ time }) => scales.x(time)}
          y={({ value }) => scales.y(value)}
          curve={smooth ? curveMonotoneX : curveLinear}
          className={`fill-none stroke-[1.5] [stroke-linejoin:round] ${STROKES[series]}`}
        />
      ))}
    </>,
  );
}

/** What the pointer is told, as the chart reads it. */
export const writeReadOut = (points: readonly ReadOut[]): string =>
  writeLines(points.map(({ at, when, words }) => [String(at), when, words]));

function picture(x: ChartTick[], y: ChartTick[], drawn: ReactElement): ChartPicture {
  return { markup: renderToStaticMarkup(<Group>{drawn}</Group>), x, y };
}

function Grid({ ticks }: { ticks: readonly ChartTick[] }) {
  return ticks.map(({ at }) => (
    <Across
      key={at}
      at={at}
      className={at === 100 ? "stroke-line-strong" : "stroke-line [stroke-dasharray:2_3]"}
    />
  ));
}

function Across({ at, className }: { at: number; className: string }) {
  return <Line from={{ x: 0, y: at }} to={{ x: WIDTH, y: at }} className={`stroke-1 ${className}`} />;
}
