/** Sessions in internal.sessions. The token itself is only in the browser. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { isRole, type Role } from "#app/contract/access.ts";
import { isUuid } from "./uuid.ts";

/** Hours a session lives (facts/engines.md §14). */
export const SESSION_HOURS = 336;

/** Who a credential stands for: what the API makes a principal of. */
export interface SignedIn {
  personId: string;
  name: string;
  email: string | null;
  /** Where a picture of them is; the page decides whether it may be shown. */
  avatar: string | null;
  roles: Role[];
  /** The person stands for an agent: whatever roles are written for it, it holds none. */
  isAgent: boolean;
}

/** How somebody proved who they are; the names of the public Ory Kratos API. */
export type SessionMethod =
  | "password"
  | "code"
  | "oidc"
  | "totp"
  | "lookup_secret"
  | "webauthn"
  | "passkey"
  | "link_recovery"
  | "code_recovery";
/** Authenticator assurance level: aal2 is a second factor on top of the first. */
export type Aal = "aal1" | "aal2";

/** One proof, as the public API shows it. */
export interface Authentication {
  method: SessionMethod;
  aal: Aal;
  completed_at: string;
}
/** The browser a session belongs to, for the list of one's sessions. */
export interface Device {
  client: string | null;
  userAgent: string | null;
}

export interface Session extends SignedIn {
  id: string;
  aal: Aal;
  methods: Authentication[];
  device: Device;
  issuedAt: Date;
  /** The last proof, whichever it was. */
  authenticatedAt: Date;
  expiresAt: Date;
  /** It lacks the second factor its owner has, and until it has it is good for nothing else. */
  owesSecond: boolean;
}

/** A proof that opens or strengthens a session. */
export interface Proof {
  identityId: string;
  tokenHash: Buffer;
  method: SessionMethod;
  aal: Aal;
  device: Device;
}

export interface PersonRow {
  person_id: string;
  name: string;
  email: string | null;
  avatar: string | null;
  roles: string[];
  is_agent: boolean;
}

/**
 * Columns of a person `p` with the roles, for every credential that ends in one. An agent's person is one by its type, or
 * is named by an agent and cannot sign in: else whoever edits agents could make an agent of an administrator.
 */
export const PERSON_COLUMNS = `p.id as person_id, p.name, p.email, p.avatar,
  array(select g.role from internal.role_grants g where g.person_id = p.id order by 1) as roles,
  coalesce(p.type = 'agent', false) or (exists (select from public.agents a where a.person_id = p.id)
    and not exists (select from public.identities own where own.id = p.id)) as is_agent`;

export function signedIn(row: PersonRow): SignedIn {
  const roles = row.is_agent ? [] : row.roles.filter(isRole);
  const { person_id: personId, name, email, avatar, is_agent: isAgent } = row;
  return { personId, name, email, avatar, roles, isAgent };
}

interface SessionRow extends PersonRow {
  id: string;
  aal: Aal;
  methods: Authentication[];
  user_agent: string | null;
  client_address: string | null;
  issued_at: Date;
  authenticated_at: Date;
  expires_at: Date;
  owes_second: boolean;
}

const COLUMNS = `s.id, s.aal, s.methods, s.user_agent, s.client_address, s.issued_at, s.authenticated_at,
  s.expires_at, s.aal = 'aal1' and internal.has_second_factor(s.identity_id) as owes_second, ${PERSON_COLUMNS}`;
const LIVE = `internal.sessions s
  join public.identities i on i.id = s.identity_id and i.state = 'active'
  join public.people p on p.id = s.identity_id and p.deleted_at is null`;

export function createSessionStore(pool: pg.Pool) {
  return {
    /** The live session of a token, its person and roles, in one statement; never cached, so revoking acts at once. */
    async find(tokenHash: Buffer, now: Date): Promise<Session | null> {
      const { rows } = await pool.query<SessionRow>({
        name: "identity.session.find",
        text: `select ${COLUMNS} from ${LIVE} where s.token_hash = $1 and s.expires_at > $2`,
        values: [tokenHash, now],
      });
      return rows[0] ? sessionOf(rows[0]) : null;
    },

    /** The live sessions of a person, the newest first. */
    async ofPerson(identityId: string, now: Date): Promise<Session[]> {
      if (!isUuid(identityId)) return [];
      const { rows } = await pool.query<SessionRow>(
        `select ${COLUMNS} from ${LIVE} where s.identity_id = $1 and s.expires_at > $2
         order by s.authenticated_at desc, s.id`,
        [identityId, now],
      );
      return rows.map(sessionOf);
    },

    /** Opens a session and notes the sign-in; the session it replaces, if any, ends. */
    async open(proof: Proof, replaces: string | null, now: Date): Promise<void> {
      await pool.query(
        `with ended as (delete from internal.sessions where id = $9),
           login as (update public.people set last_login = $6 where id = $2)
         insert into internal.sessions (id, identity_id, token_hash, aal, methods, issued_at, authenticated_at,
           expires_at, user_agent, client_address)
         values ($1, $2, $3, $4, $5, $6, $6, $6::timestamptz + make_interval(hours => ${SESSION_HOURS}), $7, $8)`,
        [
          randomUUID(),
          proof.identityId,
          proof.tokenHash,
          proof.aal,
          JSON.stringify([authentication(proof, now)]),
          now,
          proof.device.userAgent,
          proof.device.client,
          replaces,
        ],
      );
    },

    /**
     * Adds a proof to a session of the same person, under a new token: the same method counts once, and aal2 stays.
     * False when the session has ended meanwhile.
     */
    async strengthen(id: string, proof: Proof, now: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update internal.sessions s
         set token_hash = $3, authenticated_at = $4, aal = greatest(s.aal, $5),
           methods = coalesce((select jsonb_agg(each order by place) from jsonb_array_elements(s.methods)
               with ordinality as kept (each, place) where each ->> 'method' <> $6), '[]') || $7::jsonb
         where s.id = $1 and s.identity_id = $2 and s.expires_at > $4`,
        [
          id,
          proof.identityId,
          proof.tokenHash,
          now,
          proof.aal,
          proof.method,
          JSON.stringify([authentication(proof, now)]),
        ],
      );
      return rowCount === 1;
    },

    async end(id: string): Promise<void> {
      await pool.query("delete from internal.sessions where id = $1", [id]);
    },

    /** Ends one session of this person; false when it is nobody's, or somebody else's. */
    async endOf(identityId: string, id: string): Promise<boolean> {
      if (!isUuid(id) || !isUuid(identityId)) return false;
      const { rowCount } = await pool.query(
        "delete from internal.sessions where id = $1 and identity_id = $2",
        [id, identityId],
      );
      return rowCount === 1;
    },

    /** Ends the sessions of a person, but for one; returns how many. */
    async endAllOf(identityId: string, but: string | null): Promise<number> {
      const { rowCount } = await pool.query(
        "delete from internal.sessions where identity_id = $1 and id is distinct from $2",
        [identityId, but],
      );
      return rowCount ?? 0;
    },

    async removeExpired(now: Date): Promise<number> {
      const { rowCount } = await pool.query("delete from internal.sessions where expires_at < $1", [now]);
      return rowCount ?? 0;
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

const authentication = ({ method, aal }: Proof, now: Date): Authentication => ({
  method,
  aal,
  completed_at: now.toISOString(),
});

function sessionOf(row: SessionRow): Session {
  return {
    ...signedIn(row),
    id: row.id,
    aal: row.aal,
    methods: row.methods,
    device: { client: row.client_address, userAgent: row.user_agent },
    issuedAt: row.issued_at,
    authenticatedAt: row.authenticated_at,
    expiresAt: row.expires_at,
    owesSecond: row.owes_second,
  };
}
