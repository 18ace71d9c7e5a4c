import { number, optional, schemaOf, text } from "#app/contract/fields.ts";
import { commonFields } from "./common.ts";

/** A port that must accept a connection. */
export const tcpFields = {
  ...commonFields,
  endpoint: text("Endpoint", "host:port"),
  thresholdMillis: optional(number("Threshold (ms)", { hint: "Slower than this fails; 0 is no limit" })),
};
export const TcpSpec = schemaOf(tcpFields);
