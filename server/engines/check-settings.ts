import type pg from "pg";
import { checkTypeName } from "#app/contract/words/check-types.ts";
import { durationMs, MIN_INTERVAL_MS } from "./schedule.ts";

/**
 * What properties say about all checks: `check.interval.min`, the least time between two instants (a duration or seconds,
 * at least 1 s), `check.disabled.<type>` and `check.*.disabled` (facts: engines §3.2).
 */
export function createCheckSettings(pool: pg.Pool) {
  let minMs = MIN_INTERVAL_MS;
  let disabled = new Set<string>();
  return {
    /** In milliseconds. */
    minIntervalMs: () => minMs,
    /** Whether checks of this type, or with "*" all of them, do not run by themselves. */
    isDisabled: (type: string) => disabled.has(type),
    async refresh(): Promise<void> {
      const { rows } = await pool.query<{ name: string; value: string }>(
        `select name, value from public.properties
         where deleted_at is null and (name in ('check.interval.min', 'check.*.disabled') or name like 'check.disabled.%')`,
      );
      const values = new Map(rows.map(({ name, value }) => [name, value.trim()]));
      minMs = intervalOf(values.get("check.interval.min") ?? "");
      disabled = new Set([...values].flatMap(([name, value]) => (isOn(value) ? disables(name) : [])));
    },
  };
}

function intervalOf(value: string): number {
  const wanted = durationMs(value) ?? Number(value || Number.NaN) * 1000;
  return Number.isFinite(wanted) ? Math.max(MIN_INTERVAL_MS, wanted) : MIN_INTERVAL_MS;
}

const isOn = (value: string) => /^(true|enabled|on)$/i.test(value);

function disables(name: string): string[] {
  if (name === "check.*.disabled") return ["*"];
  const [, type] = /^check\.disabled\.(.+)$/.exec(name) ?? [];
  return type === undefined ? [] : [checkTypeName(type)];
}
