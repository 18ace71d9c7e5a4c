/**
 * Every type of check that a canary may ask for, by the name of its list in the spec (facts: engines §3.1). Plain values:
 * the pages, the wizard and the import read them. The control plane runs those that say so.
 */
interface CheckType {
  label: string;
  /** A picture of @flanksource/icons. */
  icon: string;
  /** False: the word is known and kept, and the check's row says that it is not run. */
  runs: boolean;
}

const run = (label: string, icon: string): CheckType => ({ label, icon, runs: true });
const known = (label: string, icon: string): CheckType => ({ label, icon, runs: false });

export const CHECK_TYPES: ReadonlyMap<string, CheckType> = new Map([
  ["http", run("HTTP", "http")],
  ["tcp", run("TCP", "network")],
  ["icmp", run("ICMP Ping", "icmp")],
  ["dns", run("DNS", "dns")],
  ["exec", run("Exec", "console")],
  ["postgres", run("PostgreSQL", "postgres")],
  ["mysql", run("MySQL", "mysql")],
  ["mssql", run("SQL Server", "sqlserver")],
  ["redis", run("Redis", "redis")],
  ["mongodb", run("Mongo DB", "mongo")],
  ["ldap", run("LDAP", "ldap")],
  ["prometheus", run("Prometheus", "prometheus")],
  ["alertmanager", run("Alert Manager", "alert")],
  ["elasticsearch", run("Elasticsearch", "elasticsearch")],
  ["opensearch", run("OpenSearch", "opensearch")],
  ["folder", run("Folder", "folder")],
  ["s3", run("AWS S3", "aws-s3")],
  ["junit", run("JUnit", "junit")],
  ["heartbeat", run("Heartbeat", "heart-pulse")],
  ["webhook", run("Webhook", "webhook")],
  ["restic", known("Restic", "restic")],
  ["jmeter", known("JMeter", "jmeter")],
  ["helm", known("Helm", "helm")],
  ["namespace", known("Kubernetes Namespace", "k8s-namespace")],
  ["pod", known("Pod", "k8s-pod")],
  ["kubernetes", known("Kubernetes", "k8s")],
  ["kubernetesResource", known("Kubernetes Resource", "k8s")],
  ["cloudwatch", known("Cloud Watch", "cloudwatch")],
  ["github", known("GitHub", "github")],
  ["gitProtocol", known("Git Protocol", "git")],
  ["awsConfig", known("AWS Config", "aws-config")],
  ["awsConfigRule", known("AWS Config Rule", "aws-config")],
  ["ec2", known("EC2", "ec2")],
  ["databaseBackup", known("Database Backup", "database-restore")],
  ["catalog", known("Mission Control Catalog", "config-db")],
  ["configDB", known("Mission Control Catalog (old name)", "config-db")],
  ["dynatrace", known("Dynatrace", "dynatrace")],
  ["azureDevops", known("Azure DevOps", "azure-devops")],
  ["docker", known("Docker Pull", "dockerPull")],
  ["dockerPush", known("Docker Push", "dockerPush")],
  ["containerd", known("Containerd Pull", "containerdPull")],
  ["containerdPush", known("Containerd Push", "containerdPush")],
  ["gcs", known("GCS", "gcsBucket")],
  ["smb", known("SMB", "smb")],
  ["sftp", known("SFTP", "sftp")],
  ["sql", known("SQL Query", "sql")],
]);

/** Words that specs elsewhere have for the same type. */
export const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ["alertManager", "alertmanager"],
  ["mongo", "mongodb"],
]);

/** The name under which a type is stored and run: `alertManager` is `alertmanager`. Unknown words stay as they are. */
export const checkTypeName = (word: string): string => OTHER_WORDS.get(word) ?? word;

/** What the row of a check says whose type is known but not run here; null for all others. */
export function notRunHere(type: string): string | null {
  const found = CHECK_TYPES.get(checkTypeName(type));
  return found && !found.runs ? `This version does not run ${found.label} checks.` : null;
}

/** The known word that is meant by a mistyped one: at most two letters from it. */
export function nearestCheckType(word: string): string | null {
  const near = [...CHECK_TYPES.keys(), ...OTHER_WORDS.keys()]
    .map((name) => ({ name, distance: distance(name.toLowerCase(), word.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.min(2, name.length / 2))
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.name ?? null;
}

/** How many letters must be added, taken away or changed to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
