import { z } from "zod";
import { number, optional, schedule, schemaOf, select, text, type Fields } from "#app/contract/fields.ts";
import { OTHER_WORDS } from "#app/contract/words/check-types.ts";
import { AlertmanagerSpec, alertmanagerFields } from "./alertmanager.ts";
import { DnsSpec, dnsFields } from "./dns.ts";
import { ElasticsearchSpec, elasticsearchFields } from "./elasticsearch.ts";
import { ExecSpec, execFields } from "./exec.ts";
import { FolderSpec, folderFields } from "./folder.ts";
import { HeartbeatSpec, heartbeatFields } from "./heartbeat.ts";
import { HttpSpec, httpFields } from "./http.ts";
import { IcmpSpec, icmpFields } from "./icmp.ts";
import { JunitSpec, junitFields } from "./junit.ts";
import { LdapSpec, ldapFields } from "./ldap.ts";
import { MongodbSpec, mongodbFields } from "./mongodb.ts";
import { MssqlSpec, mssqlFields } from "./mssql.ts";
import { MysqlSpec, mysqlFields } from "./mysql.ts";
import { OpensearchSpec, opensearchFields } from "./opensearch.ts";
import { PostgresSpec, postgresFields } from "./postgres.ts";
import { PrometheusSpec, prometheusFields } from "./prometheus.ts";
import { RedisSpec, redisFields } from "./redis.ts";
import { S3Spec, s3CheckFields } from "./s3.ts";
import { TcpSpec, tcpFields } from "./tcp.ts";
import { WebhookSpec } from "./webhook.ts";

export interface CheckKind {
  label: string;
  fields: Fields;
  spec: z.ZodType;
}

/** Check type → its table. The keys are what a canary's spec calls its lists. */
export const checkKinds: ReadonlyMap<string, CheckKind> = new Map<string, CheckKind>([
  ["http", { label: "HTTP", fields: httpFields, spec: HttpSpec }],
  ["tcp", { label: "TCP", fields: tcpFields, spec: TcpSpec }],
  ["icmp", { label: "ICMP", fields: icmpFields, spec: IcmpSpec }],
  ["dns", { label: "DNS", fields: dnsFields, spec: DnsSpec }],
  ["exec", { label: "Script", fields: execFields, spec: ExecSpec }],
  ["folder", { label: "Folder", fields: folderFields, spec: FolderSpec }],
  ["heartbeat", { label: "Heartbeat", fields: heartbeatFields, spec: HeartbeatSpec }],
  ["postgres", { label: "PostgreSQL", fields: postgresFields, spec: PostgresSpec }],
  ["mysql", { label: "MySQL", fields: mysqlFields, spec: MysqlSpec }],
  ["mssql", { label: "SQL Server", fields: mssqlFields, spec: MssqlSpec }],
  ["redis", { label: "Redis", fields: redisFields, spec: RedisSpec }],
  ["mongodb", { label: "Mongo DB", fields: mongodbFields, spec: MongodbSpec }],
  ["s3", { label: "AWS S3", fields: s3CheckFields, spec: S3Spec }],
  ["junit", { label: "JUnit", fields: junitFields, spec: JunitSpec }],
  ["ldap", { label: "LDAP", fields: ldapFields, spec: LdapSpec }],
  ["prometheus", { label: "Prometheus", fields: prometheusFields, spec: PrometheusSpec }],
  ["alertmanager", { label: "Alert Manager", fields: alertmanagerFields, spec: AlertmanagerSpec }],
  ["elasticsearch", { label: "Elasticsearch", fields: elasticsearchFields, spec: ElasticsearchSpec }],
  ["opensearch", { label: "OpenSearch", fields: opensearchFields, spec: OpensearchSpec }],
]);

/** The keys of a canary's spec that are not lists of checks. */
export const CANARY_SETTINGS: ReadonlySet<string> = new Set([
  "schedule",
  "interval",
  "severity",
  "owner",
  "replicas",
  "env",
  "webhook",
  "resultMode",
]);

/** The settings of a canary, beside the lists of its checks. */
export const canaryFields = {
  schedule: optional(schedule()),
  interval: optional(number("Interval (s)", { hint: "Seconds between runs, when there is no schedule" })),
  severity: optional(text("Severity")),
  owner: optional(text("Owner")),
  resultMode: optional(select("Result", ["junit"], "junit: all checks of the canary are one check")),
};

/**
 * A canary's spec: settings, and one list per check type. Types this product has no runner for are kept as they are:
 * the canary is accepted, and each such check says on its own row that its type is not run here, or unknown.
 */
export const CanarySpec = z
  .object({
    ...schemaOf(canaryFields).shape,
    webhook: WebhookSpec.optional(),
    ...Object.fromEntries([...checkKinds].map(([type, { spec }]) => [type, z.array(spec).optional()])),
    ...Object.fromEntries(
      [...OTHER_WORDS].flatMap(([word, type]) => {
        const spec = checkKinds.get(type)?.spec;
        return spec ? [[word, z.array(spec).optional()]] : [];
      }),
    ),
  })
  .catchall(z.unknown());

/** A Canary as its YAML file has it. */
export const CanaryManifest = z.object({
  apiVersion: z.literal("canaries.flanksource.com/v1").optional(),
  kind: z.literal("Canary").optional(),
  metadata: z
    .object({
      name: z.string().min(1),
      namespace: z.string().optional(),
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    })
    .catchall(z.unknown()),
  spec: CanarySpec,
});
