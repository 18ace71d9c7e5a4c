import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { sideways } from "./fixtures.ts";

/** Which of axe's rules are asked. */
interface Rules {
  only?: string[];
  tags?: string[];
}

/**
 * The page breaks none of axe's rules. Our pages have no frames: axe runs in the page itself, without the second page that
 * the builder opens for the frames' sake, and describes only what it found, which is a fraction of the work.
 */
export async function expectNoViolation(page: Page, when: string, { only, tags }: Rules = {}): Promise<void> {
  expect(page.frames(), "axe looks at one frame").toHaveLength(1);
  const values = only ?? tags;
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    ...(values ? { runOnly: { type: only ? "rule" : "tag", values } } : {}),
  });
  const { violations } = await axe.analyze();
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
