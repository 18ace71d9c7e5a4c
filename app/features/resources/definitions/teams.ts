import { resource } from "../resource.ts";

/** Teams as a resource: their list is everybody's, their page (spec and members) is their own. */
export const teams = resource({
  table: "teams",
  name: "Teams",
  add: "Add Team",
  empty: "Teams are who is told about something, and who answers for a component. Each has members.",
  access: "database",
  feature: "settings.teams",
  hides: ["schedule", "namespace", "job_status", "last_runtime", "job_last_failed", "labels"],
  hasAgent: false,
  jobType: "team",
  deletes: "Its members stay users, but nobody is told through it any more.",
});
