import type { Outcome } from "./runner.ts";

/** A check with all that a run of it needs. */
export interface Runnable {
  id: string;
  canaryId: string;
  canaryName: string;
  type: string;
  name: string;
  namespace: string;
  description: string | null;
  severity: string | null;
  owner?: string | null;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  spec: unknown;
  schedule: string | null;
  /** Of a heartbeat: when it was last heard of. */
  lastPing?: Date | null;
}

/** A check that this control plane, and no other, runs for one instant. */
export interface Claim extends Runnable {
  owner: string;
  instant: Date;
}

/** A run that ended, to be stored. */
export interface Finished {
  check: Runnable;
  /** null: Run Now. */
  claim: Pick<Claim, "owner" | "instant"> | null;
  /** When the run began. */
  time: Date;
  ms: number;
  outcome: Outcome;
  /** When the check is due, should its next instant have gone by during the run. */
  dueAfter: Date | null;
}
