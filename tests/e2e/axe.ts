import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

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
