/** A server that accepts and never answers: every runner ends at its time limit and leaves no connection behind. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./run-check.ts";

let server: Server;
let port = 0;
const open = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    socket.resume();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

const SPECS: [string, string, () => object][] = [
  ["postgres", "postgres", () => ({ url: `postgres://me:pass@127.0.0.1:${port}/x` })],
  ["mysql", "mysql", () => ({ url: `mysql://me:pass@127.0.0.1:${port}/x` })],
  ["mssql", "mssql", () => ({ url: `sqlserver://me:pass@127.0.0.1:${port}` })],
  ["redis", "redis", () => ({ url: `redis://me:pass@127.0.0.1:${port}` })],
  ["redis with TLS", "redis", () => ({ url: `rediss://me:pass@127.0.0.1:${port}` })],
  ["mongodb", "mongodb", () => ({ url: `mongodb://127.0.0.1:${port}` })],
  ["ldap", "ldap", () => ({ url: `ldap://127.0.0.1:${port}`, bindDN: "dc=x", userSearch: "(uid=a)" })],
  [
    "s3",
    "s3",
    () => ({ bucketName: "b", endpoint: `http://127.0.0.1:${port}`, accessKey: "a", secretKey: "b" }),
  ],
  [
    "S3 with TLS",
    "folder",
    () => ({ path: "s3://b", awsConnection: { endpoint: `https://127.0.0.1:${port}` } }),
  ],
  ["GCS", "folder", () => ({ path: "gcs://b", gcpConnection: { endpoint: `http://127.0.0.1:${port}` } })],
  [
    "SFTP",
    "folder",
    () => ({ path: "/", sftpConnection: { host: "127.0.0.1", port, username: "a", password: "b" } }),
  ],
  [
    "SMB",
    "folder",
    () => ({ path: "smb://127.0.0.1/s", smbConnection: { port, username: "a", password: "b" } }),
  ],
];

test.each(SPECS)("%s: fifty runs against it leave nothing", async (_, type, spec) => {
  await run(type, spec(), { timeoutMs: 800 }); // what is loaded once
  const handles = () =>
    process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|Pipe/.test(name)).length;
  const before = handles();
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => run(type, spec(), { timeoutMs: 400 })));
  for (const outcome of outcomes) {
    expect(outcome.status).toBe("unhealthy");
    expect(outcome.error).not.toContain("pass@");
  }
  await expect.poll(() => open.size, { timeout: 6000 }).toBe(0);
  await expect.poll(handles, { timeout: 6000 }).toBeLessThanOrEqual(before + 2);
});
