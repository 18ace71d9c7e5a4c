import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { CONTROL } from "./parts/control.ts";
import { cx } from "./parts/cx.ts";
import { Glyph } from "./marks/glyph.tsx";

export type FieldProps = {
  label: string;
  /** The control's id. The note under it is `<id>-error`, the name Conform gives it in `aria-describedby`. */
  id: string;
  errors?: readonly string[] | null | undefined;
  hint?: string | undefined;
  /** Drawn at the end of the label's line: "Reset password". */
  aside?: ReactNode;
  /** Said beside the label. Mark whichever of the two is rarer in the form. */
  need?: "required" | "optional" | undefined;
  className?: string;
  children: ReactNode;
};

/**
 * The line under a control is always there: the hint lives in it, an error takes its place. If it appeared on blur,
 * the button under the pointer would move away and miss its click.
 */
export function Field({ label, id, errors, hint, aside, need, className, children }: FieldProps) {
  return (
    <div className={cx("grid content-start gap-1", className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
          <Need need={need} />
        </label>
        {aside}
      </div>
      {children}
      <FieldNote id={id} errors={errors} hint={hint} />
    </div>
  );
}

/** The star is for the eye; the control's own `required` is for the ear. */
export function Need({ need }: Pick<FieldProps, "need">) {
  if (need === "required")
    return (
      <span aria-hidden="true" className="ml-1.5 text-unhealthy-ink">
        *
      </span>
    );
  return need ? <span className="ml-1.5 text-xs font-normal text-faint">optional</span> : null;
}

export function FieldNote({ id, errors, hint }: Pick<FieldProps, "id" | "errors" | "hint">) {
  const wrong = errors && errors.length > 0;
  return (
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
  );
}

export type InputProps = InputHTMLAttributes<HTMLInputElement> & { inputRef?: Ref<HTMLInputElement> };
export function Input({ className, inputRef, ...rest }: InputProps) {
  return <input {...rest} ref={inputRef} className={cx(CONTROL, className)} />;
}
