import type { Page } from "@playwright/test";
import { at, drawerOf, expect, rowOf, test } from "./fixtures.ts";

const panelOf = (page: Page) => page.getByRole("complementary", { name: "Filters" });
const chipsOf = (page: Page) => page.getByRole("list", { name: "Filters that are on" });
const labels = (marks: object) => `labels=${encodeURIComponent(JSON.stringify(marks))}`;

test.beforeEach(({ as }) => as("viewer"));

test("labels are included and excluded, say so as chips, and are cleared one by one or all @desk", async ({
  page,
  press,
}) => {
  await page.goto("/health?hidePassing=false&groupBy=no-group");
  const pci = panelOf(page).getByRole("group", { name: "critical-path" });
  await pci.getByLabel("Exclude").check({ force: true });
  await press("Apply labels");
  const excluded = { "canary:critical-path:true": -1 };
  await expect(page).toHaveURL(at(`/health?hidePassing=false&groupBy=no-group&${labels(excluded)}`));
  await expect(rowOf(page, "Cart")).toHaveCount(0);
  await expect(rowOf(page, "Front page")).toBeVisible();
  await panelOf(page).getByLabel("team: All").click();
  await panelOf(page)
    .getByRole("group", { name: "web", exact: true })
    .getByLabel("Include")
    .check({ force: true });
  await press("Apply", panelOf(page)); // the open menu has a button of its own
  const both = { ...excluded, "canary:team:web": 1 };
  await expect(page).toHaveURL(at(`/health?hidePassing=false&groupBy=no-group&${labels(both)}`));
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(page.getByText("1 passing")).toBeVisible();
  await chipsOf(page).getByRole("link", { name: "Not: critical-path, remove this filter" }).click();
  await expect(page.getByText("1–2 of 2")).toBeVisible();
  await expect(pci.getByLabel("Either")).toBeChecked();
  await page.reload();
  await expect(page.getByText("1–2 of 2")).toBeVisible();
  await page.goto(`/health?hidePassing=false&query=Cart&status=unhealthy&timeRange=1d&${labels(both)}`);
  await expect(page.getByText("No check matches these filters.")).toBeVisible();
  await chipsOf(page).getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL(at("/health?hidePassing=false"));
  await expect(chipsOf(page)).toHaveCount(0);
});

test("a mixed group is found by a link that asks for warnings, what never ran by one that asks for unknown @desk", async ({
  page,
}) => {
  await page.goto("/health?status=warning");
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
  await expect(rowOf(page, "Replica accepts connections")).toBeVisible();
  await expect(rowOf(page, "node-07")).toHaveCount(0);
  await page.getByRole("link", { name: "Health: Warning (mixed groups), remove this filter" }).click();
  await expect(page).toHaveURL("/health");
  await page.goto("/health?status=unknown&query=Cart");
  await expect(page.getByText("No check matches these filters.")).toBeVisible();
});

test("figures are of the time range that is chosen, and the check looks back by itself @desk", async ({
  page,
  press,
}) => {
  await page.goto("/health?filters=true&query=Cart");
  await panelOf(page).getByLabel("Range").selectOption("3h");
  await press("Apply time range");
  await expect(page).toHaveURL(at("/health?filters=true&query=Cart&timeRange=3h"));
  await rowOf(page, "Cart").getByRole("link").click();
  await expect(page).toHaveURL(/listRange=3h/);
  await drawerOf(page, "Cart").getByRole("link", { name: "Close" }).click();
  await expect(page).toHaveURL(at("/health?filters=true&query=Cart&timeRange=3h"));
});

test("how often the page looks again is remembered, and a long range makes it slower @desk", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto("/health?query=Cart");
  await page.getByTitle("Refresh every: None").click();
  await page.getByRole("button", { name: "30 seconds" }).click();
  await expect(page).toHaveURL("/health?query=Cart");
  await expect(page.getByTitle("Refresh every: 30 seconds")).toBeVisible();
  if (javaScriptEnabled === false) {
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveAttribute("content", "30");
  }
  await page.goto("/health?query=Cart&timeRange=1h");
  await page.getByTitle("Refresh every: 1 minute").click();
  await expect(page.getByRole("button", { name: "15 seconds" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "2 minutes" })).toBeEnabled();
  await page.goto("/health?query=Cart&refresh=5m");
  await expect(page.getByTitle("Refresh every: 5 minutes")).toBeVisible();
  await page.getByTitle("Refresh every: 5 minutes").click();
  await page.getByRole("button", { name: "None" }).click();
  await expect(page).toHaveURL("/health?query=Cart");
  await expect(page.getByTitle("Refresh every: None")).toBeVisible();
});

test("a rate asks again by itself, gives up what is not answered, and rests in a hidden tab @js @desk", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/health?query=Cart&refresh=15s");
  await expect(rowOf(page, "Cart")).toBeVisible();
  let asked = 0;
  let given = 0;
  let answer = false;
  page.on("requestfailed", () => (given += 1));
  await page.route(/health\.data/, async (route) => {
    asked += 1;
    if (answer) await route.continue();
  });
  await expect(async () => {
    await page.clock.runFor(15_000);
    expect(asked).toBeGreaterThan(1);
  }).toPass();
  expect(given).toBeGreaterThan(0);
  answer = true;
  const hidden = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    }, state);
  await hidden("hidden");
  const before = asked;
  await page.clock.runFor(60_000);
  expect(asked).toBe(before);
  await hidden("visible");
  await page.clock.runFor(16_000);
  await expect.poll(() => asked).toBeGreaterThan(before);
});

test("cards show the same checks, and the choice can be kept", async ({ page }) => {
  await page.goto("/health?filters=true");
  await panelOf(page).getByRole("link", { name: "Cards" }).click();
  await expect(page).toHaveURL(at("/health?filters=true&layout=card"));
  const cards = page.getByRole("list", { name: "Checks" });
  await expect(cards.getByRole("listitem").filter({ hasText: "Cart" })).toContainText("Unhealthy");
  await page.getByRole("button", { name: "Show it like this by default" }).click();
  await expect(page).toHaveURL(at("/health?filters=true"));
  await expect(cards.getByRole("link", { name: "Cart" })).toBeVisible();
  await page.goto("/health");
  await cards.getByRole("link", { name: "Cart" }).click();
  await expect(drawerOf(page, "Cart")).toBeVisible();
  await drawerOf(page, "Cart").getByRole("link", { name: "Close" }).click();
  await expect(page).toHaveURL("/health");
  await page.goto("/health?filters=true&layout=table");
  await expect(rowOf(page, "Cart")).toBeVisible();
  await page.getByRole("button", { name: "Show it like this by default" }).click();
  await expect(page).toHaveURL(at("/health?filters=true"));
  await expect(rowOf(page, "Cart")).toBeVisible();
});

test("a pivot has a column for each value of a label, and its cells lead on", async ({ page, press }) => {
  await page.goto("/health?filters=true&hidePassing=false");
  await panelOf(page).getByLabel("Pivot by").selectOption("team");
  await press("Apply pivot");
  await expect(page).toHaveURL(at("/health?filters=true&hidePassing=false&pivotLabel=team"));
  const table = page.getByRole("table", { name: "Checks by team" });
  await expect(table.getByRole("columnheader")).toHaveText(["Checks", "ledger", "web"]);
  await expect(rowOf(page, "ledger").nth(1)).toContainText("1/2");
  await panelOf(page).getByLabel("Cells show").selectOption("uptime");
  await press("Apply pivot");
  await expect(page).toHaveURL(/pivotCellType=uptime/);
  await expect(table).toContainText("%");
  await page.getByRole("link", { name: "mixed" }).first().click();
  await expect(page).not.toHaveURL(/pivot/);
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
});

test("on a phone the filters are behind a button that says how many are on", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/health?query=accept");
  await expect(panelOf(page)).toBeHidden();
  await page.getByRole("link", { name: "Filters 1" }).click();
  await expect(page).toHaveURL(at("/health?query=accept&filters=true"));
  await panelOf(page).getByRole("switch", { name: "Hide passing" }).click();
  await expect(page).toHaveURL(at("/health?query=accept&filters=true&hidePassing=false"));
  await page.getByRole("link", { name: "Filters", exact: true }).click();
  await expect(panelOf(page)).toBeHidden();
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
});
