import { number, optional, schemaOf, text } from "#app/contract/fields.ts";
import { commonFields, threshold } from "./common.ts";

/** A host that must answer pings. */
export const icmpFields = {
  ...commonFields,
  endpoint: text("Host", "A name or an address"),
  thresholdMillis: threshold,
  packetLossThreshold: optional(
    number("Lost packets allowed (%)", { max: 100, hint: "More fails; none unless given" }),
  ),
  packetCount: optional(number("Packets", { min: 1, max: 50, hint: "5 unless given" })),
};
export const IcmpSpec = schemaOf(icmpFields);
