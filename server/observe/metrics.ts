/** Prometheus numbers, counted from observations and kept by the process (facts: names begin with pilothouse_). */
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { createCheckMetrics, type CheckMetrics } from "./check-metrics.ts";
import { watchEventLoop } from "./event-loop.ts";
import type { Observe } from "./observation.ts";

export interface Metrics {
  observe: Observe;
  /** Counts one answered request; the route is the table's path, never the raw one. */
  answered(method: string, route: string, status: number, seconds: number): void;
  /** How late the event loop was lately (99th percentile), in milliseconds. */
  eventLoopLagMs(): number;
  /** What checks measure. */
  checks: CheckMetrics;
  /** The text of all, piece by piece, so that thousands of checks do not hold up the process. */
  render(): { type: string; body: AsyncIterable<string> };
}

/** So many lines go out before others get their turn. */
const LINES = 200;

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
  const measured = createCheckMetrics();

  async function* body(): AsyncIterable<string> {
    yield await registry.metrics();
    let piece: string[] = [];
    for (const line of measured.lines()) {
      if (piece.push(line) < LINES) continue;
      yield piece.join("");
      piece = [];
      await new Promise((done) => setImmediate(done));
    }
    yield piece.join("");
  }

  return {
    checks: measured,
    observe(observation) {
      if (observation.kind === "check.ran") checks.inc({ status: observation.status });
      if (observation.kind === "engine.failed") failures.inc({ engine: observation.engine });
    },
    answered: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    eventLoopLagMs: watchEventLoop(),
    render: () => ({ type: registry.contentType, body: body() }),
  };
}
