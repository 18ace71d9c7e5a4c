import { drawDots, drawLines, writeLines, writeReadOut } from "#app/ui/chart.server.tsx";

const FROM = Date.UTC(2026, 9, 14, 9, 12);
const MINUTE = 60_000;
const clock = (time: Date) => time.toISOString().slice(11, 16);
const milliseconds = (value: number) => (value === 0 ? "0" : `${value} ms`);

/** The charts of the page: an hour of runs that begin to fail, and two courses. */
export function exampleCharts() {
  const frame = { from: FROM, to: FROM + 60 * MINUTE, xLabel: clock, yLabel: milliseconds };
  const runs = Array.from({ length: 60 }, (_, minute) => {
    const isBad = minute > 30 && minute % 7 !== 0;
    const wave = Math.round(Math.abs(Math.sin(minute * 1.7)) * 400);
    return { time: FROM + minute * MINUTE, value: isBad ? 1900 + wave : 150 + wave / 4, isBad };
  });
  const course = (height: number, shift: number) =>
    runs.map(({ time }, minute) => ({
      time,
      value: Math.round(height * (1.2 + Math.sin((minute + shift) / 6))),
    }));
  return {
    dots: drawDots({
      ...frame,
      max: 2300,
      dots: runs.map(({ time, value, isBad }) => ({ time, value, tone: isBad ? "unhealthy" : "healthy" })),
      spans: [{ from: FROM + 30.5 * MINUTE, to: FROM + 60 * MINUTE }],
      limit: 1500,
    }),
    readOut: writeReadOut(
      runs.map(({ time, value, isBad }, minute) => ({
        at: (minute / 60) * 100,
        when: `${clock(new Date(time))} UTC`,
        words: `${Math.round(value)} ms, ${isBad ? "failed" : "passed"}`,
      })),
    ),
    rows: writeLines(
      runs
        .filter((_, minute) => minute % 10 === 0)
        .map(({ time, value }) => [clock(new Date(time)), milliseconds(Math.round(value))]),
    ),
    lines: drawLines({
      ...frame,
      max: 900,
      smooth: true,
      lines: [
        { series: 1, points: course(400, 0) },
        { series: 4, points: course(250, 9) },
      ],
    }),
  };
}
export type ExampleCharts = ReturnType<typeof exampleCharts>;
