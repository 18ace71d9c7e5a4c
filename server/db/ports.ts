import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Is the port free to listen on at this address? Returns the system's error code when it is not. */
export function portError(port: number, host = "127.0.0.1"): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(null)));
  });
}

/** Below the ports that systems lend to outgoing connections: one of those could take ours while its server restarts. */
const OURS = { first: 20_000, count: 12_000 };
const TRIES = 20;

/** The wanted loopback port when it is free, else another free one that stays ours across restarts. */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted > 0 && (await portError(wanted)) === null) return wanted;
  for (let n = 0; n < TRIES; n++) {
    const port = OURS.first + randomInt(OURS.count);
    if ((await portError(port)) === null) return port;
  }
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? done(address.port) : fail(new Error("no port")),
      );
    });
  });
}
