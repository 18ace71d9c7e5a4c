import { CANARY_SETTINGS } from "#app/contract/specs/checks/index.ts";
import { checkTypeName, notRunHere } from "#app/contract/words/check-types.ts";
import type { Given, Outcome } from "./runner.ts";

/** The one check of a canary with `resultMode: junit`: its spec is the canary's, and its result a suite of all entries. */
export const isSuite = ({ type, spec }: Given): boolean =>
  type === "junit" && typeof spec === "object" && spec !== null && "resultMode" in spec;

/** Checks of a suite that run at the same time. */
const AT_ONCE = 5;

/**
 * Runs every entry, in their order and some at a time, all of them within the limit in milliseconds; the suite passes
 * when none fails; what nobody here runs is skipped. Durations are in seconds, as JUnit's.
 */
export async function runSuite(
  check: Given,
  limitMs: number,
  run: (entry: Given, leftMs: number) => Promise<Outcome>,
): Promise<Outcome> {
  const began = performance.now();
  const entries = Object.entries(check.spec as Record<string, unknown>)
    .filter(([type, list]) => !CANARY_SETTINGS.has(type) && Array.isArray(list))
    .flatMap(([type, list]) => (list as unknown[]).map((spec) => ({ type: checkTypeName(type), spec })));
  const tests: ReturnType<typeof testOf>[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE)
    tests.push(
      ...(await Promise.all(
        entries.slice(from, from + AT_ONCE).map(async ({ type, spec }) => {
          const skipped = notRunHere(type);
          if (skipped) return testOf(type, nameOf(spec), { status: "skipped", message: skipped }, 0);
          const started = performance.now();
          const left = Math.max(1, Math.round(limitMs - (started - began)));
          const outcome = await run({ ...check, id: "", name: nameOf(spec), type, spec }, left);
          return testOf(type, nameOf(spec), outcome, outcome.ms ?? performance.now() - started);
        }),
      )),
    );
  const passed = tests.filter(({ status }) => status === "passed");
  const failed = tests.filter(({ status }) => status === "failed");
  const duration = seconds(tests.reduce((sum, test) => sum + test.duration, 0) * 1000);
  return {
    status: failed.length === 0 ? "healthy" : "unhealthy",
    message: `${passed.length} of ${tests.length} passed`,
    ...(failed.length === 0
      ? {}
      : { error: failed.map(({ name, error }) => `${name}: ${error}`).join("\n") }),
    details: {
      name: check.name ?? "",
      passed: passed.length,
      failed: failed.length,
      duration,
      tests,
    },
  };
}

const nameOf = (spec: unknown): string =>
  typeof spec === "object" && spec !== null && "name" in spec ? String(spec.name) : "";

const STATUS = { healthy: "passed", unhealthy: "failed", skipped: "skipped" };
type Ended = Outcome | { status: "skipped"; message: string; error?: undefined };

const testOf = (type: string, name: string, outcome: Ended, ms: number) => ({
  classname: type,
  name,
  message: outcome.message ?? "",
  duration: seconds(ms),
  status: STATUS[outcome.status],
  error: outcome.error ?? "",
  properties: {},
});

const seconds = (ms: number) => Math.round(ms) / 1000;
