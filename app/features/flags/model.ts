import {
  FEATURES,
  featureOfFlag,
  featureSwitch,
  flagOf,
  parentOf,
  type Feature,
} from "#app/contract/features.ts";
import { FEATURE_WORDS } from "#app/contract/words/features.ts";

/** A property as the page lists it. */
export interface Flag {
  name: string;
  value: string;
  description: string;
  /** Written down in the installation's own file: nobody edits it here. */
  isLocal: boolean;
  author: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  /** The row's version as upstream wrote it; empty for a local one. */
  seen: string;
}

/** A feature and how it stands. */
export interface KnownFeature {
  feature: Feature;
  label: string;
  hides: string;
  parent: Feature | null;
  isOn: boolean;
  /** Its own flag says so, whatever its parent does. */
  isOffItself: boolean;
  isLocal: boolean;
}

/** The features in the specification's order, each child after its parent (specification 1 §6). */
export function knownFeatures(flags: readonly Flag[]): KnownFeature[] {
  const isOn = featureSwitch(flags);
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const standing = (feature: Feature): KnownFeature => {
    const flag = byName.get(flagOf(feature));
    return {
      feature,
      ...FEATURE_WORDS[feature],
      parent: parentOf(feature),
      isOn: isOn(feature),
      isOffItself: flag?.value === "true",
      isLocal: flag?.isLocal ?? false,
    };
  };
  const childrenOf = (parent: Feature) => FEATURES.filter((feature) => parentOf(feature) === parent);
  return FEATURES.filter((feature) => parentOf(feature) === null).flatMap((feature) =>
    [feature, ...childrenOf(feature)].map(standing),
  );
}

/** What is not the flag of a known feature: tuning, and flags of what this version does not know. */
export const otherFlags = (flags: readonly Flag[]): Flag[] =>
  flags.filter(({ name }) => featureOfFlag(name) === null);
