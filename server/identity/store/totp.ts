/** Authenticator apps in internal.totp_factors, one for each identity. Secrets come and go sealed. */
import type pg from "pg";

export function createTotpStore(pool: pg.Pool) {
  return {
    async find(identityId: string): Promise<Buffer | null> {
      const { rows } = await pool.query<{ secret: Buffer }>(
        "select secret from internal.totp_factors where identity_id = $1",
        [identityId],
      );
      return rows[0]?.secret ?? null;
    },

    /** Keeps a new app, whose first code (of `step`) is spent by that; false when there is one already. */
    async add(identityId: string, secret: Buffer, step: number, now: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `insert into internal.totp_factors (identity_id, secret, last_step, added_at) values ($1, $2, $3, $4)
         on conflict (identity_id) do nothing`,
        [identityId, secret, step, now],
      );
      return rowCount === 1;
    },

    /**
     * Spends the code of a step: true for exactly one of however many ask at once, and never for a step at or before
     * one that was spent.
     */
    async spend(identityId: string, step: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        "update internal.totp_factors set last_step = $2 where identity_id = $1 and last_step < $2",
        [identityId, step],
      );
      return rowCount === 1;
    },

    async remove(identityId: string): Promise<void> {
      await pool.query("delete from internal.totp_factors where identity_id = $1", [identityId]);
    },
  };
}

export type TotpStore = ReturnType<typeof createTotpStore>;
