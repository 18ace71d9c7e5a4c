/** What runs pods, and what pods stand behind. */
import {
  conditionsOf,
  found,
  isPart,
  number,
  part,
  parts,
  text,
  type Assessment,
  type Condition,
  type Part,
} from "./object.ts";

/** The controller has not looked at the newest spec yet. */
function unseen({ metadata, status }: Part): boolean {
  const [wanted, seen] = [part(metadata)["generation"], part(status)["observedGeneration"]];
  return typeof wanted === "number" && typeof seen === "number" && seen < wanted;
}

export function assessDeployment(object: Part): Assessment {
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  const conditions = conditionsOf(status);
  const progressing = conditions.find(({ type }) => type === "Progressing");
  const failure = conditions.find(({ type, status: holds }) => type === "ReplicaFailure" && holds === "True");
  if (spec["paused"] === true) return found("Suspended", "healthy", false, "the deployment is paused");
  if (failure) return found("Rollout Failed", "unhealthy", false, failure.message);
  if (progressing?.reason === "ProgressDeadlineExceeded")
    return found("Rollout Failed", "unhealthy", false, progressing.message);
  const wanted = number(spec["replicas"], 1);
  const [all, available, updated] = ["replicas", "availableReplicas", "updatedReplicas"].map((name) =>
    number(status[name]),
  ) as [number, number, number];
  if (all > wanted) return found("Scaling Down", "healthy", false, `${all} of ${wanted} pods are there`);
  if (unseen(object)) return found("Starting", "healthy", false, "the new spec was not looked at yet");
  if (wanted === 0) return found("Scaled to Zero", "healthy", true);
  if (available >= wanted && updated >= wanted) return found("Running", "healthy", true);
  const away = conditions.find(({ type, status: holds }) => type === "Available" && holds === "False");
  const stopped = away && progressing?.status !== "True";
  return found(
    "Starting",
    stopped ? "unhealthy" : "healthy",
    false,
    away?.message || `${available} of ${wanted} pods are ready`,
  );
}

export function assessStatefulSet(object: Part): Assessment {
  const [spec, status] = [part(object, "spec"), part(object, "status")];
  const wanted = number(spec["replicas"], 1);
  const [ready, updated] = [number(status["readyReplicas"]), number(status["updatedReplicas"])];
  if (wanted === 0) return found("Scaled to Zero", "healthy", true);
  if (unseen(object) || updated < wanted)
    return found("Rolling Out", "warning", false, `${updated} of ${wanted} pods are as the spec says`);
  if (ready < wanted)
    return found(
      "Starting",
      ready === 0 ? "unhealthy" : "warning",
      false,
      `${ready} of ${wanted} pods are ready`,
    );
  return found("Running", "healthy", true);
}

export function assessDaemonSet(object: Part): Assessment {
  const status = part(object, "status");
  const wanted = number(status["desiredNumberScheduled"]);
  const available = number(status["numberAvailable"]);
  const onDelete = part(object, "spec", "updateStrategy")["type"] === "OnDelete";
  const updated = onDelete ? wanted : number(status["updatedNumberScheduled"], wanted);
  if (unseen(object) || updated < wanted)
    return found("Rolling Out", "warning", false, `${updated} of ${wanted} pods are as the spec says`);
  if (available < wanted)
    return found(
      "Starting",
      available === 0 ? "unhealthy" : "warning",
      false,
      `${available} of ${wanted} pods are ready`,
    );
  return found("Running", "healthy", true);
}

export function assessReplicaSet({ spec: given, status }: Part): Assessment {
  const wanted = number(part(given)["replicas"], 1);
  const available = number(part(status)["availableReplicas"]);
  const failure = conditionsOf(part(status)).find(
    ({ type, status: holds }) => type === "ReplicaFailure" && holds === "True",
  );
  if (failure) return found("Error", "unhealthy", false, failure.message);
  if (wanted === 0) return found("Scaled to Zero", "healthy", true);
  if (available < wanted)
    return found("Starting", "healthy", false, `${available} of ${wanted} pods are ready`);
  return found("Running", "healthy", true);
}

export function assessJob({ spec, status }: Part): Assessment {
  const conditions = conditionsOf(part(status));
  const holding = (type: string) => conditions.find((one) => one.type === type && one.status === "True");
  const failed = holding("Failed");
  if (failed) return found("Error", "unhealthy", true, failed.message);
  if (holding("Complete")) return found("Completed", "healthy", true);
  if (holding("Suspended") || part(spec)["suspend"] === true) return found("Suspended", "unknown", true);
  return found("Running", "healthy", false);
}

export const assessCronJob = ({ spec }: Part): Assessment =>
  part(spec)["suspend"] === true ? found("Suspended", "unknown", true) : found("Healthy", "healthy", true);

export function assessAutoscaler({ metadata, status }: Part): Assessment {
  const conditions = [...conditionsOf(part(status)), ...annotated(part(metadata, "annotations"))];
  // In their order: one that can scale is not degraded by metrics that are away.
  for (const { type, status: holds, reason, message } of conditions) {
    if (/^(Failed|Invalid)/.test(reason)) return found("Degraded", "unhealthy", false, message);
    if (type === "AbleToScale" && holds === "True") return found("Healthy", "healthy", true, message);
  }
  return found("Progressing", "healthy", false, "waiting to autoscale");
}

/** The first version of autoscalers keeps its conditions in a note. */
function annotated(annotations: Part): Condition[] {
  const note = annotations["autoscaling.alpha.kubernetes.io/conditions"];
  try {
    return conditionsOf({ conditions: JSON.parse(text(note)) as unknown });
  } catch {
    return [];
  }
}

const addresses = (status: unknown) => parts(part(status, "loadBalancer"), "ingress");

export function assessService({ spec, status }: Part): Assessment {
  if (text(part(spec)["type"]) !== "LoadBalancer") return found("Unknown", "unknown", true);
  return addresses(status).length > 0
    ? found("Running", "healthy", true)
    : found("Creating", "unknown", false, "it has no address yet");
}

export const assessIngress = ({ status }: Part): Assessment =>
  addresses(status).length > 0
    ? found("Healthy", "healthy", true)
    : found("Pending", "healthy", false, "it has no address yet");

export function assessClaim({ status }: Part): Assessment {
  const phase = text(part(status)["phase"]);
  if (phase === "Bound") return found("Healthy", "healthy", true);
  if (phase === "Lost") return found("Lost", "unhealthy", false);
  return phase === "Pending" ? found("Progressing", "healthy", false) : found("Unknown", "unknown", false);
}

export function assessVolume({ status }: Part): Assessment {
  const phase = text(part(status)["phase"]);
  if (phase === "Failed") return found("Failed", "unhealthy", false, text(part(status)["message"]));
  return found(
    phase || "Unknown",
    phase === "Bound" || phase === "Available" ? "healthy" : "unknown",
    phase !== "",
  );
}

export function assessNode({ spec, status }: Part): Assessment {
  const conditions = conditionsOf(part(status));
  const ready = conditions.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return found("NotReady", "unhealthy", false, ready?.message);
  const pressure = conditions.find(({ type, status: holds }) => type !== "Ready" && holds === "True");
  if (pressure) return found(pressure.type, "warning", true, pressure.message);
  return part(spec)["unschedulable"] === true
    ? found("SchedulingDisabled", "warning", true)
    : found("Healthy", "healthy", true);
}

export const assessNamespace = ({ status }: Part): Assessment =>
  isPart(status) && status["phase"] === "Terminating"
    ? found("Terminating", "unknown", false)
    : found("Healthy", "unknown", true);
