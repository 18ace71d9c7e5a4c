import { z } from "zod";
import { ACTIONS_OF, RESOURCE_KINDS, SUBJECT_KINDS } from "#app/contract/words/permissions.ts";

const REQUIRED = "This field is required";
const chosen = z.guid({ error: REQUIRED });

/** A permission (specification 3 §5): resource, subject and action are required. */
export const PermissionInput = z
  .object({
    kind: z.enum(RESOURCE_KINDS, { error: REQUIRED }),
    resource: chosen,
    subject: z.enum(SUBJECT_KINDS, { error: REQUIRED }),
    who: chosen,
    action: z.string({ error: REQUIRED }),
    deny: z
      .string()
      .optional()
      .transform((value) => value !== undefined),
    until: z
      .string()
      .regex(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/,
        "This field must be a day and a time such as 2026-12-31T18:00",
      )
      .refine((value) => !Number.isNaN(Date.parse(`${value}Z`)), "There is no such day or time")
      .transform((value) => new Date(`${value}Z`).toISOString())
      .optional(),
    description: z.string().max(2000, "This field must not be longer than 2,000 characters").optional(),
    seen: z.string().optional(),
  })
  .superRefine(({ kind, action }, context) => {
    if (!ACTIONS_OF[kind].includes(action))
      context.addIssue({
        code: "custom",
        path: ["action"],
        message: `This field must be one of ${ACTIONS_OF[kind].join("; ")}`,
      });
  });
export type PermissionInput = z.output<typeof PermissionInput>;
