import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/**
 * What belongs to one request of the web and to nothing else. The preload (server/web.ts) opens it before remix-serve
 * sees the request, so every loader, action and entry.server of the request shares it. It lives on `globalThis`
 * because the preload and Remix's build are two bundles: a module-level variable would exist twice.
 */
export interface RequestScope {
  /** Shown on error pages, sent upstream as `x-request-id`, and part of every report about this request. */
  id: string;
  /** `performance.now()` at the first byte of the request, ms. */
  start: number;
  memo: Map<string, Promise<unknown>>;
  /** Set-Cookie lines that any part of the request wants on the answer, each once, by cookie name. */
  cookies: Map<string, string>;
  /** Calls made upstream, and the time spent waiting for them (ms, overlapping calls both count). */
  upstream: { calls: number; ms: number };
  report: Report;
}
/** One thing the web has to say about a request; the preload turns it into an observation. */
export type Report = (failure: { status: number; path: string; method: string; error: string }) => void;

const KEY = Symbol.for("pilothouse.request");
type Shared = { [KEY]?: AsyncLocalStorage<RequestScope> };

/** The storage shared by the preload and the build. */
export function requestScopes(): AsyncLocalStorage<RequestScope> {
  const shared = globalThis as Shared;
  return (shared[KEY] ??= new AsyncLocalStorage());
}

export function newScope(report: Report): RequestScope {
  return {
    id: randomUUID(),
    start: performance.now(),
    memo: new Map(),
    cookies: new Map(),
    upstream: { calls: 0, ms: 0 },
    report,
  };
}

/** The scope of the current request. Without the preload (a unit test) every call gets one of its own. */
export const scope = (): RequestScope => requestScopes().getStore() ?? newScope(() => {});

/**
 * Does the work once per request, whoever asks first. A failure is remembered too: nobody asks a second time. A thrown
 * Response is copied for each who asked, because its body can be read only once.
 */
export async function oncePerRequest<T>(key: string, work: () => Promise<T>): Promise<T> {
  const { memo } = scope();
  const started = (memo.get(key) as Promise<T> | undefined) ?? work();
  memo.set(key, started);
  try {
    return await started;
  } catch (error) {
    throw error instanceof Response ? error.clone() : error;
  }
}

/** Counts a call upstream and the time until it was answered. */
export async function countedCall<T>(call: () => Promise<T>): Promise<T> {
  const { upstream } = scope();
  const start = performance.now();
  upstream.calls += 1;
  try {
    return await call();
  } finally {
    upstream.ms += performance.now() - start;
  }
}

/** The value of the Server-Timing header: `total;dur=12.1, upstream;dur=8.3;desc="3 calls"`. */
export function serverTiming(): string {
  const { start, upstream } = scope();
  const total = (performance.now() - start).toFixed(1);
  return `total;dur=${total}, upstream;dur=${upstream.ms.toFixed(1)};desc="${upstream.calls} calls"`;
}
