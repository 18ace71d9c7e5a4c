import { optional, schemaOf, textarea } from "#app/contract/fields.ts";
import { commonFields, environment } from "./common.ts";

/** A script that must end with 0. It runs with the rights of the control plane. */
export const execFields = {
  ...commonFields,
  script: textarea("Script", "Run by bash, where there is none by sh"),
  env: optional(environment),
};
export const ExecSpec = schemaOf(execFields).superRefine((spec, context) => {
  if (spec.script.trim() === "")
    context.addIssue({ code: "custom", path: ["script"], message: "This field is required" });
});
