import { search, text } from "#app/lib/search.ts";

/** The query of a canary's page of messages: the check that was come from. */
export const notifySearch = search({ check: text() });

/** Where a canary's messages are set up; with a check, that one is chosen already. */
export const notifyPath = (canaryId: string, check = "") =>
  notifySearch.href(`/settings/canaries/${encodeURIComponent(canaryId)}/notify`, { check });
