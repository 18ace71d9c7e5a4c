import { Worker } from "node:worker_threads";
import type { Reading } from "./entry.ts";
import { readImport } from "./read.ts";

/** Longer texts, in characters, are read in a thread of their own (DESIGN decision 3): no request waits for them. */
const LONG = 256_000;
/** How long a text may take, in milliseconds. */
const LIMIT_MS = 20_000;
/** What the thread may use, in MiB. */
const MEMORY = { maxOldGenerationSizeMb: 512, stackSizeMb: 4 };

/** As `readImport`, and a long text holds nobody up. One that takes too much is a refused entry, too. */
export async function readAside(text: string): Promise<Reading> {
  if (text.length <= LONG) return readImport(text);
  const thread = createThread(text);
  try {
    return await new Promise<Reading>((done) => {
      const timer = setTimeout(
        () => done(refusal(`it took more than ${LIMIT_MS / 1000} s to read`)),
        LIMIT_MS,
      );
      const end = (reading: Reading) => {
        clearTimeout(timer);
        done(reading);
      };
      thread.once("message", end);
      thread.once("error", (error: Error & { code?: string }) =>
        end(refusal(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "it is too big to read" : error.message)),
      );
      thread.once("exit", () => end(refusal("its reader ended")));
    });
  } finally {
    await thread.terminate();
  }
}

function refusal(message: string): Reading {
  const refused = { line: 1, column: null, path: "", message };
  return {
    format: null,
    entries: [{ line: 1, title: "", canary: null, refused, skipped: null, warnings: [] }],
    notes: [],
  };
}

/** In the build the thread's program lies beside ours; from the sources it begins with what reads TypeScript. */
function createThread(text: string): Worker {
  const here = import.meta.url;
  const options = { resourceLimits: MEMORY, env: {}, workerData: text };
  if (!here.endsWith(".ts")) return new Worker(new URL("./import-worker.js", here), options);
  const file = JSON.stringify(new URL("./worker.ts", here).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${file}); })`;
  return new Worker(start, { ...options, eval: true });
}
