/** What operators say of their own kinds: Argo, Flux, cert-manager, Crossplane, and conditions in general. */
import {
  conditionsOf,
  found,
  part,
  text,
  time,
  type Assessment,
  type Condition,
  type Part,
} from "./object.ts";

/** A certificate that ends sooner than this is worth a look, in milliseconds. Ours to choose. */
const EXPIRY_MS = 48 * 3_600_000;

const ARGO: Record<string, Assessment["health"]> = {
  Healthy: "healthy",
  Degraded: "unhealthy",
  Progressing: "healthy",
};

export function assessArgo({ status }: Part): Assessment {
  const { status: word, message } = part(status, "health");
  const name = text(word) || "Unknown";
  return found(
    name,
    (Object.hasOwn(ARGO, name) && ARGO[name]) || "unknown",
    name === "Healthy",
    text(message),
  );
}

const healthOf = ({ status }: Condition): Assessment["health"] =>
  status === "True" ? "healthy" : status === "False" ? "unhealthy" : "unknown";

/** Flux: `Ready` and its reason. A release that failed for good is done with what it was asked for. */
export function assessFlux({ kind, status }: Part): Assessment {
  const ready = conditionsOf(part(status)).find(({ type }) => type === "Ready");
  if (!ready) return found("Progressing", "unknown", false);
  const ended = ready.status === "True" || (kind === "HelmRelease" && ready.status === "False");
  return found(ready.reason || "Unknown", healthOf(ready), ended, ready.message);
}

export function assessCertificate({ kind, status: given }: Part, now: number): Assessment {
  const status = part(given);
  const conditions = conditionsOf(status);
  const ready = conditions.find(({ type }) => type === "Ready");
  const issuing = conditions.find(({ type, status: holds }) => type === "Issuing" && holds === "True");
  if (ready?.status !== "True") {
    if (issuing || !ready) return found("Issuing", "unknown", false, issuing?.message);
    return found(ready.reason || "Failed", "unhealthy", false, ready.message);
  }
  const ends = time(status["notAfter"]);
  if (ends !== null && ends - now < EXPIRY_MS)
    return found(
      "Warning",
      "warning",
      true,
      `the certificate ${ends < now ? "expired" : "expires"} on ${text(status["notAfter"])}`,
    );
  return found(kind === "Certificate" ? "Issued" : ready.reason || "Ready", "healthy", true, ready.message);
}

/** Crossplane: the last of these that is there says how it is; the operation that failed before all others. */
export function assessCrossplane({ status }: Part): Assessment {
  const conditions = conditionsOf(part(status));
  const find = (type: string) => conditions.find((one) => one.type === type);
  const ready = ["Ready", "Installed", "Healthy", "Established"].map(find).find((one) => one !== undefined);
  const isReady = ready?.status === "True";
  const failed = ["LastAsyncOperation", "Synced"].map(find).find((one) => one?.status === "False");
  if (failed) return found(failed.reason, "warning", isReady, failed.message);
  const said = ["Synced", "Installed", "Healthy", "Ready", "Established"]
    .map(find)
    .find((one) => one !== undefined);
  if (!said) return found("Unknown", "unknown", false);
  return found(said.reason || said.type, healthOf(ready ?? said), isReady, said.message);
}

export function assessApiService({ status }: Part): Assessment {
  const available = conditionsOf(part(status)).find(({ type }) => type === "Available");
  if (!available) return found("Progressing", "unknown", false);
  const fine = available.status === "True";
  return found(
    fine ? "Healthy" : available.reason || "Unavailable",
    fine ? "healthy" : "unhealthy",
    fine,
    available.message,
  );
}

/** Any other kind: by the condition that most kinds have, else nothing is known. */
export function assessOther({ status }: Part): Assessment {
  const conditions = conditionsOf(part(status));
  const said = ["Ready", "Available", "Healthy"]
    .map((type) => conditions.find((one) => one.type === type))
    .find((one) => one !== undefined);
  if (!said) return found("Unknown", "unknown", conditions.length === 0);
  return found(said.reason || said.type, healthOf(said), said.status === "True", said.message);
}
