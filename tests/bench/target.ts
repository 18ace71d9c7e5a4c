/**
 * What the http checks of a bench ask, a process of its own: 200 at once, except 503 below /down and every tenth time
 * below /flaky. Sends its port when it listens, and to any message the number of requests so far.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let hits = 0;
const server = createServer(({ url = "" }, response) => {
  hits++;
  const isWell = !url.startsWith("/down") && !(url.startsWith("/flaky") && hits % 10 === 0);
  response.writeHead(isWell ? 200 : 503).end("fine");
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => process.send?.({ hits }));
process.on("disconnect", () => process.exit(0));
