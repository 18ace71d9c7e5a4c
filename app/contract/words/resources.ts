/** Words and numbers of the settings' resources that the specification fixes. Plain values: safe to ship to the browser. */

/** Specification 3 §2.2: what a detail page says when there is no such thing. */
export const NO_RESOURCE = "No resources found";
/** facts/ui-screens §7.1: the question before a deletion. */
export const DELETE_TITLE = "Delete resource";
export const DELETE_QUESTION = "Are you sure you want to delete this resource?";

/** Specification 3 §9. */
export const JOB_HISTORY_PAGE_SIZE = 150;

/** Specification 3 §5: the presets of a schedule. */
export const SCHEDULES = [
  "@every 30s",
  "@every 1m",
  "@every 5m",
  "@every 15m",
  "@every 30m",
  "@hourly",
  "@every 2h",
  "@every 4h",
  "@every 6h",
  "@every 8h",
  "@daily",
  "@weekly",
] as const;

/** Specification 3 §9. */
export const RESPONSE_CODES = [200, 201, 202, 204, 301, 302, 401, 404, 500, 502, 503] as const;
/** Specification 3 §9: the agent of what belongs to no agent. */
export const NO_AGENT = "00000000-0000-0000-0000-000000000000";

/** The feature of a control plane that runs a canary before it is saved (DESIGN, decision 14). */
export const CANARY_TEST = "canary.test";
