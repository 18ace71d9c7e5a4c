/** The data folder: its format, who uses it, and the secrets that are made once and kept in it. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { StartError } from "./db/start-error.ts";

/** Raised when a version changes what lies in the folder; a higher number on disk is a newer version's. */
const FORMAT = 1;

/** The file that names the process that uses the folder. */
const USER = "supervisor.json";
interface User {
  pid: number;
  born: string;
  url?: string | undefined;
}

export interface Keys {
  session: string;
  key: string;
  database: string;
}

/**
 * Opens (or makes) the folder for this process alone and returns its absolute path. `url` is where people will reach the
 * product that uses it. Throws StartError.
 */
export async function openDataFolder(path: string, url?: string): Promise<string> {
  const folder = resolve(path);
  try {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711); // the database's own user walks through; the secrets in it are 0600
  } catch (error) {
    throw new StartError(
      `PILOTHOUSE_DATA: ${folder} cannot be used (${(error as NodeJS.ErrnoException).code ?? "?"}).`,
    );
  }
  const found = (await readFile(join(folder, "format"), "utf8").catch(() => "")).trim();
  if (found && Number(found) > FORMAT)
    throw new StartError(
      `PILOTHOUSE_DATA: ${folder} was written by a newer version of Pilothouse (format ${found}, this one knows ${FORMAT}): start that version, or choose another folder.`,
    );
  await claim(folder, url);
  await writeFile(join(folder, "format"), `${FORMAT}\n`);
  return folder;
}

/** One product per folder: a second start is refused, what a killed one left is taken over. */
async function claim(folder: string, url?: string): Promise<void> {
  const file = join(folder, USER);
  const text = await readFile(file, "utf8").catch(() => "");
  const other = parse<User>(text);
  if (other && other.pid !== process.pid && other.born !== "" && (await birth(other.pid)) === other.born)
    throw new StartError(
      `PILOTHOUSE_DATA: Pilothouse already runs on ${folder} (process ${other.pid}): stop it, or choose another folder.`,
    );
  await replace(
    file,
    JSON.stringify({ pid: process.pid, born: await birth(process.pid), url } satisfies User),
  );
}

/** The folder is free again. */
export async function leaveDataFolder(folder: string): Promise<void> {
  await rm(join(folder, USER), { force: true });
}

/** Where people reach the product that uses the folder; null when none does, or it has no web of its own. */
export async function urlOf(folder: string): Promise<string | null> {
  return parse<User>(await readFile(join(folder, USER), "utf8").catch(() => ""))?.url ?? null;
}

/** When a process began, in the system's ticks; "" when there is none or the system does not tell. */
async function birth(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** The secrets of an embedded installation: made on the first start, read ever after. */
export async function readKeys(folder: string): Promise<Keys> {
  const file = join(folder, "keys.json");
  const kept = parse<Partial<Keys>>(await readFile(file, "utf8").catch(() => "")) ?? {};
  const make = () => randomBytes(32).toString("hex");
  const keys = {
    session: kept.session ?? make(),
    key: kept.key ?? make(),
    database: kept.database ?? make(),
  };
  if (Object.keys(kept).length < 3) await replaceKeys(folder, keys);
  return keys;
}

/** Puts other secrets in their place, such as those that came with a backup. */
export async function replaceKeys(folder: string, keys: Keys): Promise<void> {
  await replace(join(folder, "keys.json"), JSON.stringify(keys, null, 2) + "\n");
}

/** All or nothing: a reader never sees half a file, also after a power cut. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

function parse<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
