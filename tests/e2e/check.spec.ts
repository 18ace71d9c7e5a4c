import { at, drawerOf, expect, rowOf, sideways, test } from "./fixtures.ts";
import { SCRIPT_LIMIT_BYTES, scriptsOf, sumOf } from "#tests/support/scripts.ts";
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

  test("history is filtered by status and by duration, and says what a duration is @desk", async ({
    page,
    database,
    press,
  }) => {
    const { id, name } = await createCheckWithHistory(database);
    const address = `/health?query=${name.replace(" ", "+")}&checkId=${id}`;
    await page.goto(address);
    const drawer = drawerOf(page, name);
    await drawer.getByLabel("Status").selectOption("unhealthy");
    await press(/Apply history filters/);
    await expect(page).toHaveURL(at(`${address}&historyStatus=unhealthy`));
    await expect(drawer.getByText("60 results")).toBeVisible();

    const duration = drawer.getByLabel("Duration");
    await duration.fill("0.1s"); // runs take 10 ms and one more for each
    await press(/Apply history filters/);
    await expect(page).toHaveURL(at(`${address}&historyStatus=unhealthy&historyDuration=0.1s`));
    await expect(drawer.getByText("15 results")).toBeVisible();

    await duration.fill("5 minutes");
    await press(/Apply history filters/);
    await expect(drawer.getByRole("alert")).toHaveText("duration is allowed only in milli seconds & seconds");
    await expect(duration).toHaveValue("5 minutes");
    await duration.fill("30s");
    await press(/Apply history filters/);
    await expect(drawer.getByText("No result in this time range matches these filters.")).toBeVisible();
    await drawer.getByRole("link", { name: "Show all results" }).click();
    await expect(page).toHaveURL(at(address));
    await expect(duration).toHaveValue("");
    await expect(drawer.getByText("120 results")).toBeVisible();
  });

  test("the chart has a sentence, a legend and a table with the same figures", async ({ page, database }) => {
    const { id, name } = await createCheckWithHistory(database);
    await page.goto(`/health?query=${name.replace(" ", "+")}&checkId=${id}`);
    const drawer = drawerOf(page, name);
    const chart = drawer.getByRole("img", { name: /^Latency in the last 1 hour: usually / });
    await expect(chart).toBeVisible();
    await expect(chart).toHaveAccessibleName(/60 of 120 runs failed, the last of them about .* UTC\.$/);
    await expect(drawer.getByText("Passed", { exact: true }).first()).toBeVisible();
    await expect(drawer.getByText("Times in UTC")).toBeVisible();
    await expect(drawer.getByRole("table", { name: "Runs over time" })).toBeHidden();
    await drawer.getByText("Show as table").click();
    const rows = drawer.getByRole("table", { name: "Runs over time" }).getByRole("row");
    await expect(rows.first()).toHaveText(/Time.*Passed.*Failed.*Latency/);
    expect(await rows.count()).toBeGreaterThan(29); // four runs a minute, half an hour of them
  });

  test("the pointer reads the chart @js @desk", async ({ page, database }) => {
    const { id, name } = await createCheckWithHistory(database);
    await page.goto(`/health?query=${name.replace(" ", "+")}&checkId=${id}`);
    const chart = drawerOf(page, name).getByRole("img", { name: /^Latency/ });
    await expect(page.locator("dialog:modal")).toBeVisible();
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
    await expect(page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:00 UTC.*\d+ ms, .*passed/)).toBeVisible();
    await page.mouse.move(10, 10);
    await expect(page.getByText(/\d+ ms, .*passed/)).toHaveCount(0);
  });

  test("on a short screen the chart is a tab beside History @desk", async ({ page, database }) => {
    await page.setViewportSize({ width: 1280, height: 640 });
    const { id, name } = await createCheckWithHistory(database);
    const address = `/health?query=${name.replace(" ", "+")}&checkId=${id}`;
    await page.goto(address);
    const drawer = drawerOf(page, name);
    const chart = drawer.getByRole("img", { name: /^Latency/ });
    await expect(drawer.getByText("120 results")).toBeVisible();
    await expect(chart).toBeHidden();
    await drawer.getByRole("link", { name: "Graph" }).click();
    await expect(page).toHaveURL(at(`${address}&drawerTab=graph`));
    await expect(chart).toBeVisible();
    await expect(drawer.getByText("120 results")).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 1000 });
    await expect(drawer.getByText("120 results")).toBeVisible();
    await expect(drawer.getByRole("link", { name: "Graph" })).toBeHidden();
  });

  test("the drawer's scripts stay within their budget @js @desk", async ({
    page,
    database,
    browser,
    sessionOf,
  }) => {
    const { id } = await createCheckWithHistory(database);
    await page.goto("/health");
    const address = new URL(`/health?checkId=${id}`, page.url()).href;
    const files = await scriptsOf(browser, address, await sessionOf("viewer"));
    expect(files.length).toBeGreaterThan(3);
    expect(sumOf(files), JSON.stringify(files)).toBeLessThanOrEqual(SCRIPT_LIMIT_BYTES);
  });

  test("an id nobody has is said where the check would have been @desk", async ({ page }) => {
    await page.goto("/health?query=Cart&checkId=00000000-0000-4000-8000-000000000000");
    const drawer = drawerOf(page, "Check not found");
    await expect(drawer.getByText("There is no check with this id.")).toBeVisible();
    await drawer.getByRole("link", { name: "Show all checks" }).click();
    await expect(page).toHaveURL(at("/health?query=Cart"));
    await expect(rowOf(page, "Cart")).toBeVisible();
  });

  test("there is nothing to run and nothing to add @desk", async ({ page, database }) => {
    const { id, name } = await createRestingCheck(database);
    await page.goto(`/health?query=Cart&checkId=${id}`);
    await expect(drawerOf(page, name)).toBeVisible();
    await expect(page.getByRole("button", { name: "Run now" })).toHaveCount(0);
    await page.goto("/health?query=Cart");
    await expect(page.getByRole("link", { name: /add|new/i })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /add|new|delete|edit/i })).toHaveCount(0);
  });

  test("the drawer fits into a phone @desk", async ({ page }) => {
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
  test(`Run now as ${role}: it runs, a toast says how it went, and the history has one more row${role === "editor" ? " @desk" : ""}`, async ({
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
    const result = drawer.getByRole("region", { name: "Result of the run" });
    await expect(result.getByText(/^Failed in /)).toBeVisible();
    await expect(result.getByText("connect ECONNREFUSED 127.0.0.1:1")).toBeVisible();
    await expect(page).toHaveURL(/&run=[\w.%-]+Z$/);
    await page.getByRole("link", { name: "Dismiss" }).click();
    await expect(page.getByText(/Check failed/)).toHaveCount(0);
    await page.reload();
    await expect(result.getByText(/^Failed in /)).toBeVisible();
    await result.getByRole("link", { name: "Hide the result" }).click();
    await expect(result).toHaveCount(0);
    await expect(page).toHaveURL(at(address));
    await expect(drawer).toBeVisible();
  });
