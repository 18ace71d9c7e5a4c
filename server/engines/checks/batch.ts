/**
 * Collects what arrives within a moment and saves it together. A save that fails because the database is away is tried
 * again until it is back; one that fails because of what is in it is split, so that one bad row spoils only itself.
 */
export interface Batch<T> {
  /** Resolves when the item is saved; rejects when it cannot be. */
  add(item: T): Promise<void>;
  /** Gives up waiting for retries: what is still unsaved is rejected. */
  close(): void;
}
interface Options<T> {
  save(items: T[]): Promise<unknown>;
  failed(error: unknown, items: T[]): void;
  /** How long to collect, in milliseconds. */
  waitMs?: number;
  max?: number;
  /** How many saves may run at once. */
  lanes?: number;
}
interface Entry<T> {
  item: T;
  /** When it came, by the monotonic clock, ms. */
  came: number;
  done(): void;
  fail(error: unknown): void;
}

export function createBatch<T>({ save, failed, waitMs = 20, max = 500, lanes = 1 }: Options<T>): Batch<T> {
  let queue: Entry<T>[] = [];
  let busy = 0;
  let collecting = false;
  let closed = false;
  let wake: (() => void) | undefined;

  /** One lane: collects and saves while there is something to do that no other lane is collecting. */
  async function work(): Promise<void> {
    busy += 1;
    let pause = 0;
    while (queue.length > 0 && !collecting) {
      collecting = true;
      const patience = pause || waitMs - (performance.now() - queue[0]!.came);
      await new Promise<void>((done) => {
        wake = done;
        setTimeout(done, closed ? 0 : patience);
      });
      collecting = false;
      const entries = queue.splice(0, max);
      begin();
      const again = await attempt(entries);
      pause = again.length > 0 ? Math.min(Math.max(pause * 2, 100), 2000) : 0;
      if (closed) for (const { fail } of again) fail(new Error("stopped before the database was back"));
      else queue = [...again, ...queue];
    }
    busy -= 1;
  }

  function begin(): void {
    if (queue.length > 0 && !collecting && busy < lanes) void work();
  }

  /** Returns what should be tried again. */
  async function attempt(entries: Entry<T>[]): Promise<Entry<T>[]> {
    try {
      await save(entries.map(({ item }) => item));
      for (const { done } of entries) done();
      return [];
    } catch (error) {
      if (!isAboutTheData(error)) {
        failed(
          error,
          entries.map(({ item }) => item),
        );
        return entries;
      }
      if (entries.length === 1) {
        entries[0]?.fail(error);
        return [];
      }
      const again: Entry<T>[] = [];
      for (const entry of entries) again.push(...(await attempt([entry])));
      return again;
    }
  }

  return {
    add: (item) =>
      new Promise((done, fail) => {
        queue.push({ item, came: performance.now(), done, fail });
        begin();
      }),
    close() {
      closed = true;
      wake?.();
    },
  };
}

/** SQLSTATE classes 22 (data) and 23 (constraints), and 42 (a column is missing): the same save would fail again. */
function isAboutTheData(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(22|23|42)[0-9A-Z]{3}$/.test(code);
}
