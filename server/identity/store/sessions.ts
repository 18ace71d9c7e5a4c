/** Sessions in internal.sessions. The token itself is only in the browser. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { isRole, type Role } from "#app/contract/access.ts";

/** Hours a session lives (facts/engines.md §14). */
export const SESSION_HOURS = 336;

/** Who a credential stands for: what the API makes a principal of. */
export interface SignedIn {
  personId: string;
  name: string;
  email: string | null;
  roles: Role[];
}

export type SessionMethod = "password" | "link_recovery";

export interface Session extends SignedIn {
  id: string;
  method: SessionMethod;
  issuedAt: Date;
  authenticatedAt: Date;
  expiresAt: Date;
}

export interface PersonRow {
  person_id: string;
  name: string;
  email: string | null;
  roles: string[];
}

/** Columns of a person `p` with the roles, for every credential that ends in one. */
export const PERSON_COLUMNS = `p.id as person_id, p.name, p.email,
  array(select g.role from internal.role_grants g where g.person_id = p.id order by 1) as roles`;

export function signedIn(row: PersonRow): SignedIn {
  return { personId: row.person_id, name: row.name, email: row.email, roles: row.roles.filter(isRole) };
}

interface SessionRow extends PersonRow {
  id: string;
  method: SessionMethod;
  issued_at: Date;
  authenticated_at: Date;
  expires_at: Date;
}

export function createSessionStore(pool: pg.Pool) {
  return {
    /** The live session of a token, its person and roles, in one statement; never cached, so revoking acts at once. */
    async find(tokenHash: Buffer, now: Date): Promise<Session | null> {
      const { rows } = await pool.query<SessionRow>({
        name: "identity.session.find",
        text: `select s.id, s.method, s.issued_at, s.authenticated_at, s.expires_at, ${PERSON_COLUMNS}
               from internal.sessions s
               join public.identities i on i.id = s.identity_id and i.state = 'active'
               join public.people p on p.id = s.identity_id and p.deleted_at is null
               where s.token_hash = $1 and s.expires_at > $2`,
        values: [tokenHash, now],
      });
      const row = rows[0];
      if (!row) return null;
      return {
        ...signedIn(row),
        id: row.id,
        method: row.method,
        issuedAt: row.issued_at,
        authenticatedAt: row.authenticated_at,
        expiresAt: row.expires_at,
      };
    },

    /** Opens a session and notes the sign-in; the session it replaces, if any, ends. */
    async open(
      session: { identityId: string; tokenHash: Buffer; method: SessionMethod; replaces: string | null },
      now: Date,
    ): Promise<void> {
      await pool.query(
        `with ended as (delete from internal.sessions where id = $6),
           login as (update public.people set last_login = $5 where id = $2)
         insert into internal.sessions (id, identity_id, token_hash, method, issued_at, authenticated_at, expires_at)
         values ($1, $2, $3, $4, $5, $5, $5::timestamptz + make_interval(hours => ${SESSION_HOURS}))`,
        [randomUUID(), session.identityId, session.tokenHash, session.method, now, session.replaces],
      );
    },

    async end(id: string): Promise<void> {
      await pool.query("delete from internal.sessions where id = $1", [id]);
    },

    async removeExpired(now: Date): Promise<number> {
      const { rowCount } = await pool.query("delete from internal.sessions where expires_at < $1", [now]);
      return rowCount ?? 0;
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;
