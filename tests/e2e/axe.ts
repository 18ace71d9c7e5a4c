import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { sideways } from "./fixtures.ts";

/** Which of axe's rules are asked. */
interface Rules {
  only?: string[];
  tags?: string[];
}
type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];

/** The axe that its builder for Playwright would bring into the page. */
const script = readFile(
  createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/**
 * The page breaks none of axe's rules. Our pages have no frames, so axe runs in the page itself and describes only what it
 * found. It is brought in once and stays as long as the document: the builder would do so for every scan, and turn all that
 * passed into text, which takes longer than to look.
 */
export async function expectNoViolation(page: Page, when: string, { only, tags }: Rules = {}): Promise<void> {
  expect(page.frames(), "axe looks at one frame").toHaveLength(1);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await script);
  const values = only ?? tags;
  const options = {
    resultTypes: ["violations"],
    selectors: false, // of all that passed as well: what is reported below is the markup itself
    ...(values ? { runOnly: { type: only ? "rule" : "tag", values } } : {}),
  };
  const violations = await page.evaluate<Violations>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
  );
  expect(found, when).toEqual([]);
}

/** What the other theme can break; every other rule is asked once at each width. */
const OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Scans in light and dark; for widths at which the layout is another one, also for what sticks out. */
export async function expectAccessible(page: Page) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const isWhole = (width === 390) === (colorScheme === "dark");
      await expectNoViolation(page, `${width} px, ${colorScheme}`, isWhole ? {} : { only: OF_COLOUR });
    }
    expect(await sideways(page), `${width} px`).toBe(0);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await sideways(page), "360 px").toBe(0);
}
