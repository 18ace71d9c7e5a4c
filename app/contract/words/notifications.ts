/** Words of being told about checks. Plain values: safe to ship to the browser. */

/** Where a message can go, as "Notify" offers it. */
export const RECIPIENT_KINDS = [
  { value: "email", label: "E-mail" },
  { value: "slack", label: "Slack-compatible webhook" },
  { value: "webhook", label: "Webhook" },
  { value: "connection", label: "Connection" },
] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number]["value"];

/** How many failures in a row make a message, at most. */
export const MOST_AFTER_FAILURES = 1000;

/** The filters of "Notify": one check, or all checks of a canary. */
export const checkFilter = (id: string) => `check.id == '${id}'`;
export const canaryFilter = (id: string) => `canary.id == '${id}'`;

export const NOTIFY = "Notify";
export const NO_MESSAGES = "Nobody is told yet";
