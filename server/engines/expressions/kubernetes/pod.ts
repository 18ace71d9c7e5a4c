import {
  conditionsOf,
  found,
  number,
  part,
  parts,
  text,
  time,
  type Assessment,
  type Part,
} from "./object.ts";

/** A container that restarted within this time is worth a look, in milliseconds. Ours to choose. */
const RECENT_MS = 48 * 3_600_000;
/** This many restarts are. Ours to choose. */
const RESTARTS = 3;

const containers = (status: Part) => parts(status, "containerStatuses");
const initial = (status: Part) => parts(status, "initContainerStatuses");
const waiting = (container: Part) => part(container, "state", "waiting");
const terminated = (container: Part) => part(container, "state", "terminated");
const failed = (container: Part) => number(terminated(container)["exitCode"]) !== 0;

/** Reasons to wait that do not pass by themselves. */
const STUCK = /(BackOff|Err.*|Invalid.*|.*Error)$/;
const same = (reason: string) => (reason === "ErrImagePull" ? "ImagePullBackOff" : reason);

export function assessPod({ spec, status: given }: Part, now: number): Assessment {
  const status = part(given);
  const phase = text(status["phase"]) || "Unknown";
  const conditions = conditionsOf(status);
  const condition = (type: string) => conditions.find((one) => one.type === type);
  if (phase === "Succeeded") return found("Completed", "healthy", true);
  if (phase === "Failed") return found("Error", "unhealthy", true, text(status["message"]) || exitOf(status));

  const restarts = text(part(spec)["restartPolicy"]) || "Always";
  const stuck = stuckOf(status, restarts);
  if (stuck) return stuck;
  const broken = containers(status).find(failed);
  if (broken && restarts !== "OnFailure") return found("Error", "unhealthy", true, exitOf(status));

  const ready = condition("Ready");
  if (phase === "Pending") {
    const scheduled = condition("PodScheduled");
    return found(
      "Pending",
      "unknown",
      false,
      (scheduled?.status === "False" && scheduled.message) || ready?.message,
    );
  }
  if (ready?.status === "True") return running(status, now);
  if (restarts === "Never") return found("Running", "healthy", false);
  if (condition("ContainersReady")?.status === "True")
    return found("Running", "warning", false, "its containers are ready, the pod is not");
  return found("Starting", "unknown", false, ready?.message);
}

/** A container that waits for what will not come, or ends again and again. */
function stuckOf(status: Part, restarts: string): Assessment | null {
  for (const container of initial(status)) {
    const reason = text(waiting(container)["reason"]);
    if (STUCK.test(reason))
      return found(same(reason), "unhealthy", false, text(waiting(container)["message"]));
    if (failed(container) && number(container["restartCount"]) > 0)
      return found("CrashLoopBackOff", "unhealthy", false, `${text(container["name"])} ends with an error`);
  }
  for (const container of containers(status)) {
    const reason = text(waiting(container)["reason"]);
    if (!STUCK.test(reason)) continue;
    const word =
      restarts === "OnFailure" && reason === "CrashLoopBackOff" ? text(status["phase"]) : same(reason);
    return found(word, "unhealthy", false, text(waiting(container)["message"]));
  }
  return null;
}

function running(status: Part, now: number): Assessment {
  for (const container of containers(status)) {
    const last = part(container, "lastState", "terminated");
    const ended = time(last["finishedAt"]);
    if (ended === null || now - ended > RECENT_MS || number(container["restartCount"]) < RESTARTS) continue;
    const why = `${text(container["name"])} restarted ${number(container["restartCount"])} times, the last time for ${text(last["reason"])}`;
    return found("Running", "warning", true, why);
  }
  return found("Running", "healthy", true);
}

function exitOf(status: Part): string {
  const container = [...initial(status), ...containers(status)].find(failed);
  return container
    ? `${text(container["name"])} ended with ${number(terminated(container)["exitCode"])}`
    : "";
}
