/**
 * The load generator, a process of its own: keep-alive connections over plain sockets, one request in flight on each,
 * as little parsing as tells where an answer ends, so that what is measured is the server.
 */
import net from "node:net";

export interface Order {
  port: number;
  /** Complete request texts, taken in turn. */
  requests: string[];
  connections: number;
  seconds: number;
}

export interface Outcome {
  requests: number;
  /** Answers whose status was not the first answer's, or connections that broke. */
  failures: number;
  seconds: number;
  /** Milliseconds. */
  median: number;
  p99: number;
}

process.on("message", (order: Order) => {
  void run(order).then((outcome) => process.send?.(outcome));
});

async function run(order: Order): Promise<Outcome> {
  const requests = order.requests.map((text) => Buffer.from(text, "latin1"));
  const times: number[] = [];
  const state = { next: 0, failures: 0, status: "" };
  const start = performance.now();
  const deadline = start + order.seconds * 1000;
  await Promise.all(
    Array.from({ length: order.connections }, () => connection(order.port, requests, deadline, times, state)),
  );
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, failures: state.failures, seconds, median: at(0.5), p99: at(0.99) };
}

/** One connection until the deadline. */
function connection(
  port: number,
  requests: Buffer[],
  deadline: number,
  times: number[],
  state: { next: number; failures: number; status: string },
): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let sent = 0;
    let head = "";
    let left = -1; // bytes of the body still to come; -1: head not complete; -2: chunked, until the last chunk
    let tail = "";

    const ask = () => {
      if (performance.now() >= deadline) return socket.end(() => resolve());
      sent = performance.now();
      head = "";
      left = -1;
      tail = "";
      socket.write(requests[state.next++ % requests.length]!);
    };
    const answered = () => {
      times.push(performance.now() - sent);
      const status = head.slice(9, 12);
      state.status ||= status;
      if (status !== state.status) state.failures++;
      ask();
    };
    socket.on("connect", ask);
    socket.on("data", (chunk: Buffer) => {
      let body: Buffer = chunk;
      if (left === -1) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        const rest = Buffer.from(head.slice(end + 4), "latin1");
        head = head.slice(0, end).toLowerCase();
        const length = /\r\ncontent-length: *(\d+)/.exec(head);
        left = head.includes("\r\ntransfer-encoding: chunked") ? -2 : Number(length?.[1] ?? 0);
        body = rest;
      }
      if (left === -2) {
        tail = (tail + body.subarray(-5).toString("latin1")).slice(-5);
        if (tail === "0\r\n\r\n") answered();
        return;
      }
      left -= body.length;
      if (left <= 0) answered();
    });
    socket.on("error", () => {
      state.failures++;
      resolve();
    });
    socket.on("close", () => resolve());
  });
}
