import { at, expect, rowOf, sideways, statusOf, test } from "./fixtures.ts";

test.beforeEach(({ as }) => as("viewer"));

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

test("a search finds by description and by endpoint, and takes every character as itself", async ({
  page,
  press,
}) => {
  await page.goto("/health");
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
    await expect(page).toHaveURL(at(`/health?${new URLSearchParams({ query: words })}`));
  }
});

test("Enter searches at once", async ({ page }) => {
  await page.goto("/health");
  await page.getByRole("searchbox").fill("node-07");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/health?query=node-07"));
  await expect(page.getByText("1–1 of 1")).toBeVisible();
});

test("a status filter keeps the search, and All takes it out of the address", async ({ page, press }) => {
  await page.goto("/health?query=accept");
  await statusOf(page).selectOption("unhealthy");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?query=accept&status=unhealthy"));
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await statusOf(page).selectOption("healthy");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?query=accept&status=healthy"));
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
  await statusOf(page).selectOption("all");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?query=accept"));
  await expect(rowOf(page, "Replica accepts connections")).toBeVisible();
  await expect(rowOf(page, "Primary accepts connections")).toBeVisible();
});

test("a heading sorts up, down, and back to how it was @desk", async ({ page }) => {
  await page.goto("/health?query=accept");
  const head = page.getByRole("columnheader", { name: "Health" });
  const first = page.getByRole("rowgroup").nth(1).getByRole("row").first();
  await expect(page.getByRole("columnheader", { name: "Checks" })).toHaveAttribute("aria-sort", "ascending");
  await head.getByRole("link").click();
  await expect(page).toHaveURL(at("/health?query=accept&sortBy=status"));
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await expect(first).toContainText("Primary");
  await head.getByRole("link").click();
  await expect(page).toHaveURL(at("/health?query=accept&sortBy=status&sortDesc=true"));
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect(first).toContainText("Replica");
  await head.getByRole("link").click();
  await expect(page).toHaveURL(at("/health?query=accept"));
});

test("on cards, which have no heads, a menu sorts", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/health?query=accept");
  const first = page.getByRole("rowgroup").nth(1).getByRole("row").first();
  const menu = (now: string) => page.getByRole("group").filter({ has: page.getByLabel(`Sort: ${now}`) });
  const sortBy = async (now: string, column: string) => {
    await page.getByLabel(`Sort: ${now}`).click();
    await menu(now).getByRole("link", { name: column }).click();
  };
  await expect(page.getByRole("columnheader").getByRole("link")).toHaveCount(0);
  await sortBy("Checks, ascending", "Health");
  await expect(page).toHaveURL(at("/health?query=accept&sortBy=status"));
  await expect(first).toContainText("Primary");
  await sortBy("Health, ascending", "Health");
  await expect(page).toHaveURL(at("/health?query=accept&sortBy=status&sortDesc=true"));
  await expect(first).toContainText("Replica");
  await page.getByLabel("Sort: Health, descending").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Health descending" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/health?query=accept"));
  await expect(page.getByLabel("Sort: Checks, ascending")).toBeVisible();
});

test("pages and page sizes are in the address and keep the filters", async ({ page, press }) => {
  await page.goto("/health?query=node-");
  const pages = page.getByRole("navigation", { name: "Checks, pages" });
  await expect(pages.getByText("1–50 of 60")).toBeVisible();
  await expect(pages.getByRole("link", { name: "Previous page" })).toHaveCount(0);
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(at("/health?query=node-&page=2"));
  await expect(pages.getByText("51–60 of 60")).toBeVisible();
  await expect(rowOf(page, "node-60")).toBeVisible();
  await expect(pages.getByRole("link", { name: "Next page" })).toHaveCount(0);

  await pages.getByLabel("Show").selectOption("25");
  await press("Apply page size");
  await expect(page).toHaveURL(at("/health?query=node-&pageSize=25"));
  await expect(pages.getByText("1–25 of 60")).toBeVisible();
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(at("/health?query=node-&page=2&pageSize=25"));
  await page.reload();
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await expect(pages.getByLabel("Show")).toHaveValue("25");
  await page.getByRole("searchbox").fill("node-1");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?query=node-1&pageSize=25"));
  await expect(pages.getByText("1–10 of 10")).toBeVisible();
});

test("Back and Forward go through what was seen, and the filters follow", async ({ page, press }) => {
  await page.goto("/health?query=node-&pageSize=25");
  const pages = page.getByRole("navigation", { name: "Checks, pages" });
  await pages.getByRole("link", { name: "Next page" }).click();
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await page.getByRole("link", { name: "node-30" }).click();
  await expect(page.getByRole("dialog", { name: "node-30" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(at("/health?query=node-&pageSize=25"));
  await expect(pages.getByText("1–25 of 60")).toBeVisible();
  await page.goForward();
  await expect(pages.getByText("26–50 of 60")).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("dialog", { name: "node-30" })).toBeVisible();

  await page.goto("/health");
  await page.goto("/health?query=replica&status=unhealthy");
  await page.goBack();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(statusOf(page)).toHaveValue("all");
  await statusOf(page).selectOption("unhealthy");
  await press("Apply");
  await expect(page).toHaveURL(at("/health?status=unhealthy"));
});

test("nothing found says how to clear", async ({ page }) => {
  await page.goto("/health?query=there-is-no-such-thing&status=unhealthy&pageSize=25");
  await expect(page.getByText("No check matches these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(at("/health?pageSize=25"));
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(statusOf(page)).toHaveValue("all");
  await expect(rowOf(page, "Cart")).toBeVisible();
});

test("a page too far leads back to the first", async ({ page }) => {
  await page.goto("/health?query=node-&page=7");
  await expect(page.getByText("There is no page 7: 60 checks in all.")).toBeVisible();
  await page.getByRole("link", { name: "First page" }).click();
  await expect(page).toHaveURL(at("/health?query=node-"));
  await expect(page.getByText("1–50 of 60")).toBeVisible();
});

test("Refresh asks again and stays where it is", async ({ page }) => {
  await page.goto("/health?query=node-&page=2");
  await page.getByRole("link", { name: "Refresh" }).click();
  await expect(page).toHaveURL(at("/health?query=node-&page=2"));
  await expect(page.getByText("51–60 of 60")).toBeVisible();
});

test("what is chosen and typed before the script arrives is not lost @js", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/health", { waitUntil: "commit" });
  await page.getByRole("searchbox").fill("accept");
  await statusOf(page).selectOption("unhealthy");
  release();
  await expect(page).toHaveURL(at("/health?query=accept&status=unhealthy"));
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(statusOf(page)).toHaveValue("unhealthy");
});

test("the page fits into every width", async ({ page }) => {
  for (const width of [360, 390, 600, 768, 1023, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/health?query=accept");
    expect(await sideways(page), `${width} px`).toBe(0);
  }
});
