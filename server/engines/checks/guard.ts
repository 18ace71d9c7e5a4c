import { AsyncLocalStorage } from "node:async_hooks";
import type { EventEmitter } from "node:events";

/** The run in whose name code is running, wherever a library has come to with it; what it is told ends that run. */
const current = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs work so that what a library throws where nobody waits (a listener, a timer, a forgotten promise) ends this run and
 * not the process: clients parse what strangers send (decision 0071). What has nothing to do with a run goes on to end it.
 */
export function guarded<T>(work: () => Promise<T>): Promise<T> {
  if (!process.hasUncaughtExceptionCaptureCallback()) process.setUncaughtExceptionCaptureCallback(caught);
  return new Promise((done, fail) => {
    current.run(fail, () => void work().then(done, fail));
  });
}

function caught(error: Error): void {
  const end = current.getStore();
  if (end) end(error);
  else if (!(process as EventEmitter).emit("uncaughtException", error, "uncaughtException")) throw error;
}
