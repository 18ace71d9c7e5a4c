import { keyValue, optional, schemaOf, texts } from "#app/contract/fields.ts";
import { address } from "#app/contract/value-fields.ts";
import { commonFields, threshold } from "./common.ts";
import { oneAddress, oneLogin, webAddress, webLogin, webOtherNames, webTrust } from "./web.ts";

/** The alerts that are firing, for a test or a transform to judge. */
export const alertmanagerFields = {
  ...commonFields,
  url: webAddress.url,
  host: optional(address("Host", "Old name of URL; only one of the two")),
  connection: webAddress.connection,
  alerts: optional(
    texts("Alerts", "Regular expressions: only alerts with such a name; one of them is enough"),
  ),
  ignore: optional(texts("Ignore", "Regular expressions: no alerts with such a name")),
  filters: optional(keyValue("Filters", "Label and regular expression: only alerts that have all of them")),
  exclude_filters: optional(keyValue("Without", "Label and value: no alerts that have one of them")),
  ...webLogin,
  thresholdMillis: threshold,
  ...webTrust,
  ...webOtherNames,
};
export const AlertmanagerSpec = schemaOf(alertmanagerFields).superRefine((spec, context) => {
  oneAddress(spec, context);
  oneLogin(spec, context);
});
