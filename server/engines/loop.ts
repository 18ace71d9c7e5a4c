import type { Observe } from "#server/observe/observation.ts";

/** Something that happens again and again until stopped. */
export interface Loop {
  start(): void;
  /** The next turn at once instead of when it is due. */
  wake(): void;
  /** No further turn; resolves when the one under way has ended. */
  stop(): Promise<void>;
}
interface Options {
  name: string;
  /** One turn; returns in how many milliseconds the next one is due. */
  turn(): Promise<number>;
  observe: Observe;
  /** How long to rest after each turn whoever wakes it, in milliseconds: what comes by the hundred is done together. */
  restMs?: number;
}

/** How long to wait after a turn that failed, in milliseconds: twice as long each time, up to the last. */
const BACK_OFF = { first: 250, last: 5000 };

/**
 * Runs turns one after the other, never two at once. A turn that fails is reported and tried again with growing pauses:
 * a database that is away for an hour costs one line every five seconds, and work goes on when it is back.
 */
export function createLoop({ name, turn, observe, restMs = 0 }: Options): Loop {
  let running = false;
  let woken = false;
  let resting = false;
  let wakeUp: (() => void) | undefined;
  let ended: Promise<void> = Promise.resolve();

  async function go(): Promise<void> {
    let backOff = BACK_OFF.first;
    while (running) {
      let pause: number;
      try {
        woken = false;
        pause = await turn();
        backOff = BACK_OFF.first;
      } catch (error) {
        observe({
          kind: "engine.failed",
          engine: name,
          error: error instanceof Error ? error.message : String(error),
        });
        pause = backOff;
        backOff = Math.min(backOff * 2, BACK_OFF.last);
      }
      if (running && restMs > 0) {
        resting = true;
        await sleep(restMs);
        resting = false;
      }
      if (running && !woken) await sleep(pause - restMs);
    }
  }

  /** Until the time is over or somebody wakes us. At least one turn of the event loop, so that nothing starves. */
  function sleep(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, Math.max(0, ms));
      wakeUp = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  return {
    start() {
      if (running) return;
      running = true;
      ended = go();
    },
    wake() {
      woken = true;
      if (!resting) wakeUp?.();
    },
    async stop() {
      running = false;
      wakeUp?.();
      await ended;
    },
  };
}
