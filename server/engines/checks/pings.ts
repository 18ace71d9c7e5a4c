import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import type { Observe } from "#server/observe/observation.ts";
import { aboutOf } from "./attempt.ts";
import { createBatch } from "./batch.ts";
import { Busy } from "./busy.ts";
import { outcomeOf, termsOf, type Heard } from "./heartbeat.ts";
import { findPinged, heartbeatHash, savePings, type Ping, type Pinged } from "./heartbeat-store.ts";
import { judge, type Expressions } from "./judge.ts";
import { lastResult } from "./last-result.ts";

/** How long pings are collected, in milliseconds: to look their tokens up, and to store them. */
const COLLECT_MS = { find: 8, save: 20 };
/** One transaction stores pings while the next is on its way; rows are locked in the order of their checks. */
const SAVES_AT_ONCE = 2;
/** Pings that may wait for the database, and how long, in milliseconds; then the sender is asked to come again. */
const MAX_WAITING = 2000;
const PATIENCE_MS = 10_000;

interface Needs {
  pool: pg.Pool;
  observe: Observe;
  now(): Date;
}
interface Lookup {
  hash: Buffer;
  found?: Pinged;
}

/** What became of a ping: stored and committed, of nobody's token, or of a check whose spec cannot be read. */
export type Received = "stored" | "unknown" | { unreadable: string };

/**
 * Takes pings. Each that is answered as stored is a committed row: pings that come within a few milliseconds are stored
 * in one transaction, and answered after it.
 */
export interface Pings {
  /** Throws Busy when the database does not keep up or is away. */
  receive(token: string, heard: Heard): Promise<Received>;
  close(): void;
}

export function createPings({ pool, observe, now }: Needs): Pings {
  const failed = (error: unknown) =>
    observe({ kind: "engine.failed", engine: "heartbeats", error: String(error) });
  const finding = createBatch<Lookup>({
    waitMs: COLLECT_MS.find,
    failed,
    async save(lookups) {
      const found = await findPinged(
        pool,
        lookups.map(({ hash }) => hash),
      );
      for (const lookup of lookups) lookup.found = found.get(lookup.hash.toString("hex"));
    },
  });
  const saving = createBatch<Ping>({
    waitMs: COLLECT_MS.save,
    lanes: SAVES_AT_ONCE,
    failed,
    save: (pings) => inTransaction(pool, (client) => savePings(client, pings)),
  });
  let waiting = 0;

  async function take(token: string, heard: Heard, at: Date): Promise<Received> {
    const lookup: Lookup = { hash: heartbeatHash(token) };
    await finding.add(lookup);
    if (!lookup.found) return "unknown";
    const { check, live } = lookup.found;
    const terms = termsOf(check.spec);
    if (typeof terms === "string") return { unreadable: terms };
    const outcome =
      heard.kind === "start"
        ? outcomeOf({ ...heard, exitCode: 0 })
        : await judge(
            outcomeOf(heard),
            check.spec as Expressions,
            aboutOf(check, { lastResult: (id) => lastResult(pool, id) }),
            0,
          );
    const ping: Ping = { check, live, heard, at, outcome, stored: false };
    await saving.add(ping);
    if (!ping.stored) return "unknown";
    if (heard.kind === "end") observe({ kind: "check.ran", id: check.id, status: outcome.status, ms: 0 });
    return "stored";
  }

  return {
    async receive(token, heard) {
      if (waiting >= MAX_WAITING) throw new Busy("Too many pings at once, try again in a moment");
      waiting += 1;
      const work = take(token, heard, now()).finally(() => (waiting -= 1));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, fail) => {
        timer = setTimeout(
          () => fail(new Busy("The ping could not be stored yet, send it again")),
          PATIENCE_MS,
        );
      });
      try {
        return await Promise.race([work, late]);
      } finally {
        clearTimeout(timer);
        work.catch(() => undefined);
      }
    },
    close() {
      finding.close();
      saving.close();
    },
  };
}
