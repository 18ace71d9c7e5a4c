import { Heart } from "lucide-react";
import { describe, expect, test } from "vitest";
import { may, type Permission, type Role } from "#app/contract/access.ts";
import { featureSwitch, type Feature } from "#app/contract/features.ts";
import { navOf, pathsOf, visibleNav, type Nav, type NavEntry } from "./nav.ts";

const entry = (label: string, path: string, feature: Feature, permission: Permission): NavEntry => ({
  label,
  path,
  icon: Heart,
  feature,
  permission,
});
/** As it will look with more pages: the specification's own entries. */
const SAMPLE: Nav = {
  entries: [
    entry("Health", "/health", "health", "read:canaries"),
    entry("Incidents", "/incidents", "incidents", "read:incident"),
    entry("Playbooks", "/playbooks", "playbooks", "write:playbook_runs"),
  ],
  settings: [
    entry("Users", "/settings/users", "settings.users", "read:identities"),
    entry("Connections", "/settings/connections", "settings.connections", "read:connections"),
    entry("Jobs History", "/settings/jobs", "settings.job_history", "read:database"),
  ],
};
const seen = (roles: Role[], off: string[] = []) =>
  visibleNav(SAMPLE, {
    roles,
    can: (permission) => may(roles, permission),
    isOn: featureSwitch(off.map((name) => ({ name: `${name}.disable`, value: "true" }))),
  });
const labels = (nav: Nav) => [...nav.entries, ...nav.settings].map(({ label }) => label);

describe("the sidebar", () => {
  test("shows an administrator everything, settings sorted by name", () => {
    expect(labels(seen(["admin"]))).toEqual([
      "Health",
      "Incidents",
      "Playbooks",
      "Connections",
      "Jobs History",
      "Users",
    ]);
  });

  test("hides the settings from viewers, and from whoever has no role", () => {
    for (const roles of [["viewer"], []] as Role[][])
      expect(labels(seen(roles))).toEqual(["Health", "Incidents"]);
  });

  test("hides what a role may not open, one by one", () => {
    expect(labels(seen(["responder"]))).toEqual(["Health", "Incidents", "Jobs History"]);
    expect(labels(seen(["responder", "viewer"]))).toContain("Jobs History");
  });

  test("hides what is switched off, and what hangs on it", () => {
    expect(labels(seen(["admin"], ["health", "settings.users"]))).toEqual([
      "Incidents",
      "Playbooks",
      "Connections",
    ]);
  });

  test("is drawn from the paths a loader sends, in the same order", () => {
    const nav = seen(["admin"]);
    expect(labels(navOf(SAMPLE, pathsOf(nav)))).toEqual(labels(nav));
    expect(labels(navOf(SAMPLE, ["/settings/jobs", "/elsewhere"]))).toEqual(["Jobs History"]);
  });
});
