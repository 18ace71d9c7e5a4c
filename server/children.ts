/** Our two child processes: started, watched, restarted with back-off, ended in time. */
import { fork, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./db/start-error.ts";
import type { LoggedEvent } from "./observe/logger.ts";
import type { Observe } from "./observe/observation.ts";

/** What the control plane tells us when it is ready. */
export interface Ready {
  /** Where the first person registers; null when there already are accounts. */
  setupLink: string | null;
}

export interface Child {
  /** Resolves when the child is ready for the first time; rejects when it ends before. */
  ready: Promise<Ready | null>;
  stop(graceMs: number): Promise<void>;
}

interface Needs {
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
  /** Options of Node, as `--name=value`; what NODE_OPTIONS says of the same name counts more. */
  flags?: readonly string[];
  /**
   * Sent over the channel at each start, so that no secret lies in an environment; the child answers when ready. A
   * promise lets the child load its modules while the settings are still being found out.
   */
  settings?: object | Promise<object>;
  /** For a child that does not answer: an address that is 200 when it is ready. */
  probe?: string;
  observe: Observe;
  /** What the child observed, for the log; it has shown it on the terminal itself. */
  keep?: (event: LoggedEvent) => void;
}

/** A killed child is back within 2 s: at once the first time, then with growing pauses while it keeps dying. */
const PAUSES_MS = [0, 100, 250, 500, 1000];
/** A child that ran this long is taken to have recovered. */
const SOUND_MS = 30_000;
/** One that is killed this often before it was ever ready ends the start, as one that exits by itself does at once. */
const KILLED_AT_START = 3;

/** Starts the file as a child process that ends by itself when we are gone (its IPC channel closes). */
export function startChild({ name, file, env, flags = [], settings, probe, observe, keep }: Needs): Child {
  let child: ChildProcess | undefined;
  let stopping = false;
  let deaths = 0;
  let timer: NodeJS.Timeout | undefined;
  let settle: { done(facts: Ready | null): void; fail(error: Error): void } | undefined;
  const ready = new Promise<Ready | null>((done, fail) => (settle = { done, fail }));
  ready.catch(() => undefined); // whoever waits is told; nobody waiting is no crash

  const given = env["NODE_OPTIONS"] ?? "";
  const execArgv = [...process.execArgv, ...flags.filter((flag) => !given.includes(flag.split("=")[0]!))];

  function launch(): void {
    const born = Date.now();
    // A group of its own: a Ctrl-C in the terminal reaches us only, and we decide who ends when.
    const one = fork(file, [], {
      env,
      execArgv,
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child = one;
    if (deaths > 0) observe({ kind: "child.started", child: name, pid: one.pid ?? 0 });
    one.on("error", () => one.pid ?? ended(null, null)); // else a message to one that has just died, whose exit counts
    const send = (values: object) => one.connected && one.send(values);
    if (settings) void Promise.resolve(settings).then(send, () => undefined);
    if (probe) void answers(probe, one).then((up) => up && settle?.done(null));
    one.on("message", (message) => {
      if (isObserved(message)) keep?.(message.observed);
      else if (isFailure(message)) settle?.fail(new StartError(message.failed));
      else if (isReady(message)) settle?.done(message.ready);
    });
    one.once("exit", ended);
    function ended(code: number | null, signal: string | null): void {
      if (stopping) return;
      deaths = Date.now() - born > SOUND_MS ? 0 : deaths;
      if (code !== null || deaths >= KILLED_AT_START)
        settle?.fail(new Error(`the ${name} ended with ${signal ?? code} before it was ready`));
      const pause = PAUSES_MS[Math.min(deaths++, PAUSES_MS.length - 1)]!;
      observe({ kind: "child.stopped", child: name, code, signal, restartInMs: pause });
      timer = setTimeout(launch, pause);
    }
  }
  launch();

  return {
    ready,
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      const running = child;
      if (!running?.pid || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise<void>((done) => running.once("exit", () => done()));
      running.kill("SIGTERM");
      const force = setTimeout(() => running.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(force);
    },
  };
}

/** Asks the address every 50 ms until it answers 200 or the process has ended. */
async function answers(address: string, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const response = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return true;
    await sleep(50);
  }
  return false;
}

function isObserved(message: unknown): message is { observed: LoggedEvent } {
  return typeof message === "object" && message !== null && "observed" in message;
}
function isFailure(message: unknown): message is { failed: string } {
  return (
    typeof message === "object" &&
    message !== null &&
    "failed" in message &&
    typeof message.failed === "string"
  );
}
function isReady(message: unknown): message is { ready: Ready } {
  return typeof message === "object" && message !== null && "ready" in message;
}
