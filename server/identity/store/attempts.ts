/** Failed sign-ins in internal.login_attempts, so that limits hold across processes. */
import type pg from "pg";
import { digest } from "../tokens.ts";
import { WINDOW_MINUTES, type Failures } from "../throttle.ts";

const key = (value: string) => digest(value);

export function createAttemptStore(pool: pg.Pool) {
  return {
    /**
     * Notes an attempt as failed before it is judged, then counts: however many come at once, each sees itself and
     * those before it, so a burst cannot slip through between counting and noting.
     */
    async note(email: string, client: string | null, now: Date): Promise<{ id: string; failures: Failures }> {
      const account = key(email);
      const address = client === null ? null : key(client);
      const noted = await pool.query<{ id: string }>({
        name: "identity.attempt.note",
        text: "insert into internal.login_attempts (account, client, attempted_at) values ($1, $2, $3) returning id",
        values: [account, address, now],
      });
      const id = noted.rows[0]?.id ?? "0";
      const { rows } = await pool.query<{ limit: keyof Failures; count: number; oldest: Date | null }>({
        name: "identity.attempt.count",
        text: `with recent as (
                 select account = $1 as same_account, client is not distinct from $2 as same_client, attempted_at
                 from internal.login_attempts
                 where attempted_at > $3::timestamptz - make_interval(mins => ${WINDOW_MINUTES})
                   and (account = $1 or client = $2))
               select 'pair' as limit, count(*)::int, min(attempted_at) as oldest
                 from recent where same_account and same_client
               union all select 'account', count(*)::int, min(attempted_at) from recent where same_account
               union all select 'client', count(*)::int, min(attempted_at)
                 from recent where same_client and $2::bytea is not null`,
        values: [account, address, now],
      });
      const of = (limit: keyof Failures) => {
        const row = rows.find((each) => each.limit === limit);
        return { count: row?.count ?? 0, oldest: row?.oldest ?? now };
      };
      return { id, failures: { pair: of("pair"), account: of("account"), client: of("client") } };
    },

    /** An attempt that was not judged (refused for the limit) does not lengthen the wait. */
    async forget(id: string): Promise<void> {
      await pool.query("delete from internal.login_attempts where id = $1", [id]);
    },

    /** The right password was given: this client's failures on this account are forgiven. */
    async forgive(email: string, client: string | null): Promise<void> {
      await pool.query(
        "delete from internal.login_attempts where account = $1 and client is not distinct from $2",
        [key(email), client === null ? null : key(client)],
      );
    },

    async removeOld(now: Date): Promise<number> {
      const { rowCount } = await pool.query(
        `delete from internal.login_attempts
         where attempted_at < $1::timestamptz - make_interval(mins => ${WINDOW_MINUTES})`,
        [now],
      );
      return rowCount ?? 0;
    },
  };
}

export type AttemptStore = ReturnType<typeof createAttemptStore>;
