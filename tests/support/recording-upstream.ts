import { createServer, request, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** One call that passed by. */
export interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}
export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/**
 * Stands between a web and its real upstream: passes every call on as it came and remembers it. It can go away, as a
 * backend does when its machine stops, and come back on the same port.
 */
export async function startRecorder(upstream: string) {
  let calls: Call[] = [];
  let server: Server;
  const { hostname, port: target } = new URL(upstream);

  const listen = (at: number) =>
    new Promise<number>((ready, fail) => {
      server = createServer((incoming, answer) => {
        const { method = "GET", url: path = "/", headers } = incoming;
        calls.push({ method, path, headers });
        const onward = request({ hostname, port: target, method, path, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
          reply.pipe(answer);
        });
        onward.on("error", () => answer.destroy());
        answer.on("close", () => onward.destroy());
        incoming.pipe(onward);
      });
      server.once("error", fail);
      server.listen(at, "127.0.0.1", () => ready((server.address() as AddressInfo).port));
    });
  const leave = () =>
    new Promise<void>((gone) => {
      server.close(() => gone());
      server.closeAllConnections();
    });

  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    /** The calls since the last time. */
    take(): Call[] {
      const taken = calls;
      calls = [];
      return taken;
    },
    leave,
    comeBack: async () => void (await listen(port)),
    close: leave,
  };
}
