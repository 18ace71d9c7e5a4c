import { optional, schemaOf, secret } from "#app/contract/fields.ts";
import { commonFields } from "./common.ts";

/** Results that somebody else sends: `webhook:` of a canary is one entry, not a list. */
const webhookFields = {
  ...commonFields,
  token: optional(secret("Token", "Asked of whoever calls, as ?token= or in the header Webhook-Token")),
};
export const WebhookSpec = schemaOf(webhookFields);
