import type { CheckMetrics, CheckRun } from "#server/observe/check-metrics.ts";
import type { Runnable } from "./check.ts";
import { unhealthy, type Outcome, type Transformed } from "./runner.ts";

/** Tells the numbers of a run, and of the checks its transform made; what cannot be shown is the run's error. */
export function told(metrics: CheckMetrics, check: Runnable, outcome: Outcome, ms: number): Outcome {
  const wrong = new Set<string>();
  const add = (words: string | null) => words !== null && wrong.add(words);
  for (const child of outcome.transformed ?? []) if (!child.deleted) add(metrics.ran(childOf(check, child)));
  add(metrics.ran(runOf(check, outcome, ms)));
  if (wrong.size === 0) return outcome;
  const error = [outcome.error, ...wrong].filter(Boolean).join("\n");
  return { ...outcome, ...unhealthy(error, outcome.details), invalid: true };
}

function runOf(check: Runnable, outcome: Outcome, ms: number): CheckRun {
  const { code, sslAge, packetLoss } = outcome.details ?? {};
  return {
    id: check.id,
    type: check.type,
    name: check.name,
    canary: check.canaryName,
    namespace: check.namespace,
    owner: check.owner ?? "",
    severity: check.severity ?? "",
    endpoint: endpointOf(check.spec),
    healthy: outcome.status === "healthy",
    ms,
    ...(check.type === "http" && typeof code === "number" ? { code } : {}),
    ...(check.type === "http" && typeof sslAge === "number" ? { sslDays: sslAge } : {}),
    ...(typeof packetLoss === "number" ? { packetLoss } : {}),
    samples: outcome.samples ?? [],
  };
}

/** Its id is not known before it is stored: its name under its parent's is as good. */
function childOf(parent: Runnable, { name, type, namespace, outcome }: Transformed): CheckRun {
  const own = { ...parent, id: `${parent.id}/${name}`, name, type: type ?? parent.type };
  return runOf({ ...own, namespace: namespace ?? parent.namespace }, outcome, outcome.ms ?? 0);
}

/** What a spec checks, without what could be secret in an address: credentials and query. */
function endpointOf(spec: unknown): string {
  if (typeof spec !== "object" || spec === null) return "";
  const { url, endpoint, connection, path, server, addr } = spec as Record<string, unknown>;
  const given = [url, endpoint, connection, path, server, addr].find(
    (one) => typeof one === "string" && one !== "",
  );
  return String(given ?? "")
    .replace(/[?#].*$/s, "")
    .replace(/\/\/[^/]*@/, "//");
}
