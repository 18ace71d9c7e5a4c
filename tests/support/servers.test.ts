/** Each server that this machine has starts, answers and leaves nothing behind. */
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { available, named, startServer, type ServerName } from "./servers.ts";

const NAMES: ServerName[] = [
  "mariadb",
  "redis",
  "slapd",
  "sshd",
  "smbd",
  "dnsmasq",
  "prometheus",
  "alertmanager",
];

const isOpen = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });

describe.each(NAMES)("%s", (name) => {
  test.skipIf(!available(name))(named(name, "starts, answers, and is gone"), async () => {
    const server = await startServer(name);
    expect(await isOpen(server.port)).toBe(true);
    expect(server.url).toContain(String(server.port));
    await server.stop();
    await expect.poll(() => isOpen(server.port), { timeout: 10_000 }).toBe(false);
    expect(existsSync(server.folder)).toBe(false);
  });
});
