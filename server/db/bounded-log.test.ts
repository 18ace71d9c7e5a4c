import { appendFileSync, closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boundLog } from "./bounded-log.ts";

test("the database's log stays under its limit while it is written to", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pilothouse-bounded-"));
  const file = join(folder, "postgres.log");
  const writer = openSync(file, "a"); // as the server holds it
  appendFileSync(writer, "old\n".repeat(100));
  const stop = boundLog(file, { limit: 100, everyMs: 10 });
  await expect.poll(async () => (await stat(file)).size).toBe(0);
  expect(await readFile(`${file}.1`, "utf8")).toBe("old\n".repeat(100));
  appendFileSync(writer, "new\n");
  expect(await readFile(file, "utf8")).toBe("new\n");
  stop();
  closeSync(writer);
  await rm(folder, { recursive: true });
});
