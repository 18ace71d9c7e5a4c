/** What the engine tests share: a control plane's engines on a test database, and targets to check. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import pg from "pg";
import { createEngines, type EngineNeeds, type Engines } from "#server/engines/index.ts";
import type { Observation } from "#server/observe/observation.ts";
import type { TestDatabase } from "#tests/support/postgres.ts";

export interface Plane extends Engines {
  seen: Observation[];
  pool: pg.Pool;
  /** Stops the engines and closes the pool. */
  end(graceMs?: number): Promise<void>;
}

/** One control plane's engines, with a pool of its own as in production. */
export async function aPlane(db: TestDatabase, needs: Partial<EngineNeeds> = {}): Promise<Plane> {
  const pool = new pg.Pool({ connectionString: db.url, max: 6 });
  pool.on("error", () => undefined);
  const seen: Observation[] = [];
  const engines = createEngines({
    pool,
    databaseUrl: db.url,
    key: "a key of at least thirty-two characters",
    observe: (observation) => void seen.push(observation),
    self: {},
    ...needs,
  });
  return {
    ...engines,
    seen,
    pool,
    async end(graceMs = 2000) {
      await engines.stop(graceMs);
      await pool.end();
    },
  };
}

export interface Target {
  server: Server;
  port: number;
  close(): void;
}

/** A port that accepts every connection. */
export async function aPort(): Promise<Target> {
  const server = createServer((socket) => socket.on("error", () => undefined).end());
  return listening(server);
}

/** A port that accepts and never says a word: an http check of it hangs. */
export async function aSilentPort(): Promise<Target> {
  const open = new Set<{ destroy(): void }>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
  });
  const target = await listening(server);
  return {
    ...target,
    close() {
      for (const socket of open) socket.destroy();
      target.close();
    },
  };
}

async function listening(server: Server): Promise<Target> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** Asks until the answer is as wanted, at most `ms` long; the last answer either way. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  ms = 8000,
): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (wanted(answer) || Date.now() > until) return answer;
    await new Promise((done) => setTimeout(done, 50));
  }
}
