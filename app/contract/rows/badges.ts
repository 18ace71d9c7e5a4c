/** What a badge says of a check, or of the checks of a group: `GET /ph/badges/…` (beyond the contract). */
import { z } from "zod";

export const BadgeFacts = z.object({
  name: z.string(),
  /** How many checks it is about, and how many of them are healthy and unhealthy now; the rest never ran. */
  checks: z.number(),
  healthy: z.number(),
  unhealthy: z.number(),
  /** Runs in the range. */
  passed: z.number(),
  failed: z.number(),
  /** "1 day". */
  range: z.string(),
});
export type BadgeFacts = z.output<typeof BadgeFacts>;
