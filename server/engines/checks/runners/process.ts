import { spawn, type ChildProcess } from "node:child_process";

export interface Program {
  program: string;
  args: string[];
  /** The whole environment; ours when absent. */
  env?: Record<string, string>;
  cwd?: string;
  signal: AbortSignal;
  /** How much is kept of each output, in bytes; the rest is thrown away. */
  outputLimit: number;
}
export type Ended =
  | { kind: "missing" }
  | {
      kind: "ended";
      /** null: it was killed. */
      code: number | null;
      killedBy: string | null;
      stdout: string;
      stderr: string;
      /** It was ended because its time was up. */
      late: boolean;
      /** It was ended because it printed more than `FLOOD_MB`. */
      flooded: boolean;
    };

/** How much a program may print in all, MB (1,048,576 bytes): reading more than that would cost a processor. */
export const FLOOD_MB = 16;

/**
 * Started by a shell that waits for our end of a pipe in the background: when it closes, because the program is done, late,
 * or because the control plane died, the whole process group ends. Nothing that a script started outlives it.
 */
const WITH_WATCH = `{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec 3<&-; exec "$@"`;
/** The shell's own word for a program that is not there. */
const NOT_FOUND = 127;

/**
 * Runs a program in a process group of its own until it ends, floods its output or the signal aborts; the last two end the
 * group. Never throws.
 */
export function runProgram({ program, args, env, cwd, signal, outputLimit }: Program): Promise<Ended> {
  return new Promise((done) => {
    const child: ChildProcess = spawn("sh", ["-c", WITH_WATCH, "sh", program, ...args], {
      ...(env ? { env: env as NodeJS.ProcessEnv } : {}),
      ...(cwd ? { cwd } : {}),
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    let [late, flooded, printed] = [false, false, 0];
    const count = (bytes: number) => {
      printed += bytes;
      if (flooded || printed <= FLOOD_MB * 1_048_576) return;
      flooded = true;
      end();
    };
    const [stdout, stderr] = [
      collect(child.stdout, outputLimit, count),
      collect(child.stderr, outputLimit, count),
    ];
    child.stdio[3]?.on("error", () => undefined);
    const end = () => {
      child.stdio[3]?.destroy();
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        killGroup(child.pid);
    };
    const stop = () => {
      late = true;
      end();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    child.once("error", () => done({ kind: "missing" }));
    child.once("exit", end);
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", stop);
      const missing = code === NOT_FOUND && new RegExp(`exec:.*\\b${program}: not found`).test(stderr());
      done(
        missing
          ? { kind: "missing" }
          : { kind: "ended", code, killedBy, stdout: stdout(), stderr: stderr(), late, flooded },
      );
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended in this moment.
  }
}

function collect(
  stream: ChildProcess["stdout"],
  limit: number,
  count: (bytes: number) => void,
): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    count(chunk.length);
  });
  return () => Buffer.concat(chunks).toString("utf8") + (size > limit ? "\n…" : "");
}
