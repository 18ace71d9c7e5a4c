import { permissionRow } from "#app/contract/rows/permissions.ts";
import { RESOURCE_KINDS, SUBJECT_KINDS } from "#app/contract/words/permissions.ts";
import type { Api } from "#app/lib/api.server.ts";
import type { PermissionInput } from "./forms.server.ts";
import { columnOf } from "./paths.ts";

/** The columns of a record: of the resources and the subjects one each, the others empty. */
const columns = ({ kind, resource, subject, who, action, deny, until, description }: PermissionInput) => ({
  ...Object.fromEntries(RESOURCE_KINDS.map((known) => [columnOf(known), known === kind ? resource : null])),
  ...Object.fromEntries(SUBJECT_KINDS.map((known) => [`${known}_id`, known === subject ? who : null])),
  action,
  deny,
  until: until ?? null,
  description: description ?? "",
});

export const addPermission = (api: Api, input: PermissionInput, by: string) =>
  api.insert(permissionRow, { ...columns(input), source: "UI", created_by: by });

/** Throws Conflict when somebody changed it since it was read. */
export const changePermission = (api: Api, id: string, input: PermissionInput, by: string) =>
  api.update(
    permissionRow,
    id,
    { ...columns(input), updated_by: by },
    input.seen ? { seen: input.seen } : {},
  );

/** Specification 3 §7.5. */
export const deletePermission = (api: Api, id: string) =>
  api.update(permissionRow, id, { deleted_at: "now()" });
