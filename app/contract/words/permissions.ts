/** Permission records (specification 3 §3.4, §5): the kinds of resources and subjects, the actions, and the limits. */
import type { Permission, Resource } from "../access.ts";

export const RESOURCE_KINDS = ["config", "component", "canary", "check", "connection", "playbook"] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** As the form calls them. */
export const KIND_LABELS: Record<ResourceKind, string> = {
  config: "Catalog",
  component: "Component",
  canary: "Canary",
  check: "Check",
  connection: "Connection",
  playbook: "Playbook",
};

export const SUBJECT_KINDS = ["team", "person"] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];
export const SUBJECT_LABELS: Record<SubjectKind, string> = { team: "Team", person: "Person" };

/** What can be asked about one resource; a record may also hold `*` or all four of the first at once. */
export const RIGHTS = [
  "read",
  "update",
  "create",
  "delete",
  "run",
  "playbook:run",
  "playbook:approve",
] as const;
export type Right = (typeof RIGHTS)[number];

const ALL_FOUR = "create,read,update,delete";
const OF_ALL = ["read", "update", "create", "delete", "*", ALL_FOUR] as const;
/** What a record may say of a resource of each kind. */
export const ACTIONS_OF: Record<ResourceKind, readonly string[]> = {
  config: OF_ALL,
  component: OF_ALL,
  canary: [...OF_ALL, "run"],
  check: [...OF_ALL, "run"],
  connection: OF_ALL,
  playbook: [...OF_ALL, "playbook:run", "playbook:approve"],
};
export const ACTION_LABELS: Readonly<Record<string, string>> = {
  "*": "everything (*)",
  [ALL_FOUR]: "create, read, update, delete",
};

/** Which rights make sense for a kind. */
export const rightsOf = (kind: ResourceKind): Right[] =>
  RIGHTS.filter((right) => ACTIONS_OF[kind].includes(right));

const RESOURCE_OF: Record<ResourceKind, Resource> = {
  config: "database",
  component: "topologies",
  canary: "canaries",
  check: "canaries",
  connection: "connections",
  playbook: "playbooks",
};

/** The permission of a role that gives the right without any record (specification 1 §6). */
export function permissionFor(right: Right, kind: ResourceKind): Permission {
  if (right === "run") return "run:check";
  return `${right === "read" ? "read" : "write"}:${RESOURCE_OF[kind]}`;
}

/** Specification 3 §9. */
export const PERMISSIONS_PAGE_SIZE = 50;

/** Specification 3 §8. */
export const PERMISSION_ADDED = "Permission added";
export const PERMISSION_UPDATED = "Permission updated";
export const PERMISSION_DELETED = "Permission deleted";
export const ADD_PERMISSION = "Add Permission";
export const EDIT_PERMISSION = "Edit Permission";
export const DELETE_PERMISSION = "Delete Permission";
export const DELETE_PERMISSION_QUESTION = "Are you sure you want to delete this permission?";
export const NO_PERMISSION = "There is no such permission";
