/**
 * What the benches of the check engine check: a web server in a process of its own, with one page that can be broken, one
 * that never answers and one of a gigabyte.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** To us: break the page. From us: where we listen, and when the broken page was first seen. */
export type ToTarget = "break";
export type FromTarget = { port: number } | { brokenSeenAt: number };

let isBroken = false;
let wasSeen = false;
const tell = (message: FromTarget) => process.send?.(message);

const GIGABYTE = 1024 ** 3;
const CHUNK = Buffer.alloc(64 * 1024, "x");

/** As much as is asked for, as fast as it is taken. */
function pour(response: ServerResponse, size: number): void {
  let left = size;
  const more = () => {
    while (left > 0) {
      left -= CHUNK.length;
      if (!response.write(CHUNK)) return void response.once("drain", more);
    }
    response.end();
  };
  response.writeHead(200, { "content-type": "text/plain", "content-length": size });
  more();
}

const server = createServer((request, response) => {
  if (request.url === "/hang") return;
  if (request.url === "/gigabyte") return pour(response, GIGABYTE);
  const fails = isBroken && request.url === "/flip";
  if (fails && !wasSeen) {
    wasSeen = true;
    tell({ brokenSeenAt: Date.now() });
  }
  response.writeHead(fails ? 500 : 200, { "content-type": "text/plain" }).end("ok");
});
server.listen(0, "127.0.0.1", () => tell({ port: (server.address() as AddressInfo).port }));
process.on("message", (message: ToTarget) => void (isBroken = message === "break"));
process.on("disconnect", () => process.exit(0));
