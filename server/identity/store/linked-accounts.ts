/** People whose accounts a provider keeps, and the sessions it has ended. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { PERSON_COLUMNS, signedIn, type PersonRow, type SignedIn } from "./sessions.ts";

/** Somebody as the provider's token describes them. */
export interface ProvidersPerson {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  avatar: string | null;
  isAdmin: boolean;
}
/** What a token says of its session. */
export interface ProvidersSession {
  issuer: string;
  subject: string | null;
  /** `sid`. */
  session: string | null;
  issuedAt: Date;
}

const UNIQUE_VIOLATION = "23505";
const hashOf = (...parts: string[]) => createHash("sha256").update(JSON.stringify(parts)).digest();

export function createLinkedAccountStore(pool: pg.Pool) {
  /** The person of an account, or null when nobody has seen it yet; `isGone` once an administrator has removed them. */
  async function find(issuer: string, subject: string) {
    const { rows } = await pool.query<PersonRow & { is_gone: boolean }>({
      name: "identity.linked.find",
      text: `select ${PERSON_COLUMNS}, p.deleted_at is not null as is_gone
             from internal.linked_accounts l join public.people p on p.id = l.person_id
             where l.issuer = $1 and l.subject = $2`,
      values: [issuer, subject],
    });
    const row = rows[0];
    return row ? { person: signedIn(row), isGone: row.is_gone } : null;
  }

  /**
   * Makes or brings up to date. An e-mail that is another person's is left out: accounts are never joined by it
   * (decision 0094). Administrators are the provider's to name: the role follows the claim, others stay as they are.
   */
  async function write(one: ProvidersPerson, email: string | null): Promise<void> {
    await inTransaction(pool, async (client) => {
      // Two first requests of a person at once make one person.
      await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `${one.issuer} ${one.subject}`,
      ]);
      const { rows } = await client.query<{ person_id: string }>(
        "select person_id from internal.linked_accounts where issuer = $1 and subject = $2",
        [one.issuer, one.subject],
      );
      const id = rows[0]?.person_id ?? (await insert(client, one, email));
      await client.query(
        `update public.people set name = $2, email = coalesce($3, email), avatar = $4
         where id = $1 and (name, email, avatar) is distinct from ($2, coalesce($3, email), $4)`,
        [id, one.name, email, one.avatar],
      );
      if (!one.isAdmin)
        await client.query("delete from internal.role_grants where person_id = $1 and role = 'admin'", [id]);
      await client.query(
        "insert into internal.role_grants (person_id, role) values ($1, $2) on conflict do nothing",
        [id, one.isAdmin ? "admin" : "viewer"],
      );
    });
  }

  async function insert(client: pg.ClientBase, one: ProvidersPerson, email: string | null): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      `with made as (
         insert into public.people (name, email, avatar, external_id) values ($1, $2, $3, $4) returning id
       )
       insert into internal.linked_accounts (issuer, subject, person_id) select $5, $4, id from made
       returning person_id as id`,
      [one.name, email, one.avatar, one.subject, one.issuer],
    );
    return rows[0]!.id;
  }

  const isSame = (known: NonNullable<Awaited<ReturnType<typeof find>>>, one: ProvidersPerson) =>
    known.person.name === one.name &&
    known.person.avatar === one.avatar &&
    (known.person.email === one.email || one.email === null) &&
    known.person.roles.includes(one.isAdmin ? "admin" : "viewer") &&
    known.person.roles.includes("admin") === one.isAdmin;

  return {
    /** The person of a verified token, made on first sight and kept as the provider describes them; null once removed. */
    async personOf(one: ProvidersPerson): Promise<SignedIn | null> {
      const known = await find(one.issuer, one.subject);
      if (known?.isGone) return null;
      if (known && isSame(known, one)) return known.person;
      // Known without an e-mail because it was another's: that is no difference worth a write at every request.
      const email = known && known.person.email === null && (await isTaken(one.email)) ? null : one.email;
      if (known && email === null && isSame(known, { ...one, email: null })) return known.person;
      await write(one, email).catch(async (error: unknown) => {
        if (!(error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION)) throw error;
        await write(one, null);
      });
      return (await find(one.issuer, one.subject))?.person ?? null;
    },

    async noteLogin(personId: string, now: Date): Promise<void> {
      await pool.query("update public.people set last_login = $2 where id = $1", [personId, now]);
    },

    /** Remembers that a session ended, or, without one, every session of the person up to now. */
    async end({ issuer, subject, session }: Omit<ProvidersSession, "issuedAt">, now: Date): Promise<void> {
      const hash = session === null ? hashOf(issuer, "sub", subject ?? "") : hashOf(issuer, "sid", session);
      await pool.query(
        `insert into internal.ended_sessions (session_hash, ended_at) values ($1, $2)
         on conflict (session_hash) do update set ended_at = greatest(ended_sessions.ended_at, excluded.ended_at)`,
        [hash, now],
      );
    },

    /** Has the provider ended the session of a token, or all of the person's since it was issued? */
    async isEnded({ issuer, subject, session, issuedAt }: ProvidersSession): Promise<boolean> {
      const { rows } = await pool.query<{ ended: boolean }>({
        name: "identity.linked.ended",
        text: `select exists (select from internal.ended_sessions
                 where session_hash = $1 or (session_hash = $2 and ended_at >= $3)) as ended`,
        values: [
          session === null ? null : hashOf(issuer, "sid", session),
          hashOf(issuer, "sub", subject ?? ""),
          issuedAt,
        ],
      });
      return rows[0]?.ended ?? false;
    },

    /** No bearer of a session that ended this long ago is good any more. */
    async removeOldEnded(now: Date): Promise<number> {
      const { rowCount } = await pool.query(
        "delete from internal.ended_sessions where ended_at < $1::timestamptz - interval '15 days'",
        [now],
      );
      return rowCount ?? 0;
    },
  };

  async function isTaken(email: string | null): Promise<boolean> {
    if (email === null) return false;
    const { rows } = await pool.query<{ taken: boolean }>(
      "select exists (select from public.people where email = $1 and deleted_at is null) as taken",
      [email],
    );
    return rows[0]?.taken ?? false;
  }
}

export type LinkedAccountStore = ReturnType<typeof createLinkedAccountStore>;
