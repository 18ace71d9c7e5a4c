/**
 * Mail of the identity service: queued in the database, sent at once where the mail server answers, else again by the
 * background job. A dead mail server loses nothing, and what people do never waits for it.
 */
import type { Observe } from "#server/observe/observation.ts";
import { sendLetter, type Smtp } from "#server/mail/smtp.ts";
import type { Claimed, CourierStore, Outgoing } from "./store/courier.ts";

/** Mails taken at a time, and how long one may take. */
const BATCH = 10;
const LIMIT_MS = 20_000;
/** Sending begins this long after the answer, so that the time of an answer does not tell whether a mail goes out. */
const HOLD_MS = 200;

interface Needs {
  store: CourierStore;
  /** null: no mail can be sent. */
  smtp: Smtp | null;
  /** Where people reach us, for links in mails; null when that is not known. */
  webUrl: string | null;
  observe: Observe;
  now: () => Date;
}

export function createCourier({ store, smtp, webUrl, observe, now }: Needs) {
  const stopping = new AbortController();
  let running: Promise<number> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  async function sendOne({ id, recipient, ...letter }: Claimed): Promise<number> {
    const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), stopping.signal]);
    try {
      await sendLetter(smtp!, { id, to: [recipient], ...letter }, signal);
      await store.sent(id, now());
      return 1;
    } catch (error) {
      // What a mail server says may quote the mail; the first line of it is about the delivery.
      const reason = (error instanceof Error ? error.message : String(error))
        .split("\n", 1)[0]!
        .slice(0, 300);
      await store.notSent(id, reason);
      observe({ kind: "warning", message: `A mail could not be sent and will be tried again: ${reason}` });
      return 0;
    }
  }

  async function sendDue(): Promise<number> {
    if (!smtp) return 0;
    let sent = 0;
    do {
      again = false;
      let claimed: Claimed[];
      do {
        claimed = stopping.signal.aborted ? [] : await store.claim(BATCH, now());
        const counts = await Promise.all(claimed.map(sendOne));
        sent += counts.reduce((sum, count) => sum + count, 0);
      } while (claimed.length === BATCH);
    } while (again && !stopping.signal.aborted);
    return sent;
  }

  /** One round at a time in this process; one that is asked for meanwhile follows. */
  function send(): Promise<number> {
    again = true;
    running ??= sendDue().finally(() => (running = null));
    return running;
  }

  function sendSoon(): void {
    timer = undefined;
    send().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      observe({ kind: "warning", message: `Mail could not be looked after: ${reason}` });
    });
  }

  return {
    /** Whether mail can be sent at all. */
    isOpen: smtp !== null,

    /** A link as a mail needs it. */
    absolute: (link: string) => (link.startsWith("/") && webUrl ? new URL(link, webUrl).href : link),

    /** Keeps a mail, to be sent in a moment; returns when it is kept. */
    async queue(mail: Outgoing): Promise<void> {
      await store.add(mail, now());
      timer ??= setTimeout(sendSoon, HOLD_MS);
      timer.unref();
    },

    /** For the background job: what is due again, and what is to be given up. */
    async tend(): Promise<{ sent: number; abandoned: number }> {
      const sent = await send();
      return { sent, abandoned: await store.giveUp(now()) };
    },

    /** Ends what is being sent; it will be sent again. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await running?.catch(() => undefined);
    },
  };
}

export type Courier = ReturnType<typeof createCourier>;
