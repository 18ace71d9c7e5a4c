import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import type { Observe } from "#server/observe/observation.ts";
import { aboutOf } from "./attempt.ts";
import { createBatch } from "./batch.ts";
import { Busy } from "./busy.ts";
import { outcomeOf, termsOf, type Heard } from "./heartbeat.ts";
import { findPinged, heartbeatHash, savePings, type Ping, type Pinged } from "./heartbeat-store.ts";
import { asksOf, judge, type Expressions } from "./judge.ts";
import { lastResult } from "./last-result.ts";

/** How long pings are collected before they are looked up and stored, in milliseconds. */
const COLLECT_MS = 20;
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
/** One ping on its way to be stored. */
interface Arrival {
  hash: Buffer;
  heard: Heard;
  at: Date;
  /** What is known of it once its token was looked up; undefined: it is nobody's. */
  ping?: Ping;
  unreadable?: string;
  /** "asks": its check has expressions, which nothing in a transaction waits for. "heard": they have spoken. */
  judging?: "asks" | "heard";
}

/** What became of a ping: stored and committed, of nobody's token, or of a check whose spec cannot be read. */
export type Received = "stored" | "unknown" | { unreadable: string };

/**
 * Takes pings. Each that is answered as stored is a committed row: pings that come within a few milliseconds are looked
 * up and stored in one transaction, and answered after it.
 */
export interface Pings {
  /** Throws Busy when the database does not keep up or is away. */
  receive(token: string, heard: Heard): Promise<Received>;
  close(): void;
}

export function createPings({ pool, observe, now }: Needs): Pings {
  const failed = (error: unknown) =>
    observe({ kind: "engine.failed", engine: "heartbeats", error: String(error) });
  const storing = createBatch<Arrival>({
    waitMs: COLLECT_MS,
    lanes: SAVES_AT_ONCE,
    failed,
    save: (arrivals) => inTransaction(pool, (client) => store(client, arrivals)),
  });
  let waiting = 0;

  async function take(arrival: Arrival): Promise<Received> {
    await storing.add(arrival);
    const { ping, judging, unreadable, heard } = arrival;
    if (unreadable !== undefined) return { unreadable };
    if (ping && judging === "asks") {
      const about = aboutOf(ping.check, { lastResult: (id) => lastResult(pool, id) });
      ping.outcome = await judge(ping.outcome, ping.check.spec as Expressions, about, 0);
      arrival.judging = "heard";
      await storing.add(arrival);
    }
    if (!ping?.stored) return "unknown";
    if (heard.kind === "end")
      observe({ kind: "check.ran", id: ping.check.id, status: ping.outcome.status, ms: 0 });
    return "stored";
  }

  return {
    async receive(token, heard) {
      if (waiting >= MAX_WAITING) throw new Busy("Too many pings at once, try again in a moment");
      waiting += 1;
      const work = take({ hash: heartbeatHash(token), heard, at: now() }).finally(() => (waiting -= 1));
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
      storing.close();
    },
  };
}

/** Looks up whose the pings are and stores those that nobody has to be asked about, in the caller's transaction. */
async function store(client: pg.PoolClient, arrivals: Arrival[]): Promise<void> {
  const fresh = arrivals.filter(({ judging }) => judging !== "heard");
  const found = await findPinged(
    client,
    fresh.map(({ hash }) => hash),
  );
  for (const arrival of fresh) recognise(arrival, found.get(arrival.hash.toString("hex")));
  await savePings(
    client,
    arrivals.flatMap(({ ping, judging }) => (ping && judging !== "asks" ? ping : [])),
  );
}

/** Notes what the token's owner makes of a ping; again from the start when its transaction is tried again. */
function recognise(arrival: Arrival, pinged: Pinged | undefined): void {
  const { heard, at } = arrival;
  delete arrival.ping;
  delete arrival.unreadable;
  delete arrival.judging;
  if (!pinged) return;
  const { check, live } = pinged;
  const terms = termsOf(check.spec);
  if (typeof terms === "string") {
    arrival.unreadable = terms;
    return;
  }
  const until = live ? new Date(at.getTime() + terms.holdMs) : null;
  const starts = heard.kind === "start";
  const outcome = outcomeOf(starts ? { ...heard, exitCode: 0 } : heard);
  arrival.ping = { check, live, heard, at, until, outcome, stored: false };
  if (!starts && asksOf(check.spec as Expressions)) arrival.judging = "asks";
}
