/** `SyncTopology` → `Sync Topology`; a name without capitals stays as it is (facts/ui-screens §7.2, its bug left out). */
export const jobName = (name: string | null | undefined): string =>
  (name ?? "").replace(/([a-z\d])([A-Z])/g, "$1 $2").trim();
