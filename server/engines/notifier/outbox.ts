/** What is to be sent: rows of the event queue (`notification.send`) beside their rows of the history. */
import type pg from "pg";
import { inTransaction } from "#server/db/pool.ts";
import { messageOf, type Subject } from "./message.ts";
import type { Recipient } from "./rules.ts";

/** The name of events that are messages to be sent. */
export const SEND = "notification.send";
/** Attempts after which nobody tries any more (facts: engines §7). */
const ATTEMPTS = 4;

/** One message to one recipient, claimed for one attempt. */
export interface Claimed {
  /** Of the event. */
  id: string;
  /** Of the history's row: what receivers know the message by, however often it is sent. */
  historyId: string;
  ruleId: string;
  recipient: Recipient;
  subject: Subject;
  attempts: number;
}

/** Puts a message for each recipient into the queue, or writes down that it was silenced; in the caller's transaction. */
export async function queueSends(
  client: pg.PoolClient,
  {
    ruleId,
    recipients,
    subject,
    silenced,
  }: {
    ruleId: string;
    recipients: Recipient[];
    subject: Subject;
    silenced: boolean;
  },
): Promise<void> {
  const { title, body } = messageOf(subject);
  for (const recipient of recipients) {
    const { rows } = await client.query<{ id: string }>(
      `insert into public.notification_send_history (notification_id, body, status, source_event, resource_id, person_id)
       values ($1, $2, $3, $4, $5,
         case when $6 then (select person_id from public.notifications where id = $1) end)
       returning id`,
      [
        ruleId,
        `${title}\n\n${body}`,
        silenced ? "silenced" : "sending",
        subject.event,
        subject.check.id,
        recipient === "person",
      ],
    );
    const properties = {
      id: rows[0]!.id,
      notification_id: ruleId,
      resource_id: subject.check.id,
      recipient,
      subject,
    };
    // The clock, not the transaction's time: what is told first is created first, and sent first.
    if (!silenced)
      await client.query(
        "insert into internal.event_queue (name, key, properties, created_at) values ($3, $1, $2, clock_timestamp())",
        [rows[0]!.id, JSON.stringify(properties), SEND],
      );
  }
}

/**
 * Takes messages that are due for one attempt, which is counted before it is made: whoever dies in the middle leaves them
 * to be sent again after the first pause; what we are `running` is not ours to begin twice, however long it takes. Of one rule and check the later waits for the earlier, as long as that is tried.
 */
export async function claimSends(
  pool: pg.Pool,
  { limit, pauseMs, running }: { limit: number; pauseMs: number; running: string[] },
): Promise<Claimed[]> {
  const { rows } = await pool.query<{ id: string; attempts: number; properties: SendProperties }>({
    name: "notifier.claim",
    text: `with due as (
             select id from internal.event_queue as event
             where name = 'notification.send' and attempts < $2 and id <> all ($4::uuid[])
               and created_at + make_interval(secs => coalesce(delay, 0) / 1e9) <= now()
               and (last_attempt is null
                 or last_attempt < now() - make_interval(secs => $3::double precision / 1000 * power(attempts, 5)))
               and not exists (
                 select from internal.event_queue as earlier
                 where earlier.name = event.name and earlier.attempts < $2 and earlier.created_at < event.created_at
                   and earlier.properties ->> 'notification_id' = event.properties ->> 'notification_id'
                   and earlier.properties ->> 'resource_id' = event.properties ->> 'resource_id'
                   and earlier.properties -> 'recipient' = event.properties -> 'recipient')
             order by priority desc, created_at limit $1 for update skip locked)
           update internal.event_queue as event set attempts = event.attempts + 1, last_attempt = now()
           from due where event.id = due.id returning event.id, event.attempts, event.properties`,
    values: [limit, ATTEMPTS, pauseMs, running],
  });
  return rows.map(({ id, attempts, properties }) => ({
    id,
    attempts,
    historyId: properties.id,
    ruleId: properties.notification_id,
    recipient: properties.recipient,
    subject: properties.subject,
  }));
}
interface SendProperties {
  id: string;
  notification_id: string;
  recipient: Recipient;
  subject: Subject;
}

/** Is there anything that is, or will be, tried? */
export async function hasSends(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query({
    name: "notifier.has-sends",
    text: "select from internal.event_queue where name = 'notification.send' and attempts < $1 limit 1",
    values: [ATTEMPTS],
  });
  return rows.length > 0;
}

/** It was sent: the event goes, the history says so. */
export async function sent(pool: pg.Pool, { id, historyId }: Claimed, ms: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("delete from internal.event_queue where id = $1", [id]);
    await client.query(
      `update public.notification_send_history set status = 'sent', error = null, duration_millis = $2 where id = $1`,
      [historyId, ms],
    );
  });
}

/** It was not: the reason stands in both rows, and the last attempt, or a rule that is gone, ends it. */
export async function notSent(
  pool: pg.Pool,
  { id, historyId, attempts }: Claimed,
  { reason, ms, isFinal }: { reason: string; ms: number; isFinal: boolean },
): Promise<void> {
  const over = isFinal || attempts >= ATTEMPTS;
  await inTransaction(pool, async (client) => {
    if (isFinal) await client.query("delete from internal.event_queue where id = $1", [id]);
    else
      await client.query(
        "update internal.event_queue set error = $2, priority = priority - 1 where id = $1",
        [id, reason],
      );
    await client.query(
      `update public.notification_send_history set status = case when $3 then 'error' else status end, error = $2,
         duration_millis = $4 where id = $1`,
      [historyId, reason, over, ms],
    );
  });
}
