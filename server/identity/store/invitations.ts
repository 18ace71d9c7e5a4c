/** Invitations in internal.invitations: accounts that wait for their password. */
import type pg from "pg";
import { isUuid } from "./uuid.ts";

/** An invitation nobody has taken yet, as the list of pending ones shows it. */
export interface Invitation {
  /** Of the identity, and of the person. */
  id: string;
  email: string;
  first: string;
  last: string;
  invitedBy: string | null;
  invitedAt: Date;
  expiresAt: Date;
  /** Whether the link went out by mail; otherwise whoever invited has it. */
  mailed: boolean;
}

const COLUMNS = `v.identity_id as id, i.traits ->> 'email' as email, coalesce(i.traits #>> '{name,first}', '') as first,
  coalesce(i.traits #>> '{name,last}', '') as last, v.invited_by as "invitedBy", v.invited_at as "invitedAt",
  v.expires_at as "expiresAt", v.mailed`;

export function createInvitationStore(pool: pg.Pool) {
  return {
    /** The newest first; those that are over too, since they can be sent again. */
    async pending(): Promise<Invitation[]> {
      const { rows } = await pool.query<Invitation>(
        `select ${COLUMNS} from internal.invitations v join public.identities i on i.id = v.identity_id
         order by v.invited_at desc, v.identity_id`,
      );
      return rows;
    },

    /** The one that waits for this person. */
    async find(identityId: string): Promise<Invitation | null> {
      if (!isUuid(identityId)) return null;
      const { rows } = await pool.query<Invitation>(
        `select ${COLUMNS} from internal.invitations v join public.identities i on i.id = v.identity_id
         where v.identity_id = $1`,
        [identityId],
      );
      return rows[0] ?? null;
    },

    /** The one a link opens, while it is open. */
    async opened(tokenHash: Buffer, now: Date): Promise<Invitation | null> {
      const { rows } = await pool.query<Invitation>(
        `select ${COLUMNS} from internal.invitations v
         join public.identities i on i.id = v.identity_id and i.state = 'active'
         where v.token_hash = $1 and v.expires_at > $2`,
        [tokenHash, now],
      );
      return rows[0] ?? null;
    },

    /** A new link takes the place of the old. */
    async save(
      invitation: {
        identityId: string;
        tokenHash: Buffer;
        invitedBy: string | null;
        expiresAt: Date;
        mailed: boolean;
      },
      now: Date,
    ): Promise<void> {
      await pool.query(
        `insert into internal.invitations (identity_id, token_hash, invited_by, invited_at, expires_at, mailed)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (identity_id) do update set token_hash = excluded.token_hash, invited_by = excluded.invited_by,
           invited_at = excluded.invited_at, expires_at = excluded.expires_at, mailed = excluded.mailed`,
        [
          invitation.identityId,
          invitation.tokenHash,
          invitation.invitedBy,
          now,
          invitation.expiresAt,
          invitation.mailed,
        ],
      );
    },

    /** Takes the invitation back, with the account that waits for it; false when there is none (any more). */
    async revoke(identityId: string): Promise<boolean> {
      if (!isUuid(identityId)) return false;
      const { rowCount } = await pool.query(
        `delete from public.identities i using internal.invitations v where v.identity_id = i.id and i.id = $1`,
        [identityId],
      );
      return rowCount === 1;
    },
  };
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;
