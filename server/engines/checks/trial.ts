import { notRunHere } from "#app/contract/words/check-types.ts";
import { effectiveSchedule, scheduleOf } from "./due.ts";
import { expand, type Canary, type WantedCheck } from "./expand.ts";
import type { Given, Outcome } from "./runner.ts";

/** A canary that nobody has saved. */
export type Unsaved = Pick<Canary, "name" | "namespace" | "labels" | "spec">;

/** How one of its checks went. `pass` is null for one that is not run on request; `ms` in milliseconds. */
export interface Tried {
  type: string;
  name: string;
  pass: boolean | null;
  ms: number;
  message?: string;
  error?: string;
}

/** Checks of one trial, and how many of them run at the same time. */
const MOST = 100;
const AT_ONCE = 5;
/** Checks that others drive. */
const DRIVEN = new Set(["webhook", "heartbeat"]);

/**
 * Runs every check of a canary once, within one limit for all of them in milliseconds, and stores nothing. The checks are
 * those that saving it would make. Throws what `run` throws.
 */
export async function tryCanary(
  given: Unsaved,
  limitMs: number,
  run: (check: Given, leftMs: number) => Promise<Outcome>,
): Promise<Tried[]> {
  const until = performance.now() + limitMs;
  const canary: Canary = { ...given, id: "", agent_id: "", annotations: null, deleted: false };
  const schedule = effectiveSchedule(canary.spec);
  const read = schedule === null ? null : scheduleOf(schedule);
  const checks = expand(canary);
  const tried: Tried[] = [];
  for (let from = 0; from < Math.min(checks.length, MOST); from += AT_ONCE)
    tried.push(
      ...(await Promise.all(
        checks
          .slice(from, Math.min(from + AT_ONCE, MOST))
          .map((check) =>
            read instanceof Error
              ? { type: check.type, name: check.name, pass: false, ms: 0, error: read.message }
              : tryCheck(canary, check, Math.max(1, Math.round(until - performance.now())), run),
          ),
      )),
    );
  return [
    ...tried,
    ...checks.slice(MOST).map(({ type, name }) => notTried(type, name, `only the first ${MOST} are run`)),
  ];
}

async function tryCheck(
  canary: Canary,
  { type, name, namespace, description, labels, spec }: WantedCheck,
  leftMs: number,
  run: (check: Given, leftMs: number) => Promise<Outcome>,
): Promise<Tried> {
  const why =
    notRunHere(type) ?? (DRIVEN.has(type) ? "It waits to be called, so there is nothing to run." : null);
  if (why) return notTried(type, name, why);
  const started = performance.now();
  const check = { type, name, namespace, description, labels, spec, canaryName: canary.name };
  const { status, message, error, ms } = await run(check, leftMs);
  return {
    type,
    name,
    pass: status === "healthy",
    ms: ms ?? Math.round(performance.now() - started),
    ...(message ? { message } : {}),
    ...(error ? { error } : {}),
  };
}

const notTried = (type: string, name: string, message: string): Tried => ({
  type,
  name,
  pass: null,
  ms: 0,
  message,
});
