import { tmpdir } from "node:os";
import { ExecSpec } from "#app/contract/specs/checks/exec.ts";
import { healthy, runner, unhealthy, valuesOf } from "../runner.ts";
import { inCheckout } from "./exec-checkout.ts";
import { variablesOf } from "./exec-connections.ts";
import { inWorkplace, runScript } from "./script.ts";

/** Passes when the script ends with 0. What it started is gone when it ends, or when its time is up. */
export const exec = runner({
  spec: ExecSpec,
  async run({ script: template, env, connections, checkout, artifacts = [] }, context) {
    const own = valuesOf(env);
    // `$( )` is the shell's own.
    const { script } = await context.render({ script: template }, own, { dollar: false });
    const { signal, timeoutMs } = context;
    return inWorkplace(signal, async (place) => {
      const clouds = connections ? await variablesOf(connections, place.folder, context) : {};
      const run = (cwd: string) => runScript(place, script, { env: { ...clouds, ...own }, cwd, timeoutMs });
      const { problem, details } = checkout
        ? await inCheckout(checkout, place, context, run)
        : await run(tmpdir());
      const found = artifacts.length === 0 ? details : { ...details, artifacts: NOT_KEPT };
      return problem === null ? healthy(found) : unhealthy(problem, found);
    });
  },
});

/** What a result says about files that its spec wants kept. */
const NOT_KEPT = "not kept: this version has no store for files";
