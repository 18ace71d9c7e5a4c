/** The form of a permission between its answers: what was typed, what the pickers offer, and the step buttons. */
import type { PermissionRow } from "#app/contract/rows/permissions.ts";
import {
  ACTIONS_OF,
  RESOURCE_KINDS,
  SUBJECT_KINDS,
  type ResourceKind,
  type SubjectKind,
} from "#app/contract/words/permissions.ts";
import type { Api } from "#app/lib/api.server.ts";
import type { SearchOf } from "#app/lib/search.ts";
import { subjectOf, targetOf } from "./model.ts";
import { columnOf, isId, type newPermissionSearch } from "./paths.ts";
import { listChoices } from "./queries.server.ts";

interface PermissionDraft {
  kind: ResourceKind;
  /** Ids; empty until chosen. */
  resource: string;
  subject: SubjectKind;
  who: string;
  action: string;
  deny: boolean;
  /** As a field for a date and a time writes it, in UTC; empty: for ever. */
  until: string;
  description: string;
  /** What the pickers are narrowed to. */
  findResource: string;
  findWho: string;
  /** The version of the row that was read. */
  seen: string;
}

const oneOf = <T extends string>(options: readonly T[], value: string, fallback: T): T =>
  options.find((option) => option === value) ?? fallback;

/** A form as it was posted, with the step that one of its buttons asks for taken. */
export function draftOf(form: FormData): PermissionDraft {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const draft: PermissionDraft = {
    kind: oneOf(RESOURCE_KINDS, text("kind"), "canary"),
    resource: text("resource"),
    subject: oneOf(SUBJECT_KINDS, text("subject"), "team"),
    who: text("who"),
    action: text("action"),
    deny: form.get("deny") !== null,
    until: text("until"),
    description: text("description"),
    findResource: text("findResource"),
    findWho: text("findWho"),
    seen: text("seen"),
  };
  return stepped(draft, text("step"));
}

/** Changing the kind of resource or subject clears what was chosen of the other one (specification 3 §5). */
function stepped(draft: PermissionDraft, step: string): PermissionDraft {
  const [what = "", value = ""] = step.split(":");
  if (what === "kind") {
    const kind = oneOf(RESOURCE_KINDS, value, draft.kind);
    if (kind === draft.kind) return draft;
    const action = ACTIONS_OF[kind].includes(draft.action) ? draft.action : "";
    return { ...draft, kind, action, resource: "", findResource: "" };
  }
  if (what === "subject") {
    const subject = oneOf(SUBJECT_KINDS, value, draft.subject);
    return subject === draft.subject ? draft : { ...draft, subject, who: "", findWho: "" };
  }
  return draft;
}

const EMPTY: PermissionDraft = {
  kind: "config",
  resource: "",
  subject: "team",
  who: "",
  action: "",
  deny: false,
  until: "",
  description: "",
  findResource: "",
  findWho: "",
  seen: "",
};

/** A new permission, with the resource or the subject that was come from. */
export function newDraft(from: SearchOf<typeof newPermissionSearch>): PermissionDraft {
  const kind = RESOURCE_KINDS.find((known) => isId(from[columnOf(known)]));
  const subject = SUBJECT_KINDS.find((known) => isId(from[`${known}_id`]));
  return {
    ...EMPTY,
    ...(kind ? { kind, resource: from[columnOf(kind)] } : {}),
    ...(subject ? { subject, who: from[`${subject}_id`] } : {}),
  };
}

/** What is there already. */
export function draftOfRow(row: PermissionRow): PermissionDraft {
  const [target, subject] = [targetOf(row), subjectOf(row)];
  return {
    ...EMPTY,
    kind: target.kind,
    resource: target.id,
    subject: subject.kind,
    who: subject.id,
    action: row.action,
    deny: row.deny ?? false,
    until: row.until?.toISOString().slice(0, 16) ?? "",
    description: row.description ?? "",
    seen: row.updated_at,
  };
}

/** The draft with all that its form draws. */
export async function drawDraft(api: Api, draft: PermissionDraft) {
  const [resources, subjects] = await Promise.all([
    listChoices(api, draft.kind, { find: draft.findResource, chosen: draft.resource }),
    listChoices(api, draft.subject, { find: draft.findWho, chosen: draft.who }),
  ]);
  return { draft, resources, subjects };
}
export type DrawnDraft = Awaited<ReturnType<typeof drawDraft>>;
