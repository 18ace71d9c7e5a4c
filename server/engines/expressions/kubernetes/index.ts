/** How an object of Kubernetes is: one assessment for expressions, checks and later the catalogue. Pure. */
import { found, part, text, time, type Assessment, type Part } from "./object.ts";
import {
  assessApiService,
  assessArgo,
  assessCertificate,
  assessCrossplane,
  assessFlux,
  assessOther,
} from "./operators.ts";
import { assessPod } from "./pod.ts";
import {
  assessAutoscaler,
  assessClaim,
  assessCronJob,
  assessDaemonSet,
  assessDeployment,
  assessIngress,
  assessJob,
  assessNamespace,
  assessNode,
  assessReplicaSet,
  assessService,
  assessStatefulSet,
  assessVolume,
} from "./workloads.ts";

export type { Assessment, Part } from "./object.ts";

type Assess = (object: Part, now: number) => Assessment;

/** What takes longer than this to go away is stuck, in milliseconds. Ours to choose. */
const STALLED_MS = 15 * 60_000;

/** `group/Kind`; the group of what is built in is empty. */
const KINDS: ReadonlyMap<string, Assess> = new Map<string, Assess>([
  ["/Pod", assessPod],
  ["/Service", assessService],
  ["/Namespace", assessNamespace],
  ["/Node", assessNode],
  ["/PersistentVolumeClaim", assessClaim],
  ["/PersistentVolume", assessVolume],
  ["apps/Deployment", assessDeployment],
  ["apps/StatefulSet", assessStatefulSet],
  ["apps/DaemonSet", assessDaemonSet],
  ["apps/ReplicaSet", assessReplicaSet],
  ["batch/Job", assessJob],
  ["batch/CronJob", assessCronJob],
  ["autoscaling/HorizontalPodAutoscaler", assessAutoscaler],
  ["networking.k8s.io/Ingress", assessIngress],
  ["extensions/Ingress", assessIngress],
  ["extensions/Deployment", assessDeployment],
  ["apiregistration.k8s.io/APIService", assessApiService],
  ["argoproj.io/Application", assessArgo],
]);
/** By the group alone. */
const GROUPS: readonly [RegExp, Assess][] = [
  [/\.toolkit\.fluxcd\.io$/, assessFlux],
  [/^cert-manager\.io$|^certmanager\.k8s\.io$/, assessCertificate],
  [/crossplane\.io$|\.upbound\.io$/, assessCrossplane],
  [/knative\.dev$/, assessKnative],
];

function assessKnative(object: Part): Assessment {
  const { conditions } = part(object, "status");
  return Array.isArray(conditions) && conditions.length > 0
    ? assessOther(object)
    : found("Progressing", "unknown", false);
}

/** `now` is in milliseconds since 1970: certificates, restarts and what is going away are judged by it. */
export function assess(object: Part, now: number): Assessment {
  const deleted = time(part(object, "metadata")["deletionTimestamp"]);
  if (deleted !== null)
    return now - deleted > STALLED_MS
      ? found("TerminatingStalled", "unhealthy", false, `going away since ${new Date(deleted).toISOString()}`)
      : found("Terminating", "unknown", false);
  const version = text(object["apiVersion"]);
  const group = version.includes("/") ? version.slice(0, version.indexOf("/")) : "";
  const known =
    KINDS.get(`${group}/${text(object["kind"])}`) ?? GROUPS.find(([name]) => name.test(group))?.[1];
  return (known ?? assessOther)(object, now);
}
