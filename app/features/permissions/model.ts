/** What a record is about, in words. Pure. */
import type { PermissionRow, Reason, Why } from "#app/contract/rows/permissions.ts";
import {
  ACTION_LABELS,
  KIND_LABELS,
  RESOURCE_KINDS,
  type ResourceKind,
  type Right,
} from "#app/contract/words/permissions.ts";
import { columnOf } from "./paths.ts";

export interface Target {
  kind: ResourceKind;
  id: string;
  /** Null: it was deleted, or whoever reads this may not see it. */
  name: string | null;
}

/** The one resource of a record. */
export function targetOf(row: PermissionRow): Target {
  const kind = RESOURCE_KINDS.find((known) => row[columnOf(known)]) ?? "config";
  const { catalog, component, canary, check, connection, playbook } = row;
  const names: Record<ResourceKind, string | undefined> = {
    config: catalog?.name,
    component: component?.name,
    canary: canary?.name,
    check: check?.name,
    connection: connection?.name,
    playbook: playbook?.title || playbook?.name,
  };
  return { kind, id: row[columnOf(kind)] ?? "", name: names[kind] ?? null };
}

/** The person or the team of a record. */
export function subjectOf({ person, team, person_id, team_id }: PermissionRow) {
  return person_id
    ? { kind: "person" as const, id: person_id, name: person?.name ?? "Somebody who is gone" }
    : { kind: "team" as const, id: team_id ?? "", name: team?.name ?? "A team that is gone" };
}

export const actionLabel = (action: string): string => ACTION_LABELS[action] ?? action;

/** One step from the role to the verdict. `counts`: does it say anything now? */
export interface Step {
  title: string;
  says: "allows" | "denies" | "nothing";
  detail: string;
  counts: boolean;
  /** The record behind it. */
  record: string | null;
}

/** From the role over the records to the verdict, in the order in which they count (decision 0096). */
export function chainOf({ role, byRole, records }: Why, right: Right, kind: ResourceKind): Step[] {
  const isAdmin = role === "admin";
  return [
    {
      title: `The role ${role}`,
      says: byRole ? "allows" : "nothing",
      detail: isAdmin
        ? "Admins may everything, and no permission denies them anything."
        : byRole
          ? `lets them ${doing(right)} every ${noun(kind)}.`
          : `does not let them ${doing(right)} a ${noun(kind)}.`,
      counts: true,
      record: null,
    },
    ...records.map((record) => stepOf(record, isAdmin, right)),
  ];
}

function stepOf(record: Reason, isAdmin: boolean, right: Right): Step {
  const { id, action, deny, until, team, about, expired, teamIsGone } = record;
  const whose = team === null ? "A permission of their own" : `A permission of the team ${team}`;
  const on = about === "canary" ? " for the canary" : "";
  const hides = deny && right !== "read" && !coversRight(action, right);
  const parts = [
    `${deny ? "denies" : "allows"} ${actionLabel(action)}${on}${hides ? ": what cannot be read cannot be used" : ""}.`,
    expired && until ? `It ended ${until.toISOString().slice(0, 16).replace("T", " ")} UTC.` : "",
    !expired && until ? `It ends ${until.toISOString().slice(0, 16).replace("T", " ")} UTC.` : "",
    teamIsGone ? "The team was deleted." : "",
    isAdmin && deny ? "It does nothing to an admin." : "",
  ];
  return {
    title: whose,
    says: deny ? "denies" : "allows",
    detail: parts.filter(Boolean).join(" "),
    counts: !expired && !teamIsGone && !(isAdmin && deny),
    record: id,
  };
}

const coversRight = (action: string, right: Right) => action === "*" || action.split(",").includes(right);
const noun = (kind: ResourceKind) => (kind === "config" ? "catalog item" : KIND_LABELS[kind].toLowerCase());
const DOING: Partial<Record<Right, string>> = {
  create: "add to",
  "playbook:run": "run",
  "playbook:approve": "approve",
};
export const doing = (right: Right): string => DOING[right] ?? right;

/** The verdict as a sentence, with what decided it. */
export function verdictOf(
  { verdict, role, byRole, records, resource }: Why,
  who: string,
  right: Right,
): string {
  const what = `${doing(right)} ${resource.name}`;
  const counted = records.filter(({ expired, teamIsGone }) => !expired && !teamIsGone);
  if (verdict === "hidden") return `${who} may not ${what}: a permission hides it from them.`;
  if (verdict === "no")
    return counted.some(({ deny }) => deny)
      ? `${who} may not ${what}: a permission denies it, and a denial wins.`
      : `${who} may not ${what}: neither the role nor a permission allows it.`;
  return byRole
    ? `${who} may ${what}: the role ${role} allows it.`
    : `${who} may ${what}: a permission allows what the role does not.`;
}
