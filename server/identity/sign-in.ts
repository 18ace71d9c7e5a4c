/** Judging an e-mail and a password: throttled, the same work whether or not the account exists. */
import { createHmac, randomBytes } from "node:crypto";
import type { Observe } from "#server/observe/observation.ts";
import { matchesPassword } from "./passwords.ts";
import type { AttemptStore } from "./store/attempts.ts";
import type { Account, IdentityStore } from "./store/identities.ts";
import type { SignedIn } from "./store/sessions.ts";
import { secondsToWait } from "./throttle.ts";

export type Judgement =
  { person: SignedIn } | { refused: "credentials" | "inactive" } | { refused: "throttled"; seconds: number };

interface Needs {
  identities: IdentityStore;
  attempts: AttemptStore;
  observe: Observe;
  now: () => Date;
}

/** A success is remembered for half an hour, a failure for a minute (facts/backend-http.md §2). */
const REMEMBER_MS = { success: 30 * 60_000, failure: 60_000 };
/** Entries at most; failures come from strangers. */
const REMEMBER_MAX = 10_000;

export function createSignIn({ identities, attempts, observe, now }: Needs) {
  /**
   * Judges a password given by a person. `client` is the browser's address, null when unknown.
   * Failures count against the account and the client; beyond the limit nothing is judged any more.
   */
  async function judge(email: string, password: string, client: string | null): Promise<Judgement> {
    return judgeAccount(await identities.findAccount(email), email, password, client);
  }

  async function judgeAccount(
    account: Account | null,
    email: string,
    password: string,
    client: string | null,
  ): Promise<Judgement> {
    const key = email.toLowerCase();
    const attempt = await attempts.note(key, client, now());
    const seconds = secondsToWait(attempt.failures, now());
    if (seconds > 0) {
      await attempts.forget(attempt.id);
      return refuse({ refused: "throttled", seconds });
    }
    const matches = await matchesPassword(account?.passwordHash ?? null, password);
    if (!account || !matches) return refuse({ refused: "credentials" });
    await attempts.forgive(key, client);
    if (!account.active) return refuse({ refused: "inactive" });
    return { person: account.person };
  }

  function refuse(judgement: Extract<Judgement, { refused: string }>): Judgement {
    observe({ kind: "identity.refused", reason: judgement.refused });
    return judgement;
  }

  const secret = randomBytes(32);
  const remembered = new Map<string, { ok: boolean; until: number }>();

  /** Keyed with a secret of this process and with the state of the account, so a changed password is a new key. */
  function memoryKey(email: string, password: string, account: Account | null): string {
    const version = account ? `${account.person.personId} ${account.changedAt}` : "";
    return createHmac("sha256", secret)
      .update(JSON.stringify([email.toLowerCase(), password, version]))
      .digest("base64");
  }

  /**
   * A password sent with every call (HTTP Basic). Only the costly hashing is remembered; the account itself is read each
   * time, so a deactivation, a new role or a new password acts at once, on every process.
   */
  async function judgeRepeatedly(email: string, password: string, client: string | null): Promise<Judgement> {
    const account = await identities.findAccount(email);
    const key = memoryKey(email, password, account);
    const time = now().getTime();
    const known = remembered.get(key);
    if (known && known.until > time) {
      if (!known.ok || !account) return { refused: "credentials" };
      return account.active ? { person: account.person } : { refused: "inactive" };
    }
    const judgement = await judgeAccount(account, email, password, client);
    if (!("refused" in judgement)) {
      remember(key, true, time);
      await identities.noteLogin(judgement.person.personId, now());
    } else if (judgement.refused === "credentials") remember(key, false, time);
    return judgement;
  }

  function remember(key: string, ok: boolean, time: number): void {
    if (remembered.size >= REMEMBER_MAX) forgetOld(time);
    remembered.set(key, { ok, until: time + (ok ? REMEMBER_MS.success : REMEMBER_MS.failure) });
  }

  /** Drops what is over; if that is not enough, everything: it is only a memory of work done. */
  function forgetOld(time: number): void {
    for (const [key, { until }] of remembered) if (until <= time) remembered.delete(key);
    if (remembered.size >= REMEMBER_MAX) remembered.clear();
  }

  return { judge, judgeRepeatedly, forgetOld: () => forgetOld(now().getTime()) };
}

export type SignIn = ReturnType<typeof createSignIn>;
