import { once } from "node:events";
import { connect } from "node:net";
import { TcpSpec } from "#app/contract/specs/checks/tcp.ts";
import { limited } from "../limit.ts";
import { healthy, invalid, runner, unhealthy } from "../runner.ts";

/** Passes when the port accepts a connection within the threshold. */
export const tcp = runner({
  spec: TcpSpec,
  async run({ endpoint, thresholdMillis = 0 }, { signal }) {
    const address = hostAndPort(endpoint);
    if (!address) return invalid(`endpoint "${endpoint}" must be host:port`);
    const limit = limited(signal, thresholdMillis);
    const socket = connect(address);
    try {
      await once(socket, "connect", { signal: limit.signal });
      return healthy();
    } catch (error) {
      if (limit.isLate())
        return unhealthy(`${endpoint} did not accept a connection within ${thresholdMillis} ms`);
      throw error;
    } finally {
      limit.end();
      socket.destroy();
    }
  },
});

/** `host:port` or `[::1]:port`; null when it is neither. */
function hostAndPort(endpoint: string): { host: string; port: number } | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-fA-F:.%]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(endpoint.trim()) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host && port >= 1 && port <= 65_535 ? { host, port } : null;
}
