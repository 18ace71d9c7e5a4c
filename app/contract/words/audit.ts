/** The words of the audit log: what was done, to what, and over which time it is shown. */

/** What is done to a record, and what happens at the door (the identity service's events). */
export const AUDIT_ACTIONS: ReadonlyMap<string, string> = new Map([
  ["insert", "Added"],
  ["update", "Changed"],
  ["delete", "Deleted"],
  ["restore", "Brought back"],
  ["sign-in", "Signed in"],
  ["sign-in-failed", "Sign-in failed"],
  ["sign-out", "Signed out"],
  ["registration", "Registered"],
  ["recovery", "Recovered the account"],
  ["verification", "Verified the address"],
  ["settings-change", "Changed own settings"],
  ["session-ended", "Session ended"],
  ["invitation", "Invited"],
  ["invitation-revoked", "Invitation revoked"],
  ["identity-change", "Account changed"],
  ["identity-removed", "Account removed"],
]);

/** What the log calls the records, and what people call them. */
export const AUDIT_KINDS: ReadonlyMap<string, string> = new Map([
  ["access_tokens", "Access token"],
  ["agents", "Agent"],
  ["canaries", "Canary"],
  ["check_component_relationships", "Check of a component"],
  ["check_config_relationships", "Check of a config item"],
  ["checks", "Check"],
  ["components", "Component"],
  ["config_items", "Config item"],
  ["config_scrapers", "Scraper"],
  ["connections", "Connection"],
  ["heartbeats", "Heartbeat address"],
  ["identities", "Account"],
  ["logging_backends", "Logging backend"],
  ["notification_silences", "Silence"],
  ["notifications", "Notification"],
  ["people", "Person"],
  ["people_roles", "Role"],
  ["permissions", "Permission"],
  ["playbooks", "Playbook"],
  ["properties", "Property"],
  ["sessions", "Sign-in"],
  ["team_components", "Component of a team"],
  ["team_members", "Member of a team"],
  ["teams", "Team"],
  ["topologies", "Topology"],
]);

/** The word of an entry's action or kind; what a later version of the database writes is shown as it is. */
export const wordOf = (words: ReadonlyMap<string, string>, name: string): string =>
  words.get(name) ?? name.replaceAll(/[_-]/g, " ");

/** Over which time the log is shown. The first is what the page begins with. */
export const AUDIT_RANGES = [
  { value: "30d", label: "30 days", hours: 720 },
  { value: "1h", label: "1 hour", hours: 1 },
  { value: "1d", label: "1 day", hours: 24 },
  { value: "7d", label: "7 days", hours: 168 },
  { value: "90d", label: "90 days", hours: 2160 },
  { value: "1y", label: "1 year", hours: 8760 },
] as const;

export const AUDIT_TITLE = "Audit Log";
export const AUDIT_PAGE_SIZE = 50;
export const NO_AUDIT = "Nothing was written, and nobody signed in.";
