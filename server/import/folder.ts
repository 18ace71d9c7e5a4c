/** The files of PILOTHOUSE_CONFIG as they are now. */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { IMPORT_LIMIT } from "#app/contract/rows/import-report.ts";

export interface FolderFile {
  /** Its path in the folder. */
  path: string;
  /** Null: it cannot be read. */
  text: string | null;
  /** Why it cannot be read. */
  error: string | null;
  /** Changes with its content. */
  hash: string;
}

/** Of these the checks' values are taken (`secret://…`, `configmap://…`), no canaries. */
const NOT_OURS = new Set(["secrets", "configmaps"]);
/** Folders in folders, at the most: a link to itself must come to an end. */
const MAX_DEPTH = 8;

/** Every YAML and JSON file below the folder, in the order of their names. Throws when the folder itself cannot be read. */
export async function readFolder(folder: string): Promise<FolderFile[]> {
  const files = (await pathsIn(folder, "", 0)).sort((a, b) => (a < b ? -1 : 1));
  return Promise.all(files.map((path) => readOne(folder, path)));
}

/** Hidden names are left out: among them is what Kubernetes puts behind the links of a mounted config map. */
async function pathsIn(folder: string, inside: string, depth: number): Promise<string[]> {
  const names = await readdir(join(folder, inside)).catch((error: unknown) => {
    if (depth === 0) throw error;
    return [];
  });
  const found = await Promise.all(
    names.map(async (name): Promise<string[]> => {
      if (name.startsWith(".") || (depth === 0 && NOT_OURS.has(name))) return [];
      const path = inside ? `${inside}/${name}` : name;
      const kind = await stat(join(folder, path)).catch(() => null);
      if (kind?.isDirectory()) return depth < MAX_DEPTH ? pathsIn(folder, path, depth + 1) : [];
      // What cannot be looked at is named all the same: its canaries must not be taken for deleted.
      return /\.(ya?ml|json)$/i.test(name) && (kind === null || kind.isFile()) ? [path] : [];
    }),
  );
  return found.flat();
}

async function readOne(folder: string, path: string): Promise<FolderFile> {
  try {
    const bytes = await readFile(join(folder, path));
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (bytes.length <= IMPORT_LIMIT) return { path, text: bytes.toString("utf8"), error: null, hash };
    return { path, text: null, error: `it has more than ${IMPORT_LIMIT / 1e6} MB`, hash };
  } catch (error) {
    const words = `it cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`;
    return { path, text: null, error: words, hash: words };
  }
}

/** One word for the state of all files: it changes when any of them does, comes or goes. */
export const stateOf = (files: readonly FolderFile[]): string =>
  createHash("sha256")
    .update(JSON.stringify(files.map(({ path, hash }) => [path, hash])))
    .digest("hex");
