/** How a run went, as a health. */
export const healthOfRun = (status: boolean | null | undefined) =>
  status === true ? "healthy" : status === false ? "unhealthy" : "unknown";

export const RUN_WORDS = { healthy: "Passed", unhealthy: "Failed", unknown: "No result" } as const;
