/** What operators ask: is it alive, and its numbers. */
import type { Metrics } from "#server/observe/metrics.ts";
import type { Route } from "./router.ts";

/** `/health` answers without credentials and without touching the database; `/metrics` asks for an admin. */
export function opsRoutes(metrics: Metrics): Route[] {
  return [
    { method: "GET", path: "/health", who: "anyone", handler: (c) => c.text("OK") },
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
