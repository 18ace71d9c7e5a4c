/** The Dockerfile and compose.yaml, run without a container engine: the last stage's files, command and health check. */
import { execFile } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#server/db/ports.ts";
import { makeStage, readCompose, readImage, type Image } from "#tests/support/image.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { ADMIN, KEY, SECRET, signIn, startProduct, type Product } from "#tests/support/product.ts";

const IS_ROOT = process.getuid?.() === 0;
/** An account that owns nothing, as the image's own does. */
const NOBODY = 65534;
const VARIABLES = {
  POSTGRES_PASSWORD: "not-used-here",
  PILOTHOUSE_KEY: KEY,
  SESSION_SECRET: SECRET,
  PILOTHOUSE_ADMIN_EMAIL: ADMIN.email,
  PILOTHOUSE_ADMIN_PASSWORD: ADMIN.password,
};

let folder: string;
let stage: string;
let image: Image;
beforeAll(async () => {
  image = readImage();
  folder = await mkdtemp(join(tmpdir(), "pilothouse-image-"));
  await chmod(folder, 0o755);
  stage = makeStage(join(folder, "image"), image);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The image's command as an ordinary user, with its own environment and a service's on top. */
function startContainer(env: Record<string, string>, options: { wait?: boolean } = {}): Promise<Product> {
  const user = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return startProduct({
    ...options,
    cwd: stage,
    command: [...(IS_ROOT ? user : []), ...image.cmd],
    env: {
      ...without(image.env, "PORT"),
      HOST: "127.0.0.1",
      PILOTHOUSE_ADMIN_EMAIL: "",
      PILOTHOUSE_ADMIN_PASSWORD: "",
      ...env,
    },
  });
}
const without = (env: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));

/** Exit code of the health check in a container with that environment. */
function health(env: Record<string, string>): Promise<number> {
  const [program = "", ...args] = image.healthcheck;
  return new Promise((done) => {
    const options = {
      cwd: stage,
      env: { NODE_ENV: "production" as const, PATH: process.env["PATH"], ...image.env, ...env },
    };
    execFile(program, args, options, (error) => done(error ? Number(error.code) : 0));
  });
}

test("the last stage holds what runs and nothing for building it", () => {
  for (const path of [
    "@remix-run/dev",
    "esbuild",
    "eslint",
    "playwright",
    "tailwindcss",
    "tsx",
    "vite",
    "vitest",
  ])
    expect([path, existsSync(join(stage, "node_modules", path))]).toEqual([path, false]);
  expect(existsSync(join(stage, "app"))).toBe(false);
  expect(existsSync(join(stage, "node_modules/@remix-run/serve"))).toBe(true);
  const users = image.lines.filter(({ word }) => word === "USER").map(({ rest }) => rest);
  expect(users).toEqual(["pilothouse"]);
  expect(image.lines.at(-1)?.word).toBe("CMD");
});

test("everything in one container: its own database, its own web", { timeout: 60_000 }, async () => {
  const data = join(folder, "data");
  await mkdir(data);
  if (IS_ROOT) chownSync(data, NOBODY, NOBODY);
  const port = String(await freePort());
  expect(await health({ PORT: port })).toBe(1);
  const product = await startContainer({
    PORT: port,
    PILOTHOUSE_DATA: data,
    PILOTHOUSE_ADMIN_EMAIL: ADMIN.email,
    PILOTHOUSE_ADMIN_PASSWORD: ADMIN.password,
  });
  try {
    expect(await health({ PORT: port })).toBe(0);
    const cookie = await signIn(product.url, ADMIN);
    expect((await fetch(`${product.url}/health`, { headers: { cookie } })).status).toBe(200);
  } finally {
    expect(await product.stop()).toBe(0);
  }
  expect(await health({ PORT: port })).toBe(1);
});

test("compose: what must be set is said, and everything waits for the health of what it needs", () => {
  expect(() => readCompose({})).toThrow(/POSTGRES_PASSWORD/);
  expect(() => readCompose({ ...VARIABLES, SESSION_SECRET: "" })).toThrow(/SESSION_SECRET/);
  const services = readCompose(VARIABLES);
  expect(services["web"]?.image).toBe(services["control-plane"]?.image);
  expect(services["control-plane"]?.depends_on).toEqual({ database: { condition: "service_healthy" } });
  expect(services["web"]?.depends_on).toEqual({ "control-plane": { condition: "service_healthy" } });
  expect(services["web"]?.ports).toEqual([`3000-3019:${image.env["PORT"]}`]);
});

test(
  "compose: two control planes and two webs, each found healthy by the image's check",
  { timeout: 90_000 },
  async () => {
    const services = readCompose(VARIABLES);
    const database: TestDatabase = await createDatabase({ migrated: false });
    const running: Product[] = [];
    /** A service's environment with the names of compose's network as addresses of this machine. */
    const environment = (name: string, changes: Record<string, string>) => ({
      ...services[name]!.environment,
      ...changes,
    });
    const start = async (env: Record<string, string>) => {
      const { PORT = "" } = env;
      expect(await health(env), "before it runs").toBe(1);
      const product = await startContainer(env);
      running.push(product);
      expect([PORT, await health(env)]).toEqual([PORT, 0]);
      return product;
    };
    try {
      const { DATABASE_URL = "" } = services["control-plane"]!.environment;
      expect(new URL(DATABASE_URL).host).toBe("database:5432");
      const planes = await Promise.all(
        [await freePort(), await freePort()].map((port) =>
          start(environment("control-plane", { PORT: String(port), DATABASE_URL: database.url })),
        ),
      );
      expect(services["web"]!.environment["UPSTREAM_URL"]).toBe("http://control-plane:8080");
      expect(services["control-plane"]!.environment["PORT"]).toBe("8080");
      const webs = await Promise.all(
        planes.map(async (plane) =>
          start(environment("web", { PORT: String(await freePort()), UPSTREAM_URL: plane.url })),
        ),
      );
      const cookie = await signIn(webs[0]!.url, ADMIN);
      for (const web of webs)
        expect((await fetch(`${web.url}/health`, { headers: { cookie } })).status).toBe(200);
    } finally {
      expect(await Promise.all(running.map((product) => product.stop()))).toEqual(running.map(() => 0));
      await database.drop();
    }
  },
);
