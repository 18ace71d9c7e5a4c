/**
 * Properties that the installation itself lays down (facts: engines §13.3): `name=value` lines of one file in
 * PILOTHOUSE_CONFIG. They come before those of the database, and nobody changes them through the product.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Property } from "#app/contract/features.ts";
import type { Observe } from "#server/observe/observation.ts";

const FILE = "pilothouse.properties";
/** How often the file is looked at, in milliseconds, while somebody asks. */
const LOOK_MS = 2_000;
/** More is no file of properties, in bytes. */
const SIZE_LIMIT = 256 * 1024;

export type LocalProperties = () => Promise<readonly Property[]>;

/** Of an installation without such a file. */
export const noLocalProperties: LocalProperties = () => Promise.resolve([]);

/**
 * Reads `pilothouse.properties` of the folder, again whenever it has changed. A file with a mistake is reported once,
 * with its line, and what was read before still holds; without the file there are none.
 */
export function createLocalProperties(
  folder: string | null,
  observe: Observe,
  now: () => number = Date.now,
): LocalProperties {
  if (folder === null) return noLocalProperties;
  const path = join(folder, FILE);
  let known: readonly Property[] = [];
  let stamp = "";
  let looked = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const found = await stat(path).catch(() => null);
    const seen = found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeMs}` : "";
    if (seen === stamp) return;
    stamp = seen;
    try {
      if (found && found.size > SIZE_LIMIT) throw new Error(`it is larger than ${SIZE_LIMIT / 1024} kB`);
      known = seen === "" ? [] : parseProperties(await readFile(path, "utf8"));
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      observe({ kind: "warning", message: `${FILE} in PILOTHOUSE_CONFIG is not used: ${words}.` });
    }
  }
  return async () => {
    if (now() - looked >= LOOK_MS) {
      looked = now();
      await look();
    }
    return known;
  };
}

/**
 * `name=value` or `name: value`, a line each; `#` and `!` begin a comment. The last line of a name counts.
 * @throws Error that names the first line that is neither
 */
export function parseProperties(text: string): Property[] {
  const found = new Map<string, string>();
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith("!")) return;
    const [, name = "", value = ""] = /^([^\s=:]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`line ${index + 1} is not name=value`);
    found.set(name, value);
  });
  return [...found].map(([name, value]) => ({ name, value }));
}
