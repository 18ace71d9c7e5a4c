/** API tokens of people and agents in internal.access_tokens; `value` is the hash, never the secret. */
import type pg from "pg";
import { PERSON_COLUMNS, signedIn, type PersonRow, type SignedIn } from "./sessions.ts";

export interface TokenOwner {
  id: string;
  person: SignedIn;
  /** null: never. */
  expiresAt: Date | null;
}

/** A token as its owner, or an administrator, sees it: everything but the secret. */
export interface ListedToken {
  id: string;
  name: string;
  personId: string;
  personName: string;
  createdAt: Date;
  /** null: never. */
  expiresAt: Date | null;
  /** To the minute; null: not yet. */
  lastUsedAt: Date | null;
}

const UNIQUE_VIOLATION = "23505";

export function createAccessTokenStore(pool: pg.Pool) {
  return {
    /** The owner of the token whose hash this is; not of a deleted person or an inactive identity. */
    async find(value: string): Promise<TokenOwner | null> {
      const { rows } = await pool.query<PersonRow & { id: string; expires_at: Date | null }>({
        name: "identity.access-token.find",
        text: `select ${PERSON_COLUMNS}, t.id, t.expires_at
               from internal.access_tokens t
               join public.people p on p.id = t.person_id and p.deleted_at is null
               left join public.identities i on i.id = p.id
               where t.value = $1 and coalesce(i.state, 'active') = 'active'`,
        values: [value],
      });
      const row = rows[0];
      return row ? { id: row.id, person: signedIn(row), expiresAt: row.expires_at } : null;
    },

    async noteUse(id: string, now: Date): Promise<void> {
      await pool.query({
        name: "identity.access-token.used",
        text: "update internal.access_tokens set last_used_at = $2 where id = $1",
        values: [id, now],
      });
    },

    /** The newest first. `personId` null: everybody's. */
    async list(
      personId: string | null,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ tokens: ListedToken[]; total: number }> {
      const { rows } = await pool.query<ListedToken & { total: string }>(
        `select t.id, t.name, t.person_id as "personId", p.name as "personName", t.created_at as "createdAt",
           t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt", count(*) over () as total
         from internal.access_tokens t join public.people p on p.id = t.person_id
         where $1::uuid is null or t.person_id = $1
         order by t.created_at desc, t.id limit $2 offset $3`,
        [personId, limit, offset],
      );
      const tokens = rows.map(({ total: _, ...token }) => token);
      return { tokens, total: Number(rows[0]?.total ?? 0) };
    },

    async count(personId: string): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        "select count(*)::int as count from internal.access_tokens where person_id = $1",
        [personId],
      );
      return rows[0]?.count ?? 0;
    },

    /** Ends a token at once; of this person only, unless null. Its name, or null when there is none. */
    async remove(id: string, personId: string | null): Promise<string | null> {
      const { rows } = await pool.query<{ name: string }>(
        "delete from internal.access_tokens where id = $1 and ($2::uuid is null or person_id = $2) returning name",
        [id, personId],
      );
      return rows[0]?.name ?? null;
    },

    /** Ends all but the newest of a person's tokens whose name begins so. */
    async keepNewest(personId: string, beginning: string, count: number): Promise<void> {
      await pool.query(
        `delete from internal.access_tokens where id in (
           select id from internal.access_tokens where person_id = $1 and starts_with(name, $2)
           order by created_at desc, id offset $3)`,
        [personId, beginning, count],
      );
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
