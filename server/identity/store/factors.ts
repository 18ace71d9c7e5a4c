/** What a person could sign in with, over all kinds of factors. */
import type pg from "pg";

export function createFactorStore(pool: pg.Pool) {
  return {
    /** Whether there is a second factor (migration 0084 says what is one). */
    async hasSecond(identityId: string): Promise<boolean> {
      const { rows } = await pool.query<{ has: boolean }>({
        name: "identity.factor.second",
        text: "select internal.has_second_factor($1) as has",
        values: [identityId],
      });
      return rows[0]?.has ?? false;
    },

    async hasPassword(identityId: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        "select from internal.credentials where identity_id = $1 and password_hash is not null",
        [identityId],
      );
      return rowCount === 1;
    },

    /** Takes every second factor away; passkeys stay. */
    async removeSecond(identityId: string): Promise<void> {
      await pool.query(
        `with totp as (delete from internal.totp_factors where identity_id = $1),
           codes as (delete from internal.lookup_codes where identity_id = $1)
         delete from internal.webauthn_keys where identity_id = $1 and kind = 'webauthn'`,
        [identityId],
      );
    },
  };
}
