/** What the bench of the check engine checks: a web server in a process of its own, and one page that can be broken. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** To us: break the page. From us: where we listen, and when the broken page was first seen. */
export type ToTarget = "break";
export type FromTarget = { port: number } | { brokenSeenAt: number };

let isBroken = false;
let wasSeen = false;
const tell = (message: FromTarget) => process.send?.(message);

const server = createServer((request, response) => {
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
