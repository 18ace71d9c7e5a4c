import { globMatches } from "../../../glob.ts";

/** A file as results have it. */
export interface File {
  name: string;
  path: string;
  size: number;
  /** Its permissions in octal; empty where there are none. */
  mode: string;
  modified: Date;
  is_dir: false;
}

/** What a place answers about a path. */
export interface Found {
  files: File[];
  /** Of the file system, in bytes; absent when the place does not say. */
  size?: number;
  availableSize?: number;
}

/** Entries of folders that are looked at; past it the check says so instead of going on. Ours to choose. */
export const ENTRY_LIMIT = 50_000;
/** Files that are asked about at the same time. */
const AT_ONCE = 32;

/** A folder, or a pattern: where to begin, what paths must match, and whether folders inside are entered. */
export interface Search {
  root: string;
  pattern: string | null;
  deep: boolean;
}

/** How a path is searched; a pattern begins at the first part with `*`, `?` or `[`. */
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

/** What a folder holds. */
export interface Entry {
  name: string;
  isFolder: boolean;
  /** Asked only of those that match; null when it is gone, or no file. */
  about(): File | null | Promise<File | null>;
}

/** Counts entries; throws when there are more than the limit. */
export function entryCounter(): () => void {
  let seen = 0;
  return () => {
    if (++seen > ENTRY_LIMIT) throw new Error(`more than ${ENTRY_LIMIT} entries: name a narrower path`);
  };
}

/**
 * The files below, a few at a time so that nothing else waits. `entries` is asked for each folder by its path below the
 * root ("" is the root) and answers null when there is none, or none to be seen. Throws when there are more entries than
 * the limit.
 */
export async function walk(
  { pattern, deep }: Search,
  signal: AbortSignal,
  entries: (folder: string) => Promise<AsyncIterable<Entry> | Iterable<Entry> | null>,
): Promise<File[]> {
  const files: File[] = [];
  const folders = [""];
  const count = entryCounter();
  const describe = async (batch: Entry[]) => {
    const found = await Promise.all(batch.map((entry) => entry.about()));
    files.push(...found.filter((file) => file !== null));
  };
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let batch: Entry[] = [];
    for await (const entry of (await entries(folder)) ?? []) {
      signal.throwIfAborted();
      count();
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFolder && deep) folders.push(name);
      if (entry.isFolder || !isWanted(pattern, name)) continue;
      batch.push(entry);
      if (batch.length === AT_ONCE) await describe(batch.splice(0));
    }
    await describe(batch);
    batch = [];
  }
  return files;
}

/** Whether a path below the root is asked for. */
export const isWanted = (pattern: string | null, name: string): boolean =>
  pattern === null || globMatches(pattern, name);

/** The path of something below a folder. */
export const below = (folder: string, name: string): string =>
  folder === "" || folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;

/** Permissions as results have them. */
export const octal = (mode: number): string => `0${(mode & 0o777).toString(8)}`;
