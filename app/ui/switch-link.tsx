import { Link } from "@remix-run/react";
import type { KeyboardEvent } from "react";
import { buttonClass } from "./button.tsx";
import { SwitchMark } from "./parts/switch-mark.tsx";

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
      <SwitchMark on={on} />
    </Link>
  );
}
