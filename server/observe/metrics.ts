/** Prometheus numbers, counted from observations and kept by the process (facts: names begin with pilothouse_). */
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { watchEventLoop } from "./event-loop.ts";
import type { Observe } from "./observation.ts";

export interface Metrics {
  observe: Observe;
  /** Counts one answered request; the route is the table's path, never the raw one. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** How late the event loop was lately (99th percentile), in milliseconds. */
  eventLoopLagMs(): number;
  render(): Promise<{ type: string; body: string }>;
}

/** Metrics in a registry of their own, so that two of them never meet (tests start several). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "pilothouse_http_request_seconds",
    help: "Time to answer a request of the API",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const checks = new Counter({
    name: "pilothouse_check_runs_total",
    help: "Runs of checks by their outcome",
    labelNames: ["status"],
    registers: [registry],
  });
  const failures = new Counter({
    name: "pilothouse_engine_failures_total",
    help: "Failures of an engine itself, not of what it checks",
    labelNames: ["engine"],
    registers: [registry],
  });
  return {
    observe(observation) {
      if (observation.kind === "check.ran") checks.inc({ status: observation.status });
      if (observation.kind === "engine.failed") failures.inc({ engine: observation.engine });
    },
    answered: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    eventLoopLagMs: watchEventLoop(),
    render: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}
