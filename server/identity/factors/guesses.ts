/** Wrong second factors are counted per account: whoever comes so far knows the password. */
import type { Limits, Reservation } from "../limits.ts";
import type { Complaint, PartContext } from "../parts.ts";
import type { Session } from "../store/sessions.ts";
import { texts } from "../texts.ts";
import { waitSentence } from "../throttle.ts";

type Refusal = { complaints: Complaint[]; failed: { email: null; reason: string } };
type Verdict = { right: true } | { right: false; complaint: Complaint };

/** A complaint that is noted as a failed sign-in. */
export const failure = (complaint: Complaint, reason: string): Refusal => ({
  complaints: [complaint],
  failed: { email: null, reason },
});

/**
 * Judges a guess at a second factor, unless there were too many; null when it was right. It is counted before it is
 * judged, so that many at once are no more guesses than the limit.
 */
export async function judgeGuess(
  limits: Limits,
  session: Session,
  ctx: PartContext,
  judge: () => Promise<Verdict>,
): Promise<Refusal | null> {
  const account = session.personId;
  const taken = await limits.take("factor", {
    account,
    client: ctx.client,
    device: ctx.deviceOf(account),
  });
  if (!taken.ok) return failure({ message: texts.generic(waitSentence(taken.seconds)) }, "throttled");
  const verdict = await judged(limits, taken.reservation, judge);
  return verdict.right ? null : failure(verdict.complaint, "wrong");
}

/** What could not be judged (the database is away) was no guess. */
async function judged(limits: Limits, reservation: Reservation, judge: () => Promise<Verdict>) {
  let verdict: Verdict;
  try {
    verdict = await judge();
  } catch (error) {
    await limits.giveBack(reservation).catch(() => undefined);
    throw error;
  }
  if (verdict.right) await limits.forgive(reservation);
  return verdict;
}
