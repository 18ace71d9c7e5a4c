import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { notRunHere } from "#app/contract/words/check-types.ts";
import type { CheckMetrics } from "#server/observe/check-metrics.ts";
import type { Observe } from "#server/observe/observation.ts";
import { createBatch } from "./batch.ts";
import { Busy, NotRun } from "./busy.ts";
import { dueAfterRun, scheduleOf } from "./due.ts";
import { attempt, Stopped, type ResolveConnection } from "./attempt.ts";
import type { LookUp } from "../references.ts";
import { HEARTBEAT, overdue } from "./heartbeat.ts";
import { invalid, type Outcome } from "./runner.ts";
import type { CheckStore } from "./store.ts";
import { told } from "./told.ts";
import type { Claim, Finished, Runnable } from "./check.ts";
import { tryCanary, type Tried, type Unsaved } from "./trial.ts";
import { withinTime } from "./within-time.ts";

export { Busy, NotRun } from "./busy.ts";
export { BODY_LIMIT, type Heard } from "./heartbeat.ts";
export { renewHeartbeatToken } from "./heartbeat-store.ts";
export { createPings, type Pings } from "./pings.ts";
export { createPushes, type Pushed, type Pushes } from "./push.ts";
export { createWebhooks, type Delivered, type Delivery, type Webhooks } from "./webhook.ts";
export { createCheckStore, type CheckStore } from "./store.ts";
export { syncCanaries, syncAll } from "./sync.ts";
export { createResolveConnection } from "./connections.ts";
export { takeOverChecks } from "./interrupted.ts";
export { ensureSelfCanaries, type SelfTargets } from "./self.ts";

export interface Limits {
  /** Runs at the same time. */
  concurrency: number;
  /** Of Run Now, on top. */
  runNow: number;
  /** How long one run may take, in milliseconds. */
  timeoutMs: number;
  /** The least time between two instants of a check, in milliseconds. */
  minIntervalMs(): number;
}
export interface Needs {
  store: CheckStore;
  observe: Observe;
  /** Where the numbers of checks go; nowhere, unless given. */
  metrics?: CheckMetrics;
  now?: () => Date;
  resolveConnection: ResolveConnection;
  lookUp?: LookUp;
  /** Whether checks of this type, or with "*" all, are switched off: they run by hand only. */
  isDisabled?: (type: string) => boolean;
  limits?: Partial<Limits>;
}

/** Check types that nobody runs, and who drives them. */
const DRIVERS: ReadonlyMap<string, string> = new Map([
  [HEARTBEAT, "its pings"],
  ["webhook", "whoever calls its webhook"],
]);

/** What Run Now answers, and one run of a check in general. */
export interface Run {
  check: Runnable;
  time: Date;
  /** How long the run took, in milliseconds. */
  ms: number;
  outcome: Outcome;
}

/** Longest time between two looks for due checks, in milliseconds; new checks wake the engine sooner. */
const LOOK_MS = 1000;
/** Shortest, from one look to the next: each costs the database the same whether it finds one check or fifty. */
const PACE_MS = 50;
/** So many runs begin in one turn of the event loop: whoever asks for a page meanwhile need not wait for fifty. */
const AT_ONCE = 4;
/** Results are collected for this long: their sums cost the database almost the same for one as for ten. */
const COLLECT_MS = 50;
/** This many times the concurrency may be under way or wait to be stored: a slow database must not delay the runs. */
const UNSAVED_FACTOR = 4;

/**
 * The check engine: `tick` claims what is due and starts it, `run` runs one check at once, `drain` ends everything.
 * Every control plane has one; they share the work through claims in the database.
 */
export function createCheckEngine({
  store,
  observe,
  metrics,
  now = () => new Date(),
  resolveConnection,
  lookUp,
  isDisabled = () => false,
  limits,
}: Needs) {
  const { concurrency, runNow, timeoutMs, minIntervalMs }: Limits = {
    concurrency: 250,
    runNow: 10,
    timeoutMs: 30_000,
    minIntervalMs: () => 1000,
    ...limits,
  };
  const running = new Map<Claim, Promise<void>>();
  const asked = new Map<string, Promise<Run | null>>();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // every run under way listens
  const batch = createBatch<Finished>({
    save: (results) => store.save(results),
    waitMs: COLLECT_MS,
    failed: (error, results) => {
      observe({ kind: "engine.failed", engine: "checks", error: String(error), id: results[0]?.check.id });
    },
  });
  let performing = 0;
  let testing = 0;
  let draining = false;
  let doubtful = false;
  let ticking: Promise<unknown> = Promise.resolve();

  /** Claims what is due and starts it. Returns in how many milliseconds to look again. */
  function tick(owner: string | null): Promise<number> {
    const turn = look(owner);
    ticking = turn.catch(() => undefined);
    return turn;
  }

  async function look(owner: string | null): Promise<number> {
    const free = Math.min(concurrency - performing, UNSAVED_FACTOR * concurrency - running.size);
    if (draining || owner === null || free <= 0) return draining ? LOOK_MS : PACE_MS;
    if (isDisabled("*")) return LOOK_MS;
    const ids = [...running.keys()].map(({ id }) => id);
    if (doubtful) await store.disown(owner, ids);
    const begun = performance.now();
    doubtful = true; // until the answer is here: a commit whose answer was lost has claimed all the same
    const { claims, nextDue } = await store.claim({
      owner,
      now: now(),
      limit: free,
      minMs: minIntervalMs(),
      isDisabled,
    });
    doubtful = false;
    if (claims.length > 0) observe({ kind: "engine.tick", engine: "checks", due: claims.length });
    for (const [index, claim] of claims.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      start(claim);
    }
    if (nextDue === null) return LOOK_MS;
    const pace = PACE_MS - (performance.now() - begun);
    return Math.min(LOOK_MS, Math.max(pace, nextDue.getTime() - now().getTime()));
  }

  function start(claim: Claim): void {
    performing++;
    const work = perform(claim)
      .finally(() => performing--)
      .then(async ({ time, ms, outcome }) => {
        const dueAfter = dueAfterRun(claim, now(), minIntervalMs());
        await batch.add({ check: claim, claim, time, ms, outcome, dueAfter });
        observe({ kind: "check.ran", id: claim.id, status: outcome.status, ms });
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof Stopped))
          observe({ kind: "engine.failed", engine: "checks", id: claim.id, error: String(error) });
        await store.interrupt(
          [claim],
          error instanceof Stopped ? error.message : `not stored: ${String(error)}`,
        );
        observe({ kind: "check.interrupted", id: claim.id, instant: claim.instant.toISOString() });
      })
      .catch((error: unknown) =>
        observe({ kind: "engine.failed", engine: "checks", id: claim.id, error: String(error) }),
      )
      .finally(() => running.delete(claim));
    running.set(claim, work);
  }

  async function perform(check: Runnable): Promise<Omit<Run, "check">> {
    const time = now();
    if (check.type === HEARTBEAT) return { time, ms: 0, outcome: overdue(check) };
    const started = performance.now();
    const schedule = check.schedule === null ? null : scheduleOf(check.schedule);
    const outcome =
      schedule instanceof Error
        ? invalid(schedule.message)
        : await attempt(check, {
            resolveConnection,
            ...(lookUp ? { lookUp } : {}),
            timeoutMs,
            stop: stopping.signal,
            lastResult: store.lastResult,
          });
    const ms = outcome.ms ?? Math.max(0, Math.round(performance.now() - started));
    return { time, ms, outcome: metrics ? told(metrics, check, outcome, ms) : outcome };
  }

  /**
   * Runs a check at once, whatever its schedule, and stores the result; its due instants stay as they are. Callers that
   * ask for the same check meanwhile share the run. Null when there is no such check; throws Busy and NotRun.
   */
  function run(id: string): Promise<Run | null> {
    const already = asked.get(id);
    if (already) return already;
    if (draining) return Promise.reject(new Busy("The control plane is stopping"));
    if (asked.size >= runNow)
      return Promise.reject(new Busy("Too many checks are being run by hand, try again in a moment"));
    const work = runOnce(id).finally(() => asked.delete(id));
    asked.set(id, work);
    return work;
  }

  async function runOnce(id: string): Promise<Run | null> {
    const check = await store.load(id);
    if (!check) return null;
    const driver = DRIVERS.get(check.type);
    if (driver) throw new NotRun(`A ${check.type} check is not run: it is driven by ${driver}`);
    const notRun = notRunHere(check.type);
    if (notRun) throw new NotRun(notRun);
    const { time, ms, outcome } = await perform(check);
    await batch.add({ check, claim: null, time, ms, outcome, dueAfter: null });
    observe({ kind: "check.ran", id, status: outcome.status, ms });
    return { check, time, ms, outcome };
  }

  /** Runs a canary that is not saved, once: nothing is stored. Counts as one check run by hand; throws Busy. */
  function test(canary: Unsaved): Promise<Tried[]> {
    if (draining) return Promise.reject(new Busy("The control plane is stopping"));
    if (testing >= runNow)
      return Promise.reject(new Busy("Too many checks are being tested, try again in a moment"));
    testing++;
    const terms = { resolveConnection, ...(lookUp ? { lookUp } : {}), stop: stopping.signal };
    return tryCanary(canary, timeoutMs, (check, left) =>
      attempt(check, { ...terms, timeoutMs: left }),
    ).finally(() => testing--);
  }

  /** No new work; running checks finish within the grace time, in milliseconds, or are recorded as interrupted. */
  async function drain(graceMs: number): Promise<void> {
    draining = true;
    await withinTime(
      ticking.then(() => settled()), // a claim under way still starts its runs
      graceMs,
    );
    stopping.abort(new Stopped("the control plane stopped"));
    await withinTime(settled(), 2000);
    batch.close();
  }
  const settled = () => Promise.allSettled([...running.values(), ...asked.values()]);

  return { tick, run, test, drain, running: () => running.size };
}
export type CheckEngine = ReturnType<typeof createCheckEngine>;
