/** How a check of the demo behaves, told twice: by its target from now on, and by its history until now. */

export type Story = "steady" | "flapping" | "outage" | "slow" | "expired" | "lagging" | "down";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of the pseudo-random numbers: the same estate at the same moment is the same everywhere. */
export const SEED = 7;

/** A run's outcome by its story; `since` is how long the present state has lasted. */
export interface Chapter {
  /** What a failed run says. */
  error: string | null;
  /** Milliseconds before the start of the demo at which it began to fail, and at which it stopped (0: it still does). */
  failsFrom: number | null;
  failsUntil: number;
  /** Of the minutes in between, how many fail: 1 is all. */
  share: number;
}

const CHAPTERS: Record<Story, Chapter> = {
  steady: { error: null, failsFrom: null, failsUntil: 0, share: 0 },
  slow: { error: "took longer than its threshold", failsFrom: 30 * DAY, failsUntil: 0, share: 0.03 },
  flapping: { error: "unexpected status code 503", failsFrom: 26 * HOUR, failsUntil: 0, share: 0.35 },
  outage: {
    error: "unexpected status code 502",
    failsFrom: 6 * DAY + 3 * HOUR,
    failsUntil: 6 * DAY,
    share: 1,
  },
  expired: { error: "certificate has expired", failsFrom: 2 * DAY + 7 * HOUR, failsUntil: 0, share: 1 },
  lagging: {
    error: "unexpected status code 503: the replica is behind",
    failsFrom: 9.5 * HOUR,
    failsUntil: 0,
    share: 1,
  },
  down: { error: "unexpected status code 502", failsFrom: 47 * MINUTE, failsUntil: 0, share: 1 },
};

export const chapterOf = (story: Story): Chapter => CHAPTERS[story];

/** What the target of a story answers at an instant: status, body, and how much longer than usual it takes. */
export function answerOf(story: string, now: number): { status: number; body: string; slowness: number } {
  const block = Math.floor(now / (7 * MINUTE)); // what flaps does so for a few minutes at a time
  switch (story) {
    case "flapping":
      return noise(block) < 0.35
        ? { status: 503, body: "no healthy upstream", slowness: 0.2 }
        : { status: 200, body: "ok", slowness: 1 };
    case "lagging":
      return { status: 503, body: "the replica is behind its primary", slowness: 1 };
    case "down":
      return { status: 502, body: "bad gateway", slowness: 0.2 };
    case "slow":
      return { status: 200, body: "ok", slowness: noise(Math.floor(now / MINUTE)) < 0.03 ? 2.4 : 1.3 };
    default:
      return { status: 200, body: "ok", slowness: 1 };
  }
}

/** A number from 0 to 1 that depends on nothing but its argument and the seed. */
export function noise(n: number): number {
  let x = (Math.imul(n ^ (SEED * 0x9e3779b1), 0x85ebca6b) ^ (n >>> 13)) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0xc2b2ae35) >>> 0;
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
}
