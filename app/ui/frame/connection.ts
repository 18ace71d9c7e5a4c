import { isTyped, typedIsTaken, watchTyped, writes } from "./typed.ts";

/**
 * The browser's connection to the web, watched while the frame stands: an answer that fails must not take the page away
 * (docs/decisions/0052). What a page asks for its own address, by poll, refresh or after a write, is asked again until it
 * is answered; so is whatever got no answer at all. What was posted waits, kept, until its sender says "Retry".
 */
export type Trouble = "offline" | "network" | "timeout" | "away" | "failed" | "ended";

export interface Connection {
  /** Why the page is not up to date; null while it is. */
  trouble: Trouble | null;
  /** When the page's data were last known to be good, ms since the epoch. */
  good: number;
  /** Something that was entered waits for a person: to send it again, or to sign in. */
  isWaiting: boolean;
}

/** How long until the next try, ms; the last one stays. */
const PAUSES = [2_000, 4_000, 8_000, 15_000];

let state: Connection = { trouble: null, good: 0, isWaiting: false };
const readers = new Set<() => void>();
/** Those who wait for their next try. */
const waiting = new Set<() => void>();

export const connection = {
  read: (): Connection => state,
  subscribe(reader: () => void): () => void {
    readers.add(reader);
    return () => readers.delete(reader);
  },
  /** Tries everything again now; false when nothing waits. */
  retry(): boolean {
    const some = waiting.size > 0;
    for (const wake of [...waiting]) wake();
    return some;
  },
};

function tell(change: Partial<Connection>): void {
  state = { ...state, ...change };
  for (const reader of readers) reader();
}

/** Puts itself between the page and `fetch`; the result takes it away again. `typedHeader` says that text was typed here. */
export function watchConnection(typedHeader: string): () => void {
  const send = window.fetch;
  tell({ trouble: null, good: Date.now(), isWaiting: false });
  window.fetch = (input, init) =>
    isPageData(input)
      ? patiently((headers) => send(input, { ...init, headers }), new URL(input), { ...init, typedHeader })
      : send(input, init);

  const lost = () => tell({ trouble: "offline" });
  // A form posted without a connection would only lose what was typed into it.
  const posted = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    if (navigator.onLine || !writes(form)) return;
    event.preventDefault();
    event.stopPropagation();
    lost();
  };
  if (!navigator.onLine) lost();
  const forget = watchTyped();
  window.addEventListener("offline", lost);
  window.addEventListener("submit", posted, { capture: true });
  return () => {
    window.fetch = send;
    forget();
    window.removeEventListener("offline", lost);
    window.removeEventListener("submit", posted, { capture: true });
  };
}

/** Remix asks for pages' data at `<path>.data`, and always with a URL object. */
const isPageData = (input: RequestInfo | URL): input is URL =>
  input instanceof URL && input.origin === location.origin && input.pathname.endsWith(".data");

async function patiently(
  send: (headers: Headers) => Promise<Response>,
  url: URL,
  { method = "GET", signal, headers: given, typedHeader }: RequestInit & { typedHeader: string },
): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const headers = new Headers(given);
    const isKept = method === "GET" && isHere(url) && isTyped();
    if (isKept) headers.set(typedHeader, "1");
    const answer = await send(headers).catch((error: unknown) => {
      if (signal?.aborted || !(error instanceof TypeError)) throw error;
      return error;
    });
    const trouble = isKept && isSignedOut(answer) ? "ended" : troubleOf(answer);
    if (trouble === null || !isHeld(trouble, method, url)) {
      tell({ trouble: null, isWaiting: false, ...(trouble === null ? { good: Date.now() } : {}) });
      if (answer instanceof TypeError) throw answer;
      if (method !== "GET" && answer.ok) typedIsTaken();
      return answer;
    }
    if (answer instanceof Response) void answer.body?.cancel();
    tell({ trouble, isWaiting: method !== "GET" || trouble === "ended" });
    await pause(method === "GET" ? PAUSES[Math.min(tries, PAUSES.length - 1)] : undefined, signal);
  }
}

const isSignedOut = (answer: Response | TypeError) => answer instanceof Response && answer.status === 401;

function troubleOf(answer: Response | TypeError): Trouble | null {
  if (answer instanceof TypeError) return navigator.onLine ? "network" : "offline";
  if (answer.status < 500) return null;
  return answer.status === 504
    ? "timeout"
    : answer.status === 503 || answer.status === 502
      ? "away"
      : "failed";
}

/** Is there a page that is worth keeping? Whoever goes elsewhere and is refused sees the refusal there. */
function isHeld(trouble: Trouble, method: string, url: URL): boolean {
  if (document.querySelector("[data-error-page]")) return false;
  if (trouble === "offline" || trouble === "network") return true;
  return method === "GET" ? isHere(url) : trouble !== "failed";
}

/** Does the call ask for the data of the page that is shown? */
function isHere({ pathname, search }: URL): boolean {
  const asked = (query: string) => {
    const parameters = new URLSearchParams(query);
    for (const ours of ["_routes", "index"]) parameters.delete(ours);
    parameters.sort();
    return parameters.toString();
  };
  const here = location.pathname === "/" ? "/_root" : location.pathname.replace(/\/$/, "");
  return pathname === `${here}.data` && asked(search) === asked(location.search);
}

/** Until the time is over, "Retry", the connection or the reader is back; rejects when the call is given up. */
function pause(ms: number | undefined, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = ms === undefined ? undefined : setTimeout(() => end(resolve), ms);
    const wake = () => end(resolve);
    const looked = () => document.visibilityState === "visible" && ms !== undefined && wake();
    const online = () => ms !== undefined && wake();
    const aborted = () => end(() => reject(signal?.reason as Error));
    const end = (then: () => void) => {
      clearTimeout(timer);
      waiting.delete(wake);
      signal?.removeEventListener("abort", aborted);
      window.removeEventListener("online", online);
      document.removeEventListener("visibilitychange", looked);
      then();
    };
    waiting.add(wake);
    signal?.addEventListener("abort", aborted);
    window.addEventListener("online", online);
    document.addEventListener("visibilitychange", looked);
    if (signal?.aborted) aborted();
  });
}
