/** What the checks of the chaos run look at, in a process of its own: an address for http, another for tcp. */
import { createServer } from "node:http";
import { createServer as createTcp, type AddressInfo, type Server } from "node:net";

const http = createServer((_, response) => response.end("fine"));
http.keepAliveTimeout = 60_000;
const tcp = createTcp((socket) => socket.on("error", () => undefined).end());
const portOf = (server: Server) => (server.address() as AddressInfo).port;
http.listen(0, "127.0.0.1", () =>
  tcp.listen(0, "127.0.0.1", () => process.send?.({ http: portOf(http), tcp: portOf(tcp) })),
);
process.on("disconnect", () => process.exit(0));
