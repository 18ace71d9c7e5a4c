import { number, optional, schemaOf, text, textarea } from "#app/contract/fields.ts";
import { commonFields, threshold } from "./common.ts";
import { oneAddress, oneLogin, webAddress, webLogin, webTrust } from "./web.ts";

/** A search that must find so many documents: Elasticsearch and OpenSearch alike. */
export const elasticsearchFields = {
  ...commonFields,
  ...webAddress,
  index: optional(text("Index", "A name or a pattern; all unless given")),
  query: optional(textarea("Query", "JSON, as the search API takes it; everything unless given")),
  results: optional(number("Expected results", { hint: "The number of hits must be equal" })),
  ...webLogin,
  thresholdMillis: threshold,
  ...webTrust,
};
export const ElasticsearchSpec = schemaOf(elasticsearchFields).superRefine((spec, context) => {
  oneAddress(spec, context);
  oneLogin(spec, context);
});
