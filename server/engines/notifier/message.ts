/** What a message about a check says. Pure. */
import type { CheckEvent } from "./match.ts";

/** A check as it was when the event happened; what the sending of a message needs, kept with the event. */
export interface Subject {
  event: CheckEvent | "test";
  check: { id: string; name: string; type: string; namespace: string; severity: string | null };
  canary: { id: string; name: string; namespace: string };
  labels: Record<string, string>;
  /** ISO 8601: of the run that turned it. */
  time: string;
  message: string | null;
  error: string | null;
  durationMs: number | null;
  /** Of the check's page; null when the product does not know its own address. */
  link: string | null;
}
export interface Message {
  title: string;
  /** Plain text, a fact a line. */
  body: string;
}

/** The default words (facts: engines §9.4), with what a reader asks next: where, since when, why. */
export function messageOf({ event, check, canary, ...facts }: Subject): Message {
  const title =
    event === "test"
      ? `Test: ${check.name} would be told about here`
      : `Check ${check.name} has ${event === "check.passed" ? "passed" : "failed"}`;
  const lines: (string | null)[] = [
    event === "test" ? "This is a test. Nothing has happened." : null,
    facts.error ? `Error: ${facts.error}` : null,
    facts.message ? `Message: ${facts.message}` : null,
    `Check: ${check.name} (${check.type})`,
    `Canary: ${canary.namespace}/${canary.name}`,
    check.severity ? `Severity: ${check.severity}` : null,
    `Time: ${facts.time}`,
    facts.durationMs === null ? null : `Duration: ${facts.durationMs} ms`,
    facts.link,
  ];
  return { title, body: lines.filter((line) => line !== null).join("\n") };
}

/** The address of a check's page (facts: engines §9.4). */
export const linkOf = (webUrl: string | null, checkId: string): string | null =>
  webUrl === null ? null : `${webUrl}/health?checkId=${checkId}&timeRange=1h`;
