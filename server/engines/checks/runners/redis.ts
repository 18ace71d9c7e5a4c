import { connect, isIP, type Socket } from "node:net";
import type { z } from "zod";
import { RedisSpec } from "#app/contract/specs/checks/redis.ts";
import { fill, healthy, invalid, runner, unhealthy } from "../runner.ts";
import { closing, limitBytes, seeingSockets } from "./client.ts";

type Spec = z.output<typeof RedisSpec>;

/** Bytes that all answers together may have: there is little to say. */
const BYTE_LIMIT = 64 * 1024;

/** Passes when PING is answered with PONG. */
export const redis = runner({
  spec: RedisSpec,
  async run(spec, context) {
    const stored = spec.connection ? await context.connection(spec.connection) : undefined;
    const address = addressOf(spec.url ?? spec.addr ?? stored?.url ?? "", spec, {
      username: spec.username ?? stored?.username,
      password: spec.password ?? stored?.password,
    });
    if (typeof address === "string") return invalid(address);
    const { createClient } = (await import("@redis/client")).default;
    const { host, port, tls, ...login } = address;
    const sockets = new Set<Socket>();
    const destroy = () => {
      if (client.isOpen) client.destroy();
      for (const socket of sockets) socket.destroy();
    };
    const seen = (socket: Socket) => {
      sockets.add(socket);
      limitBytes(socket, BYTE_LIMIT, destroy);
    };
    // Its own way to TLS makes a socket that nobody else sees.
    const plain = seeingSockets(seen, () => (tls ? connect({ host, port }) : null));
    const trust = { rejectUnauthorized: !stored?.insecureTls, servername: isIP(host) ? "" : host };
    const client = createClient({
      ...login,
      socket: {
        host,
        port,
        connectTimeout: context.timeoutMs,
        reconnectStrategy: false,
        ...(plain ? { tls: true, socket: plain, ...trust } : {}),
      },
    });
    client.on("error", () => undefined);
    const close = async () => void (client.isOpen && (await client.close()));
    return closing({ close, destroy }, context.signal, async () => {
      await seeingSockets(seen, () => client.connect());
      const answer = await client.ping();
      if (answer === "PONG") return healthy();
      return unhealthy(`PING was answered with ${answer.slice(0, 100)}, expected PONG`);
    });
  },
});

interface Address {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
  database?: number;
}

/** The parts of a URL or of `host:port`; a sentence when it is neither. Values are filled in after they are told apart. */
function addressOf(
  text: string,
  { db }: Spec,
  values: { username: string | undefined; password: string | undefined },
): Address | string {
  const whole = text.includes("://") ? text : `redis://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol))
    return "url must be redis://host:6379 or rediss://…, addr host:6379";
  const username = fill(decodeURIComponent(url.username), values) || values.username;
  const password = fill(decodeURIComponent(url.password), values) || values.password;
  const [, number] = /^\/(\d+)$/.exec(url.pathname) ?? [];
  const database = db ?? (number === undefined ? undefined : Number(number));
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 6379),
    tls: url.protocol === "rediss:",
    ...(username && password ? { username } : {}),
    ...(password ? { password } : {}),
    ...(database === undefined ? {} : { database }),
  };
}
