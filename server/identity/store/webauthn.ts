/** Security keys and passkeys in internal.webauthn_keys: public keys, nothing secret. */
import type pg from "pg";

/** A security key is a second factor; a passkey is a way to sign in of its own. */
export type KeyKind = "webauthn" | "passkey";

export interface WebauthnKey {
  /** The credential's id. */
  id: Buffer;
  identityId: string;
  kind: KeyKind;
  /** The site's name it was made for; it is good for no other. */
  rpId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  addedAt: Date;
}

interface KeyRow {
  id: Buffer;
  identity_id: string;
  kind: KeyKind;
  rp_id: string;
  public_key: Buffer;
  counter: string;
  transports: string[];
  name: string;
  added_at: Date;
}

const COLUMNS = "id, identity_id, kind, rp_id, public_key, counter, transports, name, added_at";

export function createWebauthnStore(pool: pg.Pool) {
  return {
    /** All keys of an identity, the oldest first. */
    async list(identityId: string): Promise<WebauthnKey[]> {
      const { rows } = await pool.query<KeyRow>(
        `select ${COLUMNS} from internal.webauthn_keys where identity_id = $1 order by added_at, id`,
        [identityId],
      );
      return rows.map(keyOf);
    },

    /** The key of a credential, if its owner may sign in. */
    async find(id: Buffer): Promise<WebauthnKey | null> {
      const { rows } = await pool.query<KeyRow>(
        `select ${COLUMNS} from internal.webauthn_keys where id = $1
           and identity_id in (select i.id from public.identities i where i.state = 'active')`,
        [id],
      );
      return rows[0] ? keyOf(rows[0]) : null;
    },

    /** Whether anybody here has a passkey. */
    async anyPasskey(): Promise<boolean> {
      const { rows } = await pool.query<{ any: boolean }>(
        "select exists (select from internal.webauthn_keys where kind = 'passkey') as any",
      );
      return rows[0]?.any ?? false;
    },

    /** False when the credential is known already, whoever's it is. */
    async add(key: WebauthnKey): Promise<boolean> {
      const { rowCount } = await pool.query(
        `insert into internal.webauthn_keys (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (id) do nothing`,
        [
          key.id,
          key.identityId,
          key.kind,
          key.rpId,
          key.publicKey,
          key.counter,
          key.transports,
          key.name,
          key.addedAt,
        ],
      );
      return rowCount === 1;
    },

    /**
     * Notes a use. False when the counter did not go up: then another device has the same key. Keys that do not count
     * say 0 for ever.
     */
    async noteUse(id: Buffer, counter: number, now: Date): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update internal.webauthn_keys set counter = $2, last_used_at = $3
         where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
        [id, counter, now],
      );
      return rowCount === 1;
    },

    /** False when the identity has no such key. */
    async remove(identityId: string, kind: KeyKind, id: Buffer): Promise<boolean> {
      const { rowCount } = await pool.query(
        "delete from internal.webauthn_keys where identity_id = $1 and kind = $2 and id = $3",
        [identityId, kind, id],
      );
      return rowCount === 1;
    },
  };
}

export type WebauthnStore = ReturnType<typeof createWebauthnStore>;

function keyOf(row: KeyRow): WebauthnKey {
  return {
    id: row.id,
    identityId: row.identity_id,
    kind: row.kind,
    rpId: row.rp_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    name: row.name,
    addedAt: row.added_at,
  };
}
