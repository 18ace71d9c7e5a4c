import { at, drawerOf, expect, rowOf, sideways, test } from "./fixtures.ts";
import { createCheckWithHistory, createRestingCheck } from "./estate.ts";

const LIST = "/health?query=accept&status=unhealthy&sortBy=status";

test.describe("as a viewer", () => {
  test.beforeEach(({ as }) => as("viewer"));

  test("a check opens by its row, its address alone opens it again, and Close leads back to the list", async ({
    page,
    context,
  }) => {
    await page.goto(LIST);
    await rowOf(page, "Replica accepts connections").click();
    const drawer = drawerOf(page, "Replica accepts connections");
    await expect(drawer).toBeVisible();
    await expect(page).toHaveURL(
      /\/health\?query=accept&status=unhealthy&sortBy=status&checkId=[0-9a-f-]{36}$/,
    );
    await expect(page).toHaveTitle("Replica accepts connections | Pilothouse");
    await expect(drawer.getByText("127.0.0.1:1", { exact: true })).toBeVisible();
    await expect(drawer.getByText("connect ECONNREFUSED 127.0.0.1:1").first()).toBeVisible();
    await expect(drawer.getByText("team: ledger")).toBeVisible();

    const other = await context.newPage();
    await other.goto(page.url());
    await expect(drawerOf(other, "Replica accepts connections")).toBeVisible();
    await other.close();

    await drawer.getByRole("link", { name: "Close" }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page).toHaveURL(at(LIST));
    await expect(page.getByRole("searchbox")).toHaveValue("accept");
  });

  test("a press beside the drawer closes it @desk", async ({ page, javaScriptEnabled }) => {
    await page.goto(LIST);
    await rowOf(page, "Replica accepts connections").click();
    await expect(page.locator(javaScriptEnabled === false ? "dialog" : "dialog:modal")).toBeVisible();
    await page.mouse.click(120, 600);
    await expect(page).toHaveURL(at(LIST));
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("history has pages and time ranges, all in the address", async ({ page, database, press }) => {
    const { id, name } = await createCheckWithHistory(database);
    const address = `/health?query=${name.replace(" ", "+")}&checkId=${id}`;
    await page.goto(address);
    const drawer = drawerOf(page, name);
    const pages = drawer.getByRole("navigation", { name: "History, pages" });
    await expect(pages.getByText("1–50 of 120")).toBeVisible();
    await expect(drawer.getByText(/: run 1$/)).toBeVisible();
    await pages.getByRole("link", { name: "Next page" }).click();
    await expect(page).toHaveURL(at(`${address}&historyPage=2`));
    await expect(pages.getByText("51–100 of 120")).toBeVisible();
    await pages.getByRole("link", { name: "Next page" }).click();
    await expect(drawer.getByText(/: run 120$/)).toBeVisible();

    await drawer.getByLabel("Time range").selectOption("6h");
    await press(/Apply Time range/);
    await expect(page).toHaveURL(at(`${address}&timeRange=6h`));
    await expect(pages.getByText("1–50 of 121")).toBeVisible();
    await page.reload();
    await expect(drawer.getByLabel("Time range")).toHaveValue("6h");
    await drawer.getByLabel("Time range").selectOption("15m");
    await press(/Apply Time range/);
    await expect(page).toHaveURL(at(`${address}&timeRange=15m`));
    await expect(pages.getByText(/of (59|6\d)$/)).toBeVisible();
    await drawer.getByRole("link", { name: "Close" }).click();
    await expect(page).toHaveURL(at(`/health?query=${name.replace(" ", "+")}`));
  });

  test("an id nobody has is said where the check would have been", async ({ page }) => {
    await page.goto("/health?query=Cart&checkId=00000000-0000-4000-8000-000000000000");
    const drawer = drawerOf(page, "Check not found");
    await expect(drawer.getByText("There is no check with this id.")).toBeVisible();
    await drawer.getByRole("link", { name: "Show all checks" }).click();
    await expect(page).toHaveURL(at("/health?query=Cart"));
    await expect(rowOf(page, "Cart")).toBeVisible();
  });

  test("there is nothing to run and nothing to add", async ({ page, database }) => {
    const { id, name } = await createRestingCheck(database);
    await page.goto(`/health?query=Cart&checkId=${id}`);
    await expect(drawerOf(page, name)).toBeVisible();
    await expect(page.getByRole("button", { name: "Run now" })).toHaveCount(0);
    await page.goto("/health?query=Cart");
    await expect(page.getByRole("link", { name: /add|new/i })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /add|new|delete|edit/i })).toHaveCount(0);
  });

  test("the drawer fits into a phone", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/health?query=Replica");
    await rowOf(page, "Replica accepts connections").click();
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await sideways(page)).toBe(0);
    const tooWide = page.getByRole("dialog").evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(await tooWide).toBe(0);
  });
});

for (const role of ["responder", "editor"] as const)
  test(`Run now as ${role}: it runs, a toast says how it went, and the history has one more row`, async ({
    page,
    as,
    database,
  }) => {
    await as(role);
    const { id, name } = await createRestingCheck(database);
    const address = `/health?query=${name.replace(" ", "+")}&checkId=${id}`;
    await page.goto(address);
    const drawer = drawerOf(page, name);
    await expect(drawer.getByText("1–1 of 1")).toBeVisible();
    await drawer.getByRole("button", { name: "Run now" }).click();
    await expect(page.getByRole("status").filter({ hasText: /Check failed/ })).toBeVisible();
    await expect(drawer.getByText("1–2 of 2")).toBeVisible();
    await expect(page).toHaveURL(at(address));
    await page.getByRole("link", { name: "Dismiss" }).click();
    await expect(page.getByText(/Check failed/)).toHaveCount(0);
    await expect(drawer).toBeVisible();
  });
