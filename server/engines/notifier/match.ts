/** The notifier's planner: what an event means for each rule. Pure. */

export type CheckEvent = "check.failed" | "check.passed";

/** A rule as its row has it, as far as the planner asks. */
export interface Rule {
  id: string;
  events: readonly string[];
  /** Tells of turns: once after so many failures in a row, once when it is well again; null: of every event. */
  afterFailures: number | null;
  hasRecipient: boolean;
}
/** What is known of the event's resource when it is handled. */
export interface Situation {
  event: CheckEvent;
  /** Failures in a row up to now, counted to the greatest number any rule asks for. */
  failures: number;
  /** What the rule remembers of the resource: null, waiting for more failures, or told. */
  remembered: "waiting" | "told" | null;
  /** Whether the rule's filter holds. */
  passes: boolean;
  silenced: boolean;
}
/** What to do: send, write down that it was silenced, begin to count failures, forget, or nothing. */
export type Verdict = { send: "send" | "silence" | null; remember: "waiting" | "told" | "nothing" };

/**
 * One message on a turn to unhealthy after n failures in a row, one on recovery, and none of a recovery that nobody was
 * told the failure of. A rule that does not count tells of every event it names.
 */
export function match(rule: Rule, situation: Situation): Verdict {
  const { event, remembered, passes, silenced } = situation;
  const nothing: Verdict = { send: null, remember: remembered ?? "nothing" };
  if (!rule.hasRecipient) return nothing;
  const wanted = rule.events.includes(event) && passes;
  const send = wanted ? (silenced ? "silence" : "send") : null;
  if (rule.afterFailures === null) return { send, remember: "nothing" };
  if (event === "check.passed") return { send: remembered === "told" ? send : null, remember: "nothing" };
  if (remembered === "told" || !passes) return nothing;
  if (situation.failures < rule.afterFailures) return { send: null, remember: "waiting" };
  // Told nobody: then nobody waits for the word that it is well.
  return { send, remember: silenced ? "nothing" : "told" };
}

/** `properties.afterFailures` of a rule: a whole number from 1 on; null when it has none that can be read. */
export function afterFailuresOf(properties: Record<string, unknown> | null): number | null {
  const given = Number(properties?.["afterFailures"]);
  return Number.isInteger(given) && given >= 1 ? Math.min(given, MOST_FAILURES) : null;
}
/** More failures in a row than this are not counted. */
export const MOST_FAILURES = 1000;

/** The filters that "Notify" writes, whose answer needs no evaluation: the id of one check or canary. */
export function subjectOf(filter: string): { kind: "check" | "canary"; id: string } | null {
  const [, kind, id] = /^(check|canary)\.id == ['"]([0-9a-f-]{36})['"]$/i.exec(filter.trim()) ?? [];
  return id && (kind === "check" || kind === "canary") ? { kind, id: id.toLowerCase() } : null;
}
