import type { InputHTMLAttributes, ReactNode } from "react";
import { cx } from "./parts/cx.ts";

type ChoiceProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & {
  label: ReactNode;
  /** Said under the label, and read with it. */
  hint?: string;
};

const LINE =
  "inline-flex min-h-7 items-start gap-2 py-1 pointer-coarse:min-h-11 pointer-coarse:items-center has-disabled:text-faint";

/** A native check box: yes or no, sent with the form. */
export const Checkbox = (props: ChoiceProps) => <Choice {...props} type="checkbox" />;

/** One of several with the same `name`; put them in a `FieldGroup`. */
export const Radio = (props: ChoiceProps) => <Choice {...props} type="radio" />;

function Choice({ label, hint, className, type, ...rest }: ChoiceProps & { type: "checkbox" | "radio" }) {
  return (
    <label className={cx(LINE, className)}>
      <input
        {...rest}
        type={type}
        className="mt-0.5 size-4 flex-none pointer-coarse:mt-0 pointer-coarse:size-5"
      />
      <Words label={label} hint={hint} />
    </label>
  );
}

/** A check box for what takes effect as a state: on or off. It says so to the ear and moves for the eye. */
export function Switch({ label, hint, className, ...rest }: ChoiceProps) {
  return (
    <label className={cx(LINE, "justify-between", className)}>
      <Words label={label} hint={hint} />
      <input
        {...rest}
        type="checkbox"
        role="switch"
        className={cx(
          "relative mt-0.5 h-4.25 w-7.5 flex-none cursor-pointer appearance-none rounded-full border border-control bg-sunken transition-colors focus-visible:rounded-full disabled:cursor-not-allowed disabled:opacity-55",
          "before:absolute before:inset-y-0.5 before:left-0.5 before:aspect-square before:rounded-full before:bg-muted before:transition-transform",
          "checked:border-transparent checked:bg-accent checked:before:translate-x-3.25 checked:before:bg-on-accent",
          "forced-colors:checked:bg-[Highlight] forced-colors:before:bg-[CanvasText]",
        )}
      />
    </label>
  );
}

function Words({ label, hint }: Pick<ChoiceProps, "label" | "hint">) {
  return (
    <span className="min-w-0">
      {label}
      {hint ? <span className="block text-xs text-faint">{hint}</span> : null}
    </span>
  );
}
