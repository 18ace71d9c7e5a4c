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
      handler: async (c) => {
        const { type, body } = await metrics.render();
        return c.body(body, 200, { "Content-Type": type });
      },
    },
  ];
}
