import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import pg from "pg";
import type { Observe } from "#server/observe/observation.ts";

/**
 * This control plane among the others. Each holds a session-level advisory lock on a connection of its own and is listed
 * in `internal.control_planes` with its worker pools: whoever gets the lock of a listed one knows that it is dead, however
 * it died, and takes over what it had claimed and what its pools had locked. The same connection listens for what wakes
 * the engines.
 */
export interface Instance {
  /** What claims are made under; null while the connection is away: then nothing may be claimed. */
  owner(): string | null;
  /** Counts how often the lock was taken; null while it is not held. What was begun in one tenure ends with it. */
  tenure(): number | null;
  /** Lists a worker pool as ours, before it takes its first job. Throws while the lock is not held. */
  list(workerPool: string): Promise<void>;
  /** Takes a worker pool off the list, after its last job. Throws while the lock is not held. */
  strike(workerPool: string): Promise<void>;
  start(): void;
  /** Takes itself off the list, with its worker pools. Call it when nothing is claimed any more. */
  stop(): Promise<void>;
}
interface Options {
  url: string;
  observe: Observe;
  /** Channel → what to do when somebody notifies it of something, and, without a word, whenever we begin to listen. */
  listen: ReadonlyMap<string, (about?: string) => void>;
  /** Called when the lock is lost and when it is held again. */
  changed(): void;
}

/** The first half of our advisory locks' keys; the second is the number of the control plane. */
export const LOCK_CLASS = 0x5048;
/** How often the connection is proven alive, in milliseconds. A server that vanished without a word ends here too. */
const PROVE_MS = 2000;
const RETRY_MS = { first: 100, last: 1000 };
const KEEP_ALIVE = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

export function createInstance({ url, observe, listen, changed }: Options): Instance {
  const id = randomUUID();
  let key: number | null = null;
  let client: pg.Client | null = null;
  let holding = false;
  let tenure = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let retry = RETRY_MS.first;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: "pilothouse control plane",
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
      options: KEEP_ALIVE,
    });
    let gone = false;
    const lost = (reason: string) => {
      if (gone) return;
      gone = true;
      if (client === fresh) [client, holding] = [null, false];
      void fresh.end().catch(() => undefined);
      if (stopped) return;
      changed();
      observe({ kind: "database", message: `the control plane's connection was lost: ${reason}` });
      again();
    };
    fresh.on("error", (error) => lost(error.message));
    fresh.on("end", () => lost("closed"));
    fresh.on("notification", ({ channel, payload }) => listen.get(channel)?.(payload));
    client = fresh;
    try {
      await fresh.connect();
      key ??= await nextKey(fresh);
      await takePlace(fresh, key);
      for (const channel of listen.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
      [holding, tenure] = [true, tenure + 1];
      retry = RETRY_MS.first;
      for (const wake of listen.values()) wake();
      changed();
      prove(fresh, lost);
    } catch (error) {
      lost(error instanceof Error ? error.message : String(error));
    }
  }

  /** The lock first, then the row: a row whose lock is free always means a death. */
  async function takePlace(fresh: pg.Client, number: number): Promise<void> {
    await fresh.query("select pg_advisory_lock($1, $2)", [LOCK_CLASS, number]);
    await fresh.query(
      `insert into internal.control_planes (id, lock_key, hostname, pid) values ($1, $2, $3, $4)
       on conflict (id) do nothing`,
      [id, number, hostname(), process.pid],
    );
  }

  function prove(fresh: pg.Client, lost: (reason: string) => void): void {
    timer = setTimeout(() => {
      fresh.query("select 1").then(
        () => client === fresh && prove(fresh, lost),
        (error: Error) => lost(error.message),
      );
    }, PROVE_MS);
  }

  function again(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), retry);
    retry = Math.min(retry * 2, RETRY_MS.last);
  }

  /** Over the connection that holds the lock: what it writes, it writes as the holder. */
  async function edit(change: string, workerPool: string): Promise<void> {
    if (!holding || !client) throw new Error("the lock is not held");
    const { rowCount } = await client.query(
      `update internal.control_planes set worker_pools = ${change} where id = $1`,
      [id, workerPool],
    );
    if (rowCount !== 1) throw new Error("this control plane is not listed");
  }

  return {
    owner: () => (holding ? id : null),
    tenure: () => (holding ? tenure : null),
    list: (workerPool) => edit("array_append(worker_pools, $2)", workerPool),
    strike: (workerPool) => edit("array_remove(worker_pools, $2)", workerPool),
    start: () => void connect(),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const last = client;
      [client, holding] = [null, false];
      await last?.query("delete from internal.control_planes where id = $1", [id]).catch(() => undefined);
      await last?.end().catch(() => undefined);
    },
  };
}

async function nextKey(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ key: number }>(
    "select nextval('internal.control_plane_keys')::integer as key",
  );
  const key = rows[0]?.key;
  if (key === undefined) throw new Error("no key for this control plane");
  return key;
}
