import { z } from "zod";
import { embed, view } from "../view.ts";

const CanaryName = z.object({ id: z.string(), name: z.string() });

/** The last results of a check, newest first (`results.limit` says how many). */
export const checkResultsRow = view(
  "checks",
  z.object({
    id: z.string(),
    results: embed("check_statuses", z.array(z.object({ status: z.boolean().nullish() }))),
  }),
);

/** Whose a check is. */
export const checkAgentRow = view(
  "checks",
  z.object({ id: z.string(), agent: embed("agents!checks_agent_id_fkey", CanaryName).nullish() }),
);

/** For counting: the least of a row. */
export const checkIdRow = view("checks", z.object({ id: z.string() }));
export const canaryIdRow = view("canaries", z.object({ id: z.string() }));
