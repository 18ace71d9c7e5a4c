/**
 * The Schema in use. It is read once, and again on `NOTIFY pgrst`: requests go on with the old one until the new one is
 * whole. The listening connection is its own; when it is lost, it comes back with growing pauses and reads again,
 * because notifications were missed meanwhile.
 */
import pg from "pg";
import { readCatalog } from "./catalog.ts";
import { refuse } from "../errors.ts";
import { buildSchema } from "./introspect.ts";
import type { Schema } from "./schema.ts";
import type { RestObserve } from "../options.ts";

const CHANNEL = "pgrst";
/** Milliseconds: a migration sends many notifications in a row. */
const SETTLE = 100;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 15_000;

export interface SchemaCache {
  /** The schema of this moment; 503 PGRST002 while there is none. */
  current(): Promise<Schema>;
  reload(): Promise<void>;
  isTimezone(name: string): boolean;
  loadTimezones(): Promise<void>;
  close(): Promise<void>;
}

interface Source {
  pool: pg.Pool;
  schemas: string[];
  observe: RestObserve;
}

export function createSchemaCache({ pool, schemas, observe }: Source): SchemaCache {
  let schema: Schema | null = null;
  let loading: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let timezones: Set<string> | null = null;
  let listener: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE;
  let isClosed = false;

  async function load(): Promise<void> {
    const started = performance.now();
    const client = await pool.connect();
    let broken = true;
    try {
      schema = buildSchema(await readCatalog(client, schemas), schemas);
      broken = false;
    } finally {
      client.release(broken);
    }
    observe({
      kind: "rest.reloaded",
      relations: schema.relations.size,
      ms: Math.round(performance.now() - started),
    });
  }

  /** A call while another runs waits for a fresh one, as the running one may have read before the change. */
  function reload(): Promise<void> {
    if (!loading) {
      loading = load().finally(() => (loading = null));
      return loading;
    }
    queued ??= loading
      .catch(() => undefined)
      .then(() => {
        queued = null;
        return reload();
      });
    return queued;
  }

  function report(error: unknown): void {
    observe({ kind: "rest.failed", error: error instanceof Error ? error.message : String(error) });
  }

  function later(work: () => Promise<void>, wait: number): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void work().catch(report), wait);
    timer.unref();
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...pool.options });
    const lost = () => {
      if (listener !== client) return;
      listener = null;
      void client.end().catch(() => undefined);
      later(listen, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
    listener = client;
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => {
      if (!payload || payload === "reload schema" || payload === "reload config") later(reload, SETTLE);
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await reload();
      pause = FIRST_PAUSE;
    } catch (error) {
      report(error);
      lost();
    }
  }

  const started = listen();

  return {
    async current() {
      if (schema) return schema;
      await Promise.race([started, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
      if (!schema) await reload().catch(report);
      if (schema) return schema;
      throw refuse(503, "002", "Could not query the database for the schema cache. Retrying.", {
        headers: { "Retry-After": "1" },
      });
    },
    reload,
    isTimezone: (name) => timezones?.has(name) ?? false,
    async loadTimezones() {
      timezones ??= new Set(
        (await pool.query<{ name: string }>("select name from pg_catalog.pg_timezone_names")).rows.map(
          (row) => row.name,
        ),
      );
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const client = listener;
      listener = null;
      await client?.end().catch(() => undefined);
      await loading?.catch(() => undefined);
    },
  };
}
