/** What is heard of a heartbeat, and what its silence means. Pure. */
import { problems } from "#app/contract/fields.ts";
import { HeartbeatSpec, heartbeatTerms } from "#app/contract/specs/checks/heartbeat.ts";
import type { Runnable } from "./check.ts";
import { MISSED_AFTER_MS, type Turn } from "./due.ts";
import { invalid, unhealthy, type Outcome } from "./runner.ts";

export const HEARTBEAT = "heartbeat";
/** What stands for a schedule of checks that nobody runs: they are heard of. */
export const ON_PING = "on ping";
/** Bytes of a ping's body that are kept; the rest is cut off. */
export const BODY_LIMIT = 10 * 1024;
/** How much of the body's first line is the message, in characters. */
const MESSAGE_LIMIT = 200;

/** What came in with one ping. */
export interface Heard {
  kind: "start" | "end";
  /** 0 is success, as a shell has it; null: it was only said that it failed. */
  exitCode: number | null;
  body: string;
}

interface Terms {
  periodMs: number;
  /** Period and grace: how long silence is borne. */
  holdMs: number;
}

/** The terms of a heartbeat's spec, or what is wrong with it, in words. */
export function termsOf(spec: unknown): Terms | string {
  // The row has a name where the entry has none, and what YAML leaves empty is absent.
  const given = Object.entries(spec ?? {}).filter(([, value]) => value !== null);
  const parsed = HeartbeatSpec.safeParse({ name: HEARTBEAT, ...Object.fromEntries(given) });
  return parsed.success ? heartbeatTerms(parsed.data) : problems(parsed.error);
}

/**
 * What to do with a heartbeat whose deadline is here. It is overdue once at the deadline and then once every period. A
 * deadline that nobody was there to take may have had its ping while nobody listened: it is given all its time again.
 */
export function silence(
  check: { id: string; spec: unknown; nextRuntime: Date; live: boolean },
  now: Date,
): Turn {
  const { id, nextRuntime, live } = check;
  if (!live) return { id, instant: null, next: null };
  const terms = termsOf(check.spec);
  if (typeof terms === "string") return { id, instant: nextRuntime, next: null };
  if (now.getTime() - nextRuntime.getTime() > MISSED_AFTER_MS)
    return { id, instant: null, next: after(now, terms.holdMs) };
  return { id, instant: nextRuntime, next: after(nextRuntime, terms.periodMs) };
}

/** The outcome of a deadline that passed. */
export function overdue({ spec, lastPing }: Pick<Runnable, "spec" | "lastPing">): Outcome {
  const terms = termsOf(spec);
  if (typeof terms === "string") return invalid(terms);
  return unhealthy(lastPing ? `No ping since ${lastPing.toISOString()}` : "No ping yet");
}

/** When the next ping must be there at the latest; null while the canary is suspended. */
export function deadline(spec: unknown, heardAt: Date, live: boolean): Date | null {
  const terms = termsOf(spec);
  return live && typeof terms !== "string" ? after(heardAt, terms.holdMs) : null;
}

/** What a ping says about its check. */
export function outcomeOf({ exitCode, body }: Heard): Outcome {
  const firstLine = body.split("\n").find((line) => line.trim() !== "");
  const message = firstLine?.trim().slice(0, MESSAGE_LIMIT);
  const details = { ...(exitCode === null ? {} : { exitCode }), ...(body === "" ? {} : { body }) };
  const said = {
    ...(message ? { message } : {}),
    details,
    environment: { values: { ...details, results: details } },
  };
  if (exitCode === 0) return { status: "healthy", ...said };
  return {
    status: "unhealthy",
    error: exitCode === null ? "It reported a failure" : `It ended with exit code ${exitCode}`,
    ...said,
  };
}

const after = (from: Date, ms: number) => new Date(from.getTime() + ms);
