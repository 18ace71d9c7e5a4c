import { buttonClass } from "./button.tsx";
import { SwitchMark } from "./parts/switch-mark.tsx";

/** On or off, kept in the database: the one button of a form that posts the other state. `label` is for the ear. */
export function SwitchButton({
  on,
  label,
  disabled = false,
}: {
  on: boolean;
  label: string;
  disabled?: boolean;
}) {
  return (
    <button
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      className={buttonClass({ look: "quiet", className: "relative min-w-16" })}
    >
      <span aria-hidden="true" className="text-xs text-muted">
        {on ? "On" : "Off"}
      </span>
      <SwitchMark on={on} />
    </button>
  );
}
