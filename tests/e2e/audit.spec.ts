import { randomUUID } from "node:crypto";
import { expect, productUrl, test } from "./fixtures.ts";

/** Something that an editor did through the API: a canary made and changed. */
async function aStory(cookie: string): Promise<{ id: string; name: string }> {
  const name = `story ${randomUUID().slice(0, 8)}`;
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${productUrl()}/api/db/${path}`, {
      method,
      headers: {
        cookie,
        origin: productUrl(),
        "content-type": "application/json",
        prefer: "return=representation",
      },
      body: JSON.stringify(body),
    });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return (await answer.json()) as { id: string }[];
  };
  const spec = {
    schedule: "0 0 1 1 *",
    http: [{ name: "front", url: "http://127.0.0.1:1/", password: "hunter2" }],
  };
  const [made] = await send("POST", "canaries", { name, namespace: "journeys", spec, source: "UI" });
  await send("PATCH", `canaries?id=eq.${made!.id}`, { spec: { ...spec, schedule: "@every 1h" } });
  return { id: made!.id, name };
}

test("an admin finds who changed a record, and what it was before", async ({
  page,
  as,
  sessionOf,
  press,
}) => {
  const { name } = await aStory(await sessionOf("editor"));
  await as("admin");
  await page.goto("/settings/audit");
  const table = page.getByRole("table", { name: "Audit log" });
  await page.getByLabel("Record", { exact: true }).fill(name);
  await press("Apply filters");
  await expect(table.getByRole("row")).toHaveCount(3); // the head, and the two
  await expect(table.getByRole("row").nth(1)).toContainText("Editor Example");

  await page.getByLabel(/^Action/).selectOption("Changed");
  await press("Apply filters");
  await expect(table.getByRole("row")).toHaveCount(2);
  await table.getByRole("link", { name: "Changed" }).click();
  const entry = page.getByRole("dialog", { name: `Changed: ${name}` });
  const changes = entry.getByRole("region", { name: "What changed" });
  await expect(changes).toContainText("-   schedule: 0 0 1 1 *");
  await expect(changes).toContainText('+   schedule: "@every 1h"');
  expect(await page.content()).not.toContain("hunter2");
  await expect(entry).toContainText("127.0.0.1");

  await entry.getByTitle("Everything that was done to it").click();
  await expect(table.getByRole("row")).toHaveCount(3);
  await table.getByRole("link", { name }).first().click();
  await expect(page).toHaveURL(/\/settings\/canaries\/[0-9a-f-]{36}$/);
});

test("what is shown is downloaded, without secrets @desk", async ({ page, as, sessionOf }) => {
  const { id } = await aStory(await sessionOf("editor"));
  await as("admin");
  const answer = await page.request.get(`/settings/audit.csv?record=${id}`);
  expect(answer.headers()["content-type"]).toContain("text/csv");
  const lines = (await answer.text()).trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("time,person,action,kind,record");
  expect(lines[1]).toContain("Editor Example,update,canaries");
  expect(lines.join()).not.toContain("hunter2");
  expect((await page.request.get("/settings/audit.csv?from=yesterday")).status()).toBe(400);
});

test("a time that cannot be read is said; a filter that finds nothing leads back @desk", async ({
  page,
  as,
}) => {
  await as("admin");
  await page.goto("/settings/audit?from=yesterday");
  await expect(page.getByText("From must be a time like 2026-10-14T09:41, in UTC")).toBeVisible();
  await page.goto("/settings/audit?record=there-is-no-such-thing");
  await expect(page.getByText("Nothing matches these filters in the last 30 days.")).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL(`${productUrl()}/settings/audit`);
});

test("nobody else sees it, nor the way to it @desk", async ({ page, as }) => {
  await as("editor");
  await page.goto("/settings/canaries");
  await expect(page.getByRole("link", { name: "Audit Log" })).toHaveCount(0);
  expect((await page.request.get("/settings/audit")).status()).toBe(403);
  expect((await page.request.get("/settings/audit.csv")).status()).toBe(403);
  expect((await page.request.get("/api/db/audit_log")).status()).toBe(403);
});
