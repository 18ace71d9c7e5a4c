/** Looks up values that are kept outside of specs: files of the configuration folder, else the environment. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Reference } from "#app/contract/env-var.ts";

export interface ValueSources {
  /** PILOTHOUSE_CONFIG, with `secrets/<name>/<key>` and `configmaps/<name>/<key>`; null when it is not set. */
  folder: string | null;
  /** The variables PH_SECRET_<NAME>_<KEY> and PH_CONFIGMAP_<NAME>_<KEY> of the environment. */
  variables: Readonly<Record<string, string>>;
}

/** Throws a sentence that names what was looked for and where. */
export type LookUp = (reference: Reference) => Promise<string>;

/** How long a value is kept, in milliseconds, while its file stays as it is (facts: engines §13.2). */
const KEPT_MS = 5 * 60_000;
/** More is no value but a mistake; in bytes. Ours to choose. */
const SIZE_LIMIT = 1024 * 1024;

const PLACES = {
  secret: { words: "secret", folder: "secrets", prefix: "PH_SECRET" },
  configmap: { words: "config map", folder: "configmaps", prefix: "PH_CONFIGMAP" },
};

/** Files are asked first. A change of a file is seen at once; `now` is in milliseconds. */
export function createLookUp({ folder, variables }: ValueSources, now = Date.now): LookUp {
  const kept = new Map<string, { value: string; stamp: string; until: number }>();

  async function fromFile(path: string): Promise<string | null> {
    const found = await stat(path).catch(absent);
    if (!found?.isFile()) return null;
    if (found.size > SIZE_LIMIT) throw new Error(`it is larger than ${SIZE_LIMIT / 1024 / 1024} MiB`);
    const stamp = `${found.ino} ${found.size} ${found.mtimeMs}`;
    const known = kept.get(path);
    if (known?.stamp === stamp && known.until > now()) return known.value;
    const value = (await readFile(path, "utf8")).replace(/\r?\n$/, ""); // which editors add
    kept.set(path, { value, stamp, until: now() + KEPT_MS });
    return value;
  }

  return async ({ kind, name, key }) => {
    if (kind === "helm" || kind === "serviceaccount")
      throw new Error(
        `${kind === "helm" ? "helmRef" : "serviceAccount"} needs Kubernetes, and there is none here: ` +
          "use a value, secretKeyRef or configMapKeyRef",
      );
    const place = PLACES[kind];
    const wanted = `${place.words} ${name}/${key}`;
    if (![name, key].every(isName))
      throw new Error(`${wanted} cannot be looked up: names have letters, digits, "-", "_" and "." only`);
    const variable = [place.prefix, name, key].map(inCapitals).join("_");
    const path = folder === null ? null : join(folder, place.folder, name, key);
    const value = path === null ? null : await fromFile(path).catch(unreadable(wanted));
    const found = value ?? (Object.hasOwn(variables, variable) ? variables[variable] : undefined);
    if (found !== undefined) return found;
    const file =
      path === null
        ? "PILOTHOUSE_CONFIG, whose files are asked first, is not set"
        : `there is no file ${place.folder}/${name}/${key} in PILOTHOUSE_CONFIG`;
    throw new Error(`${wanted} was not found: ${file}, and there is no environment variable ${variable}`);
  };
}

/** A path has one folder and one file: nothing that leads out of it. */
const isName = (text: string) => /^[\w.-]{1,253}$/.test(text) && !/^\.{1,2}$/.test(text);
const inCapitals = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "_");

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

const unreadable = (wanted: string) => (error: NodeJS.ErrnoException) => {
  throw new Error(`${wanted} cannot be read: ${error.code ?? error.message}`);
};
