import type { Page } from "@playwright/test";
import { at, EVERY_CHECK, expect, rowOf, sideways, test } from "./fixtures.ts";

const ALL = `/health?${EVERY_CHECK}`;
const pagesOf = (page: Page) => page.getByRole("navigation", { name: "Checks, pages" });

test.beforeEach(({ as }) => as("viewer"));

test("what passes is hidden until it is asked for, and the address says which @desk", async ({ page }) => {
  await page.goto("/health");
  await expect(rowOf(page, "Cart")).toBeVisible();
  await expect(rowOf(page, "Replica accepts connections")).toBeVisible();
  await expect(rowOf(page, "Primary accepts connections")).toHaveCount(0);
  const hide = page.getByRole("switch", { name: "Hide passing" });
  await expect(hide).toHaveAttribute("aria-checked", "true");
  await hide.click();
  await expect(page).toHaveURL(at("/health?hidePassing=false"));
  await expect(hide).toHaveAttribute("aria-checked", "false");
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
  await page.reload();
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
  await hide.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/health");
  await expect(rowOf(page, "Primary accepts connections")).toHaveCount(0);
});

test("groups of what is well are closed, the others open, and a press on one is in the address", async ({
  page,
}) => {
  await page.goto("/health?hidePassing=false&pageSize=250");
  const fleet = page.getByRole("link", { name: "fleet" });
  const ledger = page.getByRole("link", { name: "ledger", exact: true });
  await expect(fleet).toHaveAttribute("aria-expanded", "false");
  await expect(ledger).toHaveAttribute("aria-expanded", "true");
  await expect(rowOf(page, "node-07")).toHaveCount(0);
  await expect(rowOf(page, "ledger").first()).toContainText("1 failing");
  await expect(rowOf(page, "ledger").first()).toContainText("1/2");
  await fleet.click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&pageSize=250&open=fleet:1"));
  await expect(rowOf(page, "node-07")).toBeVisible();
  await ledger.click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&pageSize=250&open=fleet:1,ledger:-1"));
  await expect(rowOf(page, "Replica accepts connections")).toHaveCount(0);
  await page.reload();
  await expect(ledger).toHaveAttribute("aria-expanded", "false");
  await ledger.click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&pageSize=250&open=fleet:1"));
  await expect(ledger).toHaveAttribute("aria-expanded", "true"); // the other link knows of it, too
  await fleet.click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&pageSize=250"));
});

test("checks are grouped by what is chosen, labels included @desk", async ({ page, press }) => {
  await page.goto("/health?hidePassing=false");
  await page.getByLabel("Group by").selectOption("team");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?hidePassing=false&groupBy=team"));
  await expect(page.getByRole("link", { name: "ledger", exact: true })).toHaveAttribute(
    "aria-expanded",
    "true",
  );
  await expect(page.getByRole("link", { name: "Others" })).toBeVisible();
  await page.getByLabel("Group by").selectOption("No Grouping");
  await press("Apply");
  await expect(page).toHaveURL(at(ALL));
  await expect(rowOf(page, "Cart")).toBeVisible();
  await expect(page.getByRole("link", { name: "Others" })).toHaveCount(0);
  await page.getByLabel("Group by").selectOption("Group Name");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?hidePassing=false"));
});

test("tabs are by namespace, by agent or by a label, all of them links", async ({ page, press }) => {
  await page.goto("/health?hidePassing=false");
  const tabs = page.getByRole("navigation", { name: "Namespace" });
  await expect(tabs.getByRole("link").first()).toContainText("All");
  await tabs.getByRole("link", { name: "payments" }).click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&tab=payments"));
  await expect(tabs.getByRole("link", { name: "payments" })).toHaveAttribute("aria-current", "page");
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
  await expect(rowOf(page, "Cart")).toHaveCount(0);
  await page.getByRole("searchbox").fill("no such words");
  await page.keyboard.press("Enter");
  await expect(tabs.getByRole("link", { name: "payments" })).toHaveAttribute("aria-current", "page");
  await page.goto("/health?hidePassing=false&tab=payments");
  await page.getByLabel("Tab by").selectOption("region");
  await press("Apply Tab by");
  await expect(page).toHaveURL(at("/health?hidePassing=false&tabBy=region"));
  await page.getByRole("navigation", { name: "region" }).getByRole("link", { name: "eu-west" }).click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&tabBy=region&tab=eu-west"));
  await expect(rowOf(page, "Cart")).toBeVisible();
  await expect(rowOf(page, "Primary accepts connections")).toHaveCount(0);
});

test("a status in a link is stronger than what is hidden, and can be taken away @desk", async ({ page }) => {
  await page.goto("/health?query=accept&status=healthy");
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
  await expect(rowOf(page, "Replica accepts connections")).toHaveCount(0);
  await expect(page.getByRole("switch")).toHaveCount(0);
  await page.getByRole("link", { name: "Health: Healthy, remove this filter" }).click();
  await expect(page).toHaveURL(at("/health?query=accept"));
  await expect(rowOf(page, "Replica accepts connections")).toBeVisible();
  await expect(rowOf(page, "Primary accepts connections")).toHaveCount(0);
});

test("a search is in the address, survives a reload and can be cleared", async ({ page, press }) => {
  await page.goto("/health");
  await page.getByRole("searchbox").fill("replica");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?query=replica"));
  await expect(rowOf(page, "Replica accepts connections")).toBeVisible();
  await expect(rowOf(page, "Cart")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("searchbox")).toHaveValue("replica");
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await page.getByRole("searchbox").fill("");
  await press("Apply");
  await expect(page).toHaveURL("/health");
  await expect(rowOf(page, "Cart")).toBeVisible();
});

test("a search finds by description and by endpoint, and takes every character as itself @desk", async ({
  page,
  press,
}) => {
  await page.goto("/health?hidePassing=false");
  for (const [words, row] of [
    ["EVERYBODY sees", "Front page"],
    ["/api/no-such", "Cart"],
  ] as const) {
    await page.getByRole("searchbox").fill(words);
    await press("Apply");
    await expect(page.getByText("1–1 of 1")).toBeVisible();
    await expect(rowOf(page, row)).toBeVisible();
  }
  for (const words of ["node_01", "node%", "*", '","', "node-0&x"]) {
    await page.getByRole("searchbox").fill(words);
    await press("Apply");
    await expect(page.getByText("No check matches these filters.")).toBeVisible();
    await expect(page).toHaveURL(
      at(`/health?${new URLSearchParams({ query: words, hidePassing: "false" })}`),
    );
  }
});

test("Enter searches at once @desk", async ({ page }) => {
  await page.goto(ALL);
  await page.getByRole("searchbox").fill("node-07");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at(`${ALL}&query=node-07`));
  await expect(page.getByText("1–1 of 1")).toBeVisible();
});

test("a heading sorts up, down, and back to how it was @desk", async ({ page }) => {
  const list = `${ALL}&tab=payments`;
  await page.goto(list);
  const first = page.getByRole("rowgroup").nth(1).getByRole("row").first();
  const head = (name: string) => page.getByRole("columnheader", { name });
  await expect(head("Checks")).toHaveAttribute("aria-sort", "ascending");
  for (const [name, column, up, down] of [
    ["Health", "status", "Primary", "Replica"],
    ["Uptime", "uptime", "Replica", "Primary"],
  ] as const) {
    await head(name).getByRole("link").click();
    await expect(page).toHaveURL(at(`${list}&sortBy=${column}`));
    await expect(head(name)).toHaveAttribute("aria-sort", "ascending");
    await expect(first).toContainText(up);
    await head(name).getByRole("link").click();
    await expect(page).toHaveURL(at(`${list}&sortBy=${column}&sortDesc=true`));
    await expect(head(name)).toHaveAttribute("aria-sort", "descending");
    await expect(first).toContainText(down);
    await head(name).getByRole("link").click();
    await expect(page).toHaveURL(at(list));
  }
  for (const [name, column] of [
    ["Latency", "latency"],
    ["Transition", "last_transition_time"],
  ] as const) {
    await head(name).getByRole("link").click();
    await expect(page).toHaveURL(at(`${list}&sortBy=${column}`));
    await expect(head(name)).toHaveAttribute("aria-sort", "ascending");
  }
});

test("on cards, which have no heads, a menu sorts", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/health?tab=payments&groupBy=no-group&hidePassing=false");
  const first = page.getByRole("rowgroup").nth(1).getByRole("row").first();
  const menu = (now: string) => page.getByRole("group").filter({ has: page.getByLabel(`Sort: ${now}`) });
  const sortBy = async (now: string, column: string) => {
    await page.getByLabel(`Sort: ${now}`).click();
    await menu(now).getByRole("link", { name: column }).click();
  };
  await expect(page.getByRole("columnheader").getByRole("link")).toHaveCount(0);
  await sortBy("Checks, ascending", "Health");
  await expect(page).toHaveURL(at("/health?tab=payments&groupBy=no-group&hidePassing=false&sortBy=status"));
  await expect(first).toContainText("Primary");
  await sortBy("Health, ascending", "Health");
  await expect(page).toHaveURL(
    at("/health?tab=payments&groupBy=no-group&hidePassing=false&sortBy=status&sortDesc=true"),
  );
  await expect(first).toContainText("Replica");
  await page.getByLabel("Sort: Health, descending").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Health descending" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/health?tab=payments&groupBy=no-group&hidePassing=false"));
  await expect(page.getByLabel("Sort: Checks, ascending")).toBeVisible();
});

test("pages and page sizes are in the address and keep the filters", async ({ page, press }) => {
  const list = `${ALL}&query=node-`;
  await page.goto(list);
  const pages = pagesOf(page);
  await expect(pages.getByText("1–50 of 60")).toBeVisible();
  await expect(pages.getByRole("link", { name: "Previous page" })).toHaveCount(0);
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(at(`${list}&page=2`));
  await expect(pages.getByText("51–60 of 60")).toBeVisible();
  await expect(rowOf(page, "node-60")).toBeVisible();
  await expect(pages.getByRole("link", { name: "Next page" })).toHaveCount(0);

  await pages.getByLabel("Show").selectOption("25");
  await press("Apply page size");
  await expect(page).toHaveURL(at(`${list}&pageSize=25`));
  await expect(pages.getByText("1–25 of 60")).toBeVisible();
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(at(`${list}&page=2&pageSize=25`));
  await page.reload();
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await expect(pages.getByLabel("Show")).toHaveValue("25");
  await page.getByRole("searchbox").fill("node-1");
  await press("Apply");
  await expect(page).toHaveURL(at(`${ALL}&query=node-1&pageSize=25`));
  await expect(pages.getByText("1–10 of 10")).toBeVisible();
});

test("Back and Forward go through what was seen, and the filters follow @desk", async ({ page, press }) => {
  const list = `${ALL}&query=node-&pageSize=25`;
  await page.goto(list);
  const pages = pagesOf(page);
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await page.getByRole("link", { name: "node-30" }).click();
  await expect(page.getByRole("dialog", { name: "node-30" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(at(list));
  await expect(pages.getByText("1–25 of 60")).toBeVisible();
  await page.goForward();
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("dialog", { name: "node-30" })).toBeVisible();

  await page.goto("/health");
  await page.goto("/health?query=replica&groupBy=type");
  await page.goBack();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(page.getByLabel("Group by")).toHaveValue("");
  await page.getByLabel("Group by").selectOption("type");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?groupBy=type"));
});

test("nothing found says how to clear @desk", async ({ page }) => {
  await page.goto("/health?query=there-is-no-such-thing&tab=shop&groupBy=type&pageSize=25");
  await expect(page.getByText("Nothing that fails matches these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Look among passing checks" }).click();
  await expect(page.getByText("No check matches these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(at("/health?hidePassing=false&groupBy=type&pageSize=25"));
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(
    page.getByRole("table", { name: "Checks" }).getByRole("link", { name: /http/ }).first(),
  ).toBeVisible();
});

test("a page too far leads back to the first @desk", async ({ page }) => {
  await page.goto(`${ALL}&query=node-&page=7`);
  await expect(page.getByText("There is no page 7: 60 checks in all.")).toBeVisible();
  await page.getByRole("link", { name: "First page" }).click();
  await expect(page).toHaveURL(at(`${ALL}&query=node-`));
  await expect(page.getByText("1–50 of 60")).toBeVisible();
});

test("Refresh asks again and stays where it is @desk", async ({ page }) => {
  await page.goto(`${ALL}&query=node-&page=2`);
  await page.getByRole("link", { name: "Refresh" }).click();
  await expect(page).toHaveURL(at(`${ALL}&query=node-&page=2`));
  await expect(page.getByText("51–60 of 60")).toBeVisible();
});

test("what is chosen and typed before the script arrives is not lost @js @desk", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/health", { waitUntil: "commit" });
  await page.getByRole("searchbox").fill("accept");
  await page.getByLabel("Group by").selectOption("no-group");
  release();
  await expect(page).toHaveURL(at("/health?query=accept&groupBy=no-group"));
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(page.getByLabel("Group by")).toHaveValue("no-group");
});

test("the page fits into every width @desk", async ({ page }) => {
  await page.goto("/health?query=accept&hidePassing=false");
  for (const width of [360, 390, 600, 768, 1023, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await sideways(page), `${width} px`).toBe(0);
  }
});
