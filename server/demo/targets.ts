/** What the demo's checks ask: two small servers on loopback, one of them with a certificate that has expired. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#server/db/ports.ts";
import { EXPIRED } from "./certificate.ts";
import { answerOf, noise } from "./stories.ts";

/** Origins of the two. */
export interface Targets {
  http: string;
  https: string;
}

const LONGEST_MS = 5000;

/** Starts both on the ports wanted where these are free, so that addresses stay the same from start to start. */
export async function startTargets(
  wanted: { http?: number; https?: number } = {},
): Promise<Targets & { stop(): Promise<void> }> {
  let asked = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const [, story = "", ms = ""] = (request.url ?? "").split("/");
    const { status, body, slowness } = answerOf(story, Date.now());
    const usual = Math.min(Number(ms) || 0, LONGEST_MS) * slowness;
    const wait = usual * (0.75 + 0.5 * noise(++asked));
    void sleep(wait, undefined, { ref: false }).then(() => {
      response.writeHead(status, { "content-type": "text/plain", "cache-control": "no-store" });
      response.end(`${body}\n`);
    });
  };
  const servers = [createServer(answer), createSecureServer(EXPIRED, answer)] as const;
  const ports = [await freePort(wanted.http), await freePort(wanted.https)];
  await Promise.all(
    servers.map(
      (server, index) =>
        new Promise<void>((done, fail) => {
          server.once("error", fail).listen(ports[index], "127.0.0.1", done);
        }),
    ),
  );
  const portOf = (server: (typeof servers)[number]) => (server.address() as AddressInfo).port;
  return {
    http: `http://127.0.0.1:${portOf(servers[0])}`,
    https: `https://127.0.0.1:${portOf(servers[1])}`,
    async stop() {
      await Promise.all(
        servers.map((server) => {
          const closed = new Promise((done) => server.close(done));
          server.closeAllConnections();
          return closed;
        }),
      );
    },
  };
}
