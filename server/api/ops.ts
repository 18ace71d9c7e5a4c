/** What operators ask: is it alive, and its numbers. */
import type { Metrics } from "#server/observe/metrics.ts";
import type { Route } from "./router.ts";

/**
 * `/health` answers without credentials and without touching the database, and so does the one number that the product
 * watches itself by (decision 0043); `/metrics` asks for an admin.
 */
export function opsRoutes(metrics: Metrics): Route[] {
  return [
    { method: "GET", path: "/health", who: "anyone", handler: (c) => c.text("OK") },
    {
      method: "GET",
      path: "/health/event-loop",
      who: "anyone",
      handler: (c) => c.json({ eventLoopLagMs: metrics.eventLoopLagMs() }),
    },
    {
      method: "GET",
      path: "/metrics",
      who: "admin",
      handler: (c) => {
        const { type, body } = metrics.render();
        return c.body(bytesOf(body), 200, { "Content-Type": type });
      },
    },
  ];
}

/** Text as a stream that is read on only as fast as the other side takes it. */
function bytesOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const pieces = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
