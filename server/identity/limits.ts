/**
 * The one way to count guesses and requests: take before the work, give back what was no guess. The counts are in the
 * database, so they hold over every control plane, and however many come at once no more than the limit are let through.
 */
import type pg from "pg";
import { countedUnder, type LimitKeys, type LimitKind } from "./throttle.ts";
import { digest } from "./tokens.ts";

/** What was taken, to be handed to `forgive` or `giveBack`. */
export interface Reservation {
  at: Date;
  keys: Buffer[];
  /** Those that count only whoever tried: forgiven whole when it was the right one. */
  own: Buffer[];
}
export type Taken = { ok: true; reservation: Reservation } | { ok: false; seconds: number };

export function createLimits(pool: pg.Pool, now: () => Date) {
  async function release(keys: Buffer[], forgotten: Buffer[], at: Date): Promise<void> {
    await pool.query({
      name: "identity.limits.return",
      text: "select internal.return_limits($1::bytea[], $2::bytea[], $3::timestamptz)",
      values: [keys, forgotten, at],
    });
  }

  return {
    /**
     * One statement before the costly work: counts this attempt, or says in how many seconds to come again. The keys are
     * of whoever tries; the same for an account that exists and one that does not.
     */
    async take(kind: LimitKind, keys: LimitKeys): Promise<Taken> {
      const parts = countedUnder(kind, keys).map((part) => ({ ...part, key: digest(part.text) }));
      const at = now();
      const { rows } = await pool.query<{ seconds: number }>({
        name: "identity.limits.take",
        text: "select internal.take_limits($1::bytea[], $2::integer[], $3::integer[], $4::timestamptz) as seconds",
        values: [parts.map(({ key }) => key), parts.map(({ most }) => most), parts.map((p) => p.seconds), at],
      });
      const seconds = rows[0]?.seconds ?? 0;
      if (seconds > 0) return { ok: false, seconds };
      const isOwn = ({ dimension }: (typeof parts)[number]) => dimension === "pair" || dimension === "known";
      const [own, shared] = [parts.filter(isOwn), parts.filter((part) => !isOwn(part))];
      const keysOf = (some: typeof parts) => some.map(({ key }) => key);
      return { ok: true, reservation: { at, keys: keysOf(shared), own: keysOf(own) } };
    },

    /** It was right: this attempt does not count, and whoever made it begins anew. What others tried stays counted. */
    forgive: ({ keys, own, at }: Reservation) => release(keys, own, at),

    /** It was not looked at after all: as if it had not been. */
    giveBack: ({ keys, own, at }: Reservation) => release([...keys, ...own], [], at),

    /** Forgets what is over; for the housekeeping. Returns how many. */
    async removeOld(): Promise<number> {
      const { rowCount } = await pool.query(
        "delete from internal.limits where cardinality(internal.recent_of(taken, seconds, $1::timestamptz)) = 0",
        [now()],
      );
      return rowCount ?? 0;
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;
