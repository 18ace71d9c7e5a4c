import type { TextareaHTMLAttributes } from "react";
import { FieldNote, Input, Need, type FieldProps, type InputProps } from "./field.tsx";
import { CONTROL } from "./parts/control.ts";
import { cx } from "./parts/cx.ts";

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
