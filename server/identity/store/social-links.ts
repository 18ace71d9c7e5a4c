/** Accounts elsewhere that people of the built-in service have linked with theirs. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";

/** An account elsewhere; `provider` is the provider's id in our configuration. */
export interface Elsewhere {
  issuer: string;
  subject: string;
  provider: string;
}

const INSERT = `insert into internal.linked_accounts (issuer, subject, provider, person_id) values ($1, $2, $3, $4)`;
const valuesOf = ({ issuer, subject, provider }: Elsewhere, personId: string) => [
  issuer,
  subject,
  provider,
  personId,
];

/** Something else has what may be there once only. */
export const isUniqueViolation = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "23505";

/** As part of making or completing an account. Throws unique_violation when it is linked already. */
export async function insertLink(client: pg.ClientBase, account: Elsewhere, personId: string): Promise<void> {
  await client.query(INSERT, valuesOf(account, personId));
}

/** `$1` the person, `$2` the providers that are offered: a password, a passkey, or a second linked account. */
const OTHER_WAY = `(exists (select from internal.credentials where identity_id = $1 and password_hash is not null)
  or exists (select from internal.webauthn_keys where identity_id = $1 and kind = 'passkey')
  or (select count(*) > 1 from internal.linked_accounts where person_id = $1 and provider = any ($2::text[])))`;

/** `offered`: the ids of the providers that are configured. An account of another is no way in. */
export function createSocialLinkStore(pool: pg.Pool, offered: readonly string[]) {
  return {
    /** Whose account of the built-in service is linked with this one elsewhere; null when nobody's. */
    async personOf({
      issuer,
      subject,
    }: Pick<Elsewhere, "issuer" | "subject">): Promise<{ personId: string; isActive: boolean } | null> {
      const { rows } = await pool.query<{ id: string; active: boolean }>(
        `select i.id, i.state = 'active' as active
         from internal.linked_accounts l join public.identities i on i.id = l.person_id
         where l.issuer = $1 and l.subject = $2 and l.provider is not null`,
        [issuer, subject],
      );
      return rows[0] ? { personId: rows[0].id, isActive: rows[0].active } : null;
    },

    /** The offered providers a person has linked. */
    async providersOf(personId: string): Promise<string[]> {
      const { rows } = await pool.query<{ provider: string }>(
        `select provider from internal.linked_accounts
         where person_id = $1 and provider = any ($2::text[]) order by provider`,
        [personId, offered],
      );
      return rows.map(({ provider }) => provider);
    },

    /** Links, one account of each provider; linking what is linked is done. `another`: they have another one there. */
    async link(account: Elsewhere, personId: string): Promise<"done" | "somebodys" | "another"> {
      try {
        // A provider that was renamed in the configuration takes its accounts along.
        const { rowCount } = await pool.query(
          `${INSERT} on conflict (issuer, subject) do update set provider = excluded.provider
             where linked_accounts.person_id = excluded.person_id`,
          valuesOf(account, personId),
        );
        return rowCount === 1 ? "done" : "somebodys";
      } catch (error) {
        if (isUniqueViolation(error)) return "another";
        throw error;
      }
    },

    /** Would the person still get in without one of the linked accounts? */
    async hasAnotherWay(personId: string): Promise<boolean> {
      const { rows } = await pool.query<{ has: boolean }>(`select ${OTHER_WAY} as has`, [personId, offered]);
      return rows[0]?.has ?? false;
    },

    /** Unlinks, unless that would leave no way to sign in. Two at once cannot both take the last but one. */
    async unlink(personId: string, provider: string): Promise<"done" | "lastWayIn" | "notThere"> {
      return inTransaction(pool, async (client) => {
        await client.query("select from public.identities where id = $1 for update", [personId]);
        const { rows } = await client.query<{ has: boolean }>(
          `select ${OTHER_WAY} as has from internal.linked_accounts where person_id = $1 and provider = $3`,
          [personId, offered, provider],
        );
        if (!rows[0]) return "notThere";
        if (!rows[0].has) return "lastWayIn";
        await client.query("delete from internal.linked_accounts where person_id = $1 and provider = $2", [
          personId,
          provider,
        ]);
        return "done";
      });
    },
  };
}

export type SocialLinkStore = ReturnType<typeof createSocialLinkStore>;
