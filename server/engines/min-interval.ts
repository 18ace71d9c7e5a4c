import type pg from "pg";
import { durationMs, MIN_INTERVAL_MS } from "./schedule.ts";

/** The least time between two instants of a check: property `check.interval.min`, a duration or seconds, at least 1 s. */
export function createMinInterval(pool: pg.Pool) {
  let ms = MIN_INTERVAL_MS;
  return {
    /** In milliseconds. */
    current: () => ms,
    async refresh(): Promise<void> {
      const { rows } = await pool.query<{ value: string }>(
        "select value from public.properties where name = 'check.interval.min' and deleted_at is null",
      );
      const value = rows[0]?.value.trim() ?? "";
      const wanted = durationMs(value) ?? Number(value || Number.NaN) * 1000;
      ms = Number.isFinite(wanted) ? Math.max(MIN_INTERVAL_MS, wanted) : MIN_INTERVAL_MS;
    },
  };
}
