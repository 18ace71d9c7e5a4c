import { lstat, opendir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { octal, searchOf, walk, type Entry, type File, type Found } from "./files.ts";

/**
 * Files of this machine, without following links. A folder that is not there has no files; one that may not be read is an
 * error, but a pattern passes over those it comes upon, as a shell's does.
 */
export async function local(path: string, recursive: boolean, signal: AbortSignal): Promise<Found> {
  const search = searchOf(path, recursive);
  const files = await walk(search, signal, async (folder) => {
    const at = join(search.root, folder);
    const entries = await opendir(at).catch((error: NodeJS.ErrnoException) => {
      const isPassedOver = error.code === "EACCES" && search.pattern !== null && folder !== "";
      if (error.code === "ENOENT" || isPassedOver) return null;
      throw error;
    });
    return entries && described(entries, at);
  });
  return { files, ...(await spaceOf(search.root)) };
}

async function* described(
  entries: AsyncIterable<{ name: string; isDirectory(): boolean }>,
  folder: string,
): AsyncGenerator<Entry> {
  for await (const entry of entries)
    yield {
      name: entry.name,
      isFolder: entry.isDirectory(),
      about: () => fileAt(join(folder, entry.name), entry.name),
    };
}

async function fileAt(path: string, name: string): Promise<File | null> {
  const about = await lstat(path).catch(() => null); // gone since it was listed
  if (!about || about.isDirectory()) return null;
  const target = about.isSymbolicLink() ? await stat(path).catch(() => about) : about;
  if (target.isDirectory()) return null;
  return { name, path, size: target.size, mode: octal(target.mode), modified: target.mtime, is_dir: false };
}

/** The space of the file system the folder is on, or would be on. */
async function spaceOf(path: string): Promise<Omit<Found, "files">> {
  for (let at = path; ; at = dirname(at)) {
    const found = await statfs(at).catch(() => null);
    if (found) return { size: found.blocks * found.bsize, availableSize: found.bavail * found.bsize };
    if (at === dirname(at)) return {};
  }
}
