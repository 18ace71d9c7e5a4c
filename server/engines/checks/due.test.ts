import fc from "fast-check";
import { expect, test } from "vitest";
import { nextInstant, parseSchedule } from "../schedule.ts";
import { dueAfterRun, effectiveSchedule, MISSED_AFTER_MS, soon, turn } from "./due.ts";

const now = new Date("2026-01-01T12:00:00Z");
const before = (ms: number) => new Date(now.getTime() - ms);

test("a due check runs for its instant and is due again at the next", () => {
  const schedule = parseSchedule("@every 10s");
  const instant = nextInstant(schedule, "a", before(10_000))!;
  const late = new Date(instant.getTime() + 300);
  expect(turn({ id: "a", schedule: "@every 10s", nextRuntime: instant }, late)).toEqual({
    id: "a",
    instant,
    next: new Date(instant.getTime() + 10_000),
  });
});

test("of many missed instants only the last is run", () => {
  const { instant, next } = turn({ id: "a", schedule: "@every 10s", nextRuntime: before(3_600_000) }, now);
  expect(now.getTime() - instant!.getTime()).toBeLessThan(10_000);
  expect(next!.getTime() - instant!.getTime()).toBe(10_000);
});

test("an instant missed for longer than a minute is skipped, not made up", () => {
  const { instant, next } = turn(
    { id: "a", schedule: "0 3 * * *", nextRuntime: new Date("2026-01-01T03:00:00Z") },
    now,
  );
  expect([instant, next]).toEqual([null, new Date("2026-01-02T03:00:00Z")]);
});

test("whatever was missed: the instant is recent, the next one is in the future and far enough away", () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.constantFrom("@every 1s", "@every 7s", "@every 1h", "* * * * * *", "*/5 * * * *", "@daily"),
      fc.integer({ min: 0, max: 100_000_000 }),
      fc.constantFrom(1000, 5000),
      (id, schedule, ago, minMs) => {
        const { instant, next } = turn({ id, schedule, nextRuntime: before(ago) }, now, minMs);
        expect(next!.getTime()).toBeGreaterThan(now.getTime());
        if (!instant) {
          expect(ago).toBeGreaterThan(MISSED_AFTER_MS);
          return;
        }
        expect(instant.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(now.getTime() - instant.getTime()).toBeLessThanOrEqual(MISSED_AFTER_MS);
        expect(next!.getTime() - instant.getTime()).toBeGreaterThanOrEqual(minMs);
      },
    ),
  );
});

test("what has no schedule is not run; one that cannot be read gets a turn to say so", () => {
  expect(turn({ id: "a", schedule: null, nextRuntime: before(5) }, now)).toMatchObject({
    instant: null,
    next: null,
  });
  expect(turn({ id: "a", schedule: "soonish", nextRuntime: before(5) }, now)).toMatchObject({
    instant: before(5),
    next: null,
  });
  expect(turn({ id: "a", schedule: "@never", nextRuntime: before(5) }, now).next).toBeNull();
});

test("new checks run within a second, spread", () => {
  const delays = Array.from({ length: 100 }, (_, n) => soon(`check ${n}`, now).getTime() - now.getTime());
  expect(Math.max(...delays)).toBeLessThan(1000);
  expect(new Set(delays).size).toBeGreaterThan(80);
});

test("a run that outlasts its period is followed by the next instant, not by itself", () => {
  const next = dueAfterRun({ id: "a", schedule: "@every 10s" }, now)!;
  expect(next.getTime()).toBeGreaterThan(now.getTime());
  expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(10_000);
  expect(dueAfterRun({ id: "a", schedule: null }, now)).toBeNull();
});

test("the schedule wins over the interval, and neither means never", () => {
  expect(effectiveSchedule({ schedule: "@hourly", interval: 30 })).toBe("@hourly");
  expect(effectiveSchedule({ interval: 30 })).toBe("@every 30s");
  expect(effectiveSchedule({ interval: "30" })).toBe("@every 30s");
  expect(effectiveSchedule({ schedule: " ", interval: 0 })).toBeNull();
  expect(effectiveSchedule({})).toBeNull();
});
