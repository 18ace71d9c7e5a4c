import { SESSION_MS, type HostedSession } from "./session.server.ts";

/**
 * Sessions that the provider has ended (OpenID Connect Back-Channel Logout 1.0). Kept in this process for as long as a
 * session could live; our own control plane keeps them for every process (docs/decisions/0094).
 */
const sessions = new Map<string, number>();
const subjects = new Map<string, number>();
/** Entries of each kind; the oldest go first. */
const MAX = 10_000;

/** One session ended (the provider's `sid`, or an id of ours), or, without one, every session of the person up to now. */
export function endSessions(
  { sid, sub }: { sid: string | null; sub: string | null },
  now = Date.now(),
): void {
  if (sid !== null) keep(sessions, sid, now);
  else if (sub !== null) keep(subjects, sub, now);
}

/** Was it ended? A later sign-in of the same person was not. */
export function isEnded({ id, providerSession, subject, began }: HostedSession): boolean {
  if (sessions.has(id)) return true;
  if (providerSession !== null && sessions.has(providerSession)) return true;
  return (subjects.get(subject) ?? -Infinity) >= began;
}

function keep(list: Map<string, number>, name: string, now: number): void {
  list.delete(name);
  list.set(name, now);
  for (const [oldest, at] of list) {
    if (list.size <= MAX && at > now - SESSION_MS) break;
    list.delete(oldest);
  }
}
