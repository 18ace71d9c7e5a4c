import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from "react";
import { cx } from "./parts/cx.ts";
import { Glyph } from "./marks/glyph.tsx";

type FieldProps = {
  label: string;
  /** The control's id. The note under it is `<id>-error`, the name Conform gives it in `aria-describedby`. */
  id: string;
  errors?: readonly string[] | null | undefined;
  hint?: string | undefined;
  /** Drawn at the end of the label's line: "Reset password". */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/**
 * The line under a control is always there: the hint lives in it, an error takes its place. If it appeared on blur,
 * the button under the pointer would move away and miss its click.
 */
export function Field({ label, id, errors, hint, aside, className, children }: FieldProps) {
  const wrong = errors && errors.length > 0;
  return (
    <div className={cx("grid content-start gap-1", className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children}
      <p
        id={`${id}-error`}
        role={wrong ? "alert" : undefined}
        className={cx(
          "min-h-4.5 text-xs",
          wrong ? "flex items-center gap-1.5 text-unhealthy-ink" : "text-faint",
        )}
      >
        {wrong ? <Glyph name="unhealthy" tone="unhealthy" className="size-2.75" /> : null}
        {wrong ? errors.join(" ") : hint}
      </p>
    </div>
  );
}

/** The look of anything you can fill in. 16 px on touch: phones zoom into smaller fields. */
export const CONTROL =
  "w-full min-h-(--control-height) rounded-md border border-control bg-surface px-2.5 text-ink transition-colors placeholder:text-faint placeholder:opacity-100 hover:border-faint focus-visible:border-focus focus-visible:rounded-md focus-visible:-outline-offset-1 aria-invalid:border-unhealthy aria-invalid:shadow-[inset_2px_0_0_var(--color-unhealthy)] read-only:not-[select]:border-dashed read-only:not-[select]:bg-sunken read-only:not-[select]:text-muted disabled:border-dashed disabled:bg-sunken disabled:text-muted pointer-coarse:text-lg";

type InputProps = InputHTMLAttributes<HTMLInputElement> & { inputRef?: Ref<HTMLInputElement> };
export function Input({ className, inputRef, ...rest }: InputProps) {
  return <input {...rest} ref={inputRef} className={cx(CONTROL, className)} />;
}

export function Textarea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...rest} className={cx(CONTROL, "min-h-18 resize-y py-1.5", className)} />;
}
