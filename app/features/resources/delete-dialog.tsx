import { DELETE_QUESTION, DELETE_TITLE } from "#app/contract/words/resources.ts";
import { DeleteDialog } from "#app/ui/delete-dialog.tsx";

interface DeleteResourceProps {
  name: string;
  deletes: string;
  closeTo: string;
  errors: readonly string[] | null | undefined;
}

/** The question before something is deleted, with its name and what goes with it. */
export function DeleteResource({ name, deletes, ...dialog }: DeleteResourceProps) {
  return (
    <DeleteDialog title={DELETE_TITLE} question={DELETE_QUESTION} {...dialog}>
      <strong className="font-medium text-ink">{name}</strong> will be gone. {deletes}
    </DeleteDialog>
  );
}
