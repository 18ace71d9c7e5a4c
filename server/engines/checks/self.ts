import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { SELF_CONNECTION } from "./connections.ts";
import { syncBatch } from "./sync.ts";

/** What there is of the product to watch; what is absent is not this process's to say and stays as it is. */
export interface SelfTargets {
  /** The web's root, e.g. http://127.0.0.1:3000. */
  webUrl?: string;
  /** The control plane's root. */
  apiUrl?: string;
  database?: { host: string; port: number };
  /** Where the product keeps its data on this machine; absent when there is no such folder. */
  dataFolder?: string;
}

const SOURCE = "ConfigFile";
const NAMESPACE = "pilothouse";
const LABELS = { app: "pilothouse" };

/** Under this much free space people should act. Ours to choose. */
const FREE_SPACE = "1Gi";
/** Over this much delay at the 99th percentile of a quarter of a minute something blocks. Ours to choose. */
const LAG_LIMIT_MS = 500;

/** What is only just starting is not called unhealthy: no look at ourselves for this long after a start, in milliseconds. */
const WARM_UP_MS = 3000;

interface Watch {
  name: string;
  spec: Record<string, unknown>;
}

/**
 * The canaries with which the product watches itself: ordinary rows, made at the first start and kept in step at each
 * (addresses may change). One that a person suspended stays suspended, one that a person deleted stays deleted. Several
 * control planes may do this at once. No secret is in a spec: the query goes over a reserved connection.
 */
export async function ensureSelfCanaries(pool: pg.Pool, targets: SelfTargets, now: Date): Promise<void> {
  const notBefore = new Date(now.getTime() + WARM_UP_MS);
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('pilothouse self canaries'))");
    for (const watch of watches(targets)) await ensure(client, watch);
    await syncBatch(client, now);
    await client.query(
      `update internal.check_state set next_runtime = $3
       where next_runtime < $3 and check_id in (
         select definition.id from internal.checks as definition
         join public.canaries on canaries.id = definition.canary_id
         where canaries.namespace = $1 and canaries.source = $2)`,
      [NAMESPACE, SOURCE, notBefore],
    );
  });
}

function watches({ webUrl, apiUrl, database, dataFolder }: SelfTargets): Watch[] {
  const common = { schedule: "@every 15s", severity: "critical" };
  const all: Watch[] = [];
  if (webUrl)
    all.push({
      name: "pilothouse-web",
      spec: { ...common, http: [get("web", "Web", join(webUrl, "/api/_health"))] },
    });
  if (apiUrl)
    all.push({
      name: "pilothouse-api",
      spec: {
        ...common,
        http: [
          get("api", "API and engines", join(apiUrl, "/health")),
          eventLoop(join(apiUrl, "/health/event-loop")),
        ],
      },
    });
  if (dataFolder)
    all.push({
      name: "pilothouse-data",
      spec: {
        ...common,
        folder: [
          {
            name: "data-folder",
            description: "Free space for the data of this product",
            path: dataFolder,
            availableSize: FREE_SPACE,
          },
        ],
      },
    });
  if (database) {
    const host =
      database.host.includes(":") && !database.host.startsWith("[") ? `[${database.host}]` : database.host;
    all.push({
      name: "pilothouse-database",
      spec: {
        ...common,
        tcp: [
          {
            name: "database-port",
            description: "Database accepts connections",
            endpoint: `${host}:${database.port}`,
            thresholdMillis: 2000,
          },
        ],
        postgres: [
          {
            name: "database-query",
            description: "Database answers a query",
            connection: SELF_CONNECTION,
            query: "SELECT 1",
            results: 1,
          },
        ],
      },
    });
  }
  return all;
}

/** How late the control plane gets to what it has to do: more, and every page and check waits. */
const eventLoop = (url: string) => ({
  name: "event-loop",
  description: "Delay of the control plane's event loop",
  url,
  responseCodes: [200],
  thresholdMillis: 5000,
  test: { expr: `json.eventLoopLagMs < ${LAG_LIMIT_MS}` },
  display: { expr: "'lag ' + string(json.eventLoopLagMs) + ' ms'" },
});

const get = (name: string, description: string, url: string) => ({
  name,
  description: `${description} of this product`,
  url,
  responseCodes: [200],
  thresholdMillis: 5000,
});

const join = (root: string, path: string) => `${root.replace(/\/+$/, "")}${path}`;

async function ensure(client: pg.PoolClient, { name, spec }: Watch): Promise<void> {
  await client.query(
    `insert into public.canaries as existing (name, namespace, source, labels, spec)
     select $1, $2, $3, $4::jsonb, $5::jsonb
     where not exists (
       select from public.canaries as gone
       where gone.name = $1 and gone.namespace = $2 and gone.source = $3 and gone.deleted_at is not null)
     on conflict (agent_id, name, namespace, source)
       where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000'
     do update set spec = excluded.spec, labels = excluded.labels
       where existing.spec is distinct from excluded.spec or existing.labels is distinct from excluded.labels`,
    [name, NAMESPACE, SOURCE, JSON.stringify(LABELS), JSON.stringify(spec)],
  );
}
