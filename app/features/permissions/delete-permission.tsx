import type { PermissionRow } from "#app/contract/rows/permissions.ts";
import { DELETE_PERMISSION, DELETE_PERMISSION_QUESTION } from "#app/contract/words/permissions.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
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
    <Dialog title={DELETE_PERMISSION} size="small" closeTo={closeTo}>
      <p>{DELETE_PERMISSION_QUESTION}</p>
      <p className="text-muted wrap-anywhere">
        It {row.deny ? "denies" : "allows"} {subjectOf(row).name} to {actionLabel(row.action)}{" "}
        {targetOf(row).name ?? "something that is not to be seen"}.
      </p>
      <PostForm intent="delete" errors={errors} className="flex flex-wrap justify-end gap-2">
        <ButtonLink to={closeTo} preventScrollReset>
          Keep it
        </ButtonLink>
        <Button look="danger">Delete</Button>
      </PostForm>
    </Dialog>
  );
}
