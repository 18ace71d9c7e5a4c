/** What the reports of Vitest and Playwright say, as `npm test` sums it up: how many, and which by name. */

export interface Summary {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests that did not pass, named with their file. */
  failures: string[];
  /** Tests that passed only when they were run again. */
  flaky: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

/** Of a file that could not be run at all no test is counted: it is named as a failure of its own. */
export function ofVitest(text: string, root: string): Summary {
  const report = JSON.parse(text) as VitestReport;
  const failures: string[] = [];
  const flaky: string[] = [];
  for (const { name, status, assertionResults } of report.testResults) {
    const file = name.replace(`${root}/`, "");
    const failed = assertionResults.filter((test) => test.status === "failed");
    failures.push(...failed.map(({ fullName }) => `${file}: ${fullName}`));
    if (status === "failed" && failed.length === 0) failures.push(`${file}: could not be run`);
    for (const test of assertionResults)
      if (test.status === "passed" && test.failureMessages?.length) flaky.push(`${file}: ${test.fullName}`);
  }
  const broken = failures.length - report.numFailedTests;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + Math.max(broken, 0),
    skipped: report.numPendingTests,
    failures,
    flaky,
  };
}

interface Suite {
  suites?: Suite[];
  specs?: { title: string; file: string; tests: { projectName: string; status: string }[] }[];
}
interface PlaywrightReport extends Suite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

export function ofPlaywright(text: string): Summary {
  const report = JSON.parse(text) as PlaywrightReport;
  const named = (status: string) =>
    specsOf(report).flatMap(({ title, file, tests }) =>
      tests.filter((test) => test.status === status).map((test) => `${file}: ${title} (${test.projectName})`),
    );
  const { expected, unexpected, flaky, skipped } = report.stats;
  return {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: named("unexpected"),
    flaky: named("flaky"),
  };
}

const specsOf = ({ specs = [], suites = [] }: Suite): NonNullable<Suite["specs"]> => [
  ...specs,
  ...suites.flatMap(specsOf),
];
