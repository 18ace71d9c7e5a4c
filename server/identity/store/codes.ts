/** Codes that were mailed, one for each flow of recovery or verification, in internal.flow_codes. */
import type pg from "pg";

/** Wrong codes a flow bears; then only another flow helps. */
const TRIES = 5;

/** Whom a right code proves, null where nobody had the address, and the address its mail went to. */
export interface Spent {
  personId: string | null;
  address: string;
}

export function createCodeStore(pool: pg.Pool) {
  return {
    /** A new code takes the place of the old; wrong tries of the flow stay counted. */
    async save(code: {
      flowId: string;
      identityId: string | null;
      address: string;
      hash: Buffer;
      expiresAt: Date;
    }): Promise<void> {
      await pool.query({
        name: "identity.code.save",
        text: `insert into internal.flow_codes as c (flow_id, identity_id, address, code_hash, expires_at)
               values ($1, $2, $3, $4, $5)
               on conflict (flow_id) do update set identity_id = excluded.identity_id, address = excluded.address,
                 code_hash = excluded.code_hash, expires_at = excluded.expires_at, used_at = null, sent = c.sent + 1`,
        values: [code.flowId, code.identityId, code.address, code.hash, code.expiresAt],
      });
    },

    /**
     * Counts a try and, when it is right, spends the code: of two at once only one is. "over": too many were wrong.
     * Inactive people prove nothing.
     */
    async spend(flowId: string, hash: Buffer, now: Date): Promise<Spent | "wrong" | "over"> {
      const { rows } = await pool.query<{
        id: string | null;
        address: string;
        nobody: boolean;
        matches: boolean;
      }>({
        name: "identity.code.spend",
        text: `update internal.flow_codes c
               set tries = tries + 1, used_at = case when code_hash = $2 then $3::timestamptz end
               where flow_id = $1 and used_at is null and tries < ${TRIES} and expires_at > $3
               returning (select id from public.identities i where i.id = c.identity_id and i.state = 'active') as id,
                 address, identity_id is null as nobody, code_hash = $2 as matches`,
        values: [flowId, hash, now],
      });
      const tried = rows[0];
      if (tried)
        return tried.matches && (tried.id || tried.nobody)
          ? { personId: tried.id, address: tried.address }
          : "wrong";
      const left = await pool.query<{ over: boolean }>(
        `select tries >= ${TRIES} as over from internal.flow_codes where flow_id = $1`,
        [flowId],
      );
      return left.rows[0]?.over ? "over" : "wrong";
    },

    /** The address a flow's code went to, for sending another one. */
    async addressOf(flowId: string): Promise<string | null> {
      const { rows } = await pool.query<{ address: string }>(
        "select address from internal.flow_codes where flow_id = $1",
        [flowId],
      );
      return rows[0]?.address ?? null;
    },
  };
}

export type CodeStore = ReturnType<typeof createCodeStore>;
