/**
 * Which resource guards which relation and function of `/db` (DESIGN C9). What is not in these tables does not exist
 * for anybody: the API answers 404 and no PostgreSQL role gets a grant. A test compares them with the catalogue.
 */
import { may, type Permission, type Resource, type Role } from "./access.ts";
import type { ResourceKind } from "./words/permissions.ts";

export interface RelationAccess {
  read: Resource;
  /** null: nobody writes it through `/db`; views that only show are null too. */
  write: Resource | null;
  /** Only whoever may write `read` may read it: what is written here tells of everything. */
  onlyWriters?: true;
}

/** What reading the relation needs. */
export const readPermission = ({ read, onlyWriters }: RelationAccess): Permission =>
  `${onlyWriters ? "write" : "read"}:${read}`;

const readOnly = (resource: Resource, ...names: string[]) =>
  names.map((name): [string, RelationAccess] => [name, { read: resource, write: null }]);
const readWrite = (resource: Resource, ...names: string[]) =>
  names.map((name): [string, RelationAccess] => [name, { read: resource, write: resource }]);

export const RELATIONS: ReadonlyMap<string, RelationAccess> = new Map<string, RelationAccess>([
  // People. Whoever could change an e-mail could recover the account: writing people is writing identities.
  ["people", { read: "database", write: "identities" }],
  ["people_roles", { read: "database", write: null }],
  ...readWrite("identities", "identities"),
  ...readOnly("identities", "identities_summary"),
  // Added to by triggers only, for everybody else there is no way to write it.
  ["audit_log", { read: "rbac", write: null, onlyWriters: true }],
  ...readOnly("database", "severities"),
  ...readWrite("database", "teams", "team_members", "team_components"),
  ...readOnly("database", "teams_with_status"),

  // Job history and the event queue.
  ...readOnly("database", "job_history", "job_histories", "job_history_names", "job_history_latest_status"),
  ...readOnly("database", "event_queue_summary"),

  // Health.
  ...readWrite("canaries", "canaries", "checks"),
  ...readWrite("canaries", "check_component_relationships", "check_config_relationships"),
  ...readOnly("canaries", "canaries_with_status", "canary_names", "check_names", "check_labels"),
  ...readOnly("canaries", "check_statuses", "check_statuses_5m", "check_statuses_1h", "check_statuses_1d"),
  ...readOnly("canaries", "check_summary", "check_summary_by_component", "check_summary_by_config"),
  ...readOnly("canaries", "check_summary_for_config", "checks_by_component", "checks_by_config"),

  // Catalogue.
  ...readWrite("database", "config_items", "config_relationships", "config_component_relationships"),
  ...readOnly("database", "configs", "config_names"),
  ...readWrite("config_scrapers", "config_scrapers"),
  ...readOnly("config_scrapers", "config_scrapers_with_status"),

  // Topology.
  ...readWrite("topologies", "topologies", "components", "component_relationships"),
  ...readOnly("topologies", "topologies_with_status", "component_names", "component_labels"),

  // Notifications.
  ...readWrite("notifications", "notifications", "notification_silences"),
  ...readOnly("notifications", "notifications_summary", "notification_send_history"),

  // Agents, connections, settings.
  ...readWrite("agents", "agents"),
  ...readOnly("agents", "agents_summary"),
  ...readWrite("connections", "connections"),
  ...readOnly("connections", "connection_details"),
  ...readOnly("database", "connections_list"),
  ...readWrite("feature_flags", "properties"),
  ...readWrite("logging_backends", "logging_backends"),
  ...readWrite("database", "incident_rules"),

  // Rights. Which records somebody may write, the database says of each: nobody grants what he may not do himself.
  ...readWrite("permissions", "permissions"),
  ...readWrite("playbooks", "playbooks"),
]);

/** Functions that may be called at `/db/rpc/<name>`, and the permission each needs. */
export const RPCS: ReadonlyMap<string, Permission> = new Map<string, Permission>([
  ["uuid_to_ulid", "read:database"],
  ["check_summary_for_component", "read:canaries"],
  ["check_label_values", "read:canaries"],
  ["check_figures", "read:canaries"],
  ["lookup_components_by_check", "read:topologies"],
]);

/**
 * What a permission record may allow beyond the role (decision 0096): relations that the PostgreSQL role `lent` may write or
 * read, by the kind of the resource. Which rows it reaches is decided by the records for each of them.
 */
export const LENDABLE: ReadonlyMap<string, { kind: ResourceKind; actions: readonly LentAction[] }> = new Map<
  string,
  { kind: ResourceKind; actions: readonly LentAction[] }
>([
  ["canaries", { kind: "canary", actions: ["update", "delete"] }],
  ["checks", { kind: "check", actions: ["insert", "update", "delete"] }],
  ["config_items", { kind: "config", actions: ["update", "delete"] }],
  ["components", { kind: "component", actions: ["update", "delete"] }],
  ["playbooks", { kind: "playbook", actions: ["update", "delete"] }],
  ["connections", { kind: "connection", actions: ["read", "update", "delete"] }],
  ["connection_details", { kind: "connection", actions: ["read"] }],
]);
type LentAction = "read" | "insert" | "update" | "delete";

/**
 * Relations with a spec, in which a secret may stand in plain (decision 0105): whoever may not write them reads those of
 * the schema `shown`, which has the same rows and columns with the secrets of `spec` masked.
 */
export const SHOWN = {
  schema: "shown",
  /** By relation: what one has to be allowed to write. */
  relations: new Map<string, Resource>([
    ["canaries", "canaries"],
    ["checks", "canaries"],
    ["playbooks", "playbooks"],
    ["config_scrapers", "config_scrapers"],
    ["config_scrapers_with_status", "config_scrapers"],
    ["topologies", "topologies"],
    ["topologies_with_status", "topologies"],
    ["logging_backends", "logging_backends"],
  ]),
  functions: ["internal.shown_spec", "internal.lent_to_change"],
} as const;

/** Of these relations, those whose specs the holder of the roles reads without secrets. */
export const shownTo = (roles: readonly Role[]): ReadonlySet<string> =>
  new Set([...SHOWN.relations].flatMap(([name, resource]) => (may(roles, `write:${resource}`) ? [] : name)));

/**
 * What strangers may use in standalone mode (specification 1 §1): relations of the schema `standalone`, which has them
 * without what may hold secrets, and the functions that pages of checks need. `inside`: not at `/db`.
 */
export const STANDALONE = {
  schema: "standalone",
  relations: ["checks", "check_statuses", "canaries", "check_names", "canary_names", "check_summary"],
  inside: ["agents"],
  functions: ["public.check_figures", "public.check_label_values", "internal.latency_of"],
} as const;

/**
 * What the token of an agent reads at `/db`: the backend's `database.public` (facts §3.4) as far as it is here, but for
 * identities, which not even a viewer reads. It writes nothing there.
 */
export const AGENTS = {
  relations: [
    "agents",
    "check_labels",
    "check_names",
    "component_labels",
    "component_names",
    "config_names",
    "connections_list",
    "people_roles",
    "severities",
    "team_components",
    "team_members",
    "teams",
    "teams_with_status",
  ],
  rpcs: ["uuid_to_ulid"],
} as const;
