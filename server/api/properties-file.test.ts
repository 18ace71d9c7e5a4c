import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Observation } from "#server/observe/observation.ts";
import { createLocalProperties, parseProperties } from "./properties-file.ts";

const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))));
async function aFolder(text?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pilothouse-properties-"));
  folders.push(folder);
  if (text !== undefined) await writeFile(join(folder, "pilothouse.properties"), text);
  return folder;
}

test("lines of name and value, comments and blank lines aside; the last of a name counts", () => {
  expect(
    parseProperties("# flags\nlogs.disable=true\n\n! more\n a.b : c=d \r\nempty=\nlogs.disable = false\n"),
  ).toEqual([
    { name: "logs.disable", value: "false" },
    { name: "a.b", value: "c=d" },
    { name: "empty", value: "" },
  ]);
  expect(() => parseProperties("a=b\nlogs.disable")).toThrow("line 2 is not name=value");
});

test("a file that comes, changes and goes is followed", async () => {
  const folder = await aFolder();
  let time = 0;
  const later = () => (time += 10_000);
  const properties = createLocalProperties(
    folder,
    () => undefined,
    () => time,
  );
  expect(await properties()).toEqual([]);
  await writeFile(join(folder, "pilothouse.properties"), "logs.disable=true");
  later();
  expect(await properties()).toEqual([{ name: "logs.disable", value: "true" }]);
  await rm(join(folder, "pilothouse.properties"));
  later();
  expect(await properties()).toEqual([]);
});

test("a mistake is reported once, and what held before still holds", async () => {
  const folder = await aFolder("logs.disable=true");
  const seen: Observation[] = [];
  let time = 0;
  const properties = createLocalProperties(
    folder,
    (observation) => seen.push(observation),
    () => time,
  );
  await properties();
  await writeFile(join(folder, "pilothouse.properties"), "logs.disable=true\nnonsense");
  for (const _ of [1, 2]) {
    time += 10_000;
    expect(await properties()).toEqual([{ name: "logs.disable", value: "true" }]);
  }
  expect(seen).toEqual([
    {
      kind: "warning",
      message: "pilothouse.properties in PILOTHOUSE_CONFIG is not used: line 2 is not name=value.",
    },
  ]);
});

test("without a folder there are none", async () => {
  expect(await createLocalProperties(null, () => undefined)()).toEqual([]);
});
