/** What the check drawer reads of upstream (facts/ui-contract §4). */
import { z } from "zod";
import { embed, json, view, type RowOf } from "../view.ts";

/** A control plane that tells when a check turned: `GET /ph/checks/:id/transitions` (DESIGN, decision 14). */
export const CHECK_TRANSITIONS = "check.transitions";

const Labels = json(z.record(z.string(), z.coerce.string()).nullish());
const moment = z.coerce.date().nullish();
const figure = z.number().nullish();
const Named = z.object({ id: z.string(), name: z.string() });

/** A check in its drawer. `spec` is read on the server only, for the endpoint it names. */
const checkDetailShape = {
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
  labels: Labels,
  spec: json(z.record(z.string(), z.unknown()).nullish()),
  deleted_at: moment,
  canary: embed(
    "canaries!checks_canary_id_fkey",
    Named.extend({ namespace: z.string().nullish(), source: z.string().nullish() }),
  ).nullish(),
  agent: embed("agents!checks_agent_id_fkey", Named).nullish(),
  components: embed(
    "check_component_relationships",
    z.array(z.object({ components: Named.extend({ icon: z.string().nullish() }).nullish() })),
  ).nullish(),
  configs: embed(
    "check_config_relationships",
    z.array(z.object({ configs: Named.extend({ type: z.string().nullish() }).nullish() })),
  ).nullish(),
};
export const checkDetailRow = view("checks", z.object(checkDetailShape));

/** The same of what strangers may see in standalone mode. */
export const publicCheckRow = view(
  "checks",
  z.object(checkDetailShape).omit({ agent: true, components: true, configs: true }),
);

/** What a check is called. */
export const checkNameRow = view("checks", Named);

/** The canary a check came from, for its Spec tab. */
export const canarySpecRow = view(
  "canaries",
  z.object({ ...Named.shape, spec: json(z.record(z.string(), z.unknown()).nullish()) }),
);

/** What made a canary, by its name. */
export const componentNameRow = view("components", Named);
export const configNameRow = view("configs", Named);

const Uptime = z.object({ passed: z.coerce.number().catch(0), failed: z.coerce.number().catch(0) });
const Latency = z.object({ p95: figure, p97: figure, p99: figure });

/** One run. `status` is true for passed; `duration` in ms. `time` keeps upstream's microseconds. */
export const checkStatusRow = view(
  "check_statuses",
  z.object({
    time: z.string(),
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

/** `GET /ph/checks/:id/transitions`: when it turned, newest first. Durations in ms. */
export const CheckTransitions = z.object({
  total: z.number(),
  transitions: z.array(
    z.object({
      time: z.string(),
      from: z.boolean().nullable(),
      to: z.boolean(),
      duration: figure,
      message: z.string().nullish(),
      error: z.string().nullish(),
      /** Known from the sums of its hour only. */
      approximate: z.boolean(),
      until: z.string().nullable(),
    }),
  ),
});
export type CheckTransition = z.output<typeof CheckTransitions>["transitions"][number];

/** `POST /canary/run/check/:id`: the first result (backend §7.4), or the sums some backends answer; nothing when nothing ran. */
export const CheckRun = z
  .object({
    start: z.string().nullish(),
    pass: z.boolean().nullish(),
    duration: z.number().nullish(),
    message: z.string().nullish(),
    error: z.string().nullish(),
    total: z.number().nullish(),
    failed: z.number().nullish(),
    success: z.number().nullish(),
    errors: z.array(z.unknown()).nullish(),
  })
  .nullable();
export type CheckRun = z.output<typeof CheckRun>;
