/** API tokens of people and agents in internal.access_tokens; `value` is the hash, never the secret. */
import type pg from "pg";
import { PERSON_COLUMNS, signedIn, type PersonRow, type SignedIn } from "./sessions.ts";

export interface TokenOwner {
  person: SignedIn;
  /** null: never. */
  expiresAt: Date | null;
}

const UNIQUE_VIOLATION = "23505";

export function createAccessTokenStore(pool: pg.Pool) {
  return {
    /** The owner of the token whose hash this is; not of a deleted person or an inactive identity. */
    async find(value: string): Promise<TokenOwner | null> {
      const { rows } = await pool.query<PersonRow & { expires_at: Date | null }>({
        name: "identity.access-token.find",
        text: `select ${PERSON_COLUMNS}, t.expires_at
               from internal.access_tokens t
               join public.people p on p.id = t.person_id and p.deleted_at is null
               left join public.identities i on i.id = p.id
               where t.value = $1 and coalesce(i.state, 'active') = 'active'`,
        values: [value],
      });
      const row = rows[0];
      return row ? { person: signedIn(row), expiresAt: row.expires_at } : null;
    },

    /** False when the person has a token of that name already. */
    async add(
      token: { personId: string; name: string; value: string; expiresAt: Date | null },
      now: Date,
    ): Promise<boolean> {
      try {
        await pool.query(
          `insert into internal.access_tokens (name, person_id, value, created_at, expires_at)
           values ($1, $2, $3, $4, $5)`,
          [token.name, token.personId, token.value, now, token.expiresAt],
        );
        return true;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },
  };
}

export type AccessTokenStore = ReturnType<typeof createAccessTokenStore>;
