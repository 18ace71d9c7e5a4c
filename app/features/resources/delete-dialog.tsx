import { DELETE_QUESTION, DELETE_TITLE } from "#app/contract/words/resources.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { PostForm } from "#app/ui/post-form.tsx";

/** The question before something is deleted, with its name and what goes with it. Open because the address says so. */
export function DeleteDialog({
  name,
  deletes,
  closeTo,
  errors,
}: {
  name: string;
  deletes: string;
  closeTo: string;
  errors: readonly string[] | null | undefined;
}) {
  return (
    <Dialog title={DELETE_TITLE} size="small" closeTo={closeTo}>
      <p>{DELETE_QUESTION}</p>
      <p className="text-muted">
        <strong className="font-medium text-ink wrap-anywhere">{name}</strong> will be gone. {deletes}
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
