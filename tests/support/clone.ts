import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

const LEFT_OUT = new Set([".git", ".pilothouse", "build"]);

/**
 * Another copy of this installation, installed and built. Its files are links to ours where the file system allows, except
 * the build, which the next one writes in place.
 */
export function cloneInto(folder: string): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const copy = (how: string, name: string) => execFileSync("cp", [how, name, folder], { stdio: "ignore" });
  for (const name of readdirSync(process.cwd()).filter((entry) => !LEFT_OUT.has(entry))) {
    try {
      copy("-al", name);
    } catch {
      copy("-a", name); // on another disk
    }
  }
  copy("-a", "build");
  if (!existsSync(join(folder, "build", "supervisor.js"))) throw new Error("build first: npm run build");
  return folder;
}
