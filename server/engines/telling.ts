/** The notifier with the loops that drive it. */
import type pg from "pg";
import type { Observe } from "#server/observe/observation.ts";
import type { createResolveConnection } from "./checks/index.ts";
import { createLoop, type Loop } from "./loop.ts";
import { createNotifier, SEND, type Notifier, type Smtp } from "./notifier/index.ts";

/** How people are told of checks. */
export interface Telling {
  /** The product's own mail server; null when none is configured. */
  smtp: Smtp | null;
  /** Where people reach the web, for links; null when that is not known. */
  webUrl: string | null;
  /** The pause before a message is sent again, in milliseconds; the later ones are longer. */
  pauseMs?: number;
}
interface Needs extends Telling {
  pool: pg.Pool;
  key: string;
  observe: Observe;
  now(): Date;
  resolveConnection: ReturnType<typeof createResolveConnection>;
}

/** What `connection` of a rule may say; an address would be kept in clear there. */
const REFERENCE = /^(connection:\/\/\S+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** When a network is down its checks turn one after the other; what turned meanwhile is handled together. */
const REST_MS = 100;

export function createTelling({ resolveConnection, ...needs }: Needs): {
  notifier: Notifier;
  loops: Loop[];
  /** New events of this name, or of any: look at once. */
  wake(event?: string): void;
} {
  const { observe } = needs;
  const notifier = createNotifier({
    ...needs,
    freed: () => sends.wake(),
    async connectionUrl(reference, namespace) {
      if (!REFERENCE.test(reference))
        throw new Error("the connection must be connection://<namespace>/<name>");
      const { url, type, properties } = await resolveConnection(reference, {
        type: "notification",
        namespace,
      });
      if (type === "slackwebhook" && /^https?:/i.test(url)) return `slack+${url}`;
      const from = properties?.["from"];
      if (!from || !/^smtps?:/i.test(url) || /[?&]from=/i.test(url)) return url;
      return `${url}${url.includes("?") ? "&" : "?"}from=${encodeURIComponent(from)}`;
    },
  });
  const events = createLoop({ name: "notifier", observe, restMs: REST_MS, turn: notifier.dispatch });
  const sends: Loop = createLoop({ name: "notifications", observe, turn: notifier.sendDue });
  return {
    notifier,
    loops: [events, sends],
    wake(event) {
      if (event !== SEND) events.wake();
      if (event === undefined || event === SEND) sends.wake();
    },
  };
}
