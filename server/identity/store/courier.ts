/** The queue of mail in internal.courier_messages. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Mail } from "../mail.ts";

/** Attempts after which nobody tries any more; with the pauses between them about a day. */
const ATTEMPTS = 8;
/** Seconds before the next attempt: a minute after the first, then four times as long each time. */
const PAUSE = "60 * power(4, least(attempts, 4))";
/** Days the envelope of a mail is kept, without its body. */
const KEPT_DAYS = 30;

export interface Outgoing extends Mail {
  recipient: string;
  /** After this it is of no use any more. */
  expiresAt: Date;
  /** Nobody has the address: everything as usual, but it is not sent. */
  isWithheld: boolean;
}
/** A mail claimed for one attempt. */
export interface Claimed {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

export function createCourierStore(pool: pg.Pool) {
  return {
    async add(mail: Outgoing, now: Date): Promise<void> {
      await pool.query({
        name: "identity.courier.add",
        text: `insert into internal.courier_messages (id, template, recipient, subject, body_text, body_html, status,
                 next_at, expires_at, created_at)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8)`,
        values: [
          randomUUID(),
          mail.template,
          mail.recipient,
          mail.subject,
          mail.isWithheld ? null : mail.text,
          mail.isWithheld ? null : mail.html,
          mail.isWithheld ? "withheld" : "queued",
          now,
          mail.expiresAt,
        ],
      });
    },

    /** Takes what is due for one attempt, counted before it is made: whoever dies in the middle leaves it to be sent again. */
    async claim(limit: number, now: Date): Promise<Claimed[]> {
      const { rows } = await pool.query<Claimed>({
        name: "identity.courier.claim",
        text: `with due as (
                 select id from internal.courier_messages
                 where status = 'queued' and next_at <= $2 and expires_at > $2
                 order by next_at limit $1 for update skip locked)
               update internal.courier_messages m
               set attempts = attempts + 1, next_at = $2::timestamptz + make_interval(secs => ${PAUSE})
               from due where m.id = due.id
               returning m.id, m.recipient, m.subject, m.body_text as text, m.body_html as html`,
        values: [limit, now],
      });
      return rows;
    },

    async sent(id: string, now: Date): Promise<void> {
      await pool.query(
        `update internal.courier_messages set status = 'sent', sent_at = $2, error = null, body_text = null,
           body_html = null where id = $1`,
        [id, now],
      );
    },

    async notSent(id: string, reason: string): Promise<void> {
      await pool.query("update internal.courier_messages set error = $2 where id = $1", [id, reason]);
    },

    /** Gives up what was tried too often or is too late, and forgets old envelopes; returns how many were given up. */
    async giveUp(now: Date): Promise<number> {
      const { rowCount } = await pool.query(
        `update internal.courier_messages set status = 'abandoned', body_text = null, body_html = null
         where status = 'queued' and (expires_at <= $1 or (attempts >= ${ATTEMPTS} and next_at <= $1))`,
        [now],
      );
      await pool.query(
        `delete from internal.courier_messages where status <> 'queued'
           and created_at < $1::timestamptz - make_interval(days => ${KEPT_DAYS})`,
        [now],
      );
      return rowCount ?? 0;
    },
  };
}

export type CourierStore = ReturnType<typeof createCourierStore>;
