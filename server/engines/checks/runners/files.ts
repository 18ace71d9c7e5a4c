import { lstat, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { globMatches } from "../../glob.ts";

/** A file as results have it. */
export interface File {
  name: string;
  path: string;
  size: number;
  mode: string;
  modified: Date;
  is_dir: false;
}

/** Entries of folders that are looked at; past it the check says so instead of going on. Ours to choose. */
export const ENTRY_LIMIT = 50_000;
/** Files that are asked about at the same time. */
const AT_ONCE = 32;

/** A folder, or a pattern: where to begin, what paths must match, and whether folders inside are entered. */
interface Search {
  root: string;
  pattern: string | null;
  deep: boolean;
}

export function searchOf(path: string, recursive: boolean): Search {
  const parts = path.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (first === -1) return { root: path, pattern: null, deep: recursive };
  const inside = parts.slice(first);
  return {
    root: parts.slice(0, first).join("/") || (path.startsWith("/") ? "/" : "."),
    pattern: inside.join("/"),
    deep: inside.length > 1 || inside.some((part) => part.includes("**")) || recursive,
  };
}

/**
 * The files below, without following links, a few at a time so that nothing else waits. A folder that is not there has
 * no files; one that may not be read is an error, but a pattern passes over those it comes upon, as a shell's does. Throws
 * when there are more entries than the limit.
 */
export async function findFiles({ root, pattern, deep }: Search, signal: AbortSignal): Promise<File[]> {
  const files: File[] = [];
  const folders = [""];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await opendir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
      const isPassedOver = error.code === "EACCES" && pattern !== null && folder !== "";
      if (error.code === "ENOENT" || isPassedOver) return null;
      throw error;
    });
    if (!entries) continue;
    let batch: string[] = [];
    for await (const entry of entries) {
      signal.throwIfAborted();
      if (++seen > ENTRY_LIMIT) throw new Error(`more than ${ENTRY_LIMIT} entries: name a narrower path`);
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && deep) folders.push(name);
      if (entry.isDirectory() || (pattern !== null && !globMatches(pattern, name))) continue;
      batch.push(name);
      if (batch.length === AT_ONCE) {
        files.push(...(await describe(root, batch)));
        batch = [];
      }
    }
    files.push(...(await describe(root, batch)));
  }
  return files;
}

async function describe(root: string, names: string[]): Promise<File[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<File | null> => {
      const path = join(root, name);
      const about = await lstat(path).catch(() => null); // gone since it was listed
      if (!about || about.isDirectory()) return null;
      const target = about.isSymbolicLink() ? await stat(path).catch(() => about) : about;
      if (target.isDirectory()) return null;
      const mode = `0${(target.mode & 0o777).toString(8)}`;
      return {
        name: name.split("/").at(-1)!,
        path,
        size: target.size,
        mode,
        modified: target.mtime,
        is_dir: false,
      };
    }),
  );
  return found.filter((file) => file !== null);
}
