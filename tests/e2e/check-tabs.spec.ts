import { randomUUID } from "node:crypto";
import type pg from "pg";
import { at, drawerOf, expect, test } from "./fixtures.ts";
import { createCheckWithHistory } from "./estate.ts";

/** A canary of a journey's own that never runs by itself, and the id of its check once the engine has made it. */
async function createCheckOf(pool: pg.Pool, spec: object, labels: Record<string, string> = {}) {
  const name = `tabs ${randomUUID().slice(0, 8)}`;
  const { rows } = await pool.query<{ id: string }>(
    `insert into canaries (name, namespace, labels, spec, source) values ($1, 'journeys', $2, $3, 'UI') returning id`,
    [name, labels, { schedule: "0 0 1 1 *", ...spec }],
  );
  const canary = rows[0]!.id;
  const made = () => pool.query<{ id: string }>("select id from checks where canary_id = $1", [canary]);
  await expect.poll(async () => (await made()).rowCount).toBe(1);
  return { canary, name, id: (await made()).rows[0]!.id };
}

test.describe("as a viewer", () => {
  test.beforeEach(({ as }) => as("viewer"));

  test("what happened lists every turn of the range, with how long it lasted @desk", async ({
    page,
    database,
  }) => {
    const { id, name } = await createCheckWithHistory(database);
    await page.goto(`/health?query=tabs&checkId=${id}`);
    const drawer = drawerOf(page, name);
    await drawer.getByRole("link", { name: "What happened" }).click();
    await expect(page).toHaveURL(at(`/health?query=tabs&checkId=${id}&drawerTab=events`));
    await expect(drawer.getByText(/^(119|120) changes in the last 1 hour$/)).toBeVisible();
    const table = drawer.getByRole("table", { name: "What happened" });
    await expect(table.getByText("15s").first()).toBeVisible();
    await drawer.getByRole("link", { name: "Next page" }).click();
    await expect(page).toHaveURL(/eventsPage=2/);
    await expect(drawer.getByText(/^51–100 of /)).toBeVisible();
    await page.goto(`/health?checkId=${id}&drawerTab=events&drawerFrom=2020-01-01&drawerTo=2020-01-02`);
    await expect(drawer.getByText(/^Its health did not change from 2020-01-01/)).toBeVisible();
  });

  test("the spec is the canary's, with the check's lines marked and its secrets masked @desk", async ({
    page,
    database,
    as,
  }) => {
    const http = [
      { name: "one", url: "http://127.0.0.1:1/", headers: [{ name: "X-Key", value: "hidden-word" }] },
    ];
    const { id } = await createCheckOf(database, { http });
    await page.goto(`/health?checkId=${id}&drawerTab=spec`);
    const drawer = drawerOf(page, "one");
    await expect(drawer.getByText("YAML · 7 lines")).toBeVisible();
    await expect(drawer.getByText("••••••")).toBeVisible();
    await expect(drawer.getByText(/What may be a secret is masked/)).toBeVisible();
    expect(await page.content()).not.toContain("hidden-word");
    await expect(drawer.getByRole("link", { name: "Canary" })).toBeVisible();
    await as("editor");
    await page.reload();
    await expect(drawer.getByText("hidden-word")).toBeVisible();
    await expect(drawer.getByRole("link", { name: "Edit" })).toHaveAttribute(
      "href",
      /\/settings\/canaries\//,
    );
  });

  test("relationships are counted, and each leads to its page @desk", async ({ page, database }) => {
    const { id, canary } = await createCheckOf(database, {
      tcp: [{ name: "linked", endpoint: "127.0.0.1:1" }],
    });
    const { rows } = await database.query<{ id: string }>(
      `insert into components (name, external_id, status, type) values ('Ledger', $1, 'healthy', 'Application') returning id`,
      [randomUUID()],
    );
    await database.query(
      "insert into check_component_relationships (component_id, check_id, canary_id, selector_id) values ($1, $2, $3, 'a'), ($1, $2, $3, 'b')",
      [rows[0]!.id, id, canary],
    );
    await page.goto(`/health?checkId=${id}`);
    const drawer = drawerOf(page, "linked");
    await drawer.getByRole("link", { name: "Relationships 1" }).click();
    await expect(page).toHaveURL(/drawerTab=relationships/);
    await expect(drawer.getByRole("row").filter({ hasText: "Ledger" })).toContainText("Component");
    await expect(drawer.getByRole("link", { name: "Ledger" })).toHaveAttribute(
      "href",
      `/topology/${rows[0]!.id}`,
    );
  });

  test("a row of the history opens to its details, and the address says which", async ({
    page,
    database,
  }) => {
    const { id, name } = await createCheckWithHistory(database);
    await database.query(
      `insert into check_statuses (check_id, time, status, duration, message, details)
       values ($1, now(), false, 5, 'with details', '{"code": 418}')`,
      [id],
    );
    await page.goto(`/health?checkId=${id}`);
    const drawer = drawerOf(page, name);
    await drawer.getByTitle("Show the details").first().click();
    await expect(page).toHaveURL(/historyRun=/);
    await expect(drawer.getByRole("region", { name: "Details" })).toContainText('"code": 418');
    await page.reload();
    await expect(drawer.getByRole("region", { name: "Details" })).toBeVisible();
    await drawer.getByTitle("Hide the details").click();
    await expect(page).toHaveURL(at(`/health?checkId=${id}`));
    await expect(drawer.getByRole("region", { name: "Details" })).toHaveCount(0);
  });

  test("two instants can be asked for; what cannot be is said, and kept @desk", async ({
    page,
    database,
  }) => {
    const { id, name } = await createCheckWithHistory(database);
    await page.goto(`/health?checkId=${id}`);
    const drawer = drawerOf(page, name);
    await drawer.getByTitle("Custom range").click();
    await drawer.getByLabel("From (UTC)").fill("2026-01-01T10:00");
    await drawer.getByLabel("To (UTC)").fill("2026-01-01T09:00");
    await drawer.getByRole("button", { name: "Show this range" }).click();
    await expect(drawer.getByRole("alert")).toContainText("must begin at least a minute before it ends");
    await drawer.getByTitle("Custom range").click();
    await expect(drawer.getByLabel("From (UTC)")).toHaveValue("2026-01-01T10:00");
    await drawer.getByLabel("To (UTC)").fill("2026-01-01T11:00");
    await drawer.getByRole("button", { name: "Show this range" }).click();
    await expect(page).toHaveURL(
      at(`/health?checkId=${id}&drawerFrom=2026-01-01T10:00&drawerTo=2026-01-01T11:00`),
    );
    await expect(drawer.getByText(/^Shown is the time from 2026-01-01 10:00:00 UTC to/)).toBeVisible();
    await drawer.getByRole("link", { name: "Show the usual range" }).click();
    await expect(page).toHaveURL(at(`/health?checkId=${id}`));
  });

  test("the chart is drawn on to look closer @js @desk", async ({ page, database }) => {
    const { id, name } = await createCheckWithHistory(database);
    await page.goto(`/health?checkId=${id}`);
    const drawer = drawerOf(page, name);
    await expect(page.locator("dialog:modal")).toBeVisible();
    const box = (await drawer.getByRole("img", { name: /^Latency/ }).boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.75, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.95, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await expect(page).toHaveURL(/drawerFrom=.*drawerTo=/);
    await expect(drawer.getByRole("combobox", { name: "Time range" })).toHaveValue("");
    const { searchParams } = new URL(page.url());
    const minutes =
      (Date.parse(searchParams.get("drawerTo")!) - Date.parse(searchParams.get("drawerFrom")!)) / 60_000;
    expect(minutes).toBeGreaterThan(10);
    expect(minutes).toBeLessThan(15);
    await drawer.getByRole("combobox", { name: "Time range" }).selectOption("6h");
    await expect(page).toHaveURL(at(`/health?checkId=${id}&timeRange=6h`));
  });

  test("many labels stay on one line until they are asked for", async ({ page, database }) => {
    const labels = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`label-${n + 10}`, "a value"]));
    const { id } = await createCheckOf(
      database,
      { tcp: [{ name: "labelled", endpoint: "127.0.0.1:1" }] },
      labels,
    );
    await page.goto(`/health?checkId=${id}`);
    const drawer = drawerOf(page, "labelled");
    await expect(drawer.getByText("label-21")).toBeHidden();
    await drawer
      .getByText(/^\+\d+ more$/)
      .filter({ visible: true })
      .click();
    await expect(drawer.getByText("label-21")).toBeVisible();
    await expect(drawer.getByText("label-10").filter({ visible: true })).toHaveCount(1);
  });

  test("the history leaves as a file with its filters, and the badge is a picture @desk", async ({
    page,
    database,
  }) => {
    const { id, name } = await createCheckWithHistory(database);
    await page.goto(`/health?checkId=${id}&historyStatus=unhealthy`);
    const drawer = drawerOf(page, name);
    const href = (await drawer.getByRole("link", { name: "CSV" }).getAttribute("href"))!;
    const csv = await (await page.request.get(href)).text();
    expect(csv.trim().split("\n").length).toBe(61);
    await drawer.getByRole("link", { name: "Badge" }).click();
    const badge = drawer.getByRole("img", { name: `Badge of ${name}` }).first();
    await expect.poll(() => badge.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(50);
    await expect(drawer.getByText(`/badges/check/${id}.svg`).first()).toBeVisible();
  });

  test("a type that this version does not run says so @desk", async ({ page, database }) => {
    const { id } = await createCheckOf(database, { restic: [{ name: "backup", repository: "/tmp/x" }] });
    await page.goto(`/health?checkId=${id}`);
    const drawer = drawerOf(page, "backup");
    await expect(drawer.getByText("This version does not run Restic checks.")).toBeVisible();
    await expect(drawer.getByText("Unknown", { exact: true }).first()).toBeVisible();
  });
});

test("the address of a heartbeat is made, shown once, and pinged", async ({ page, as, database }) => {
  await as("editor");
  const { id } = await createCheckOf(database, {
    heartbeat: [{ name: "nightly job", period: "1d", grace: "1h" }],
  });
  await page.goto(`/health?checkId=${id}`);
  await drawerOf(page, "nightly job").getByRole("link", { name: "Address" }).click();
  await expect(page).toHaveURL(at(`/health/checks/${id}/heartbeat`));
  await page.getByRole("button", { name: "Make the address" }).click();
  const address = (await page.getByRole("region", { name: "Address" }).innerText()).trim();
  expect((await page.request.get(address)).status()).toBe(200);
  await page.goto(`/health/checks/${id}/heartbeat`);
  await expect(page.getByText("None yet")).toHaveCount(0);
  expect(await page.content()).not.toContain(address.split("/").at(-1));
  await page.getByRole("button", { name: "Make a new address" }).click();
  await expect(page.getByRole("region", { name: "Address" })).toBeVisible();
  expect((await page.request.get(address)).status()).toBe(404);
  await page.goto("/health/checks/nope/heartbeat");
  await expect(page.getByRole("heading", { name: "There is no such heartbeat" })).toBeVisible();
});
