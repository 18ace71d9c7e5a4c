import { resource } from "../resource.ts";

/** Health checks as a resource (specification 3 §2.3, §3.10): namespaces are not shown in their list. */
export const canaries = resource({
  table: "canaries",
  name: "Health Check",
  add: "Add Health Check",
  empty: "Health checks say what is watched and how often. Each makes one or more checks.",
  access: "canaries",
  feature: "settings.health",
  hides: ["namespace"],
  jobType: "canary",
  deletes: "Its checks go with it; their history stays until it is cleaned up.",
});
