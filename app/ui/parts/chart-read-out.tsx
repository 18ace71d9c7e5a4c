import { useState, type PointerEvent } from "react";

/** What one mark says. `at` is its place in percent from the left; `words` its figures, `when` its time. */
export interface ReadOut {
  at: number;
  when: string;
  words: string;
}

/**
 * A line at the mark nearest to the pointer, and its figures. For the pointer only, and only with script: everybody
 * else has the table twin, which says the same.
 */
export function ChartReadOut({ points }: { points: readonly ReadOut[] }) {
  const [point, setPoint] = useState<ReadOut | null>(null);
  if (points.length === 0) return null;

  function follow({ clientX, currentTarget }: PointerEvent<HTMLElement>) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = ((clientX - left) / width) * 100;
    const nearer = (best: ReadOut, one: ReadOut) =>
      Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best;
    setPoint(points.reduce(nearer));
  }
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0"
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => setPoint(null)}
    >
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
