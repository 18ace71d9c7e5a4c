import { flagOf, type Feature } from "#app/contract/features.ts";
import { propertyRow } from "#app/contract/rows/properties.ts";
import { FLAG_WORDS } from "#app/contract/words/features.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq } from "#app/lib/filter.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import type { Flag } from "./model.ts";

const KEY = { key: "name" };
type Written = { name: string; value: string };

/** A local flag is what its file says. Throws when this is the name of one. */
function refuseLocal(flags: readonly Flag[], name: string): void {
  if (flags.some((flag) => flag.isLocal && flag.name === name))
    throw new UpstreamError(409, FLAG_WORDS.local);
}

/** Adds a property. One that was deleted by its mark comes back with the new value. */
export async function addFlag(api: Api, flags: readonly Flag[], { name, value }: Written): Promise<void> {
  refuseLocal(flags, name);
  const row = await api.find(propertyRow, { name: eq(name) });
  if (row && !row.deleted_at)
    throw new UpstreamError(409, `There is a feature flag "${name}" already: change that one.`);
  if (row) await api.update(propertyRow, name, { value, deleted_at: null }, KEY);
  else await api.insert(propertyRow, { name, value });
}

/** Changes a property, also its name. Throws Conflict when somebody changed it since it was `seen`. */
export async function changeFlag(
  api: Api,
  flags: readonly Flag[],
  { was, name, value, seen }: Written & { was: string; seen?: string | undefined },
): Promise<void> {
  refuseLocal(flags, was);
  refuseLocal(flags, name);
  if (name !== was && flags.some((flag) => flag.name === name))
    throw new UpstreamError(409, `There is a feature flag "${name}" already: change that one.`);
  await api.update(propertyRow, was, { name, value }, seen ? { ...KEY, seen } : KEY);
}

export async function removeFlag(api: Api, flags: readonly Flag[], name: string): Promise<void> {
  refuseLocal(flags, name);
  await api.remove("properties", { name: eq(name) });
}

/** Switches a feature and says what became of its flag: on is the absence of the flag, off its value `true`. */
export async function switchFeature(
  api: Api,
  flags: readonly Flag[],
  { feature, to }: { feature: Feature; to: "on" | "off" },
): Promise<string> {
  const name = flagOf(feature);
  const flag = flags.find((known) => known.name === name);
  refuseLocal(flags, name);
  if (to === "on") {
    if (flag) await removeFlag(api, flags, name);
    return FLAG_WORDS.removed;
  }
  if (!flag) {
    await addFlag(api, flags, { name, value: "true" });
    return FLAG_WORDS.added;
  }
  await api.update(propertyRow, name, { value: "true" }, KEY);
  return FLAG_WORDS.updated;
}
