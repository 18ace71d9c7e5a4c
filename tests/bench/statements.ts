/** How many statements a page costs the database, by pg_stat_statements, which is off except while it counts. */
import type pg from "pg";

const TIMES = 40;
const QUIET_MS = 3000;

interface Counted {
  id: string;
  query: string;
  calls: number;
  ms: number;
}

/** Needs a superuser and the library preloaded. */
export async function watchStatements(superuser: pg.Client): Promise<void> {
  await superuser.query("create extension if not exists pg_stat_statements");
  await track(superuser, "none");
}

/**
 * Statements per page, BEGIN and COMMIT included: those of `TIMES` pages read one by one, less what the engines do in
 * the same time by themselves. `isListed`: says which, with their times, to the terminal.
 */
export async function countStatements(
  superuser: pg.Client,
  read: (times: number) => Promise<void>,
  { isListed = false } = {},
): Promise<number> {
  await track(superuser, "top");
  const quiet = await during(superuser, () => new Promise<void>((done) => setTimeout(done, QUIET_MS)));
  const from = performance.now();
  const busy = await during(superuser, () => read(TIMES));
  const share = (performance.now() - from) / QUIET_MS;
  await track(superuser, "none");
  const idle = new Map(quiet.map((one) => [one.id, one.calls]));
  const perPage = busy
    .map((one) => ({
      ...one,
      calls: (one.calls - share * (idle.get(one.id) ?? 0)) / TIMES,
      each: one.ms / one.calls,
    }))
    .filter(({ calls }) => calls > 0.4)
    .toSorted((a, b) => b.calls * b.each - a.calls * a.each);
  if (isListed)
    for (const { calls, each, query } of perPage)
      process.stderr.write(
        `${calls.toFixed(1)} × ${each.toFixed(2)} ms: ${query.replace(/\s+/g, " ").slice(0, 400)}\n`,
      );
  return perPage.reduce((sum, { calls }) => sum + Math.round(calls), 0);
}

async function during(superuser: pg.Client, work: () => Promise<void>): Promise<Counted[]> {
  await superuser.query("select pg_stat_statements_reset()");
  await work();
  const { rows } = await superuser.query<Counted>(
    `select queryid::text as id, min(query) as query, sum(calls)::float8 as calls, sum(total_exec_time) as ms
     from pg_stat_statements where query not like '%pg_stat_statements%' group by queryid`,
  );
  return rows;
}

async function track(superuser: pg.Client, what: "top" | "none"): Promise<void> {
  await superuser.query(`alter system set pg_stat_statements.track = '${what}'`);
  await superuser.query("select pg_reload_conf()");
  await new Promise((done) => setTimeout(done, 300)); // connections read it before their next statement
}
