import { mkdtemp, rm, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "#server/db/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser address of the run's PostgreSQL server. */
    postgres: string;
  }
}

/** One real PostgreSQL for the whole run; TEST_POSTGRES_URL (a superuser) uses another, e.g. Debian's 15. */
export default async function setup(project: TestProject) {
  const given = process.env["TEST_POSTGRES_URL"];
  if (given) {
    project.provide("postgres", given);
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), "pilothouse-test-"));
  await chmod(dataDir, 0o755);
  const server = await startEmbedded({
    dataDir,
    password: "only-for-this-run",
    observe: () => undefined,
    settings: ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"],
  });
  project.provide("postgres", server.superuserUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
