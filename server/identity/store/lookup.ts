/** Backup recovery codes in internal.lookup_codes, as keyed hashes. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";

/** One code of a set: its place on the paper, and when it was used. */
export interface CodeUse {
  position: number;
  usedAt: Date | null;
}

export function createLookupStore(pool: pg.Pool) {
  return {
    async list(identityId: string): Promise<CodeUse[]> {
      const { rows } = await pool.query<{ position: number; used_at: Date | null }>(
        "select position, used_at from internal.lookup_codes where identity_id = $1 order by position",
        [identityId],
      );
      return rows.map(({ position, used_at }) => ({ position, usedAt: used_at }));
    },

    /** A new set takes the place of the old one. */
    async replace(identityId: string, hashes: readonly Buffer[]): Promise<void> {
      await inTransaction(pool, async (client) => {
        await client.query("delete from internal.lookup_codes where identity_id = $1", [identityId]);
        await client.query(
          `insert into internal.lookup_codes (identity_id, position, code_hash)
           select $1, place, hash from unnest($2::bytea[]) with ordinality t (hash, place)`,
          [identityId, hashes],
        );
      });
    },

    /** Spends a code: "spent" for exactly one of however many ask at once. */
    async spend(identityId: string, hash: Buffer, now: Date): Promise<"spent" | "used before" | "unknown"> {
      const { rowCount } = await pool.query(
        `update internal.lookup_codes set used_at = $3
         where identity_id = $1 and code_hash = $2 and used_at is null`,
        [identityId, hash, now],
      );
      if (rowCount === 1) return "spent";
      const known = await pool.query(
        "select from internal.lookup_codes where identity_id = $1 and code_hash = $2",
        [identityId, hash],
      );
      return known.rowCount === 0 ? "unknown" : "used before";
    },

    async remove(identityId: string): Promise<void> {
      await pool.query("delete from internal.lookup_codes where identity_id = $1", [identityId]);
    },
  };
}

export type LookupStore = ReturnType<typeof createLookupStore>;
