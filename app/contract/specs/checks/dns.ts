import { number, optional, schemaOf, select, text, texts } from "#app/contract/fields.ts";
import { inCapitals } from "#app/contract/value-fields.ts";
import { commonFields, threshold } from "./common.ts";

const QUERY_TYPES = ["A", "AAAA", "CNAME", "SRV", "MX", "PTR", "TXT", "NS"] as const;

/** A question that a name server must answer. */
export const dnsFields = {
  ...commonFields,
  server: optional(text("Server", "The machine's own name servers unless given")),
  port: optional(number("Port", { min: 1, max: 65_535, hint: "53 unless given" })),
  query: text("Query", "A name; for PTR an address"),
  querytype: optional(inCapitals(select("Type", QUERY_TYPES, "A unless given"))),
  minrecords: optional(number("Records at least")),
  exactreply: optional(
    texts("Exact answer", "All records in any order; names end with a dot, MX is `host. preference`"),
  ),
  timeout: optional(number("Timeout (s)", { hint: "10 unless given" })),
  thresholdMillis: threshold,
};
export const DnsSpec = schemaOf(dnsFields);
