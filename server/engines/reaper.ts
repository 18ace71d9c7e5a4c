import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { LOCK_CLASS } from "./instance.ts";

/**
 * What an engine does about the work of a control plane that is gone, in the transaction that strikes it off. `null`: about
 * work that no listed control plane can end any more.
 */
export type TakeOver = (client: pg.PoolClient, owner: string | null) => Promise<void>;

/**
 * Strikes dead control planes off the list: those whose lock can be had. The lock is tried and the row deleted in one
 * transaction, so that each death is dealt with once, by one. Returns how many there were.
 */
export async function reap(pool: pg.Pool, takeOver: TakeOver): Promise<number> {
  const { rows } = await pool.query<{ id: string; lock_key: number }>(
    "select id, lock_key from internal.control_planes order by lock_key",
  );
  let dead = 0;
  for (const plane of rows)
    await inTransaction(pool, async (client) => {
      const lock = await client.query<{ free: boolean }>("select pg_try_advisory_xact_lock($1, $2) as free", [
        LOCK_CLASS,
        plane.lock_key,
      ]);
      if (!lock.rows[0]?.free) return;
      const struck = await client.query(
        "delete from internal.control_planes where id = $1 and lock_key = $2",
        [plane.id, plane.lock_key],
      );
      if (struck.rowCount === 0) return;
      await takeOver(client, plane.id);
      dead += 1;
    });
  await inTransaction(pool, (client) => takeOver(client, null));
  return dead;
}
