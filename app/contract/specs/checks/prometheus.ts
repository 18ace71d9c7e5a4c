import { optional, schemaOf, textarea } from "#app/contract/fields.ts";
import { commonFields, environment, threshold } from "./common.ts";
import { oneAddress, oneLogin, webAddress, webLogin, webOtherNames, webTrust } from "./web.ts";

/** A query that Prometheus must answer; what its value means is said by a test. */
export const prometheusFields = {
  ...commonFields,
  ...webAddress,
  query: textarea("Query", "PromQL: an instant vector or a number; $(name) is a value of the environment"),
  env: optional(environment),
  ...webLogin,
  thresholdMillis: threshold,
  ...webTrust,
  ...webOtherNames,
};
export const PrometheusSpec = schemaOf(prometheusFields).superRefine((spec, context) => {
  oneAddress(spec, context);
  oneLogin(spec, context);
  if (spec.query.trim() === "")
    context.addIssue({ code: "custom", path: ["query"], message: "This field is required" });
});
