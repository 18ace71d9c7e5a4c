import { z } from "zod";

/**
 * `POST /ph/canary/test` with `{name, namespace, labels, spec}`: one result for each check of the spec. `pass` is null
 * for a check that is not run on request. Duration in ms.
 */
export const TestRun = z.object({
  checks: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      pass: z.boolean().nullable(),
      duration: z.number(),
      message: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
});
export type TestRun = z.output<typeof TestRun>;
