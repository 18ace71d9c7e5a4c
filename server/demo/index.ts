/** The demo: an invented company's estate, added to an empty product and started with it (PILOTHOUSE_DEMO=1). */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createPool, inTransaction } from "#server/db/pool.ts";
import { syncBatch } from "#server/engines/checks/sync.ts";
import { DEMO_AGENTS, demoCanaries, PUSHED, type DemoCanary, type DemoCheck } from "./estate.ts";
import { writeHistory, type Remembered } from "./history.ts";
import { DEMO_MARK, refuseRealData } from "./marks.ts";
import { ensurePeople } from "./people.ts";
import { startTargets, type Targets } from "./targets.ts";

const HOUR_MS = 3_600_000;
const LOCK = 7_072_454_070;
/** Where it is remembered which addresses the canaries name. */
const META = "demo";

/**
 * Starts the targets and makes sure the estate is there and names them. Throws StartError when the database holds data
 * that is neither the product's own nor the demo's. Several control planes may do this at once.
 * The signal ends a start that is no longer wanted: it rejects.
 */
export async function startDemo(
  url: string,
  { now = new Date(), signal }: { now?: Date; signal?: AbortSignal } = {},
): Promise<{ stop(): Promise<void> }> {
  const pool = createPool({ url, max: 2, name: "demo", observe: () => undefined });
  let isOver = false;
  const leave = () => void cutShort(url, () => isOver).catch(() => undefined);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", leave, { once: true });
  let targets: Awaited<ReturnType<typeof startTargets>> | undefined;
  try {
    await refuseRealData(pool);
    const known = await knownTargets(pool);
    targets = await startTargets(known ? { http: portOf(known.http), https: portOf(known.https) } : {});
    const { http, https } = targets;
    const admin = await ensurePeople(pool);
    await inTransaction(pool, async (client) => {
      await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
      await ensureAgents(client, now);
      if (known) await rename(client, known, { http, https });
      else await create(client, { admin, targets: { http, https }, now });
      await client.query(
        `insert into internal.meta (key, value) values ($1, $2::jsonb)
         on conflict (key) do update set value = excluded.value, updated_at = now()`,
        [META, JSON.stringify({ http, https })],
      );
    });
    if (!known) await pool.query("analyze"); // so many rows at once would be planned for as if there were none
    return targets;
  } catch (error) {
    await targets?.stop();
    throw error;
  } finally {
    isOver = true;
    signal?.removeEventListener("abort", leave);
    await pool.end();
  }
}

/** Ends the statement under way, which would hold up a stop, and any that follows; the transaction is undone. */
async function cutShort(url: string, isOver: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  for (; !isOver(); await sleep(100))
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'pilothouse demo' and datname = current_database()`,
    );
  await client.end();
}

const portOf = (url: string) => Number(new URL(url).port);

async function knownTargets(pool: pg.Pool): Promise<Targets | null> {
  const { rows } = await pool.query<{ value: Targets }>("select value from internal.meta where key = $1", [
    META,
  ]);
  return rows[0]?.value ?? null;
}

/** The targets may have had to move; whatever else people changed in a canary stays. */
async function rename(client: pg.ClientBase, from: Targets, to: Targets): Promise<void> {
  const pairs = [
    [from.http, to.http],
    [from.https, to.https],
    [`"${new URL(from.http).host}"`, `"${new URL(to.http).host}"`],
  ];
  for (const [before, after] of pairs)
    if (before !== after)
      await client.query(
        `update public.canaries set spec = replace(spec::text, $1, $2)::jsonb
         where annotations ? '${DEMO_MARK}' and strpos(spec::text, $1) > 0`,
        [before, after],
      );
}

/** Those that are alive were seen just now; the silent one is what is wrong there. */
async function ensureAgents(client: pg.ClientBase, now: Date): Promise<void> {
  for (const { name, description, silentHours } of DEMO_AGENTS)
    await client.query(
      `insert into public.agents (name, description, hostname, version, properties, last_seen, last_received)
       values ($1, $2, $1, '1.4.2', '{"demo": "true"}', $3, $3)
       on conflict (name) where deleted_at is null
       do update set last_seen = excluded.last_seen, last_received = excluded.last_received
       where $4 = 0 and agents.properties ->> 'demo' = 'true'`,
      [name, description, new Date(now.getTime() - silentHours * HOUR_MS), silentHours],
    );
}

interface Making {
  admin: string;
  targets: Targets;
  now: Date;
}

async function create(client: pg.PoolClient, { admin, targets, now }: Making): Promise<void> {
  const canaries = demoCanaries(targets);
  for (const canary of canaries) await insertCanary(client, canary, admin);
  while ((await syncBatch(client, now)) > 0);
  const pushed = await createPushed(client, admin);
  const { rows } = await client.query<{ id: string; canary: string; name: string }>(
    `select checks.id, canaries.namespace || '/' || canaries.name as canary, checks.name
     from public.checks join public.canaries on canaries.id = checks.canary_id
     where canaries.annotations ? '${DEMO_MARK}' and checks.last_runtime is null`,
  );
  const facts = new Map<string, DemoCheck>(
    canaries.flatMap(({ namespace, name, checks }) =>
      checks.map((check) => [`${namespace}/${name} ${check.name}`, check] as const),
    ),
  );
  const remembered = rows.flatMap(({ id, canary, name }): Remembered[] => {
    const known = facts.get(`${canary} ${name}`);
    return known ? [{ ...known, id, name: `${canary} ${name}` }] : [];
  });
  await writeHistory(client, [...remembered, ...pushed], now);
  await client.query("delete from internal.event_queue where key = any ($1)", [
    [...remembered, ...pushed].map(({ id }) => id), // the past is no news
  ]);
}

async function insertCanary(
  client: pg.ClientBase,
  { name, namespace, labels, spec }: Pick<DemoCanary, "name" | "namespace" | "labels" | "spec">,
  admin: string,
  agent = "00000000-0000-0000-0000-000000000000",
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into public.canaries (name, namespace, labels, annotations, spec, source, created_by, agent_id)
     values ($1, $2, $3, $4, $5, 'UI', $6, $7) returning id`,
    [name, namespace, labels, { [DEMO_MARK]: "true" }, spec, admin, agent],
  );
  return rows[0]!.id;
}

/** The checks that the silent agent reported until it fell silent. */
async function createPushed(client: pg.ClientBase, admin: string): Promise<Remembered[]> {
  const agent = await client.query<{ id: string }>(
    "select id from public.agents where name = $1 and deleted_at is null",
    [PUSHED.agent],
  );
  const { name, namespace, checks } = PUSHED;
  const { id: agentId } = agent.rows[0]!;
  const labels = { team: "warehouse", tier: "2", agent: PUSHED.agent };
  const spec = { schedule: "@every 5m", severity: "medium" };
  const canary = await insertCanary(client, { name, namespace, labels, spec }, admin, agentId);
  const { rows } = await client.query<{ id: string; name: string }>(
    `insert into public.checks (canary_id, agent_id, type, name, namespace, severity, labels, is_pushed)
     select $1, $2, 'tcp', name, $3, 'medium', $4, true from unnest($5::text[]) as name returning id, name`,
    [canary, agentId, namespace, labels, checks],
  );
  const hours = DEMO_AGENTS.find(({ name: known }) => known === PUSHED.agent)?.silentHours ?? 0;
  return rows.map(({ id, name: check }) => ({
    id,
    name: check,
    ms: 20,
    story: "steady",
    everySeconds: 300,
    silentSince: hours * HOUR_MS,
  }));
}
