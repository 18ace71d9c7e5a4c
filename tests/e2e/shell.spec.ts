import type { Page } from "@playwright/test";
import { at, drawerOf, expect, productUrl, rowOf, sideways, test } from "./fixtures.ts";

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
    for (const absent of ["Settings"]) await expect(page.getByText(absent)).toHaveCount(0);
  });

  test("the kubeconfig dialog is a place with two steps, and the file is the caller's own", async ({
    page,
  }) => {
    await page.goto("/health?query=Cart");
    await page.getByTitle("User menu").click();
    await page.getByRole("link", { name: "Download kubeconfig" }).click();
    await expect(page).toHaveURL(at("/health?query=Cart&dialog=kubeconfig"));
    const dialog = page.getByRole("dialog", { name: "Download and install kubeconfig" });
    await expect(dialog.getByRole("listitem")).toHaveCount(2);
    const link = dialog.getByRole("link", { name: "Download kubeconfig file" });
    await expect(link).toHaveAttribute("href", "/api/kubeconfig");
    const file = await page.request.get("/api/kubeconfig");
    expect(file.headers()["content-disposition"]).toBe("attachment; filename=127.0.0.1-kubeconfig.yaml");
    expect(await file.text()).toContain(`server: "${productUrl()}/api/kubeproxy"`);
    const elsewhere = { headers: { "sec-fetch-site": "cross-site" }, maxRedirects: 0 };
    const asked = await page.request.get("/api/kubeconfig", elsewhere);
    expect(asked.headers()["location"]).toBe("/settings/tokens?dialog=kubeconfig");
    await expect(
      dialog.getByText("kubectl --kubeconfig 127.0.0.1-kubeconfig.yaml get canaries"),
    ).toBeVisible();
    expect(await sideways(page)).toBe(0);
    await dialog.getByRole("link", { name: "Close" }).click();
    await expect(page).toHaveURL("/health?query=Cart");
    await expect(dialog).toHaveCount(0);
    await page.goto("/health?dialog=kubeconfig");
    await dialog.getByRole("link", { name: "Learn more" }).click();
    await expect(page).toHaveURL("/help/kubeconfig");
  });

  test("the command is copied, and what became of it is said @js @desk", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/health?dialog=kubeconfig");
    const copy = page.getByRole("button", { name: "Copy the command" });
    await copy.click();
    await expect(page.getByText("Copied to clipboard")).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "kubectl --kubeconfig 127.0.0.1-kubeconfig.yaml get canaries",
    );
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });
    await copy.click();
    await expect(page.getByText("Failed to copy to clipboard")).toBeVisible();
    await page.evaluate(() =>
      Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, "clipboard"),
    );
    await copy.click();
    await expect(page.getByText("Clipboard not available")).toBeVisible();
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
    for (let step = 0; step < 150 && !seen.some((one) => one.startsWith("Replica")); step++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const one = document.activeElement;
        return (
          one?.getAttribute("aria-label") ?? one?.getAttribute("title") ?? one?.textContent?.trim() ?? ""
        );
      });
      if (!seen.includes(name)) seen.push(name); // "Include" and "Exclude" come once a label
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

  test("Enter opens a row, and its controls come next @desk", async ({ page }) => {
    await page.goto("/health?query=Replica");
    await page.getByRole("link", { name: "Replica accepts connections" }).focus();
    await page.keyboard.press("Enter");
    await expect(drawerOf(page, "Replica accepts connections")).toBeVisible();
    await expect(page).toHaveURL(/checkId=/);
  });

  test("Escape closes the drawer, and the focus is back on its row @js @desk", async ({ page }) => {
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

test("a key pressed while the page is arriving does not stop its script @js @desk", async ({ page, as }) => {
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

test("the page asks again by itself, and keeps the place and the focus @js @desk", async ({
  page,
  as,
  database,
}) => {
  const [focused, watched] = ["node-42", "node-43"];
  await as("viewer");
  await page.clock.install();
  await page.goto("/health?query=node-&hidePassing=false&refresh=15s");
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

const groupOf = (page: Page) => page.getByLabel("Group by");

test.describe("a page that cannot be brought up to date @js @desk", () => {
  const DATA = "**/health.data*";
  const bar = (page: Page) => page.locator("[data-connection]");
  test.beforeEach(async ({ as, page, tolerated }) => {
    tolerated.push(/status of 5\d\d|ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
    await as("responder");
    await page.goto("/health?query=Cart");
    await expect(rowOf(page, "Cart")).toBeVisible();
  });
  test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

  for (const [words, answer] of [
    ["Upstream is away.", { status: 503 }],
    ["Request timed out. Please try again.", { status: 504 }],
    ["An error occurred.", { status: 500 }],
    ["Network Error. Please try again.", null],
  ] as const)
    test(`stays, says "${words}" and recovers by itself`, async ({ page }) => {
      await page.route(DATA, (route) => (answer ? route.fulfill(answer) : route.abort()));
      await page.getByRole("link", { name: "Refresh" }).click();
      await expect(bar(page)).toContainText(`${words} Shown is the state of `);
      await expect(rowOf(page, "Cart")).toBeVisible();
      await expect(page).toHaveURL("/health?query=Cart");
      await page.unroute(DATA);
      await expect(bar(page)).toHaveCount(0);
      await expect(rowOf(page, "Cart")).toBeVisible();
    });

  test("a poll that fails does the same, and Retry asks at once", async ({ page }) => {
    await page.clock.install();
    await page.goto("/health?query=Cart&refresh=15s");
    await expect(rowOf(page, "Cart")).toBeVisible();
    let asked = 0;
    await page.route(DATA, (route) => ((asked += 1), route.fulfill({ status: 503 })));
    await expect(async () => {
      await page.clock.runFor(16_000);
      await expect(bar(page)).toContainText("Upstream is away.", { timeout: 1_000 });
    }).toPass();
    const before = asked;
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => asked).toBeGreaterThan(before);
    await expect(rowOf(page, "Cart")).toBeVisible();
    await page.unroute(DATA);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(bar(page)).toHaveCount(0);
  });

  test("offline is said at once, follows nobody elsewhere, and is over with the connection", async ({
    page,
    context,
  }) => {
    await page.waitForLoadState("networkidle"); // what is fetched beside the page is no part of this
    await context.setOffline(true);
    await expect(bar(page)).toContainText("No internet connection. Please try again.");
    await groupOf(page).selectOption("No Grouping");
    await expect(rowOf(page, "Cart")).toBeVisible();
    await context.setOffline(false);
    await expect(page).toHaveURL(at("/health?query=Cart&groupBy=no-group"));
    await expect(bar(page)).toHaveCount(0);
  });

  test("what was posted waits for its sender", async ({ page }) => {
    await page.getByRole("link", { name: "Cart" }).click();
    const drawer = drawerOf(page, "Cart");
    await expect(page.locator("dialog:modal")).toBeVisible();
    let sent = 0;
    await page.route(DATA, (route) => {
      if (route.request().method() !== "POST") return route.continue();
      sent += 1;
      return route.abort();
    });
    await drawer.getByRole("button", { name: "Run now" }).click();
    await expect(bar(page)).toContainText("Network Error. Please try again. What you entered is kept.");
    await page.waitForTimeout(2_500);
    expect(sent, "nothing is sent twice unasked").toBe(1);
    await page.unroute(DATA);
    await bar(page).getByRole("button", { name: "Retry" }).click();
    await expect(bar(page)).toHaveCount(0);
    await expect(drawer.getByRole("status")).not.toBeEmpty(); // the toast of the run
  });
});

test.describe("Back", () => {
  test.beforeEach(({ as }) => as("viewer"));

  test("returns to the filter before, and what was typed in one go is one step @js @desk", async ({
    page,
  }) => {
    await page.goto("/health");
    const box = page.getByRole("searchbox");
    await box.pressSequentially("acc");
    await expect(page).toHaveURL("/health?query=acc");
    await box.pressSequentially("ept");
    await expect(page).toHaveURL("/health?query=accept");
    await groupOf(page).selectOption("No Grouping");
    await expect(page).toHaveURL(at("/health?query=accept&groupBy=no-group"));
    await groupOf(page).selectOption("Type");
    await expect(page).toHaveURL(at("/health?query=accept&groupBy=type"));
    await page.goBack();
    await expect(page).toHaveURL(at("/health?query=accept&groupBy=no-group"));
    await expect(groupOf(page)).toHaveValue("no-group");
    await page.goBack();
    await expect(page).toHaveURL("/health?query=accept");
    await expect(groupOf(page)).toHaveValue("");
    await page.goBack();
    await expect(page).toHaveURL("/health");
    await expect(box).toHaveValue("");
    await page.goForward();
    await expect(box).toHaveValue("accept");
  });
});

test.describe("the documentation", () => {
  test("is open to everybody, in pages with sections", async ({ page }) => {
    await page.goto("/help");
    await expect(page).toHaveTitle("Help | Pilothouse");
    await page.getByRole("main").getByRole("link", { name: "Check types" }).click();
    await expect(page).toHaveURL("/help/check-types");
    await expect(page).toHaveTitle("Check types | Pilothouse");
    await expect(page.getByRole("heading", { level: 1, name: "Check types" })).toBeVisible();
    await page.getByRole("link", { name: "icmp", exact: true }).locator("visible=true").click();
    await expect(page).toHaveURL("/help/check-types#icmp");
    await expect(page.getByRole("heading", { name: /^icmp/ })).toBeInViewport();
    expect(await sideways(page)).toBe(0);
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Help" }).click();
    await expect(page).toHaveURL("/help");
    await page.getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/login/);
  });

  test("is behind Docs, and leads back @desk", async ({ page, as }) => {
    await as("viewer");
    await page.goto("/health?query=Cart");
    await page.getByTitle("Help").click();
    await page.getByRole("link", { name: "Docs" }).click();
    await expect(page).toHaveURL("/help");
    await page.getByRole("link", { name: "Back to Pilothouse" }).click();
    await expect(page).toHaveURL("/health");
  });

  test("says when there is no such page, beside those that are @desk", async ({ page }) => {
    expect((await page.goto("/help/nothing"))!.status()).toBe(404);
    await expect(page.getByText("There is no help page of this name.")).toBeVisible();
    await expect(page.locator("nav[aria-label='Help pages']")).toHaveCount(2);
  });
});
