import { tmpdir } from "node:os";
import { ExecSpec } from "#app/contract/specs/checks/exec.ts";
import { healthy, runner, unhealthy, valuesOf } from "../runner.ts";
import { runProgram } from "./process.ts";

/** How much of each output is kept, in bytes. Ours to choose: it is stored with every run. */
const OUTPUT_LIMIT = 32_000;
/** What a script finds besides its own variables: nothing of ours, so no secret of the product. */
const ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin",
  HOME: tmpdir(),
  LANG: "C.UTF-8",
};
const SHELL = `if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; else exec sh -c "$1"; fi`;

/** Passes when the script ends with 0. What it started is gone when it ends, or when its time is up. */
export const exec = runner({
  spec: ExecSpec,
  async run({ script: template, env }, { signal, timeoutMs, render }) {
    // `$( )` is the shell's own.
    const { script } = await render({ script: template }, valuesOf(env), { dollar: false });
    const ended = await runProgram({
      program: "sh",
      args: ["-c", SHELL, "sh", script],
      env: { ...ENVIRONMENT, ...valuesOf(env) },
      cwd: tmpdir(),
      signal,
      outputLimit: OUTPUT_LIMIT,
    });
    if (ended.kind === "missing") return unhealthy("there is no shell here");
    const details = { stdout: ended.stdout.trim(), stderr: ended.stderr.trim(), exitCode: ended.code ?? -1 };
    if (ended.late) return unhealthy(`timed out after ${timeoutMs / 1000} s`, details);
    if (ended.code === 0) return healthy(details);
    const how = ended.code === null ? `ended by ${ended.killedBy}` : `exit code ${ended.code}`;
    const words = details.stderr.split("\n").slice(-3).join("\n").slice(0, 500);
    return unhealthy(words === "" ? how : `${how}: ${words}`, details);
  },
});
