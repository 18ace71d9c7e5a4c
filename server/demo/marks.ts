/** How the demo's rows are told from everybody else's, and how they go. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { StartError } from "#server/db/start-error.ts";

/** The annotation of the demo's canaries. */
export const DEMO_MARK = "pilothouse/demo";

const SYSTEM = "00000000-0000-0000-0000-000000000001";
const LOCAL_AGENT = "00000000-0000-0000-0000-000000000000";
/** The people of the demo; what they made belongs to it, too. */
const PEOPLE = "select id from public.people where properties ->> 'demo' = 'true'";
const CANARIES = `select id from public.canaries where annotations ? '${DEMO_MARK}' or created_by in (${PEOPLE})`;
const AGENTS = `select id from public.agents where properties ->> 'demo' = 'true' or created_by in (${PEOPLE})`;

/** Throws StartError when somebody's own people, canaries or agents are here. */
export async function refuseRealData(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ people: number; canaries: number; agents: number }>(
    `select
       (select count(*)::int from public.people where id <> $1 and id not in (${PEOPLE})) as people,
       (select count(*)::int from public.canaries where (source, namespace) is distinct from ('ConfigFile', 'pilothouse')
          and id not in (${CANARIES})) as canaries,
       (select count(*)::int from public.agents where id <> $2 and id not in (${AGENTS})) as agents`,
    [SYSTEM, LOCAL_AGENT],
  );
  const found = Object.entries(rows[0]!).filter(([, count]) => count > 0);
  if (found.length === 0) return;
  const words = found.map(([what, count]) => `${count} ${what}`).join(", ");
  throw new StartError(
    `The demo does not run beside real data (${words} are here): name an empty folder, such as PILOTHOUSE_DATA=.pilothouse-demo npm run demo.`,
  );
}

/** Removes the demo and all that its people made. Returns how many canaries and people went. */
export async function removeDemo(pool: pg.Pool): Promise<{ canaries: number; people: number }> {
  return inTransaction(pool, async (client) => {
    const ids = async (select: string) =>
      (await client.query<{ id: string }>(select)).rows.map((row) => row.id);
    const [people, canaries, agents] = [await ids(PEOPLE), await ids(CANARIES), await ids(AGENTS)];
    const checks = (
      await client.query<{ id: string }>("select id from internal.checks where canary_id = any ($1)", [
        canaries,
      ])
    ).rows.map(({ id }) => id);
    await client.query("delete from internal.event_queue where key = any ($1)", [checks]);
    await client.query("delete from internal.check_minutes where check_id = any ($1)", [checks]);
    await client.query("delete from public.job_history where resource_id = any ($1)", [canaries]);
    await client.query("delete from internal.job_latest where resource_id = any ($1)", [canaries]);
    await client.query("delete from public.canaries where id = any ($1)", [canaries]);
    await deleteReferring(client, "public.agents", agents);
    await client.query("delete from internal.agent_counts where agent_id = any ($1)", [agents]);
    await client.query("delete from public.identities where id = any ($1)", [people]);
    await deleteReferring(client, "public.people", people);
    await client.query("delete from internal.meta where key = 'demo'");
    return { canaries: canaries.length, people: people.length };
  });
}

interface Reference {
  table: string;
  column: string;
}

/** Deletes the rows, and before them every row that names one and would stand in the way, however far that leads. */
async function deleteReferring(
  client: pg.ClientBase,
  table: string,
  ids: string[],
  seen = new Set<string>(),
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await client.query<Reference>(
    `select k.conrelid::regclass::text as table, a.attname::text as column
     from pg_constraint as k join pg_attribute as a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and k.confrelid = $1::regclass and k.confdeltype in ('a', 'r') and k.conparentid = 0
       and cardinality(k.conkey) = 1`,
    [table],
  );
  for (const { table: other, column } of rows) {
    if (seen.has(`${other}.${column}`)) continue;
    const deeper = new Set([...seen, `${other}.${column}`]);
    const hasId = await client.query(
      "select from pg_attribute where attrelid = $1::regclass and attname = 'id' and atttypid = 'uuid'::regtype",
      [other],
    );
    if (hasId.rowCount === 0) {
      await client.query(`delete from ${other} where "${column}" = any ($1)`, [ids]);
      continue;
    }
    const found = await client.query<{ id: string }>(`select id from ${other} where "${column}" = any ($1)`, [
      ids,
    ]);
    await deleteReferring(
      client,
      other,
      found.rows.map(({ id }) => id),
      deeper,
    );
  }
  await client.query(`delete from ${table} where id = any ($1)`, [ids]);
}
