import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogFile } from "./log-file.ts";
import { createObserve, type LoggedEvent } from "./logger.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pilothouse-log-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const event = (message: string): LoggedEvent => ({
  time: "2026-01-02T03:04:05.678Z",
  kind: "warning",
  message,
});
const tick = (ms = 20) => new Promise((done) => setTimeout(done, ms));

test("one JSON line per event; files are turned over by size and only so many are kept", async () => {
  const logs = join(folder, "turned");
  const file = createLogFile(logs, { tell: () => undefined, size: "1K", kept: 2 });
  for (let n = 0; n < 100; n++) {
    file.write("web", event(`number ${n}`));
    if (n % 10 === 0) await tick();
  }
  await file.close();
  expect((await readdir(logs)).sort()).toEqual(["pilothouse.log", "pilothouse.log.1", "pilothouse.log.2"]);
  const lines = (await readFile(join(logs, "pilothouse.log.1"), "utf8")).trim().split("\n");
  expect(JSON.parse(lines[0]!)).toEqual({
    time: "2026-01-02T03:04:05.678Z",
    process: "web",
    kind: "warning",
    message: expect.stringMatching(/^number \d+$/),
  });
  for (const name of await readdir(logs)) expect((await stat(join(logs, name))).size).toBeLessThan(1400);
  expect((await stat(join(logs, "pilothouse.log"))).mode & 0o777).toBe(0o600);
});

test("a file that cannot be written is said once, drops events, and is used again when it can be", async () => {
  const logs = join(folder, "in-the-way");
  await writeFile(logs, "a file where the folder should be");
  const told: string[] = [];
  const file = createLogFile(logs, { tell: (words) => told.push(words), retryMs: 30 });
  for (let n = 0; n < 5; n++) {
    file.write("web", event("lost"));
    await tick(40);
  }
  expect(told).toEqual([`the log file in ${logs} cannot be written (ENOTDIR): events are only shown here`]);
  await rm(logs);
  file.write("web", event("kept"));
  await expect.poll(() => told.at(-1)).toBe(`the log file in ${logs} is written again`);
  await file.close();
  expect(await readFile(join(logs, "pilothouse.log"), "utf8")).toMatch(/"message":"kept"\}\n$/);
  file.write("web", event("after closing: nothing happens"));
});

test("what happens hundreds of times a second is in neither; the start's steps are in the file only", () => {
  const [kept, shown]: [string[], string[]] = [[], []];
  const observe = createObserve({
    json: false,
    write: (line) => shown.push(line),
    keep: ({ kind }) => kept.push(kind),
  });
  observe({ kind: "check.ran", id: "1", status: "healthy", ms: 3 });
  observe({ kind: "start.step", step: "database", ms: 3 });
  observe({ kind: "warning", message: "low on disk" });
  expect(kept).toEqual(["start.step", "warning"]);
  expect(shown.map((line) => line.slice(9))).toEqual(["warning low on disk\n"]);
});
