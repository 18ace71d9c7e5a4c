/** The database server's own log, which it only ever appends to: kept under a size without a process for it. */
import { copyFile, stat, truncate } from "node:fs/promises";

const LIMIT_BYTES = 10 * 1024 * 1024;
const LOOK_EVERY_MS = 60_000;

/**
 * Looks at the file now and every minute; above 10 MB it becomes `<file>.1` (in place of an earlier one) and starts anew.
 * The server writes to the end of the file, wherever that is, so it needs not know. Returns how to stop looking.
 */
export function boundLog(file: string, { limit = LIMIT_BYTES, everyMs = LOOK_EVERY_MS } = {}): () => void {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return; // a second copy would be one of what was just emptied
    isLooking = true;
    await turnOver(file, limit).catch(() => undefined); // the next look may have more luck
    isLooking = false;
  };
  void look();
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function turnOver(file: string, limit: number): Promise<void> {
  if ((await stat(file)).size <= limit) return;
  // Without room for a copy the log is emptied all the same: a full disk is when it matters.
  await copyFile(file, `${file}.1`).catch(() => undefined);
  await truncate(file, 0);
}
