import { useNavigate } from "@remix-run/react";
import { useMemo, useState, type PointerEvent } from "react";
import { readLines } from "./lines.ts";

/** What one mark says. `at` is its place in percent from the left; `words` its figures, `when` its time. */
export interface ReadOut {
  at: number;
  when: string;
  words: string;
}
/** The time of the chart, ms, and the address of a stretch of it. */
export interface Brush {
  from: number;
  to: number;
  pathOf(from: number, to: number): string;
}

/** Where, when and what, as `writeReadOut` of `chart.server.tsx` wrote them. */
const readPoints = (written: string): ReadOut[] =>
  readLines(written).map(([at, when = "", words = ""]) => ({ at: Number(at), when, words }));

/** A press that moves less than this, in percent of the chart, draws nothing. */
const LEAST = 1;
const MINUTE = 60_000;

/**
 * A line at the mark nearest to the pointer, and its figures; pressed and drawn along the chart, the stretch of time that
 * is shown next. For the pointer only, and only with script: everybody else has the table twin and the fields of the
 * range, which do the same.
 */
export function ChartReadOut({ written, brush }: { written: string; brush?: Brush | undefined }) {
  const navigate = useNavigate();
  const points = useMemo(() => readPoints(written), [written]);
  const [point, setPoint] = useState<ReadOut | null>(null);
  const [drawn, setDrawn] = useState<{ from: number; to: number } | null>(null);
  if (points.length === 0) return null;

  function follow(event: PointerEvent<HTMLElement>) {
    const at = placeOf(event);
    const nearer = (best: ReadOut, one: ReadOut) =>
      Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best;
    setPoint(points.reduce(nearer));
    if (drawn) setDrawn({ from: drawn.from, to: at });
  }
  function press(event: PointerEvent<HTMLElement>) {
    follow(event);
    if (!brush || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = placeOf(event);
    setDrawn({ from: at, to: at });
  }
  function release() {
    setDrawn(null);
    if (!brush || !drawn) return;
    const [first, last] = [Math.min(drawn.from, drawn.to), Math.max(drawn.from, drawn.to)];
    if (last - first < LEAST) return;
    const time = (at: number) => brush.from + ((brush.to - brush.from) * at) / 100;
    const start = Math.floor(time(first) / MINUTE) * MINUTE; // as an address writes it: whole minutes
    const end = Math.max(Math.ceil(time(last) / MINUTE) * MINUTE, start + MINUTE);
    void navigate(brush.pathOf(start, end), { preventScrollReset: true });
  }
  return (
    <div
      aria-hidden="true"
      className={brush ? "absolute inset-0 cursor-crosshair touch-pan-y" : "absolute inset-0"}
      onPointerMove={follow}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => setDrawn(null)}
      onPointerLeave={() => setPoint(null)}
    >
      {drawn ? (
        <div
          className="pointer-events-none absolute inset-y-0 border-x border-accent bg-accent-wash opacity-70"
          style={{ left: `${Math.min(drawn.from, drawn.to)}%`, width: `${Math.abs(drawn.to - drawn.from)}%` }}
        />
      ) : null}
      {point ? (
        <div
          className="pointer-events-none absolute inset-y-0 border-l border-muted"
          style={{ left: `${point.at}%` }}
        >
          <p
            className={`absolute top-0 z-(--layer-menu) rounded-md border border-line-strong bg-raised px-2 py-1 text-xs whitespace-nowrap text-ink shadow-raised ${point.at > 50 ? "right-2" : "left-2"}`}
          >
            <span className="block text-faint">{point.when}</span>
            {point.words}
          </p>
        </div>
      ) : null}
    </div>
  );
}

/** Where along the chart, in percent from the left. */
function placeOf({ clientX, currentTarget }: PointerEvent<HTMLElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(Math.max(((clientX - left) / width) * 100, 0), 100);
}
