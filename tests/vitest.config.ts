import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, longest first: begun last, one of them would run on alone while the other cores rest. */
const LONG = [
  "routes/cluster",
  "attacks/secrets",
  "routes/start",
  "engines/checks-engine",
  "matrix/product",
  "routes/demo",
  "routes/install",
  "routes/hosted",
  "routes/pages",
  "attacks/redirects",
  "engines/worker",
  "engines/backup",
  "expressions/hostile",
  "engines/demo",
  "attacks/cross-site",
  "routes/kratos",
  "routes/health",
  "engines/checks-hanging",
  "routes/container",
  "engines/identity-limits",
  "routes/standalone",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      if (project.name === UNIT) return LONG.length + 1; // one after the other, so that its processes are used again
      const at = LONG.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Tests of functions, a few at a time in a process of theirs; all others have the server of the global setup. */
const UNIT = "unit";
const UNITS = ["app/**/*.test.{ts,tsx}", "server/**/*.test.ts"];
/** Beside the code they test, but with threads of their own or a database. */
const NO_UNITS = ["server/engines/expressions/*.test.ts", "server/db/*.test.ts"];

/** Every Vitest layer (DESIGN C12). One PostgreSQL server is started for the run by the global setup. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "product",
          include: ["tests/**/*.test.{ts,tsx}", ...NO_UNITS],
          globalSetup: [fileURLToPath(new URL("support/global-setup.ts", import.meta.url))],
        },
      },
      { extends: true, test: { name: UNIT, include: UNITS, exclude: NO_UNITS } },
    ],
    pool: "forks",
    isolate: false, // a process runs many files and reads what they import once: a test leaves nothing behind
    maxWorkers: 3, // for two cores: many of them wait for the schedules of engines
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    retry: process.env["CI"] ? 1 : 0, // as of the journeys: named at the end when it passed only then
    hookTimeout: 60_000,
  },
});
