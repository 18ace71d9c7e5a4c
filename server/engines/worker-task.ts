import type { z } from "zod";

/** One run of a task. */
export interface TaskRun {
  /** From 1; an attempt that died with its control plane counts. */
  attempt: number;
  /** Aborted when the run has to end: nobody may count on work that goes on after it. */
  signal: AbortSignal;
}

/**
 * One kind of background work. `run` may happen twice for one job (its control plane can die after the work and before
 * the word of it), so it claims its own row first. What must not be begun twice has `interrupted`.
 */
interface Definition<Payload> {
  /** What jobs name; the same in every version of the product. */
  name: string;
  payload: z.ZodType<Payload>;
  /** What it throws is the job's last error, and the job is tried again later. */
  run(payload: Payload, run: TaskRun): Promise<void>;
  /** Instead of a second `run`: writes down that the first one did not come to an end. */
  interrupted?(payload: Payload): Promise<void>;
}

/** A task as the worker holds it, whatever its payload. */
export interface Task {
  name: string;
  perform(payload: unknown, run: TaskRun): Promise<void>;
}

/** Makes a task. A payload that does not fit is an error of the job, never of the engine. */
export function task<Payload>({ name, payload, run, interrupted }: Definition<Payload>): Task {
  return {
    name,
    async perform(given, how) {
      const value = payload.parse(given);
      if (how.attempt > 1 && interrupted) await interrupted(value);
      else await run(value, how);
    },
  };
}
