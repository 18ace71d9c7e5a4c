import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from "react";
import { CONTROL } from "./parts/control.ts";
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

/** A field of several controls, such as radios: its label is a legend. */
export function FieldGroup({
  label,
  id,
  errors,
  hint,
  need,
  className,
  children,
}: Omit<FieldProps, "aside">) {
  const isWrong = Boolean(errors?.length);
  return (
    <fieldset
      id={id}
      aria-describedby={`${id}-error`}
      aria-invalid={isWrong || undefined}
      className={cx("grid content-start gap-1", className)}
    >
      <legend className="mb-1 font-medium">
        {label}
        <Need need={need} />
      </legend>
      {children}
      <FieldNote id={id} errors={errors} hint={hint} />
    </fieldset>
  );
}

/** The star is for the eye; the control's own `required` is for the ear. */
function Need({ need }: Pick<FieldProps, "need">) {
  if (need === "required")
    return (
      <span aria-hidden="true" className="ml-1.5 text-unhealthy-ink">
        *
      </span>
    );
  return need ? <span className="ml-1.5 text-xs font-normal text-faint">optional</span> : null;
}

function FieldNote({ id, errors, hint }: Pick<FieldProps, "id" | "errors" | "hint">) {
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

type InputProps = InputHTMLAttributes<HTMLInputElement> & { inputRef?: Ref<HTMLInputElement> };
export function Input({ className, inputRef, ...rest }: InputProps) {
  return <input {...rest} ref={inputRef} className={cx(CONTROL, className)} />;
}

export function Textarea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...rest} className={cx(CONTROL, "min-h-18 resize-y py-1.5", className)} />;
}

/** A number with its unit inside the frame: "30 s", "512 Mi". The unit is part of the label's meaning, so say it there too. */
export function NumberInput({ unit, className, ...rest }: InputProps & { unit?: string }) {
  if (!unit) return <Input {...rest} type="number" className={className} />;
  return (
    <span className="relative flex">
      <Input {...rest} type="number" className={cx("pr-10", className)} />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 grid items-center text-faint"
      >
        {unit}
      </span>
    </span>
  );
}

/** Durations as the product writes them, so that a typing error is found before the form is sent. */
const DURATION = "([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+";

/** A duration such as 30s, 5m or 1h30m, with the usual ones as suggestions; `id` is needed for them. */
export function DurationInput({
  id,
  suggestions = [],
  ...rest
}: InputProps & { id: string; suggestions?: readonly string[] }) {
  const list = suggestions.length > 0 ? `${id}-suggestions` : undefined;
  return (
    <>
      <Input
        placeholder="30s"
        pattern={DURATION}
        title="A duration such as 30s, 5m or 1h30m"
        autoComplete="off"
        {...rest}
        id={id}
        list={list}
      />
      {list ? (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}
