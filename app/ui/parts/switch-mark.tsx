import { cx } from "./cx.ts";

/** The little switch itself, for the eye: what it belongs to says its state. */
export function SwitchMark({ on }: { on: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "relative h-4 w-7 flex-none rounded-full border transition-colors",
        on ? "border-accent bg-accent" : "border-control bg-surface",
      )}
    >
      <span
        className={cx(
          "absolute inset-y-0.5 w-2.5 rounded-full transition-[left]",
          on ? "left-3.5 bg-on-accent" : "left-0.5 bg-control",
        )}
      />
    </span>
  );
}
