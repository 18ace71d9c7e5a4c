import { z } from "zod";
import { embed, json, view, type RowOf } from "../view.ts";

const Labels = json(z.record(z.string(), z.coerce.string()).nullish());
const moment = z.coerce.date().nullish();
const CanaryName = z.object({ id: z.string(), name: z.string() });

const listed = {
  id: z.string(),
  name: z.string(),
  type: z.string(),
  icon: z.string().nullish(),
  namespace: z.string().nullish(),
  description: z.string().nullish(),
  /** healthy or unhealthy; null before its first run. */
  status: z.string().nullish(),
  severity: z.string().nullish(),
  last_runtime: moment,
  next_runtime: moment,
  last_transition_time: moment,
  canary: embed("canaries!checks_canary_id_fkey", CanaryName).nullish(),
};

/** The last results of a check, newest first (`results.limit` says how many). */
export const checkResultsRow = view(
  "checks",
  z.object({
    id: z.string(),
    results: embed("check_statuses", z.array(z.object({ status: z.boolean().nullish() }))),
  }),
);

/** A check in its drawer. `spec` is read on the server only, for the endpoint it names. */
export const checkDetailRow = view(
  "checks",
  z.object({
    ...listed,
    labels: Labels,
    spec: json(z.record(z.string(), z.unknown()).nullish()),
    deleted_at: moment,
    agent: embed("agents!checks_agent_id_fkey", CanaryName).nullish(),
  }),
);

/** Whose a check is. */
export const checkAgentRow = view(
  "checks",
  z.object({ id: z.string(), agent: embed("agents!checks_agent_id_fkey", CanaryName).nullish() }),
);

/** For counting: the least of a row. */
export const checkIdRow = view("checks", z.object({ id: z.string() }));
export const canaryIdRow = view("canaries", z.object({ id: z.string() }));

const figure = z.number().nullish();
const Uptime = z.object({ passed: z.coerce.number().catch(0), failed: z.coerce.number().catch(0) });
const Latency = z.object({ p95: figure, p97: figure, p99: figure });

/** One run. `status` is true for passed; `duration` in ms. */
export const checkStatusRow = view(
  "check_statuses",
  z.object({
    time: z.coerce.date(),
    duration: z.number().nullish(),
    status: z.boolean().nullish(),
    message: z.string().nullish(),
    error: z.string().nullish(),
  }),
);
export type CheckStatusRow = RowOf<typeof checkStatusRow>;

/** `GET /canary/api/graph`: a check over time. Durations in ms; a point's is the average of its window. */
export const CheckGraph = z.object({
  uptime: Uptime.nullish(),
  latency: Latency.nullish(),
  status: z
    .array(z.object({ time: z.coerce.date(), duration: figure, passed: figure, failed: figure }))
    .nullish(),
});
export type CheckGraph = z.output<typeof CheckGraph>;

/** `POST /canary/run/check/:id`: the first result, or nothing when nothing ran. Duration in ms. */
export const CheckRun = z
  .object({
    pass: z.boolean().nullish(),
    duration: z.number().nullish(),
    message: z.string().nullish(),
    error: z.string().nullish(),
  })
  .nullable();
export type CheckRun = z.output<typeof CheckRun>;
