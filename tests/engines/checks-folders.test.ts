/** Folders elsewhere and buckets: each over its own protocol, against a real server where Debian has one. */
import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { S3Client, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "#server/engines/checks/runner.ts";
import { available, named, started, type TestServer } from "#tests/support/servers.ts";
import { aGoogleStore, anS3Store } from "./fixtures/object-stores.ts";
import { connections, run } from "./run-check.ts";

const DAY_MS = 86_400_000;
const old = new Date(Date.now() - 3 * DAY_MS);
const saying = (words: string | RegExp): unknown =>
  typeof words === "string" ? words : expect.stringMatching(words);
const namesOf = ({ details }: Outcome) =>
  (details as { files: { name: string }[] } | undefined)?.files.map(({ name }) => name).sort();

/** Two files, one of them old, and one in folders inside; a link to the first, where links are told apart. */
async function fill(folder: string): Promise<void> {
  await mkdir(join(folder, "deep/er"), { recursive: true });
  await writeFile(join(folder, "new.log"), "x".repeat(100));
  await writeFile(join(folder, "old.gz"), "x".repeat(5000));
  await utimes(join(folder, "old.gz"), old, old);
  await writeFile(join(folder, "deep/er/inner.gz"), "x");
  for (const path of ["", "deep", "deep/er"]) await chmod(join(folder, path), 0o777);
}

const CASES: [string, object, string[]][] = [
  ["the files of a folder", { minCount: 2, maxCount: 2 }, ["new.log", "old.gz"]],
  ["with the folders inside", { recursive: true }, ["inner.gz", "new.log", "old.gz"]],
  ["a pattern", { inside: "/*.gz" }, ["old.gz"]],
  ["a pattern over folders", { inside: "/**/*.gz" }, ["inner.gz", "old.gz"]],
  ["only big ones", { filter: { minSize: "1k" } }, ["old.gz"]],
  ["none, where there is no folder", { inside: "/absent", maxCount: 0 }, []],
];

describe.skipIf(!available("sshd"))(named("sshd", "a folder over SFTP"), () => {
  const server = started("sshd");
  const spec = (more: Record<string, unknown> = {}) => {
    const { inside = "", ...rest } = more;
    const { host, port, username, password } = server;
    const path = `${server.folder}/files${String(inside)}`;
    return { path, sftpConnection: { host, port, username: { value: username }, password }, ...rest };
  };
  beforeAll(async () => {
    await fill(join(server.folder, "files"));
    await mkdir(join(server.folder, "links"));
    await symlink(join(server.folder, "files/old.gz"), join(server.folder, "links/link"));
    await symlink(join(server.folder, "files"), join(server.folder, "links/folder"));
  });

  test.each(CASES)("finds %s", async (_, more, names) => {
    const outcome = await run("folder", spec(more as Record<string, unknown>));
    expect([outcome.error, namesOf(outcome)]).toEqual([undefined, names]);
  });

  test("says how old files are, and how much space is left", async () => {
    const outcome = await run(
      "folder",
      spec({ maxAge: "1d", availableSize: "1k", filter: { minAge: "2d" } }),
    );
    expect(outcome).toMatchObject({
      error: "old.gz is too old: 3d, at most 1d expected",
      details: { oldest: { size: 5000, mode: "0644" }, availableSize: expect.any(Number) },
    });
  });

  test("a link to a file is the file, one to a folder is passed over", async () => {
    const outcome = await run("folder", { ...spec(), path: `${server.folder}/links` });
    expect(outcome).toMatchObject({ details: { count: 1, newest: { name: "link", size: 5000 } } });
  });

  test("the server may be in the path, or a stored connection's", async () => {
    const { host, port, username, password, folder } = server;
    const path = `sftp://${host}:${port}${folder}/files`;
    expect(await run("folder", { path, sftpConnection: { username, password }, minCount: 2 })).toMatchObject({
      status: "healthy",
    });
    connections.set("connection://sftp", {
      url: host,
      username,
      password,
      properties: { port: String(port) },
    });
    const stored = { connection: "connection://sftp" };
    expect(await run("folder", { ...spec({ minCount: 2 }), sftpConnection: stored })).toMatchObject({
      status: "healthy",
    });
    // Its password is for its own host.
    expect(
      await run("folder", { ...spec(), sftpConnection: { ...stored, host: "elsewhere.test" } }),
    ).toMatchObject({
      invalid: true,
      error: `sftpConnection.host: connection://sftp is for the host ${host}`,
    });
  });

  test.each<[string, object, string | RegExp]>([
    ["a wrong password", { password: "wrong-word" }, /authentication methods failed/],
    ["nobody there", { port: 1 }, /ECONNREFUSED/],
    ["no host", { host: undefined }, "sftpConnection.host: This field is required"],
    ["no user", { username: undefined }, "sftpConnection.username: This field is required"],
  ])("fails: %s", async (_, more, words) => {
    const given = spec();
    const outcome = await run("folder", { ...given, sftpConnection: { ...given.sftpConnection, ...more } });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/only-for-this-run|wrong-word/);
  });
});

describe.skipIf(!available("smbd"))(named("smbd", "a Windows share over SMB"), () => {
  const server = started("smbd");
  const login = ({ username, password, port }: TestServer) => ({ username, password, port });
  const spec = (more: Record<string, unknown> = {}) => {
    const { inside = "", ...rest } = more;
    return { path: `smb://127.0.0.1/share/files${String(inside)}`, smbConnection: login(server), ...rest };
  };
  beforeAll(() => fill(join(server.folder, "share/files")));

  test.each(CASES)("finds %s", async (_, more, names) => {
    const outcome = await run("folder", spec(more as Record<string, unknown>));
    expect([outcome.error, namesOf(outcome)]).toEqual([undefined, names]);
  });

  test("says how old and how big files are, in a path as Windows writes it", async () => {
    const outcome = await run("folder", { ...spec({ maxAge: "1d" }), path: "\\\\127.0.0.1\\share\\files" });
    expect(outcome).toMatchObject({
      error: "old.gz is too old: 3d, at most 1d expected",
      details: { oldest: { size: 5000, path: "files/old.gz" } },
    });
  });

  test("a stored connection gives the host and the credentials", async () => {
    const { port, username, password } = server;
    connections.set("connection://smb", { url: `smb://127.0.0.1:${port}`, username, password });
    const smbConnection = { connection: "connection://smb" };
    expect(await run("folder", { ...spec({ minCount: 2 }), smbConnection })).toMatchObject({
      status: "healthy",
    });
    expect(await run("folder", { path: "smb://elsewhere.test/share", smbConnection })).toMatchObject({
      error: "path: connection://smb is for the host 127.0.0.1",
    });
  });

  test.each<[string, object, string | RegExp]>([
    [
      "a wrong password",
      { smbConnection: { username: "tester", password: "wrong-word" } },
      /does not let this user in/,
    ],
    ["no such share", { path: "smb://127.0.0.1/missing" }, "the server has no such share"],
    ["no share", { path: "smb://127.0.0.1" }, /must be smb:\/\/host\/share/],
    ["nobody there", { smbConnection: { port: 1 } }, /ECONNREFUSED/],
    ["space that nobody tells", { availableSize: "1k" }, /^available size unknown/],
    [
      "another's connection",
      { sftpConnection: { host: "x" } },
      /^sftpConnection does not go with the path smb:/,
    ],
  ])("fails: %s", async (_, more, words) => {
    const { smbConnection, ...rest } = more as { smbConnection?: object };
    const outcome = await run("folder", {
      ...spec(rest),
      smbConnection: { ...login(server), ...smbConnection },
    });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/only-for-this-run|wrong-word/);
  });
});

describe("S3, against a store from a library, which knows keys by their name only (no other can be had here)", () => {
  let store: Awaited<ReturnType<typeof anS3Store>>;
  const open = () => ({
    endpoint: store.endpoint,
    accessKey: store.accessKey,
    secretKey: { value: store.secretKey },
  });
  beforeAll(async () => {
    store = await anS3Store("bucket");
    const { endpoint, accessKey: accessKeyId, secretKey: secretAccessKey } = store;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({
      region: "us-east-1",
      endpoint,
      forcePathStyle: true,
      credentials,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });
    for (const [Key, size] of [
      ["files/new.log", 100],
      ["files/old.gz", 5000],
      ["files/deep/er/inner.gz", 1],
    ] as const)
      await client.send(new PutObjectCommand({ Bucket: "bucket", Key, Body: "x".repeat(size) }));
    client.destroy();
  });
  afterAll(() => store.close());

  test.each(CASES)("finds %s", async (_, more, names) => {
    const { inside = "", ...rest } = more as { inside?: string };
    const outcome = await run("folder", {
      path: `s3://bucket/files${inside}`,
      awsConnection: open(),
      ...rest,
    });
    expect([outcome.error, namesOf(outcome)]).toEqual([undefined, names]);
  });

  test("the connection may name the bucket and the objects", async () => {
    const awsConnection = { ...open(), bucket: "bucket", objectPath: "files/*.gz" };
    expect(namesOf(await run("folder", { path: "s3://", awsConnection }))).toEqual(["old.gz"]);
  });

  test("a stored connection's keys go to its own endpoint only", async () => {
    const { endpoint, accessKey: username, secretKey: password } = store;
    connections.set("connection://s3", {
      url: endpoint,
      username,
      password,
      properties: { region: "us-east-1" },
    });
    const awsConnection = { connection: "connection://s3" };
    expect(await run("folder", { path: "s3://bucket/files", awsConnection, minCount: 2 })).toMatchObject({
      status: "healthy",
    });
    const elsewhere = { ...awsConnection, endpoint: "http://elsewhere.test" };
    expect(await run("folder", { path: "s3://bucket", awsConnection: elsewhere })).toMatchObject({
      error: "endpoint: connection://s3 has its own, leave this one out",
    });
  });

  test.each<[string, object, string | RegExp]>([
    ["a wrong key", { accessKey: "wrong-word" }, /InvalidAccessKeyId|does not exist/],
    ["nobody there", { endpoint: "http://127.0.0.1:1" }, /ECONNREFUSED/],
  ])("fails: %s", async (_, more, words) => {
    const outcome = await run("folder", { path: "s3://bucket/files", awsConnection: { ...open(), ...more } });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toContain("wrong-word");
  });

  test("without keys it asks as anybody may", async () => {
    const awsConnection = { endpoint: store.endpoint };
    expect(namesOf(await run("folder", { path: "s3://bucket/files", awsConnection }))).toEqual([
      "new.log",
      "old.gz",
    ]);
  });

  test("the type s3 lists, writes and reads back", async () => {
    expect(await run("s3", { bucketName: "bucket", ...open() })).toMatchObject({
      status: "healthy",
      details: { bucket: "bucket", object: "pilothouse-check" },
    });
    expect(await run("s3", { bucketName: "bucket", objectPath: "/a/b", ...open() })).toMatchObject({
      details: { object: "a/b" },
    });
    expect(await run("s3", { bucketName: "absent", ...open() })).toMatchObject({
      status: "unhealthy",
      error: expect.stringMatching(/^list: NoSuchBucket/),
    });
  });
});

describe("Google Cloud Storage, against a counterpart that speaks the calls of a listing (no such store can be had here)", () => {
  let store: Awaited<ReturnType<typeof aGoogleStore>>;
  const open = () => ({ endpoint: store.endpoint, credentials: { value: store.credentials } });
  beforeAll(async () => {
    store = await aGoogleStore("bucket", [
      { name: "files/", size: "0", updated: new Date().toISOString() },
      { name: "files/new.log", size: "100", updated: new Date().toISOString() },
      { name: "files/old.gz", size: "5000", updated: old.toISOString() },
      { name: "files/deep/er/inner.gz", size: "1", updated: new Date().toISOString() },
    ]);
  });
  afterAll(() => store.close());

  test.each(CASES)("finds %s", async (_, more, names) => {
    const { inside = "", ...rest } = more as { inside?: string };
    const outcome = await run("folder", {
      path: `gcs://bucket/files${inside}`,
      gcpConnection: open(),
      ...rest,
    });
    expect([outcome.error, namesOf(outcome)]).toEqual([undefined, names]);
  });

  test("a stored connection has the credentials in its certificate", async () => {
    connections.set("connection://gcs", { url: store.endpoint, certificate: store.credentials });
    const gcpConnection = { connection: "connection://gcs", bucket: "bucket" };
    expect(
      await run("folder", { path: "gcs://", recursive: true, gcpConnection, minCount: 3 }),
    ).toMatchObject({
      status: "healthy",
    });
  });

  test.each<[string, object, string | RegExp]>([
    ["no credentials", { credentials: undefined }, /^401 .*Anonymous caller/],
    [
      "odd credentials",
      { credentials: "wrong-word" },
      "credentials must be the JSON of a service account's key",
    ],
    ["nobody there", { endpoint: "http://127.0.0.1:1", credentials: undefined }, /ECONNREFUSED/],
  ])("fails: %s", async (_, more, words) => {
    const outcome = await run("folder", {
      path: "gcs://bucket/files",
      gcpConnection: { ...open(), ...more },
    });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
    expect(JSON.stringify(outcome)).not.toMatch(/wrong-word|PRIVATE KEY/);
  });
});
