/** What a picture may be called besides its own name (facts/ui-screens §1.7). Pure. */

/** Other words for the same picture. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["kubernetes", "k8s"],
  ["kubernetesresource", "k8s"],
  ["pod", "k8s-pod"],
  ["k8s-endpoints", "k8s-endpoint"],
  ["k8s-sealedsecret", "k8s-secret"],
  ["gitrepository", "flux"],
  ["kustomization", "kustomize"],
  ["helmrelease", "helm"],
  ["certificate", "cert-manager"],
  ["issuer", "cert-manager"],
  ["clusterissuer", "cert-manager"],
  ["canary", "canary-checker"],
  ["servicemonitor", "prometheus"],
  ["podmonitor", "prometheus"],
  ["prometheusrule", "prometheus"],
  ["application", "argo"],
  ["appproject", "argo"],
  ["instance", "aws-ec2-instance"],
  ["ec2", "aws-ec2-instance"],
  ["subnet", "network"],
  ["tcp", "network"],
  ["elb", "aws-elb"],
  ["elbv2", "aws-alb"],
  ["mssql", "sqlserver"],
  ["mongodb", "mongo"],
  ["postgresql", "postgres"],
  ["alertmanager", "prometheus"],
  ["gcs", "gcsbucket"],
  ["www", "http"],
  ["bash", "console"],
  ["cmd", "console"],
  ["exec", "console"],
  ["file", "cfg"],
]);

/** `K8-Pod`, `kubernetes--pod` and `k8s-pod` are one name. */
const normalised = (name: string) =>
  name
    .replaceAll("--", "-")
    .replaceAll("::", "-")
    .toLowerCase()
    .replace(/^k8-/, "k8s-")
    .replace(/^kubernetes-/, "k8s-");

/** The names a picture may be found under, the best first: as it is, without `k8s-`, within a cloud. */
export function iconNames(name: string): string[] {
  const own = normalised(name);
  const bare = own.replace(/^k8s-/, "");
  if (!/[a-z0-9]/.test(bare)) return [own];
  const tried = [own, bare, `aws-${bare}`, `azure-${bare}`, `k8s-${bare}`];
  return [...new Set(tried.flatMap((one) => [one, ALIASES.get(one) ?? one]))];
}
