/** The product's own log: one JSON line per event in `pilothouse.log`, turned over by size. */
import { sep } from "node:path";
import { createStream, type RotatingFileStream } from "rotating-file-stream";
import type { LoggedEvent } from "./logger.ts";

export interface LogFile {
  write(process: string, event: LoggedEvent): void;
  /** Resolves when what was written is in the file, or cannot be. */
  close(): Promise<void>;
}

interface Needs {
  /** Told once when the file cannot be written, and once when it can again. */
  tell: (words: string) => void;
  /** A file is turned over at this size, e.g. `10M`. */
  size?: string;
  /** How many earlier files are kept: pilothouse.log.1 is the newest. */
  kept?: number;
  /** When a file that could not be written is tried again, in milliseconds. */
  retryMs?: number;
}

const NAME = "pilothouse.log";
/** Lines that a slow disk may leave waiting, in bytes; more are dropped. */
const WAITING = 4 * 1024 * 1024;
/** How long closing may take, in milliseconds: a dead disk must not hold up a stop. */
const CLOSE_MS = 500;

/**
 * Opens the log in the folder. A full disk or a folder that is gone never reaches the caller: events are dropped, it is
 * said once, and after a while the file is tried again.
 */
export function createLogFile(
  folder: string,
  { tell, size = "10M", kept = 5, retryMs = 60_000 }: Needs,
): LogFile {
  let stream: RotatingFileStream | null = null;
  let retryAt = 0;
  let isTold = false;
  let isClosed = false;

  function open(): void {
    const fresh = createStream(NAME, { path: folder + sep, size, rotate: kept, mode: 0o600 });
    stream = fresh;
    fresh.on("error", (error: NodeJS.ErrnoException) => {
      if (stream === fresh) stream = null;
      retryAt = Date.now() + retryMs;
      if (isTold || isClosed) return;
      isTold = true;
      tell(
        `the log file in ${folder} cannot be written (${error.code ?? error.message}): events are only shown here`,
      );
    });
  }

  return {
    write(process, { time, ...event }) {
      if (isClosed) return;
      if (!stream && Date.now() >= retryAt) open();
      if (!stream || stream.writableLength > WAITING) return;
      stream.write(`${JSON.stringify({ time, process, ...event })}\n`, (error) => {
        if (error || !isTold) return;
        isTold = false;
        tell(`the log file in ${folder} is written again`);
      });
    },
    async close() {
      isClosed = true;
      const last = stream;
      if (!last) return;
      await new Promise<void>((done) => {
        setTimeout(done, CLOSE_MS).unref();
        last.once("error", () => done());
        last.end(() => done());
      });
    },
  };
}
