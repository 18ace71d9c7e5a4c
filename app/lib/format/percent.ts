/** Percentages show one decimal (specification 1 §9). A whole number is drawn without it: "100%". */

/** The share of `part` in `whole`, 0 to 1; null when there is nothing to divide by. */
export function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/**
 * "91.4" for 0.9139. Never rounds up to 100 or down to 0: one failure in ten thousand is 99.9, not 100, because
 * "100%" says that nothing failed.
 */
export function percentFigure(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) return "";
  const tenths = Math.round(ratio * 1_000);
  const kept = ratio < 1 && tenths === 1_000 ? 999 : ratio > 0 && tenths === 0 ? 1 : tenths;
  return String(kept / 10);
}

/** "91.4%"; "" when there is none. */
export function percent(ratio: number | null | undefined): string {
  const figure = percentFigure(ratio);
  return figure && `${figure}%`;
}

/** Uptime is passed divided by passed plus failed (specification 1 §9); null when it never ran. */
export function uptime({ passed, failed }: { passed: number; failed: number }): number | null {
  return share(passed, passed + failed);
}
