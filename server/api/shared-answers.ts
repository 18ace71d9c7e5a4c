/**
 * The same question, asked by many windows at once, is answered once: dashboards that hang on walls and poll cost the
 * database what one of them does. Only what is asked often is shared, an answer is never older than a second, and none
 * outlives a write through this process (docs/decisions/0109).
 */
interface Shared {
  /** When it was asked lately, the newest last; ms. */
  asked: number[];
  answer: { value: unknown; at: number } | null;
  /** The work that is under way, and since when. */
  pending: { work: Promise<unknown>; since: number } | null;
}

export interface SharedAnswers {
  /**
   * The answer to a question that is asked often; undefined for any other, which the caller works out by himself. `key`
   * says all that the answer depends on, whoever asks included. Rejects as `work` does where nothing can be given.
   */
  ask<T>(key: string, work: () => Promise<T>): Promise<T> | undefined;
  /** Something was written: what was worked out before, or is being worked out, is given to nobody any more. */
  forget(): void;
}

/** Asked this often within `WINDOW_MS`, it is asked often. */
const OFTEN = 6;
const WINDOW_MS = 2_000;
/** The oldest answer that is given, and the age from which on a newer one is worked out meanwhile. */
const OLDEST_MS = 1_000;
const AGEING_MS = 500;
/** Questions remembered at most; the one that was asked longest ago goes first. */
const MOST = 200;

export function createSharedAnswers({ now = () => performance.now() } = {}): SharedAnswers {
  const questions = new Map<string, Shared>();

  function remembered(key: string): Shared {
    const known = questions.get(key) ?? { asked: [], answer: null, pending: null };
    questions.delete(key); // and put last
    questions.set(key, known);
    if (questions.size > MOST) questions.delete(questions.keys().next().value!);
    return known;
  }

  function begin<T>(shared: Shared, work: () => Promise<T>): Promise<T> {
    const since = now();
    const begun = work();
    const pending = { work: begun, since };
    shared.pending = pending;
    const end = (answer: Shared["answer"]) => {
      if (shared.pending !== pending) return; // a later one took its place
      shared.pending = null;
      shared.answer = answer ?? shared.answer;
    };
    begun.then(
      (value) => end({ value, at: since }),
      () => end(null),
    );
    return begun;
  }

  return {
    ask<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
      const shared = remembered(key);
      const at = now();
      shared.asked = [...shared.asked.filter((time) => time > at - WINDOW_MS), at].slice(-OFTEN);
      if (shared.asked.length < OFTEN) return undefined;
      const age = shared.answer ? at - shared.answer.at : Infinity;
      if (age < OLDEST_MS) {
        // Whoever waits for nothing need not know that it failed: the next one tries again.
        if (age > AGEING_MS && !shared.pending) begin(shared, work).catch(() => undefined);
        return Promise.resolve(shared.answer!.value as T);
      }
      const { pending } = shared;
      const isYoung = pending !== null && at - pending.since < OLDEST_MS;
      return isYoung ? (pending.work as Promise<T>) : begin(shared, work);
    },
    forget() {
      questions.clear();
    },
  };
}
