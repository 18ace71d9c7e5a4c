import type { ReactNode } from "react";
import { Button, ButtonLink } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { PostForm } from "./post-form.tsx";

interface DeleteDialogProps {
  title: string;
  question: string;
  closeTo: string;
  errors: readonly string[] | null | undefined;
  /** What it is, and what goes with it. */
  children: ReactNode;
}

/** The question before something is deleted. Open because the address says so. */
export function DeleteDialog({ title, question, closeTo, errors, children }: DeleteDialogProps) {
  return (
    <Dialog title={title} size="small" closeTo={closeTo}>
      <p>{question}</p>
      <p className="text-muted wrap-anywhere">{children}</p>
      <PostForm intent="delete" errors={errors} className="flex flex-wrap justify-end gap-2">
        <ButtonLink to={closeTo} preventScrollReset>
          Keep it
        </ButtonLink>
        <Button look="danger">Delete</Button>
      </PostForm>
    </Dialog>
  );
}
