import type { FormMetadata } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Notice } from "./notice.tsx";

type PostFormProps = {
  intent: string;
  /** Conform's metadata, for a form with fields. Typed only: a form of one button does not ship Conform. */
  form?: FormMetadata<Record<string, unknown>> | undefined;
  errors?: readonly string[] | null | undefined;
  /** Where to post; the page itself when absent. */
  action?: string;
  /** With files in it. */
  files?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * Every write starts here: one form, one intent. The first, invisible button is the one Enter presses, so that "Add"
 * and "Remove" buttons never are; the intent is a hidden input, because those buttons bring names of their own.
 */
export function PostForm({
  intent,
  form,
  errors = form?.errors,
  action,
  files = false,
  className,
  children,
}: PostFormProps) {
  const conform = form ? { id: form.id, onSubmit: form.onSubmit, noValidate: form.noValidate } : {};
  return (
    <Form
      method="post"
      preventScrollReset
      {...(action ? { action } : {})}
      {...(files ? { encType: "multipart/form-data" as const } : {})}
      {...conform}
      className={className}
    >
      <button hidden tabIndex={-1} aria-hidden="true" />
      <input type="hidden" name="intent" value={intent} />
      {errors?.length ? <Notice tone="unhealthy">{errors.join(" ")}</Notice> : null}
      {children}
    </Form>
  );
}
