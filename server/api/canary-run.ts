/** `POST /canary/run/check/:id` (backend §7.4): runs one check now, stores the result and answers with it. */
import { Busy, NotRun, type CheckEngine } from "#server/engines/index.ts";
import { ApiError } from "./errors.ts";

/** The contract's result of one run; what has nothing to say is left out. `duration` in milliseconds. */
export interface CheckResult {
  name: string;
  start: Date;
  pass: boolean;
  invalid?: true;
  detail?: unknown;
  labels?: Record<string, string>;
  duration: number;
  description?: string;
  message?: string;
  namespace: string;
  error?: string;
}

export async function runCheck(engine: Pick<CheckEngine, "run">, id: string): Promise<CheckResult> {
  const run = await engine.run(id).catch((error: unknown) => {
    if (error instanceof Busy) throw new ApiError(503, error.message);
    if (error instanceof NotRun) throw new ApiError(400, error.message);
    throw error;
  });
  if (!run) throw new ApiError(404, "There is no such check");
  const { check, time, ms, outcome } = run;
  return {
    name: check.name,
    start: time,
    pass: outcome.status === "healthy",
    ...(outcome.invalid ? { invalid: true } : {}),
    ...(outcome.details ? { detail: outcome.details } : {}),
    ...(Object.keys(check.labels).length > 0 ? { labels: check.labels } : {}),
    duration: ms,
    ...(check.description ? { description: check.description } : {}),
    ...(outcome.message ? { message: outcome.message } : {}),
    namespace: check.namespace,
    ...(outcome.error ? { error: outcome.error } : {}),
  };
}
