import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FLOOD_MB, runProgram, type Ended } from "./process.ts";

/** How much of each output is kept, in bytes. Ours to choose: it is stored with every run. */
const OUTPUT_LIMIT = 32_000;
/** What programs find besides their own variables: nothing of ours, so no secret of the product. */
const ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin",
  LANG: "C.UTF-8",
};
const SHELL = `if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; else exec sh -c "$1"; fi`;

/** A folder that only one run has. */
export interface Workplace {
  folder: string;
  /** Runs a program in it, with these variables besides the few that all have. */
  program(
    name: string,
    args: string[],
    options: { env?: Record<string, string>; cwd?: string },
  ): Promise<Ended>;
}

/** Does the work in a folder of its own, which is gone afterwards with all that was put there. */
export async function inWorkplace<T>(
  signal: AbortSignal,
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "pilothouse-check-"));
  try {
    return await work({
      folder,
      program: (program, args, { env = {}, cwd = folder }) =>
        runProgram({
          program,
          args,
          env: { ...ENVIRONMENT, HOME: folder, ...env },
          cwd,
          signal,
          outputLimit: OUTPUT_LIMIT,
        }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 2 });
  }
}

/** What a script came to. */
export interface ScriptEnd {
  /** Why it is no success; null when it ended with 0. */
  problem: string | null;
  details: { stdout: string; stderr: string; exitCode: number };
}

/** Runs a script by bash, where there is none by sh. */
export async function runScript(
  place: Workplace,
  script: string,
  { env, cwd, timeoutMs }: { env: Record<string, string>; cwd?: string; timeoutMs: number },
): Promise<ScriptEnd> {
  const ended = await place.program("sh", ["-c", SHELL, "sh", script], { env, ...(cwd ? { cwd } : {}) });
  if (ended.kind === "missing")
    return { problem: "there is no shell here", details: { stdout: "", stderr: "", exitCode: -1 } };
  const details = { stdout: ended.stdout.trim(), stderr: ended.stderr.trim(), exitCode: ended.code ?? -1 };
  if (ended.flooded) return { problem: `printed more than ${FLOOD_MB} MB and was ended`, details };
  if (ended.late) return { problem: `timed out after ${timeoutMs / 1000} s`, details };
  return { problem: ended.code === 0 ? null : wordsOf(ended), details };
}

/** How a program ended, with the last of what it said. */
export function wordsOf({ code, killedBy, stderr }: Extract<Ended, { kind: "ended" }>): string {
  const how = code === null ? `ended by ${killedBy}` : `exit code ${code}`;
  const words = stderr.trim().split("\n").slice(-3).join("\n").slice(0, 500);
  return words === "" ? how : `${how}: ${words}`;
}
