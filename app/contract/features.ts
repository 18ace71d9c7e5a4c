/**
 * Feature flags (specification 1 §6): `{feature}.disable` with the value `true` switches a feature off, and with it
 * every feature that has it as parent.
 */
export const FEATURES = [
  "topology",
  "health",
  "incidents",
  "config",
  "logs",
  "playbooks",
  "agents",
  "settings.connections",
  "settings.users",
  "settings.teams",
  "settings.rules",
  "settings.config_scraper",
  "settings.topology",
  "settings.health",
  "settings.job_history",
  "settings.feature_flags",
  "settings.logging_backends",
  "settings.event_queue_status",
  "settings.organization_profile",
  "settings.notifications",
  "settings.playbooks",
  "settings.integrations",
  "settings.permissions",
] as const;
export type Feature = (typeof FEATURES)[number];

const PARENTS: ReadonlyMap<Feature, Feature> = new Map([
  ["settings.config_scraper", "config"],
  ["settings.topology", "topology"],
  ["settings.health", "health"],
  ["settings.job_history", "health"],
]);

/** The feature that takes this one along when it is switched off; null: none does. */
export const parentOf = (feature: Feature): Feature | null => PARENTS.get(feature) ?? null;

const SUFFIX = ".disable";
/** The property that switches a feature off when its value is `true`. */
export const flagOf = (feature: Feature): string => feature + SUFFIX;

/** The feature that a property is the flag of; null: it is another kind of property. */
export function featureOfFlag(name: string): Feature | null {
  return FEATURES.find((feature) => flagOf(feature) === name) ?? null;
}

export interface Property {
  name: string;
  value: string | null;
}

/** Answers "is this feature on?" from the product's properties. Everything not switched off is on. */
export function featureSwitch(properties: readonly Property[]): (feature: Feature) => boolean {
  const off = new Set(
    properties
      .filter(({ name, value }) => name.endsWith(SUFFIX) && value === "true")
      .map(({ name }) => name.slice(0, -SUFFIX.length)),
  );
  return (feature) => {
    const parent = PARENTS.get(feature);
    return !off.has(feature) && !(parent && off.has(parent));
  };
}
