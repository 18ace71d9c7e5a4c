import { schemaOf, text } from "#app/contract/fields.ts";
import { commonFields, threshold } from "./common.ts";

/** A port that must accept a connection. */
export const tcpFields = {
  ...commonFields,
  endpoint: text("Endpoint", "host:port"),
  thresholdMillis: threshold,
};
export const TcpSpec = schemaOf(tcpFields);
