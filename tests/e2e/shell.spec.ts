import { at, drawerOf, expect, rowOf, sideways, test } from "./fixtures.ts";

test.describe("what a browser remembers", () => {
  test.beforeEach(({ as }) => as("viewer"));

  test("the theme is chosen in the user menu, at once and for the next visit", async ({ page, context }) => {
    await page.goto("/health?query=Cart&status=unhealthy");
    const canvas = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await canvas();
    await page.getByTitle("User menu").click();
    await page.getByRole("button", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page).toHaveURL("/health?query=Cart&status=unhealthy");
    expect(await canvas()).not.toBe(light);
    const other = await context.newPage();
    await other.goto("/recovery");
    await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
    await other.close();
    await page.getByTitle("User menu").click();
    await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("button", { name: "As the system" }).click();
    await expect(page.locator("html")).not.toHaveAttribute("data-theme");
  });

  test("the sidebar stays collapsed until it is expanded @desk", async ({ page }) => {
    await page.goto("/health?query=Cart");
    const nav = page.getByRole("navigation", { name: "Main" });
    const width = async () => (await nav.boundingBox())!.width;
    const open = await width();
    await nav.getByRole("button", { name: "Collapse" }).click();
    await expect(nav.getByRole("button", { name: "Expand" })).toBeVisible();
    await expect(page).toHaveURL("/health?query=Cart");
    expect(await width()).toBeLessThan(open / 2);
    await page.reload();
    expect(await width()).toBeLessThan(open / 2);
    await expect(nav.getByRole("link", { name: /^Health/ })).toBeVisible();
    await nav.getByRole("button", { name: "Expand" }).click();
    await expect(nav.getByRole("button", { name: "Collapse" })).toBeVisible();
    expect(await width()).toBe(open);
  });

  test("the menu of a narrow screen opens, leads somewhere and closes", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/health?query=Cart");
    const nav = page.getByRole("navigation", { name: "Main" });
    await expect(nav).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(nav).toBeVisible();
    expect(await sideways(page)).toBe(0);
    await page.mouse.click(370, 600);
    await expect(nav).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.keyboard.press("Escape");
    await expect(nav).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await nav.getByRole("link", { name: /^Health/ }).click();
    await expect(page).toHaveURL("/health");
    await expect(nav).toBeHidden();
  });

  test("the user menu says who is signed in and which versions run", async ({ page }) => {
    await page.goto("/health?query=Cart");
    await page.getByTitle("User menu").click();
    await expect(page.getByText("Hi Viewer Example")).toBeVisible();
    await expect(page.getByText(/Frontend 1\.0\.783 · Backend \d/)).toBeVisible();
  });

  test("one menu at a time, and Escape or a press outside closes it @js @desk", async ({ page }) => {
    await page.goto("/health?query=Cart");
    await page.getByTitle("Help").click();
    await expect(page.getByRole("link", { name: "Docs" })).toBeVisible();
    await page.getByTitle("User menu").click();
    await expect(page.getByRole("link", { name: "Docs" })).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
    await expect(page.getByTitle("User menu")).toBeFocused();
    await page.getByTitle("User menu").click();
    await page.mouse.click(600, 600);
    await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
  });
});

test.describe("by keyboard", () => {
  test.beforeEach(({ as }) => as("responder"));

  test("the first Tab offers to skip to the content @desk", async ({ page }) => {
    await page.goto("/health?query=accept");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/health?query=accept#main");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Search" })).toBeFocused();
  });

  test("Tab goes through the page in the order it is read @desk", async ({ page }) => {
    await page.goto("/health?query=accept&hidePassing=false#main");
    const seen: string[] = [];
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const one = document.activeElement;
        return (
          one?.getAttribute("aria-label") ?? one?.getAttribute("title") ?? one?.textContent?.trim() ?? ""
        );
      });
      if (name === "" || seen.includes(name)) break;
      seen.push(name);
    }
    const order = [
      "Search",
      "Search checks",
      "Checks",
      "Transition",
      "Primary accepts connections",
      "Replica accepts connections",
    ];
    const places = order.map((name) => seen.findIndex((one) => one.startsWith(name)));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("Enter opens a row, and its controls come next", async ({ page }) => {
    await page.goto("/health?query=Replica");
    await page.getByRole("link", { name: "Replica accepts connections" }).focus();
    await page.keyboard.press("Enter");
    await expect(drawerOf(page, "Replica accepts connections")).toBeVisible();
    await expect(page).toHaveURL(/checkId=/);
  });

  test("Escape closes the drawer, and the focus is back on its row @js", async ({ page }) => {
    await page.goto("/health?query=accept");
    const link = page.getByRole("link", { name: "Replica accepts connections" });
    await link.focus();
    await page.keyboard.press("Enter");
    const drawer = drawerOf(page, "Replica accepts connections");
    await expect(page.locator("dialog:modal")).toBeVisible(); // the script has taken over
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      const place = await page.evaluate(() => {
        const one = document.activeElement;
        return one === document.body || one?.closest("dialog") ? "inside" : one?.outerHTML;
      });
      expect(place).toBe("inside");
    }
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
    await expect(page).toHaveURL("/health?query=accept");
    await expect(link).toBeFocused();
  });
});

test("a key pressed while the page is arriving does not stop its script @js", async ({ page, as }) => {
  await as("viewer");
  await page.addInitScript(() => {
    const { port1, port2 } = new MessageChannel();
    const end = performance.now() + 3_000;
    port1.onmessage = () => {
      document
        .querySelector("main")
        ?.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: "Tab" }));
      if (performance.now() < end) port2.postMessage(null);
    };
    port2.postMessage(null);
  });
  await page.goto("/health?query=accept");
  await page.getByLabel("Group by").selectOption("type"); // submits itself only where the script has begun
  await expect(page).toHaveURL(at("/health?query=accept&groupBy=type"));
});

test("the page asks again by itself, and keeps the place and the focus @js", async ({ page, as, database }, {
  project,
}) => {
  const [focused, watched] =
    project.name === "phone" ? (["node-40", "node-41"] as const) : (["node-42", "node-43"] as const);
  await as("viewer");
  await page.clock.install();
  await page.goto("/health?query=node-&hidePassing=false");
  const link = page.getByRole("link", { name: focused });
  await link.scrollIntoViewIfNeeded();
  await link.focus();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(0);
  await database.query("update checks set status = 'unhealthy' where name = $1", [watched]);
  try {
    const row = rowOf(page, watched);
    await expect(async () => {
      await page.clock.runFor(16_000);
      await expect(row).toContainText("Unhealthy", { timeout: 3_000 });
    }).toPass();
    await expect(link).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(place);
  } finally {
    await database.query("update checks set status = 'healthy' where name = $1", [watched]);
  }
});
