/** Files in and out: with a script, without one, and on a phone. */
import { expect, test } from "./fixtures.ts";

/** Journeys of one product: each brings a canary of its own. */
const yamlOf = (name: string) =>
  [
    "kind: Canary",
    `metadata: { name: ${name} }`,
    'spec: { schedule: "0 0 1 1 *", tcp: [{ name: door, endpoint: "127.0.0.1:1" }] }',
    "---",
    "kind: Canary",
    "metadata: { name: mistaken }",
    "spec: { htpp: [] }",
  ].join("\n");

test("a file is checked, then imported, and what is wrong with it is said with its line", async ({
  page,
  as,
}, { project }) => {
  const name = `brought-along-${project.name}`;
  const yaml = yamlOf(name);
  await as("editor");
  await page.goto("/settings/canaries");
  await page.getByRole("link", { name: "Import" }).click();
  const file = { name: "shop.yaml", mimeType: "application/yaml", buffer: Buffer.from(yaml) };
  await page.getByLabel("Choose a file").setInputFiles(file);
  await page.getByRole("button", { name: "Check only" }).click();
  const report = page.getByRole("region", { name: "Report" });
  await expect(report).toContainText("shop.yaml, Canaries: 1 would be refused, 1 would be applied");
  await expect(report).toContainText("line 7, column 9: htpp is no type of check: http is meant?");
  await expect(page.locator("textarea[name=text]")).toHaveValue(yaml);

  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(report).toContainText("1 refused, 1 applied");
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.goto(`/settings/canaries?query=${name}`);
  await expect(page.getByRole("link", { name }).first()).toBeVisible();
});

test("a viewer is not offered it @desk", async ({ page, as }) => {
  await as("viewer");
  await page.goto("/settings/canaries");
  await expect(page.getByRole("link", { name: "Import" })).toHaveCount(0);
  expect((await page.goto("/settings/canaries/import"))?.status()).toBe(403);
});
