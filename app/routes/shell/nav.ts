import {
  HeartPulse,
  ListChecks,
  ScrollText,
  ShieldUser,
  SlidersHorizontal,
  ToggleRight,
  UserRound,
  Users,
  type LucideIcon,
} from "lucide-react";
import { highestRole, type Permission, type Role } from "#app/contract/access.ts";
import type { Feature } from "#app/contract/features.ts";
import { AUDIT_TITLE } from "#app/contract/words/audit.ts";
import { auditPath } from "#app/features/audit/paths.ts";
import { healthPath } from "#app/features/checks/paths.ts";
import { flagsPath } from "#app/features/flags/paths.ts";
import { usersPath } from "#app/features/people/paths.ts";
import { permissionsPath } from "#app/features/permissions/paths.ts";
import { canaries } from "#app/features/resources/definitions/canaries.ts";
import { teams } from "#app/features/resources/definitions/teams.ts";
import { resourcesPath } from "#app/features/resources/paths.ts";

export interface NavEntry {
  path: string;
  label: string;
  icon: LucideIcon;
  /** What hides it when it is switched off; absent: nothing does. */
  feature?: Feature;
  permission: Permission;
}
export interface Nav {
  /** The sidebar, in the specification's order (1 §2). */
  entries: readonly NavEntry[];
  /** Its settings submenu, in any order: it is drawn sorted by name. */
  settings: readonly NavEntry[];
}
/** What decides: the session's roles and rights, and the flags. */
export interface Sight {
  roles: readonly Role[];
  can(permission: Permission): boolean;
  isOn(feature: Feature): boolean;
}

/** An entry is added with its page, never before: every link leads somewhere. */
export const NAV: Nav = {
  entries: [
    { path: healthPath(), label: "Health", icon: HeartPulse, feature: "health", permission: "read:canaries" },
  ],
  settings: [
    { path: auditPath(), label: AUDIT_TITLE, icon: ScrollText, permission: "write:rbac" },
    {
      path: resourcesPath(canaries.table),
      label: canaries.name,
      icon: ListChecks,
      feature: canaries.feature,
      permission: `read:${canaries.access}`,
    },
    {
      path: resourcesPath(teams.table),
      label: teams.name,
      icon: Users,
      feature: teams.feature,
      permission: `read:${teams.access}`,
    },
    {
      path: usersPath(),
      label: "Users",
      icon: UserRound,
      feature: "settings.users",
      permission: "read:identities",
    },
    {
      path: flagsPath(),
      label: "Feature Flags",
      icon: ToggleRight,
      feature: "settings.feature_flags",
      permission: "read:feature_flags",
    },
    {
      path: permissionsPath(),
      label: "Permissions",
      icon: ShieldUser,
      feature: "settings.permissions",
      permission: "read:permissions",
    },
  ],
};

/** The submenu itself, open wherever one of its pages is. */
export const SETTINGS = { label: "Settings", icon: SlidersHorizontal, under: "/settings" };

/** What somebody sees of it: read access and the feature on; the settings submenu is hidden from viewers (1 §2, §6). */
export function visibleNav({ entries, settings }: Nav, { roles, can, isOn }: Sight): Nav {
  const seen = ({ feature, permission }: NavEntry) =>
    (feature === undefined || isOn(feature)) && can(permission);
  const isViewer = highestRole(roles) === "viewer";
  return { entries: entries.filter(seen), settings: isViewer ? [] : settings.filter(seen).sort(byName) };
}

/** The same of what a loader sent: the paths that are seen. */
export function navOf({ entries, settings }: Nav, paths: readonly string[]): Nav {
  const sent = ({ path }: NavEntry) => paths.includes(path);
  return { entries: entries.filter(sent), settings: settings.filter(sent).sort(byName) };
}

export const pathsOf = ({ entries, settings }: Nav): string[] =>
  [...entries, ...settings].map(({ path }) => path);

const byName = (a: NavEntry, b: NavEntry) => a.label.localeCompare(b.label, "en");
