import type { PermissionRow } from "#app/contract/rows/permissions.ts";
import { DELETE_PERMISSION, DELETE_PERMISSION_QUESTION } from "#app/contract/words/permissions.ts";
import { DeleteDialog } from "#app/ui/delete-dialog.tsx";
import { actionLabel, subjectOf, targetOf } from "./model.ts";

/** The question before a permission is deleted. Open because the address says so. */
export function DeletePermission({
  row,
  closeTo,
  errors,
}: {
  row: PermissionRow;
  closeTo: string;
  errors: readonly string[] | null | undefined;
}) {
  return (
    <DeleteDialog
      title={DELETE_PERMISSION}
      question={DELETE_PERMISSION_QUESTION}
      closeTo={closeTo}
      errors={errors}
    >
      It {row.deny ? "denies" : "allows"} {subjectOf(row).name} to {actionLabel(row.action)}{" "}
      {targetOf(row).name ?? "something that is not to be seen"}.
    </DeleteDialog>
  );
}
