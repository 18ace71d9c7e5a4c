import { randomUUID } from "node:crypto";
import type pg from "pg";

/** How many ordinary checks there are besides the named ones: more than a page of 50. */
export const NODES = 60;

/** What the journeys look at: a shop with something broken in it, a database pair, a fleet of more than one page. */
export async function createEstate(
  pool: pg.Pool,
  { url, database }: { url: string; database: URL },
): Promise<void> {
  const endpoint = `127.0.0.1:${database.port}`;
  await createCanary(
    pool,
    "storefront",
    {
      schedule: "@every 30s",
      severity: "critical",
      http: [
        { name: "Front page", url: `${url}/api/_health`, description: "What everybody sees first" },
        { name: "Cart", url: `${url}/api/no-such-path`, labels: { "critical-path": "true" } },
      ],
    },
    { namespace: "shop", labels: { team: "web", region: "eu-west" } },
  );
  await createCanary(
    pool,
    "ledger",
    {
      schedule: "@every 30s",
      tcp: [
        { name: "Primary accepts connections", endpoint },
        { name: "Replica accepts connections", endpoint: "127.0.0.1:1" },
      ],
    },
    { namespace: "payments", labels: { team: "ledger" } },
  );
  const tcp = Array.from({ length: NODES }, (_, n) => ({
    name: `node-${String(n + 1).padStart(2, "0")}`,
    endpoint,
  }));
  await createCanary(pool, "fleet", { schedule: "@every 10m", tcp }, { namespace: "platform" });
  await until(
    pool,
    "select count(*) > $1 and count(*) = count(status) from checks where deleted_at is null",
    [NODES],
  );
}

async function createCanary(
  pool: pg.Pool,
  name: string,
  spec: object,
  { namespace = "journeys", labels = {} }: { namespace?: string; labels?: Record<string, string> } = {},
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into canaries (name, namespace, labels, spec, source) values ($1, $2, $3, $4, 'UI') returning id`,
    [name, namespace, labels, spec],
  );
  return rows[0]!.id;
}

/** A failing check of a journey's own: it ran once and rests until new year, or until somebody runs it. */
export async function createRestingCheck(pool: pg.Pool, name = `resting ${randomUUID().slice(0, 8)}`) {
  const canary = await createCanary(pool, name, {
    schedule: "0 0 1 1 *",
    tcp: [{ name, endpoint: "127.0.0.1:1" }],
  });
  await until(pool, "select count(*) = 1 from checks where canary_id = $1 and status is not null", [canary]);
  const { rows } = await pool.query<{ id: string }>("select id from checks where canary_id = $1", [canary]);
  return { id: rows[0]!.id, name };
}

/** A check whose results somebody else pushed: 120 within the last hour, half of them failed, and one five hours ago. */
export async function createCheckWithHistory(pool: pg.Pool, name = `history ${randomUUID().slice(0, 8)}`) {
  const canary = await createCanary(pool, name, { schedule: "0 0 1 1 *" });
  const { rows } = await pool.query<{ id: string }>(
    `insert into checks (canary_id, name, type, status, last_runtime) values ($1, $2, 'http', 'healthy', now()) returning id`,
    [canary, name],
  );
  await pool.query(
    `insert into check_statuses (check_id, time, status, duration, message)
     select $1::uuid, now() - n * interval '15 seconds', n % 2 = 0, 10 + n, 'run ' || n from generate_series(1, 120) as n
     union all select $1::uuid, now() - interval '5 hours', false, 900, 'before lunch'`,
    [rows[0]!.id],
  );
  return { id: rows[0]!.id, name };
}

/** Waits for a query of one boolean. */
async function until(pool: pg.Pool, query: string, values: unknown[]): Promise<void> {
  for (const end = Date.now() + 60_000; ;) {
    const { rows } = await pool.query<Record<string, boolean>>(query, values);
    if (Object.values(rows[0] ?? {})[0]) return;
    if (Date.now() > end) throw new Error(`waited in vain: ${query}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
