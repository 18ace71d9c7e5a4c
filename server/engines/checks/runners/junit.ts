import { readFile, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import type { z } from "zod";
import { JunitSpec } from "#app/contract/specs/checks/junit.ts";
import { limited } from "../limit.ts";
import {
  healthy,
  invalid,
  runner,
  unhealthy,
  valuesOf,
  reasonOf,
  type Outcome,
  type RunContext,
} from "../runner.ts";
import { readReport, type JunitSuite } from "./junit-report.ts";
import { local } from "./places/local.ts";
import { inWorkplace, runScript } from "./script.ts";

type Spec = z.output<typeof JunitSpec>;

/** The biggest report that is read, in bytes, and how many. Ours to choose. */
const REPORT_LIMIT = 2 * 1024 * 1024;
const REPORTS = 200;
/** Tests that are kept with a result; expressions see more. */
const KEPT = 200;
const SEEN = 5000;
/** Failed tests that are named. */
const NAMED = 5;

/** Passes when there are results and, without a test of the spec's own, no test in them failed (facts: engines §4). */
export const junit = runner({
  spec: JunitSpec,
  async run(spec, context) {
    if (spec.spec !== undefined)
      return invalid(
        "spec: this version runs no pods. Make the results by script, or give testResults a path here",
      );
    const own = valuesOf(spec.env);
    const { testResults } = await context.render({ testResults: spec.testResults }, own);
    if (spec.script === undefined) {
      if (!isAbsolute(testResults))
        return invalid("testResults must be a whole path where there is no script");
      return judged(await reports(testResults, context), spec);
    }
    const { script } = await context.render({ script: spec.script }, own, { dollar: false });
    const timeoutMs = Math.min(context.timeoutMs, (spec.timeout ?? 5) * 60_000);
    const limit = limited(context.signal, timeoutMs);
    return inWorkplace(limit.signal, async (place) => {
      const { problem, details } = await runScript(place, script, { env: own, timeoutMs });
      const path = isAbsolute(testResults) ? testResults : join(place.folder, testResults);
      const found = problem?.startsWith("timed out") ? problem : await reports(path, context);
      if (problem === null) return judged(found, spec);
      const known = typeof found === "string" ? {} : summaryOf(found).details;
      return unhealthy(problem, { ...known, ...details });
    }).finally(limit.end);
  },
});

/** The suites of all reports at a path, which may be a folder; the sentence that says why there are none. */
async function reports(path: string, { signal }: RunContext): Promise<JunitSuite[] | string> {
  const about = await stat(path).catch(() => null);
  const named = about?.isFile()
    ? [{ path, size: about.size }]
    : (await local(about?.isDirectory() ? join(path, "**/*.xml") : path, false, signal)).files;
  if (named.length === 0) return `no results: there is no file ${path}`;
  if (named.length > REPORTS) return `testResults: more than ${REPORTS} files`;
  const suites: JunitSuite[] = [];
  for (const { path: file, size } of named) {
    signal.throwIfAborted();
    if (size > REPORT_LIMIT) return `${basename(file)} is bigger than ${REPORT_LIMIT / 1024 / 1024} MiB`;
    try {
      suites.push(...(await readReport(await readFile(file, "utf8"))));
    } catch (error) {
      return `${basename(file)}: ${reasonOf(error)}`;
    }
    await new Promise((done) => setImmediate(done)); // others first
  }
  return suites;
}

function judged(found: JunitSuite[] | string, spec: Spec): Outcome {
  if (typeof found === "string") return unhealthy(found);
  const { details, seen, failed } = summaryOf(found);
  const expressions = spec.test ?? spec.display ?? spec.transform;
  const environment = expressions ? { environment: { values: { results: seen } } } : {};
  const message = `${details.passed} of ${details.passed + failed.length} passed`;
  if (failed.length === 0 || spec.test) return { ...healthy(details), message, ...environment };
  const names = failed.slice(0, NAMED).map(({ classname, name, error }) => {
    const [words = ""] = error.split("\n");
    return `${classname === "" ? "" : `${classname}.`}${name}${words === "" ? "" : `: ${words}`}`;
  });
  const more = failed.length > NAMED ? [`and ${failed.length - NAMED} more`] : [];
  return {
    ...unhealthy([`${failed.length} failed`, ...names, ...more].join("\n"), details),
    message,
    ...environment,
  };
}

function summaryOf(suites: JunitSuite[]) {
  const tests = suites.flatMap((suite) => suite.tests);
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const sums = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    error: count("error"),
    duration: Math.round(tests.reduce((sum, { duration }) => sum + duration, 0) * 1000) / 1000,
  };
  const failed = tests.filter(({ status }) => status === "failed" || status === "error");
  return {
    failed,
    details: { ...sums, suites: firstTests(suites, KEPT) },
    seen: { ...sums, suites: firstTests(suites, SEEN) },
  };
}

/** The suites with no more than so many tests together. */
function firstTests(suites: JunitSuite[], limit: number): JunitSuite[] {
  let left = limit;
  return suites.flatMap(({ name, tests }) => {
    const kept = tests.slice(0, left);
    left -= kept.length;
    return kept.length > 0 || tests.length === 0 ? [{ name, tests: kept }] : [];
  });
}
