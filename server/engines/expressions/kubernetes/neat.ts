import { isPart, part, type Part } from "./object.ts";

/** What the server and tools write into the metadata of an object. */
const MACHINE = new Set([
  "creationTimestamp",
  "generation",
  "managedFields",
  "ownerReferences",
  "resourceVersion",
  "selfLink",
  "uid",
]);
const NOTES =
  /^(kubectl\.kubernetes\.io\/(last-applied-configuration|restartedAt)|deployment\.kubernetes\.io\/revision|control-plane\.alpha\.kubernetes\.io\/leader)$/;

const without = (value: Part, drop: (name: string) => boolean): Part =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !drop(name)));

/** The object as a person would have written it: without its status and what machines put into it. */
export function neat(object: Part): Part {
  const { status: _, ...rest } = object;
  const metadata = without(part(object, "metadata"), (name) => MACHINE.has(name));
  if (isPart(metadata["annotations"])) {
    const notes = without(metadata["annotations"], (name) => NOTES.test(name));
    if (Object.keys(notes).length > 0) metadata["annotations"] = notes;
    else delete metadata["annotations"];
  }
  return { ...rest, ...(isPart(object["metadata"]) ? { metadata } : {}) };
}
