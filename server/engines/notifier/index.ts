import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import { createDispatch } from "./dispatch.ts";
import { linkOf, messageOf, type Subject } from "./message.ts";
import { claimSends, hasSends, notSent, sent, type Claimed } from "./outbox.ts";
import { receiverOf, RuleGone, type Recipient } from "./rules.ts";
import { send, type Smtp } from "./senders/index.ts";

export { SEND } from "./outbox.ts";
export type { Smtp } from "./senders/index.ts";

interface Needs {
  pool: pg.Pool;
  /** PILOTHOUSE_KEY, which addresses are encrypted with. */
  key: string;
  observe: Observe;
  now(): Date;
  /** Where people reach the web, for links; null when that is not known. */
  webUrl: string | null;
  /** The product's own mail server; null when none is configured. */
  smtp: Smtp | null;
  /** The address of a stored connection, its secrets in it; throws a sentence when there is none. */
  connectionUrl(reference: string, namespace: string): Promise<string>;
  /** The pause before the second attempt, in milliseconds; the others grow with the fifth power (facts: engines §7). */
  pauseMs?: number;
  /** A message has left us: there is room for another, and the next of its check waits no more. */
  freed(): void;
}

export interface Notifier {
  /** One look at the events; returns in how many milliseconds to look again. */
  dispatch(): Promise<number>;
  /** One look at what is to be sent; the same. */
  sendDue(): Promise<number>;
  /** Sends a test message to everybody whom the rule would tell. Null when there is no such rule; throws TestFailed. */
  test(ruleId: string): Promise<{ sent: number } | null>;
  /** Waits for what is being sent, at most so long, in milliseconds. */
  drain(graceMs: number): Promise<void>;
}
/** A test message that was not sent; the words are for whoever asked. */
export class TestFailed extends Error {}

/** Messages at the same time in one control plane (facts: engines §9.3). */
const AT_ONCE = 5;
const PAUSE_MS = 60_000;
const LOOK_MS = { idle: 60_000, busy: 1000, full: 100 };

/**
 * Tells people of checks. Its planner is match.ts, its runners are the senders; events come over the queue, written by a
 * trigger of the checks' state, and what is to be sent goes over the same queue, so that any control plane may send it.
 */
export function createNotifier({ pauseMs = PAUSE_MS, webUrl, freed, ...needs }: Needs): Notifier {
  const { pool, observe, now } = needs;
  const running = new Map<string, Promise<void>>();
  let draining = false;

  async function sendOne(claimed: Claimed): Promise<void> {
    const started = performance.now();
    const took = () => Math.round(performance.now() - started);
    try {
      const receiver = await receiverOf(needs, claimed.ruleId, claimed.recipient);
      const { historyId: id, subject } = claimed;
      await send(receiver, { id, subject, message: messageOf(subject) });
      await sent(pool, claimed, took());
      observe({ kind: "notification.sent", id, receiver: receiver.kind });
    } catch (error) {
      const reason = reasonOf(error);
      observe({
        kind: "notification.failed",
        id: claimed.historyId,
        attempt: claimed.attempts,
        error: reason,
      });
      await notSent(pool, claimed, { reason, ms: took(), isFinal: error instanceof RuleGone });
    }
  }

  return {
    dispatch: createDispatch({ pool, now, webUrl }),
    async sendDue() {
      const free = AT_ONCE - running.size;
      if (draining) return LOOK_MS.idle;
      if (free <= 0) return LOOK_MS.full;
      const claimed = await claimSends(pool, { limit: free, pauseMs, running: [...running.keys()] });
      for (const one of claimed) {
        const work = sendOne(one)
          .catch((error: unknown) =>
            observe({ kind: "engine.failed", engine: "notifier", id: one.historyId, error: String(error) }),
          )
          .finally(() => {
            running.delete(one.id);
            freed();
          });
        running.set(one.id, work);
      }
      if (claimed.length === free) return LOOK_MS.full;
      return claimed.length > 0 || (await hasSends(pool)) ? Math.min(LOOK_MS.busy, pauseMs) : LOOK_MS.idle;
    },
    async test(ruleId) {
      const { rows } = await pool.query<TestRow>(TEST_SUBJECT, [ruleId]);
      const [row] = rows;
      if (!row) return null;
      const recipients: Recipient[] = [
        ...(row.has_person ? (["person"] as const) : []),
        ...Array.from({ length: row.services }, (_, index) => index),
      ];
      if (recipients.length === 0) throw new TestFailed("The rule has nobody to tell");
      const subject = testSubject(row, now(), webUrl);
      for (const recipient of recipients) {
        try {
          const receiver = await receiverOf(needs, ruleId, recipient);
          await send(receiver, { id: randomUUID(), subject, message: messageOf(subject) });
        } catch (error) {
          throw new TestFailed(`Not sent: ${reasonOf(error)}`, { cause: error });
        }
      }
      return { sent: recipients.length };
    },
    async drain(graceMs) {
      draining = true;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        Promise.allSettled([...running.values()]),
        new Promise((done) => (timer = setTimeout(done, graceMs))),
      ]);
      clearTimeout(timer);
    },
  };
}

/** The words of an error, and of what caused it: `fetch failed` alone says nothing. They name hosts, never addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause =
    error.cause instanceof Error
      ? error.cause.message || String((error.cause as { code?: unknown }).code)
      : "";
  return (cause ? `${error.message}: ${cause}` : error.message || error.name).slice(0, 1000);
}

interface TestRow {
  has_person: boolean;
  services: number;
  check_id: string | null;
  check_name: string | null;
  check_type: string | null;
  namespace: string | null;
  canary_id: string | null;
  canary_name: string | null;
}

/** The rule, and the check or canary that its filter names. */
const TEST_SUBJECT = `
  select rule.person_id is not null as has_person, coalesce(jsonb_array_length(rule.custom_services), 0) as services,
    definition.id as check_id, definition.name as check_name, definition.type as check_type, canaries.namespace,
    canaries.id as canary_id, canaries.name as canary_name
  from public.notifications as rule
  left join internal.checks as definition on rule.filter = format('check.id == ''%s''', definition.id)
  left join public.canaries
    on canaries.id = definition.canary_id or rule.filter = format('canary.id == ''%s''', canaries.id)
  where rule.id = $1 and rule.deleted_at is null limit 1`;

function testSubject(row: TestRow, now: Date, webUrl: string | null): Subject {
  const namespace = row.namespace ?? "default";
  const name = row.check_name ?? row.canary_name ?? "every check";
  return {
    event: "test",
    check: { id: row.check_id ?? "", name, type: row.check_type ?? "any type", namespace, severity: null },
    canary: { id: row.canary_id ?? "", name: row.canary_name ?? "any", namespace },
    labels: {},
    time: now.toISOString(),
    message: null,
    error: null,
    durationMs: null,
    link: row.check_id ? linkOf(webUrl, row.check_id) : null,
  };
}
