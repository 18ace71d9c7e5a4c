import { Link } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { cx } from "./parts/cx.ts";

const FRAME =
  "inline-flex flex-wrap gap-0.5 rounded-md border border-line-strong bg-sunken p-0.5 has-focus-visible:border-control";
const SEGMENT =
  "relative inline-flex min-h-[calc(var(--control-height)-6px)] items-center gap-1.5 rounded-sm px-2.5 whitespace-nowrap text-muted hover:text-ink [&>svg]:size-4 [&>svg]:flex-none";
const CHOSEN = "bg-surface font-medium text-ink shadow-[0_0_0_1px_var(--color-line-strong)]";

/** One of a few places: "Form | Code". Links, so each has an address. */
export function SegmentedLinks({
  label,
  segments,
}: {
  label: string;
  segments: readonly { to: string; label: string; icon?: ReactNode; current: boolean }[];
}) {
  return (
    <nav aria-label={label} className={FRAME}>
      {segments.map((segment) => (
        <Link
          key={segment.to}
          to={segment.to}
          preventScrollReset
          aria-current={segment.current ? "page" : undefined}
          className={cx(SEGMENT, segment.current && CHOSEN)}
        >
          {segment.icon}
          {segment.label}
        </Link>
      ))}
    </nav>
  );
}

type SegmentedButtonsProps = {
  label: string;
  name: string;
  segments: readonly { value: string; label: string; icon?: ReactNode; current: boolean }[];
};

/** The same as buttons of a form, each with a value of its own: what was typed goes along. */
export function SegmentedButtons({ label, name, segments, onPress }: SegmentedButtonsProps & OnPress) {
  return (
    <div role="group" aria-label={label} className={FRAME}>
      {segments.map(({ value, label: words, icon, current }) => (
        <button
          key={value}
          name={name}
          value={value}
          aria-pressed={current}
          onClick={({ currentTarget }) => onPress?.(currentTarget)}
          className={cx(SEGMENT, current && CHOSEN)}
        >
          {icon}
          {words}
        </button>
      ))}
    </div>
  );
}
type OnPress = { onPress?: (button: HTMLButtonElement) => void };

/**
 * Buttons that choose a value of the form, as "kind:canary" does of the hidden field `kind`; a new choice empties the field
 * `clears`. Somebody quick presses another button before this one is answered: what that sends says this choice, too.
 */
export function SegmentedChoice({
  field,
  chosen,
  clears,
  ...buttons
}: SegmentedButtonsProps & { field: string; chosen: string; clears: string }) {
  const [pressed, setPressed] = useState({ choice: chosen, before: chosen });
  const press = ({ form, value }: HTMLButtonElement) => {
    const choice = value.slice(value.indexOf(":") + 1);
    if (choice === chosen) return;
    setTimeout(() => {
      // The form has been read for this press.
      setPressed({ choice, before: chosen });
      const cleared = form?.elements.namedItem(clears);
      if (cleared instanceof HTMLSelectElement || cleared instanceof HTMLInputElement) cleared.value = "";
    });
  };
  return (
    <>
      <input type="hidden" name={field} value={pressed.before === chosen ? pressed.choice : chosen} />
      <SegmentedButtons {...buttons} onPress={press} />
    </>
  );
}

/** One of a few values of a form. Radios: arrow keys move, the form sends it without script. */
export function Segmented({
  label,
  name,
  options,
  value,
  disabled,
}: {
  /** The legend, for the ear: what stands beside it says it for the eye. */
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  value: string;
  disabled?: boolean;
}) {
  return (
    <fieldset disabled={disabled} className={cx(FRAME, "disabled:opacity-55")}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            SEGMENT,
            "cursor-pointer has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--color-line-strong)] has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus has-disabled:cursor-not-allowed forced-colors:has-checked:outline-1",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            defaultChecked={option.value === value}
            className="absolute inset-0 cursor-[inherit] opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
