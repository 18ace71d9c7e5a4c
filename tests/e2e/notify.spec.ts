import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, productUrl, test } from "./fixtures.ts";

/** What was sent to the receiver of a test. */
interface Receiver {
  url: string;
  titles: string[];
  server: Server;
}

async function aReceiver(): Promise<Receiver> {
  const titles: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      titles.push((JSON.parse(text) as { title: string }).title);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`, titles, server };
}

test("somebody is told about a check: added, tried, removed", async ({ page, as, database }) => {
  const receiver = await aReceiver();
  try {
    const { rows } = await database.query("select id from canaries where name = 'storefront'");
    await as("editor");
    await page.goto(`/settings/canaries/${rows[0].id}/notify`);
    const rules = page.getByRole("table", { name: "Who is told" });

    await page.getByLabel("About").selectOption({ label: "Front page (http)" });
    await page.getByLabel("By", { exact: true }).selectOption("Webhook");
    await page.getByLabel("To", { exact: false }).last().fill("ops at example");
    await page.getByLabel("After failures in a row").fill("3");
    await page.getByRole("button", { name: "Add" }).click();
    await expect(page.getByText("This field must be an address that begins with https://")).toBeVisible();
    await expect(page.getByLabel("To", { exact: false }).last()).toHaveValue("ops at example");
    await expect(page.getByLabel("After failures in a row")).toHaveValue("3");

    await page.getByLabel("To", { exact: false }).last().fill(receiver.url);
    await page.getByRole("button", { name: "Add" }).click();
    const row = rules.getByRole("row").filter({ hasText: "Front page" }).last();
    await expect(row).toContainText("Webhook at 127.0.0.1");
    expect(await page.content()).not.toContain("secret-path");

    await row.getByRole("button", { name: "Test" }).click();
    await expect(page.getByText("The test message was sent")).toBeVisible();
    expect(receiver.titles).toEqual(["Test: Front page would be told about here"]);

    await row.getByRole("button", { name: /^Remove/ }).click();
    await expect(page.getByText("Removed", { exact: true })).toBeVisible();
    await expect(rules).toHaveCount(0);
  } finally {
    receiver.server.close();
  }
});

test("a viewer sees who is told, and can change nothing @desk", async ({ page, as, database }) => {
  const { rows } = await database.query("select id from canaries where name = 'ledger'");
  await as("viewer");
  await page.goto(`/settings/canaries/${rows[0].id}/notify`);
  await expect(page.getByText("Nobody is told yet")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add" })).toHaveCount(0);
  const refused = await page.request.post(`${productUrl()}/settings/canaries/${rows[0].id}/notify`, {
    form: { intent: "test", id: rows[0].id },
    headers: { origin: productUrl() },
  });
  expect(refused.status()).toBe(403);
});
