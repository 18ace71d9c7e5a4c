import type pg from "pg";

/** The newest stored result of a check as `last_result()` answers it (facts: engines §3.3); null when there is none. */
export async function lastResult(pool: pg.Pool, id: string): Promise<Record<string, unknown> | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: "engine.last",
    text: `select status, invalid, created_at as "createdAt", duration, message, error, details as results
           from public.check_statuses where check_id = $1 order by time desc limit 1`,
    values: [id],
  });
  const [found] = rows;
  return found ? { ...found, results: found["results"] ?? {} } : null;
}
