/** Every address of the web that takes a form, read from the table of routes and the modules behind it. */
import { readFile } from "node:fs/promises";
import type { RouteConfigEntry } from "@remix-run/route-config";
import routes from "#app/routes.ts";
import { CANARY_ID } from "#tests/routes/access.ts";

/** What stands for a parameter in an address that is attacked. */
const SAMPLES: Readonly<Record<string, string>> = { table: "canaries", id: CANARY_ID, page: "files" };

/** The modules under app/routes with their addresses; layouts without a path of their own lend none. */
function modulesOf(entries: readonly RouteConfigEntry[], under = ""): { file: string; path: string }[] {
  return entries.flatMap(({ file, path, children }) => {
    const here = path === undefined ? under : `${under}/${path}`;
    return [{ file, path: here || "/" }, ...modulesOf(children ?? [], here)];
  });
}

const sampled = (path: string) =>
  path.replace(/:(\w+)\??/g, (_, name: string) => SAMPLES[name] ?? "sample").replace(/\*$/, "auth/whoami");

/** What each module that has an action says of it, and an address where it is reached. */
export async function actionModules(): Promise<{ file: string; path: string; source: string }[]> {
  const all = modulesOf(await routes);
  const read = await Promise.all(
    all.map(async (each) => ({
      ...each,
      path: sampled(each.path),
      source: await readFile(new URL(`../../app/${each.file}`, import.meta.url), "utf8"),
    })),
  );
  return read.filter(({ source }) =>
    /export (async function|const|function) action\b|export \{[^}]*\baction\b/.test(source),
  );
}
