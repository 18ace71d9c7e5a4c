import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A client of somebody's server, for one run. */
export interface Client {
  /** Says good-bye. */
  close(): Promise<unknown>;
  /** Hangs up at once; may be called at any time and more than once. */
  destroy(): void;
}

/** How long a polite good-bye may take, in milliseconds. */
const GOODBYE_MS = 500;

/** Does the work and closes the client, whatever comes: politely when there is time, at once when the signal aborts. */
export async function closing<T>(client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const stop = () => client.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted(); // what a client says when it is cut off is not the reason
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    if (!signal.aborted) await goodbye(client);
    client.destroy();
  }
}

async function goodbye(client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, GOODBYE_MS);
  });
  await Promise.race([client.close().catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Calls `stop` once more than `limit` bytes came through the stream, also when its reader keeps them all. */
export function limitBytes(stream: Duplex | undefined, limit: number, stop: () => void): () => void {
  let bytes = 0;
  const weigh = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limit) stop();
  };
  stream?.prependListener("data", weigh);
  return () => void stream?.off("data", weigh);
}

const making = new AsyncLocalStorage<(socket: Socket) => void>();
subscribe("net.client.socket", (message) => making.getStore()?.((message as { socket: Socket }).socket));

/** Does the work and hands over every socket that it makes by `net.connect`: for clients that keep theirs to themselves. */
export const seeingSockets = <T>(seen: (socket: Socket) => void, work: () => T): T => making.run(seen, work);
