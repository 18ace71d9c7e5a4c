import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Every Vitest layer (DESIGN C12). One PostgreSQL server is started for the run by the global setup. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["app/**/*.test.{ts,tsx}", "server/**/*.test.ts", "tests/**/*.test.{ts,tsx}"],
    globalSetup: [fileURLToPath(new URL("support/global-setup.ts", import.meta.url))],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
