/** Durations in milliseconds, as people read them (specification 1 §9). */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A figure and its unit apart, so that the unit can be drawn small. */
export interface Measure {
  figure: string;
  unit: string;
}

/**
 * One figure and one unit: under 1 s in ms, under 1 min in s, under 1 hour in m, otherwise h. One decimal below ten,
 * because 1.4 s and 1.6 s are not the same latency. Null for no or a negative duration.
 */
export function measureDuration(ms: number | null | undefined): Measure | null {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return null;
  if (Math.round(ms) < SECOND) return { figure: String(Math.round(ms)), unit: "ms" };
  const [size, unit] = ms < MINUTE ? [SECOND, "s"] : ms < HOUR ? [MINUTE, "m"] : [HOUR, "h"];
  const amount = ms / size;
  return { figure: String(amount < 9.95 ? Math.round(amount * 10) / 10 : Math.round(amount)), unit };
}

/** "84 ms", "1.2 s", "9 m", "2 h"; "" when there is none. */
export function duration(ms: number | null | undefined): string {
  const measure = measureDuration(ms);
  return measure ? `${measure.figure} ${measure.unit}` : "";
}

const PARTS = [
  [DAY, "d"],
  [HOUR, "h"],
  [MINUTE, "m"],
  [SECOND, "s"],
] as const;

/** The longer form for runs and jobs: "934ms", "2m30s", "1d4h"; parts that are zero are left out. */
export function longDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return "";
  if (Math.round(ms) < SECOND) return `${Math.round(ms)}ms`;
  let rest = Math.round(ms / SECOND) * SECOND;
  return PARTS.map(([size, unit]) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount ? `${amount}${unit}` : "";
  }).join("");
}
