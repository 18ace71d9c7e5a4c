/** What checks measure, for Prometheus: the numbers every check has (facts: engines §15) and those its spec asks for. */
import { createFamily, writeLabels, type Family, type SeriesType } from "./series.ts";

/** One run of a check. */
export interface CheckRun {
  id: string;
  type: string;
  name: string;
  canary: string;
  namespace: string;
  owner: string;
  severity: string;
  /** What is checked; addresses without their credentials and query. */
  endpoint: string;
  healthy: boolean;
  /** How long it took, in milliseconds. */
  ms: number;
  /** Of an answer over HTTP. */
  code?: number;
  /** Days that its certificate lasts. */
  sslDays?: number;
  /** Packets lost, in percent. */
  packetLoss?: number;
  samples: readonly CheckSample[];
}
interface CheckSample {
  name: string;
  type: SeriesType;
  value: number;
  labels: Readonly<Record<string, string>>;
}

export interface CheckMetrics {
  /** Counts the run. The sentence says why what it measured itself cannot be shown; what every check has is. */
  ran(run: CheckRun): string | null;
  /** Pieces of the text format. */
  lines(): Iterable<string>;
}

// Ours to choose: checks that have series, names that specs may make, series of each, and how long a silent one stays.
const CHECKS = 10_000;
const NAMES = 500;
const SERIES = 1000;
const FORGET_MS = 26 * 3_600_000;
const SWEEP_MS = 3_600_000;

const DURATIONS = [5, 10, 25, 50, 200, 500, 1000, 3000, 10_000, 30_000];
/** Those of Prometheus' own libraries. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Beginnings of names that are not for specs to take. */
const TAKEN = /^(pilothouse_|canary_check|process_|nodejs_)/;

export function createCheckMetrics(now: () => number = Date.now): CheckMetrics {
  const family = (name: string, type: SeriesType, help: string, bounds?: readonly number[]) =>
    createFamily(name, type, { help, limit: CHECKS, ...(bounds ? { bounds } : {}) });
  const standard = {
    count: family("canary_check_count", "counter", "Runs of a check"),
    success: family("canary_check_success_count", "counter", "Runs that passed"),
    failed: family("canary_check_failed_count", "counter", "Runs that failed"),
    info: family("canary_check_info", "gauge", "0 when the last run passed, 1 when it failed"),
    check: family("canary_check", "gauge", "0 when the last run passed, 1 when it failed"),
    duration: family("canary_check_duration", "histogram", "Duration of runs in milliseconds", DURATIONS),
    response: family("canary_check_http_response_status", "counter", "Answers by their code"),
    expiry: family("canary_check_http_ssl_expiry", "gauge", "Days that the certificate lasts"),
    dropped: family(
      "pilothouse_check_runs_unshown_total",
      "counter",
      "Runs of checks past the most that are shown",
    ),
    loss: family("canary_check_icmp_packetloss", "gauge", "Packets lost in percent"),
  };
  const custom = new Map<string, { family: Family; check: string }>();
  /** The labels that a check has now: those it had before are gone with its old name or severity. */
  const current = new Map<string, string>();
  let swept = now();

  function ran(run: CheckRun): string | null {
    const at = now();
    const { id, type, name, canary, namespace, owner, severity, endpoint, healthy, ms } = run;
    const few = { key: id, type, name, canary_name: canary, canary_namespace: namespace };
    const labels = writeLabels({ ...few, owner, severity, endpoint });
    const before = current.get(id);
    if (before !== undefined && before !== labels)
      for (const one of Object.values(standard)) one.drop(before);
    if (standard.count.give(labels, 1, at)) current.set(id, labels);
    else standard.dropped.give("", 1, at);
    standard.success.give(labels, healthy ? 1 : 0, at);
    standard.failed.give(labels, healthy ? 0 : 1, at);
    standard.info.give(labels, healthy ? 0 : 1, at);
    standard.check.give(writeLabels(few), healthy ? 0 : 1, at);
    standard.duration.give(labels, ms, at);
    if (run.code !== undefined) {
      const status = {
        status: String(run.code),
        statusClass: `${Math.floor(run.code / 100)}xx`,
        url: endpoint,
      };
      standard.response.give(writeLabels(status), 1, at);
    }
    if (run.sslDays !== undefined) standard.expiry.give(writeLabels({ url: endpoint }), run.sslDays, at);
    if (run.packetLoss !== undefined) standard.loss.give(writeLabels({ endpoint }), run.packetLoss, at);
    if (at - swept > SWEEP_MS) sweep(at);
    return healthy ? measured(run, at) : null;
  }

  function measured({ name: check, canary, samples }: CheckRun, at: number): string | null {
    const wrong = new Set<string>();
    for (const { name, type, value, labels } of samples) {
      const found = custom.get(name) ?? made(name, type, `${canary}/${check}`);
      if (typeof found === "string") wrong.add(found);
      else if (found.family.type !== type)
        wrong.add(
          `metric ${name} is a ${found.family.type} of check ${found.check}, so it cannot be a ${type}`,
        );
      else if (!found.family.give(writeLabels(labels), value, at))
        wrong.add(`metric ${name} has more than ${SERIES} combinations of labels`);
    }
    return wrong.size === 0 ? null : [...wrong].join("\n");
  }

  function made(name: string, type: SeriesType, check: string): { family: Family; check: string } | string {
    if (TAKEN.test(name)) return `metric ${name}: names that begin with ${TAKEN.exec(name)?.[0]} are taken`;
    if (custom.size >= NAMES) return `metric ${name}: there are ${NAMES} names of metrics already`;
    const bounds = type === "histogram" ? { bounds: BUCKETS } : {};
    const entry = {
      family: createFamily(name, type, { help: "Measured by a check", limit: SERIES, ...bounds }),
      check,
    };
    custom.set(name, entry);
    return entry;
  }

  /** What was given nothing for long belongs to a check that is no more; a name without series is free again. */
  function sweep(at: number): void {
    swept = at;
    for (const one of Object.values(standard)) one.forget(at - FORGET_MS);
    if (current.size > standard.count.size()) current.clear();
    for (const [name, { family: one }] of custom) {
      one.forget(at - FORGET_MS);
      if (one.size() === 0) custom.delete(name);
    }
  }

  return {
    ran,
    *lines() {
      for (const one of Object.values(standard)) yield* one.lines();
      for (const { family: one } of custom.values()) yield* one.lines();
    },
  };
}
