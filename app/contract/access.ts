/**
 * Who may do what (specification 1 §6), and which resource guards each relation, function and path of upstream.
 * Three readers: `authorize()` refuses, `can()` shows, the control plane refuses again and generates its PostgreSQL
 * roles from the same tables. No zod: pages may import it.
 */
export const ROLES = ["admin", "editor", "viewer", "commander", "responder"] as const;
export type Role = (typeof ROLES)[number];

export const RESOURCES = [
  "database",
  "rbac",
  "auth",
  "responder",
  "incident",
  "evidences",
  "comments",
  "canaries",
  "topologies",
  "config_scrapers",
  "identities",
  "connections",
  "kratos",
  "agents",
  "feature_flags",
  "logging_backends",
  "integrations",
  "notifications",
  "playbooks",
  "playbook_runs",
  "permissions",
] as const;
export type Resource = (typeof RESOURCES)[number];
export type Permission = `${"read" | "write"}:${Resource}` | "run:check";

type Grant = { only: readonly Resource[] } | { except: readonly Resource[] };
const PRIVATE = ["rbac", "identities", "connections"] as const satisfies readonly Resource[];
const RESPONSE = ["responder", "incident", "evidences", "comments"] as const satisfies readonly Resource[];

/** Specification 1 §6, transcribed. The only place that says who may do what. */
const GRANTS: Record<Role, { read: Grant; write: Grant; runCheck: boolean }> = {
  admin: { read: { except: [] }, write: { except: [] }, runCheck: true },
  editor: { read: { except: [] }, write: { except: PRIVATE }, runCheck: true },
  commander: { read: { except: PRIVATE }, write: { only: RESPONSE }, runCheck: true },
  responder: { read: { except: PRIVATE }, write: { only: RESPONSE }, runCheck: true },
  viewer: { read: { except: PRIVATE }, write: { only: [] }, runCheck: false },
};

/** From the least to the most powerful: viewer < commander = responder < editor < admin (DESIGN C9). */
const RANK: Record<Role, number> = { viewer: 0, commander: 1, responder: 1, editor: 2, admin: 3 };

/**
 * What the token of an agent may do (facts of the backend §3.3, role `agent`), in the backend's own words: a sixth
 * principal, narrower than every role. It holds none of them, so whatever asks for a permission refuses it; what it may
 * call says so itself.
 */
export const AGENT_RIGHTS = [
  { object: "playbooks", action: "read" },
  { object: "database.public", action: "read" },
  { object: "agent-push", action: "create" },
  { object: "agent-push", action: "read" },
  { object: "agent-push", action: "update" },
  { object: "topology", action: "create" },
  { object: "topology", action: "update" },
] as const;

export function isRole(value: unknown): value is Role {
  return typeof value === "string" && (ROLES as readonly string[]).includes(value);
}

/** The role that counts when a person holds several; a person without a role is a viewer (specification 1 §6). */
export function highestRole(roles: readonly Role[]): Role {
  return roles.reduce<Role>((best, role) => (RANK[role] > RANK[best] ? role : best), "viewer");
}

/** Does any of the roles grant the permission? No role counts as viewer. */
export function may(roles: readonly Role[], permission: Permission): boolean {
  const held = roles.length > 0 ? roles : (["viewer"] as const);
  if (permission === "run:check") return held.some((role) => GRANTS[role].runCheck);
  const [verb, resource] = permission.split(":") as ["read" | "write", Resource];
  return held.some((role) => {
    const grant = GRANTS[role][verb];
    return "only" in grant ? grant.only.includes(resource) : !grant.except.includes(resource);
  });
}
