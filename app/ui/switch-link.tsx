import { Link } from "@remix-run/react";
import type { KeyboardEvent } from "react";
import { buttonClass } from "./button.tsx";
import { cx } from "./parts/cx.ts";

/** On or off, kept in the address: a link to the page with the other state, which needs no form and no script. */
export function SwitchLink({ to, on, label }: { to: string; on: boolean; label: string }) {
  const pressed = (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (event.key !== " ") return; // what a switch listens to, and a link does not
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <Link
      to={to}
      role="switch"
      aria-checked={on}
      preventScrollReset
      onKeyDown={pressed}
      className={buttonClass({ look: "quiet" })}
    >
      {label}
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
    </Link>
  );
}
