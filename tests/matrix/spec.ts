/**
 * Specification 1 §6, transcribed once more and by hand: what the matrix expects. It shares nothing with
 * `app/contract/access.ts`, so that neither can be widened alone.
 */
import type { Permission, Resource, Role } from "#app/contract/access.ts";

const EVERYTHING: readonly Resource[] = [
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
];
const PRIVATE: readonly Resource[] = ["rbac", "identities", "connections"];
const PUBLIC = EVERYTHING.filter((resource) => !PRIVATE.includes(resource));
const RESPONSE: readonly Resource[] = ["responder", "incident", "evidences", "comments"];

const SPECIFIED: Record<Role, { read: readonly Resource[]; write: readonly Resource[]; runNow: boolean }> = {
  admin: { read: EVERYTHING, write: EVERYTHING, runNow: true },
  editor: { read: EVERYTHING, write: PUBLIC, runNow: true },
  commander: { read: PUBLIC, write: RESPONSE, runNow: true },
  responder: { read: PUBLIC, write: RESPONSE, runNow: true },
  viewer: { read: PUBLIC, write: [], runNow: false },
};

/** Whoever the matrix tries everything as: the roles, somebody without one, an agent's token, nobody at all. */
export const CALLERS = [
  "admin",
  "editor",
  "commander",
  "responder",
  "viewer",
  "nobody",
  "agent",
  "signed out",
] as const;
export type Caller = (typeof CALLERS)[number];

/** What something asks of its caller. */
export type Needs = Permission | "signed-in" | "admin" | "anyone";

export { EVERYTHING };

/** May somebody of this role, as the specification says it? */
export function specified(role: Role, permission: Permission): boolean {
  const { read, write, runNow } = SPECIFIED[role];
  if (permission === "run:check") return runNow;
  const [verb, resource] = permission.split(":") as ["read" | "write", Resource];
  return (verb === "read" ? read : write).includes(resource);
}

/** A person without a role is a viewer; agents may what says so itself, which is none of this. */
export function allows(caller: Caller, needs: Needs): boolean {
  if (needs === "anyone") return true;
  if (caller === "signed out" || caller === "agent") return false;
  if (needs === "signed-in") return true;
  if (needs === "admin") return caller === "admin";
  return specified(caller === "nobody" ? "viewer" : caller, needs);
}
