/**
 * How many failed sign-ins are borne. Three limits in a sliding window: one client guessing one account, one client
 * guessing many, and many clients guessing one (wide, because whoever reaches it also keeps the owner out). Pure.
 */
export const WINDOW_MINUTES = 15;
const LIMITS = { pair: 5, client: 50, account: 50 } as const;

/** Failures inside the window along one limit, the present attempt included, and when the oldest of them was. */
interface Count {
  count: number;
  oldest: Date;
}
export type Failures = Record<keyof typeof LIMITS, Count>;

/** Seconds to wait before another attempt is looked at; 0 when this one may go on. */
export function secondsToWait(failures: Failures, now: Date): number {
  const waits = (Object.keys(LIMITS) as (keyof typeof LIMITS)[])
    .filter((limit) => failures[limit].count > LIMITS[limit])
    .map((limit) => failures[limit].oldest.getTime() + WINDOW_MINUTES * 60_000 - now.getTime());
  return waits.length === 0 ? 0 : Math.max(1, ...waits.map((ms) => Math.ceil(ms / 1000)));
}

/** The sentence for a person. */
export function waitSentence(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many failed sign-in attempts. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}
