import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import { limitBytes } from "./client.ts";

export interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
  /** Closes every connection. */
  destroy(): void;
}

/** Agents of one run, for libraries that speak HTTP: nothing is shared, and no more than `limit` bytes come in over each connection. */
export function ownAgents({ limit, insecureTls }: { limit: number; insecureTls: boolean }): Agents {
  const open = new Set<Duplex>();
  const watched = <T extends Duplex | null | undefined>(socket: T): T => {
    if (!socket) return socket;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    limitBytes(socket, limit, () =>
      socket.destroy(new Error(`the answer is longer than ${Math.round(limit / 1024 / 1024)} MiB`)),
    );
    return socket;
  };
  class Http extends HttpAgent {
    override createConnection(
      options: ClientRequestArgs,
      done?: Parameters<HttpAgent["createConnection"]>[1],
    ) {
      return watched(super.createConnection(options, done));
    }
  }
  class Https extends HttpsAgent {
    override createConnection(
      options: ClientRequestArgs,
      done?: Parameters<HttpsAgent["createConnection"]>[1],
    ) {
      return watched(super.createConnection(options, done));
    }
  }
  const options: AgentOptions = { keepAlive: false };
  return {
    http: new Http(options),
    https: new Https({ ...options, rejectUnauthorized: !insecureTls }),
    destroy() {
      for (const socket of open) socket.destroy();
    },
  };
}
