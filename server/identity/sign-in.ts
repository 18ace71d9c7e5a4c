/** Judging an e-mail and a password: limited, the same work whether or not the account exists. */
import { createHmac, randomBytes } from "node:crypto";
import type { Observe } from "#server/observe/observation.ts";
import { Busy } from "./gate.ts";
import type { Limits } from "./limits.ts";
import { matchesPassword } from "./passwords.ts";
import type { Account, IdentityStore } from "./store/identities.ts";
import type { SignedIn } from "./store/sessions.ts";

export type Judgement =
  { person: SignedIn } | { refused: "credentials" | "inactive" } | { refused: "throttled"; seconds: number };

/** Who tries, as far as the request tells. */
export interface Caller {
  /** The address the web saw; null when a caller came another way. */
  client: string | null;
  /** The id of the browser when it signed in to this account before (known-browsers.ts). */
  deviceOf(account: string): string | null;
}

interface Needs {
  identities: IdentityStore;
  limits: Limits;
  observe: Observe;
  now: () => Date;
}

/** A success is remembered for half an hour, a failure for a minute (facts/backend-http.md §2). */
const REMEMBER_MS = { success: 30 * 60_000, failure: 60_000 };
/** Entries at most; failures come from strangers. */
const REMEMBER_MAX = 10_000;
/** When more wait than can be hashed soon, this is soon enough to come again, in seconds. */
const BUSY_SECONDS = 5;

export function createSignIn({ identities, limits, observe, now }: Needs) {
  /** Judges a password given by a person. Beyond the limits of throttle.ts nothing is judged any more. */
  async function judge(email: string, password: string, caller: Caller): Promise<Judgement> {
    return judgeAccount(await identities.findAccount(email.trim().toLowerCase()), email, password, caller);
  }

  async function judgeAccount(
    account: Account | null,
    email: string,
    password: string,
    { client, deviceOf }: Caller,
  ): Promise<Judgement> {
    // By the person where there is one, so that no other spelling of the address has a count of its own.
    const key = account?.person.personId ?? email;
    const device = deviceOf(key);
    const taken = await limits.take("password", { account: key, client, device });
    if (!taken.ok) return refuse({ refused: "throttled", seconds: taken.seconds });
    const first = device !== null; // whoever is known waits for no stranger
    const matches = await matchesPassword(account?.passwordHash ?? null, password, { first }).catch(
      async (error: unknown) => {
        await limits.giveBack(taken.reservation);
        if (error instanceof Busy) return null;
        throw error;
      },
    );
    if (matches === null) return refuse({ refused: "throttled", seconds: BUSY_SECONDS });
    if (!account || !matches) return refuse({ refused: "credentials" });
    await limits.forgive(taken.reservation);
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
    const account = await identities.findAccount(email.trim().toLowerCase());
    const key = memoryKey(email, password, account);
    const time = now().getTime();
    const known = remembered.get(key);
    if (known && known.until > time) {
      if (!known.ok || !account) return { refused: "credentials" };
      return account.active ? { person: account.person } : { refused: "inactive" };
    }
    const judgement = await judgeAccount(account, email, password, { client, deviceOf: () => null });
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
