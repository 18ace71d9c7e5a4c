/** Every fixture is assessed as a person who knows Kubernetes would (facts: kubernetes-health). */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { assess, type Part } from "./index.ts";

const FOLDER = new URL("../../../../tests/fixtures/kubernetes/", import.meta.url);
const read = (name: string) => readFileSync(new URL(`${name}.yaml`, FOLDER), "utf8");
const NOW = Date.parse("2026-11-21T09:00:00Z");

const EXPECTED: Record<string, [status: string, health: string, ready: boolean]> = {
  nginx: ["Running", "healthy", true],
  "deployment-progressing": ["Starting", "healthy", false],
  "deployment-degraded": ["Starting", "healthy", false],
  "deployment-scaling-down": ["Scaling Down", "healthy", false],
  statefulset: ["Rolling Out", "warning", false],
  "daemonset-ondelete": ["Running", "healthy", true],
  "pvc-bound": ["Healthy", "healthy", true],
  "pvc-pending": ["Progressing", "healthy", false],
  "svc-clusterip": ["Unknown", "unknown", true],
  "svc-loadbalancer": ["Running", "healthy", true],
  "svc-loadbalancer-unassigned": ["Creating", "unknown", false],
  "ingress-nonemptylist": ["Healthy", "healthy", true],
  "ingress-unassigned": ["Pending", "healthy", false],
  "job-running": ["Running", "healthy", false],
  "job-failed": ["Error", "unhealthy", true],
  "job-suspended": ["Suspended", "unknown", true],
  "hpa-v2-healthy": ["Healthy", "healthy", true],
  "hpa-v2beta1-healthy": ["Healthy", "healthy", true],
  "hpa-v2beta1-healthy-disabled": ["Healthy", "healthy", true],
  "hpa-v1-healthy": ["Healthy", "healthy", true],
  "hpa-v2-degraded": ["Degraded", "unhealthy", false],
  "hpa-v1-degraded": ["Degraded", "unhealthy", false],
  "hpa-v1-progressing-with-no-annotations": ["Progressing", "healthy", false],
  "terminating-stuck": ["TerminatingStalled", "unhealthy", false],
  "pod-deletion": ["TerminatingStalled", "unhealthy", false],
  "pod-pending": ["Pending", "unknown", false],
  "pod-running-not-ready": ["Starting", "unknown", false],
  "pod-crashloop-pending": ["CrashLoopBackOff", "unhealthy", false],
  "pod-init-container-fail": ["CrashLoopBackOff", "unhealthy", false],
  "pod-error": ["Error", "unhealthy", true],
  "pod-failed": ["Error", "unhealthy", true],
  "pod-succeeded": ["Completed", "healthy", true],
  "pod-running-restart-always": ["Running", "healthy", true],
  "pod-running-restart-onfailure": ["Running", "unhealthy", false],
  "pod-old-restarts": ["Running", "healthy", true],
  "pod-high-restart-count": ["Running", "healthy", true],
  "pod-not-ready-but-container-ready": ["Running", "warning", false],
  "namespace-terminating": ["Terminating", "unknown", false],
  "certificate-healthy": ["Issued", "healthy", true],
  "about-to-expire": ["Warning", "warning", true],
  "crossplane-installed": ["ActivePackageRevision", "healthy", true],
  "crossplane-provider-revision": ["HealthyPackageRevision", "healthy", true],
  "crossplane-apply-failure": ["ApplyFailure", "warning", true],
  "flux-kustomization-unhealthy": ["Progressing", "unknown", false],
  "flux-kustomization-failed": ["BuildFailed", "unhealthy", false],
  "kustomization-reconciliation-failed": ["ReconciliationFailed", "unhealthy", false],
  "flux-helmrelease-unhealthy": ["UpgradeFailed", "unhealthy", true],
  "flux-helmrelease-upgradefailed": ["UpgradeFailed", "unhealthy", true],
  "flux-helmrepository-unhealthy": ["Failed", "unhealthy", false],
  "flux-gitrepository-healthy": ["Succeeded", "healthy", true],
  "flux-gitrepository-unhealthy": ["GitOperationFailed", "unhealthy", false],
  "argo-application-healthy": ["Healthy", "healthy", true],
  "application-healthy": ["Healthy", "healthy", true],
  "knative-service": ["Progressing", "unknown", false],
  "apiservice-v1-false": ["MissingEndpoints", "unhealthy", false],
  "apiservice-v1beta1-false": ["MissingEndpoints", "unhealthy", false],
  "apiservice-v1beta1-true": ["Healthy", "healthy", true],
};

test.each(Object.entries(EXPECTED))("%s", (name, expected) => {
  const { status, health, ready } = assess(parse(read(name)) as Part, NOW);
  expect([status, health, ready]).toEqual(expected);
});

test("every fixture is expected, but for the estate", () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  expect(names.map((name) => name.replace(".yaml", "")).sort()).toEqual(
    ["_gitops-estate", ...Object.keys(EXPECTED)].sort(),
  );
  for (const document of parseAllDocuments(read("_gitops-estate")))
    expect(assess((document.toJS() ?? {}) as Part, NOW).status).not.toBe("");
});

const pod = (status: object, spec: object = {}) => ({ apiVersion: "v1", kind: "Pod", spec, status });
const ready = [{ type: "Ready", status: "True" }];
test.each<[string, object, string, string, boolean]>([
  [
    "a container that restarts a lot",
    pod({
      phase: "Running",
      conditions: ready,
      containerStatuses: [
        {
          name: "a",
          restartCount: 9,
          lastState: { terminated: { reason: "OOMKilled", finishedAt: "2026-11-21T08:00:00Z" } },
        },
      ],
    }),
    "Running",
    "warning",
    true,
  ],
  [
    "an image that is not there",
    pod({ phase: "Pending", containerStatuses: [{ state: { waiting: { reason: "ErrImagePull" } } }] }),
    "ImagePullBackOff",
    "unhealthy",
    false,
  ],
  [
    "a crash loop",
    pod({ phase: "Running", containerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] }),
    "CrashLoopBackOff",
    "unhealthy",
    false,
  ],
  [
    "one that runs once",
    pod({ phase: "Running", conditions: [{ type: "Ready", status: "False" }] }, { restartPolicy: "Never" }),
    "Running",
    "healthy",
    false,
  ],
  [
    "a paused deployment",
    { apiVersion: "apps/v1", kind: "Deployment", spec: { paused: true } },
    "Suspended",
    "healthy",
    false,
  ],
  [
    "a failed rollout",
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      status: { conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }] },
    },
    "Rollout Failed",
    "unhealthy",
    false,
  ],
  [
    "a finished job",
    { apiVersion: "batch/v1", kind: "Job", status: { conditions: [{ type: "Complete", status: "True" }] } },
    "Completed",
    "healthy",
    true,
  ],
  [
    "what is just going away",
    { apiVersion: "v1", kind: "Namespace", metadata: { deletionTimestamp: "2026-11-21T08:59:00Z" } },
    "Terminating",
    "unknown",
    false,
  ],
  [
    "a namespace",
    { apiVersion: "v1", kind: "Namespace", status: { phase: "Active" } },
    "Healthy",
    "unknown",
    true,
  ],
  [
    "a node under pressure",
    {
      apiVersion: "v1",
      kind: "Node",
      status: { conditions: [...ready, { type: "DiskPressure", status: "True" }] },
    },
    "DiskPressure",
    "warning",
    true,
  ],
  [
    "an application that is missing",
    { apiVersion: "argoproj.io/v1alpha1", kind: "Application", status: { health: { status: "Missing" } } },
    "Missing",
    "unknown",
    false,
  ],
  [
    "a kustomization that is fine",
    {
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      status: { conditions: [{ type: "Ready", status: "True", reason: "ReconciliationSucceeded" }] },
    },
    "ReconciliationSucceeded",
    "healthy",
    true,
  ],
  [
    "a composition that is fine",
    {
      apiVersion: "x.crossplane.io/v1",
      kind: "X",
      status: {
        conditions: [
          { type: "Ready", status: "True", reason: "Available" },
          { type: "Synced", status: "True", reason: "ReconcileSuccess" },
        ],
      },
    },
    "ReconcileSuccess",
    "healthy",
    true,
  ],
  [
    "one that cannot be reconciled",
    {
      apiVersion: "x.crossplane.io/v1",
      kind: "X",
      status: {
        conditions: [
          { type: "Ready", status: "True" },
          { type: "Synced", status: "False", reason: "ReconcileError" },
        ],
      },
    },
    "ReconcileError",
    "warning",
    true,
  ],
  ["nothing at all", {}, "Unknown", "unknown", true],
  [
    "what makes no sense",
    { apiVersion: 1, kind: [], status: "x", metadata: 5, spec: null },
    "Unknown",
    "unknown",
    true,
  ],
])("%s", (_, object, status, health, isReady) => {
  expect(assess(object as Part, NOW)).toMatchObject({ status, health, ready: isReady });
});
