import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands before an upstream and hides what its summary can do beyond the contract, as a remote backend would. */
export async function startForgetful(upstream: string) {
  const { hostname, port } = new URL(upstream);
  const server = createServer((incoming, answer) => {
    const { method, url: path = "/", headers } = incoming;
    const isSummary = path.startsWith("/canary/api/summary");
    const sent = isSummary ? { ...headers, "content-length": "2" } : headers;
    const onward = request({ hostname, port, method, path, headers: sent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    if (isSummary) incoming.resume().on("end", () => onward.end("{}"));
    else incoming.pipe(onward);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((gone) => {
        server.close(() => gone());
        server.closeAllConnections();
      }),
  };
}
