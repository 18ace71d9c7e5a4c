/**
 * The senders of pings, a process of its own. Open loop: a ping is sent at its instant whatever the server does, and its
 * time counts from that instant to the end of the answer.
 */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface PingOrder {
  url: string;
  /** Tokens, taken in turn. */
  tokens: string[];
  rate: number;
  seconds: number;
  connections: number;
}
export interface PingOutcome {
  sent: number;
  /** How many pings of each token were answered 200. */
  stored: Record<string, number>;
  errors: Record<string, number>;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** From the first instant to the last answer. */
  seconds: number;
}

const LIMIT_MS = 15_000;
/** Every how many pings one has a body, and what it is. */
const WITH_BODY = 4;
const BODY = "backup of 3 databases: 12.4 GB in 00:03:12, nothing skipped\n".repeat(5);

/** How long the senders practise, in seconds: what their own compiling costs would be counted as the server's. */
const PRACTICE_S = 2;

process.on("message", (order: PingOrder) => {
  void practise(order)
    .then(() => ping(order))
    .then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit(0));

/** The same pings to a server of our own; the one that is measured hears nothing of it and is as cold as it was. */
async function practise(order: PingOrder): Promise<void> {
  const server = createServer((call, answer) => call.resume().once("end", () => answer.end("OK")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await ping({ ...order, url: `http://127.0.0.1:${port}`, seconds: PRACTICE_S });
  server.close();
  server.closeAllConnections();
}

async function ping({ url, tokens, rate, seconds, connections }: PingOrder): Promise<PingOutcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const total = Math.round(rate * seconds);
  const times: number[] = [];
  const stored: Record<string, number> = {};
  const errors: Record<string, number> = {};
  const pending: Promise<void>[] = [];
  const start = performance.now() + 100;
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * rate) / 1000) + 1);
    for (; sent < due; sent++) {
      const token = tokens[sent % tokens.length]!;
      const intended = start + (sent * 1000) / rate;
      pending.push(
        one(agent, `${url}/canary/heartbeat/${token}`, sent % WITH_BODY === 0 ? BODY : null).then((error) => {
          times.push(performance.now() - intended);
          if (error === null) stored[token] = (stored[token] ?? 0) + 1;
          else errors[error] = (errors[error] ?? 0) + 1;
        }),
      );
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  await Promise.all(pending);
  const took = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    sent: total,
    stored,
    errors,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
    seconds: took,
  };
}

/** Null when it was answered 200, else why not. */
function one(agent: Agent, url: string, body: string | null): Promise<string | null> {
  return new Promise((done) => {
    const call = request(url, { agent, method: body === null ? "GET" : "POST" }, (response) => {
      response.resume();
      response.once("end", () => done(response.statusCode === 200 ? null : `status ${response.statusCode}`));
      response.once("error", (error) => done(error.message));
    });
    call.once("error", (error) => done(error.message));
    call.setTimeout(LIMIT_MS, () => call.destroy(new Error("no answer")));
    call.end(body ?? undefined);
  });
}
