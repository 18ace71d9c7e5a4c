import type pg from "pg";
import type { CheckMetrics } from "#server/observe/check-metrics.ts";
import type { Observe } from "#server/observe/observation.ts";
import {
  createCheckEngine,
  createCheckStore,
  createPings,
  createPushes,
  createResolveConnection,
  createWebhooks,
  ensureSelfCanaries,
  syncCanaries,
  takeOverChecks,
  type CheckEngine,
  type Limits,
  type Pings,
  type Pushes,
  type SelfTargets,
  type Webhooks,
} from "./checks/index.ts";
import { housekeeping } from "./housekeeping.ts";
import { createCheckSettings } from "./check-settings.ts";
import { createInstance } from "./instance.ts";
import type { Job } from "./job.ts";
import { createJobs } from "./jobs.ts";
import { createLoop } from "./loop.ts";
import { reap } from "./reaper.ts";
import { createLookUp, type ValueSources } from "./references.ts";
import type { Notifier } from "./notifier/index.ts";
import { createTelling, type Telling } from "./telling.ts";
import { enqueue, unlockLostJobs, type EnqueueOptions } from "./worker-queue.ts";
import { createWorker } from "./worker.ts";
import type { Task } from "./worker-task.ts";

export type { ValueSources } from "./references.ts";
export {
  BODY_LIMIT,
  Busy,
  NotRun,
  renewHeartbeatToken,
  type CheckEngine,
  type Delivered,
  type Delivery,
  type Heard,
  type Pings,
  type Pushed,
  type Pushes,
  type Webhooks,
} from "./checks/index.ts";

export { TestFailed, type Notifier, type Smtp } from "./notifier/index.ts";

export interface EngineNeeds {
  /** The owner's pool. */
  pool: pg.Pool;
  /** The owner's address: for the connection that proves this control plane alive, and the product's check of itself. */
  databaseUrl: string;
  /** PILOTHOUSE_KEY: what stored secrets are encrypted with. */
  key: string;
  observe: Observe;
  /** Where the numbers of checks go; nowhere, unless given. */
  metrics?: CheckMetrics;
  now?: () => Date;
  /** What of this product is watched; `{}` for nothing. */
  self: SelfTargets;
  /** Where the values are that specs and connections only refer to; nowhere, unless given. */
  values?: ValueSources;
  /** How people are told of checks; absent: nobody is. */
  telling?: Telling;
  /** Housekeeping of others, e.g. of the identity service. */
  jobs?: readonly Job[];
  /** Background work besides the jobs: what `enqueue` may name. */
  tasks?: readonly Task[];
  limits?: Partial<Omit<Limits, "minIntervalMs">>;
}

export interface Engines {
  checks: CheckEngine;
  pings: Pings;
  webhooks: Webhooks;
  pushes: Pushes;
  /** Null where nobody is told. */
  notifier: Notifier | null;
  /** Puts background work into the queue and returns the job's id; see worker-queue.ts for doing so in a transaction. */
  enqueue(task: string, payload: object, options?: EnqueueOptions): Promise<string>;
  /** Throws when the database is not as it should be; afterwards the engines live through its absences. */
  start(): Promise<void>;
  /** No new work at once; running checks finish within the grace time, in milliseconds, or are recorded as interrupted. */
  stop(graceMs: number): Promise<void>;
}

/** Every how many milliseconds the others are looked after. A dead one's claims are taken over within twice that. */
const REAP_MS = 2000;
/** Every how many milliseconds changed canaries are looked for, besides being told at once. */
const SYNC_MS = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** All engines of one control plane, and what keeps several control planes from doing the same work. */
export function createEngines(needs: EngineNeeds): Engines {
  const { pool, databaseUrl, key, observe, self, now = () => new Date(), limits = {} } = needs;
  const timeoutMs = limits.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const settings = createCheckSettings(pool);
  const store = createCheckStore(pool, { timeoutMs });
  const lookUp = createLookUp(needs.values ?? { folder: null, variables: {} });
  const resolveConnection = createResolveConnection({ pool, key, selfUrl: databaseUrl, lookUp });
  const checks = createCheckEngine({
    store,
    observe,
    ...(needs.metrics ? { metrics: needs.metrics } : {}),
    now,
    resolveConnection,
    lookUp,
    isDisabled: settings.isDisabled,
    limits: { ...limits, timeoutMs, minIntervalMs: settings.minIntervalMs },
  });

  const pings = createPings({ pool, observe, now });
  const telling = needs.telling
    ? createTelling({ ...needs.telling, pool, key, observe, now, resolveConnection })
    : null;

  const due = createLoop({ name: "checks", observe, turn: () => checks.tick(instance.owner()) });
  const sync = createLoop({
    name: "canary sync",
    observe,
    async turn() {
      if ((await syncCanaries(pool, now)) > 0) due.wake();
      return SYNC_MS;
    },
  });
  const takeOver = takeOverChecks({ observe, now });
  const watch = createLoop({
    name: "control planes",
    observe,
    async turn() {
      await settings.refresh();
      if (instance.owner() === null) return REAP_MS;
      let unlocked = false;
      await reap(pool, async (client, owner) => {
        await takeOver(client, owner);
        unlocked = (await unlockLostJobs(client)) || unlocked;
      });
      if (unlocked) worker.wake();
      return REAP_MS;
    },
  });
  const chores = createJobs({ pool, observe, now, jobs: [...housekeeping(pool), ...(needs.jobs ?? [])] });
  const instance = createInstance({
    url: databaseUrl,
    observe,
    listen: new Map([
      ["pilothouse_canaries", sync.wake],
      ...(telling ? [["event_queue_updates", telling.wake] as const] : []),
    ]),
    changed() {
      due.wake();
      worker.wake();
      watch.wake();
    },
  });
  const worker = createWorker({
    url: databaseUrl,
    pool,
    instance,
    tasks: [...chores.tasks, ...(needs.tasks ?? [])],
    observe,
  });
  const loops = [due, sync, watch, chores.planner, ...(telling?.loops ?? [])];

  return {
    checks,
    pings,
    webhooks: createWebhooks({ pool, lookUp, observe, now }),
    pushes: createPushes({ pool, observe, now }),
    notifier: telling?.notifier ?? null,
    enqueue: (task, payload, options) => enqueue(pool, task, payload, options),
    async start() {
      await worker.prepare();
      await ensureSelfCanaries(pool, self, now());
      await settings.refresh();
      instance.start();
      for (const loop of loops) loop.start();
      worker.start();
    },
    async stop(graceMs) {
      const stopped = Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all([checks.drain(graceMs), worker.drain(graceMs), telling?.notifier.drain(graceMs)]);
      pings.close();
      await stopped;
      await instance.stop();
      await unlockLostJobs(pool).catch(() => undefined); // else whoever is next does it
    },
  };
}
