import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Reference } from "#app/contract/env-var.ts";
import { createLookUp } from "./references.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "references-"));
  await mkdir(join(folder, "secrets/db"), { recursive: true });
  await mkdir(join(folder, "configmaps/db"), { recursive: true });
  await writeFile(join(folder, "secrets/db/password"), "from the file\n");
  await writeFile(join(folder, "configmaps/db/host"), "db.example");
  await writeFile(join(folder, "outside"), "not for you");
});
afterAll(() => rm(folder, { recursive: true }));

const secret = (name: string, key: string) => new Reference("secret", name, key);
const variables = {
  PH_SECRET_DB_PASSWORD: "from the environment",
  PH_SECRET_MY_APP_API_KEY: "key of the app",
  PH_CONFIGMAP_DB_PORT: "5432",
};

test("files are asked first, then the environment", async () => {
  const lookUp = createLookUp({ folder, variables });
  expect(await lookUp(secret("db", "password"))).toBe("from the file");
  expect(await lookUp(secret("my-app", "api.key"))).toBe("key of the app");
  expect(await lookUp(new Reference("configmap", "db", "host"))).toBe("db.example");
  expect(await lookUp(new Reference("configmap", "db", "port"))).toBe("5432");
  expect(await createLookUp({ folder: null, variables })(secret("db", "password"))).toBe(
    "from the environment",
  );
});

test("a change of a file is seen, whatever is remembered", async () => {
  const lookUp = createLookUp({ folder, variables });
  const path = join(folder, "secrets/db/changing");
  await writeFile(path, "first");
  expect(await lookUp(secret("db", "changing"))).toBe("first");
  await writeFile(path, "other");
  await utimes(path, new Date(), new Date(Date.now() + 5000));
  expect(await lookUp(secret("db", "changing"))).toBe("other");
  await rm(path);
  await expect(lookUp(secret("db", "changing"))).rejects.toThrow("was not found");
});

test("what is missing is named, with both places that were looked at", async () => {
  await expect(createLookUp({ folder, variables })(secret("db", "nothing"))).rejects.toThrow(
    "secret db/nothing was not found: there is no file secrets/db/nothing in PILOTHOUSE_CONFIG, and there is no environment variable PH_SECRET_DB_NOTHING",
  );
  await expect(createLookUp({ folder: null, variables: {} })(secret("db", "password"))).rejects.toThrow(
    "secret db/password was not found: PILOTHOUSE_CONFIG, whose files are asked first, is not set, and there is no environment variable PH_SECRET_DB_PASSWORD",
  );
});

test.each([
  ["..", "outside"],
  ["db", ".."],
  ["../secrets/db", "password"],
  ["db/../db", "password"],
  ["db", "password\0"],
  ["", "password"],
  ["constructor", "/etc/passwd"],
])("the name %j with the key %j does not lead out of the folder", async (name, key) => {
  await expect(createLookUp({ folder, variables })(secret(name, key))).rejects.toThrow(
    /cannot be looked up: names have letters/,
  );
});

test("names of JavaScript's own are no variables", async () => {
  await expect(
    createLookUp({ folder: null, variables: {} })(new Reference("secret", "to", "string")),
  ).rejects.toThrow("was not found");
});

test.each([
  [new Reference("helm", "chart", "key"), "helmRef needs Kubernetes"],
  [new Reference("serviceaccount", "robot"), "serviceAccount needs Kubernetes"],
])("%j is known and refused", async (reference, words) => {
  await expect(createLookUp({ folder, variables })(reference)).rejects.toThrow(words);
});
