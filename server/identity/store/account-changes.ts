/** What changes of an identity after it was made: traits, verified address, state, and that it goes. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { IDENTITY_COLUMNS, isTaken, VERIFY, type Identity } from "./identities.ts";
import { insertLink, type Elsewhere } from "./social-links.ts";
import { isUuid } from "./uuid.ts";

interface TraitChange {
  email?: string;
  first?: string;
  last?: string;
}

/** `$1` the identity, `$2` e-mail, `$3` first and `$4` last name (null: as it is, empty: none), `$5` now. */
const CHANGE_TRAITS = `update public.identities
  set traits = (traits - 'name')
      || case when $2::text is null then '{}' else jsonb_build_object('email', $2::text) end
      || case when names = '{}' then '{}' else jsonb_build_object('name', names) end,
    updated_at = $5::timestamptz at time zone 'UTC'
  from (select id as named, jsonb_strip_nulls(coalesce(traits -> 'name', '{}') || jsonb_build_object(
      'first', nullif(coalesce($3::text, traits #>> '{name,first}'), ''),
      'last', nullif(coalesce($4::text, traits #>> '{name,last}'), ''))) as names
    from public.identities where id = $1::uuid) as before
  where id = named returning ${IDENTITY_COLUMNS}`;

/** How an invited person will sign in. `email`: an address that the provider vouches for. */
export type Acceptance = { passwordHash: string } | { account: Elsewhere; email: string | null };

export function createAccountChanges(pool: pg.Pool) {
  return {
    /**
     * Takes an invitation: spends its link, and gives the account its password (or the account elsewhere that stands for
     * it) and names. The address counts as verified when the link came by mail, or the provider vouches for it. Returns
     * the identity, or null when the link is not open (any more).
     */
    async accept(
      tokenHash: Buffer,
      { way, first, last }: { way: Acceptance; first: string; last: string },
      now: Date,
    ): Promise<string | null> {
      return inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string; mailed: boolean }>(
          `delete from internal.invitations v using public.identities i
           where v.token_hash = $1 and v.expires_at > $2 and i.id = v.identity_id and i.state = 'active'
           returning i.id, v.mailed`,
          [tokenHash, now],
        );
        const taken = rows[0];
        if (!taken) return null;
        if ("account" in way) await insertLink(client, way.account, taken.id);
        else
          await client.query(
            `insert into internal.credentials (identity_id, password_hash, changed_at) values ($1, $2, $3)
             on conflict (identity_id) do update set password_hash = excluded.password_hash,
               changed_at = excluded.changed_at`,
            [taken.id, way.passwordHash, now],
          );
        await client.query(CHANGE_TRAITS, [taken.id, null, first, last, now]);
        const vouchedFor = "account" in way ? way.email : null;
        if (taken.mailed) await client.query(VERIFY, [taken.id, null, now]);
        else if (vouchedFor !== null) await client.query(VERIFY, [taken.id, vouchedFor, now]);
        return taken.id;
      });
    },

    /** Changes what is given; an empty name goes. Refused: another account has the address, or there is no such one. */
    async changeTraits(
      id: string,
      { email, first, last }: TraitChange,
      now: Date,
    ): Promise<Identity | { refused: "exists" | "unknown" }> {
      if (!isUuid(id)) return { refused: "unknown" };
      try {
        const { rows } = await pool.query<Identity>(CHANGE_TRAITS, [
          id,
          email ?? null,
          first?.trim() ?? null,
          last?.trim() ?? null,
          now,
        ]);
        return rows[0] ?? { refused: "unknown" };
      } catch (error) {
        if (isTaken(error)) return { refused: "exists" };
        throw error;
      }
    },

    /** Mail to this address reached its owner; nothing happens when the account has another one by now. */
    async verify(id: string, address: string, now: Date): Promise<void> {
      await pool.query(VERIFY, [id, address, now]);
    },

    /** A trigger ends the sessions and open links of whoever is made inactive; false when there is no such identity. */
    async setState(id: string, state: "active" | "inactive", now: Date): Promise<boolean> {
      if (!isUuid(id)) return false;
      const { rowCount } = await pool.query(
        "update public.identities set state = $2, updated_at = $3::timestamptz at time zone 'UTC' where id = $1",
        [id, state, now],
      );
      return rowCount === 1;
    },

    /** For good; triggers take sessions and roles along and keep the person for the history. */
    async remove(id: string): Promise<boolean> {
      if (!isUuid(id)) return false;
      const { rowCount } = await pool.query("delete from public.identities where id = $1", [id]);
      return rowCount === 1;
    },
  };
}

export type AccountChanges = ReturnType<typeof createAccountChanges>;
