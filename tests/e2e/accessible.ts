import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe.ts";
import { sideways } from "./fixtures.ts";

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
