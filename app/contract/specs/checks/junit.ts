import { z } from "zod";
import { number, optional, schemaOf, text, textarea } from "#app/contract/fields.ts";
import { commonFields, environment } from "./common.ts";
import { artifacts } from "./exec.ts";

/** Results of tests in JUnit's format, of a script that makes them or of files that are there. */
export const junitFields = {
  ...commonFields,
  testResults: text(
    "Results",
    "XML files: a path or a pattern such as /reports/**/*.xml; from a script's folder when relative",
  ),
  script: optional(
    textarea("Script", "Makes the results in a folder of its own; none: they are there already"),
  ),
  env: optional(environment),
  timeout: optional(number("Time limit (min)", { hint: "5 unless given; the run's own limit holds, too" })),
  artifacts: optional(artifacts),
};

/** `spec` is the pod that makes the results elsewhere: kept, and said not to be run here. */
export const JunitSpec = schemaOf(junitFields).extend({ spec: z.unknown().optional() });
