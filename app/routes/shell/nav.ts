import { HeartPulse, type LucideIcon } from "lucide-react";
import type { Permission } from "#app/contract/access.ts";
import type { Feature } from "#app/contract/features.ts";
import { healthPath } from "#app/features/checks/paths.ts";

export interface NavEntry {
  path: string;
  label: string;
  icon: LucideIcon;
  feature: Feature;
  permission: Permission;
}

/**
 * The sidebar, in the specification's order (1 §2). An entry is added with its page, never before: every link leads
 * somewhere.
 */
export const NAV: readonly NavEntry[] = [
  { path: healthPath(), label: "Health", icon: HeartPulse, feature: "health", permission: "read:canaries" },
];
