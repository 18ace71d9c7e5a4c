import { expectNoViolation } from "./axe.ts";
import { at, expect, sideways, test } from "./fixtures.ts";

for (const colorScheme of ["light", "dark"] as const)
  test(`the design system passes the accessibility rules, ${colorScheme} @js @desk`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/ui");
    await expect(page.locator(".cm-editor")).toHaveCount(2);
    await expectNoViolation(page, colorScheme, {
      tags: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
  });

test("nothing sticks out, down to 360 px @desk", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/ui");
  expect(await sideways(page)).toBe(0);
});

test("a thumb finds everything it may press @touch", async ({ page }) => {
  await page.goto("/ui");
  const small = await page.locator("main").evaluate((main) =>
    [...main.querySelectorAll<HTMLElement>("button, summary, select, label:has(input[type=radio])")]
      .filter((one) => one.checkVisibility() && !one.closest("[data-dense]"))
      .map((one) => ({ box: one.getBoundingClientRect(), words: one.outerHTML.slice(0, 80) }))
      .filter(({ box }) => box.height < 24 || box.width < 24)
      .map(({ words }) => words),
  );
  expect(small).toEqual([]);
});

test("include, exclude and none are in the address", async ({ page, press, javaScriptEnabled }) => {
  await page.goto("/ui");
  const row = page.getByRole("group", { name: "pci:true" }).last();
  await row.getByRole("radio", { name: "Exclude" }).check();
  await press("Apply labels");
  await expect(page).toHaveURL(/labels(\.pci%3Atrue=-1|=pci____true%3A-1)/);
  await expect(row.getByRole("radio", { name: "Exclude" })).toBeChecked();
  await expect(page.locator("summary", { hasText: "Labels" }).first()).toContainText("not pci: true");
  if (javaScriptEnabled === false) await row.getByRole("radio", { name: "Either" }).check();
  else await row.getByRole("radio", { name: "Exclude" }).click(); // pressed again, it lets go
  await press("Apply labels");
  await expect(page).toHaveURL(at("/ui"));
  await expect(row.getByRole("radio", { name: "Either" })).toBeChecked();
});

test("several of a list are counted from four @desk", async ({ page, javaScriptEnabled }) => {
  await page.goto("/ui?kinds=http,tcp,dns");
  const kinds = page.locator("details", { has: page.getByText("Kind", { exact: true }) }).first();
  await expect(kinds.locator("summary")).toContainText("http, tcp, dns");
  await kinds.locator("summary").click();
  await kinds.getByRole("checkbox", { name: "exec" }).check();
  if (javaScriptEnabled === false) await kinds.getByRole("button", { name: "Apply" }).click();
  await expect(kinds.locator("summary")).toContainText("including 4 kinds");
  await expect(page).toHaveURL(/kinds=/);
});

test("what is written in the editor is what the form sends; Escape, then Tab, leaves it @js @desk", async ({
  page,
}) => {
  await page.goto("/ui");
  const editor = page.getByRole("textbox", { name: /^Spec\. Tab indents/ });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("a: 1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("b: 2");
  await expect(page.locator("#example-spec")).toHaveValue("a: 1\n  b: 2");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(editor).not.toBeFocused();
});

test("the textarea is the editor where there is no script @no-js", async ({ page }) => {
  await page.goto("/ui");
  await page.getByLabel("Spec", { exact: true }).fill("a: 1");
  await expect(page.locator(".cm-editor")).toHaveCount(0);
  await expect(page.getByLabel("Spec", { exact: true })).toHaveValue("a: 1");
});

test("a drawer and a dialog are places, a toast says how it went", async ({ page }) => {
  await page.goto("/ui");
  await page.getByRole("link", { name: "Open a drawer" }).click();
  await expect(page).toHaveURL(at("/ui?open=drawer"));
  await page.getByRole("dialog", { name: "POST /orders" }).getByRole("link", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Toast of success" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
});
