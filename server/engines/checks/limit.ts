export interface Limit {
  /** Aborts when the time is up, and with the parent. */
  signal: AbortSignal;
  /** Whether the time was up before the parent ended it. */
  isLate(): boolean;
  /** The work is done: nothing is waited for any more. */
  end(): void;
}

/**
 * A signal with a limit in milliseconds; 0 is none. Its own timer, because Node forgets `AbortSignal.timeout()` when
 * nothing but `AbortSignal.any()` holds it (nodejs/node issue 57736): a check would wait for its answer for ever.
 */
export function limited(parent: AbortSignal, ms: number): Limit {
  const controller = new AbortController();
  let isLate = false;
  const timer =
    ms > 0
      ? setTimeout(() => {
          isLate = !parent.aborted;
          controller.abort(new DOMException("The time is up", "TimeoutError"));
        }, ms)
      : undefined;
  const follow = () => controller.abort(parent.reason);
  parent.addEventListener("abort", follow, { once: true });
  if (parent.aborted) follow();
  return {
    signal: controller.signal,
    isLate: () => isLate,
    end() {
      clearTimeout(timer);
      parent.removeEventListener("abort", follow);
    },
  };
}
