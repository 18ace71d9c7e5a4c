import { CheckRun } from "#app/contract/rows/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { duration } from "#app/lib/format/duration.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";

/** A run is as long as the check takes; the engine has its own limit, which is shorter. */
const TIMEOUT_MS = 120_000;

/**
 * Runs a check now and says how it went, as a toast. A check that fails is news, not an error of ours; when the run
 * itself fails the server's own words are shown (specification 1 §8). Other refusals (4xx) are thrown for the form.
 */
export async function runCheckNow(
  api: Api,
  id: string,
): Promise<{ type: "success" | "error"; message: string }> {
  const path = `/canary/run/check/${encodeURIComponent(id)}`;
  try {
    const run = await api.call(path, CheckRun, { method: "POST", body: {}, timeoutMs: TIMEOUT_MS });
    if (!run) return { type: "error", message: "Nothing ran: its canary does not have this check any more" };
    const time = run.duration ? ` in ${duration(run.duration)}` : "";
    if (run.pass) return { type: "success", message: `Check passed${time}` };
    return {
      type: "error",
      message: `Check failed${time}: ${run.error || run.message || "no reason given"}`,
    };
  } catch (error) {
    if (error instanceof UpstreamError && error.status >= 500)
      return { type: "error", message: error.message };
    throw error;
  }
}
