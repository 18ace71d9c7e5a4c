import { inText, isMap, type Json } from "./values.ts";

/** Every leaf of a spec by its path. */
function leaves(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (isMap(value) || Array.isArray(value))
    for (const [name, part] of Object.entries(value))
      leaves(part, path === "" ? name : `${path}.${name}`, into);
  else into.set(path, inText(value));
  return into;
}

/** What became of one spec in another, a line for each part that is new, gone or different; by path. */
export function differences(before: Json, after: Json): string[] {
  const [old, now] = [leaves(before, "", new Map()), leaves(after, "", new Map())];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path) => {
    const [was, is] = [old.get(path), now.get(path)];
    if (was === is) return [];
    if (was === undefined) return [`${path} is new: ${is}`];
    if (is === undefined) return [`${path} is gone; it was ${was}`];
    return [`${path}: ${is} instead of ${was}`];
  });
}
