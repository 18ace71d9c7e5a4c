import { monitorEventLoopDelay } from "node:perf_hooks";

/** How often the event loop is looked at, and over which time its delay is judged, in milliseconds. */
const RESOLUTION_MS = 50;
const WINDOW_MS = 15_000;

/** Measures how late this process gets to what it has to do. Returns the 99th percentile of the last half minute, in ms. */
export function watchEventLoop(): () => number {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const current = () =>
    delays.count === 0 ? 0 : Math.max(0, Math.round(delays.percentile(99) / 1e6 - RESOLUTION_MS));
  let before = 0;
  setInterval(() => {
    before = current();
    delays.reset();
  }, WINDOW_MS).unref();
  return () => Math.max(before, current());
}
