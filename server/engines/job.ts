/** What a run of a job did. */
export interface JobResult {
  success: number;
  errors?: string[];
  details?: Record<string, unknown>;
}

/** Housekeeping: runs on a schedule in one control plane at a time and leaves a job history row. */
export interface Job {
  /** As the Job History page shows it, and as its task in the queue. */
  name: string;
  schedule: string;
  resourceType: string;
  /** How many runs of each status are kept: successes, and each of the others. 0 successes: only failures are stored. */
  history?: { success: number; failed: number };
  /** The signal says that the run has to end: its control plane stops, or may not act any more. */
  run(signal: AbortSignal): Promise<JobResult>;
}
